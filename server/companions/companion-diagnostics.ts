/**
 * Diagnostics of open test and policy files. Running the tests of a long file takes a while, so it is done in slices,
 * between which other requests are answered; work for an older text of the file or of its flows is abandoned.
 */
import type { Connection, Diagnostic } from "vscode-languageserver";
import type { CompanionProblem } from "../../files/suite";
import { shownMessage } from "../../text";
import { inBackground } from "../background";
import { Converter, protocolSeverity, TextConverter } from "../protocol/to-protocol";
import type { Programs } from "../workspace/programs";
import type { Companion, Companions } from "./companion-files";

export interface CompanionDiagnosticsOptions {
  readonly connection: Connection;
  readonly companions: Companions;
  readonly programs: Programs;
  /** Increases with each edit of an open file. */
  readonly edits: () => number;
  readonly encoding: () => string;
  readonly pushes: () => boolean;
  readonly showsRelated: () => boolean;
  /** All problems of a file, as a sequence of lists. */
  readonly problems: (file: Companion) => AsyncGenerator<readonly CompanionProblem[]>;
}

/** An editor shows at most this many per file. */
const MAX_PROBLEMS = 1000;
const SLICE_MS = 8;

export class CompanionDiagnostics {
  /** Files being checked, and whether they must be checked once more. */
  readonly #running = new Map<Companion, { again: boolean }>();

  constructor(private readonly options: CompanionDiagnosticsOptions) {}

  /** The text changed, or a flow that it refers to. */
  changed(file: Companion): void {
    if (!this.options.pushes()) return;
    const running = this.#running.get(file);
    if (running) running.again = true;
    else inBackground(this.options, this.#push(file));
  }

  /** A flow, a setting or a file on disk changed. */
  allChanged(): void {
    for (const file of this.options.companions.openFiles) this.changed(file);
  }

  cleared(uri: string): void {
    if (this.options.pushes()) void this.options.connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  async #push(file: Companion): Promise<void> {
    const state = { again: false };
    this.#running.set(file, state);
    try {
      do {
        state.again = false;
        await new Promise((resolve) => setImmediate(resolve));
        const { version } = file;
        const items = await this.of(file);
        if (!items || this.options.companions.get(file.uri) !== file) continue;
        void this.options.connection.sendDiagnostics({ uri: file.uri, version, diagnostics: items });
      } while (state.again && this.options.companions.get(file.uri) === file);
    } finally {
      this.#running.delete(file);
    }
  }

  /** Undefined if a file changed in the meantime. */
  async of(file: Companion): Promise<Diagnostic[] | undefined> {
    if (file.isDeleted) return [];
    const found = await this.problemsOf(file);
    if (!found) return undefined;
    const { uri, document } = file;
    const converter = new TextConverter(uri, document, this.options.encoding());
    return found.map((problem) => this.#diagnostic(problem, converter));
  }

  async problemsOf(file: Companion): Promise<CompanionProblem[] | undefined> {
    const edits = this.options.edits();
    const found: CompanionProblem[] = [];
    let since = performance.now();
    for await (const some of this.options.problems(file)) {
      for (const each of some.slice(0, MAX_PROBLEMS - found.length)) found.push(each);
      if (performance.now() - since < SLICE_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.options.edits() !== edits) return undefined;
      since = performance.now();
    }
    return this.options.edits() === edits ? found : undefined;
  }

  #diagnostic(problem: CompanionProblem, converter: TextConverter): Diagnostic {
    const { code, severity, message, span } = problem;
    const related = this.options.showsRelated() ? this.#related(problem) : [];
    return {
      range: converter.range(span),
      message: shownMessage(message),
      severity: protocolSeverity[severity],
      source: "assistant-flow",
      code,
      ...(related.length > 0 ? { relatedInformation: related } : {}),
    };
  }

  #related({ related }: CompanionProblem) {
    return related.flatMap(({ document, span, message }) => {
      const uri = this.options.programs.uriOf(document);
      const location = uri === undefined ? undefined : new Converter(uri, document, this.options.encoding());
      return location ? [{ message: shownMessage(message), location: location.location(span) }] : [];
    });
  }
}
