/**
 * Diagnostics of open files and of the workspace's files on disk. A client that can pull is left to pull; every other one
 * is sent the diagnostics of a file as soon as its text changed, with the version they were made from.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Connection, Diagnostic, Range } from "vscode-languageserver";
import {
  checkDocument,
  checkWorkspace,
  type FlowDocument,
  type Problem,
  ruleCatalog,
  ruleDocUrl,
  shownOf,
  summarise,
} from "../flow";
import type { Settings } from "./settings";
import type { SyncService } from "./sync-service";
import { Converter } from "./to-protocol";
import { keyOf } from "./uris";
import type { OpenFile, Workspace } from "./workspace";

export interface DiagnosticsOptions {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly sync: SyncService;
  readonly settings: () => Settings;
  readonly encoding: () => string;
  /** The client waits to be sent diagnostics, rather than asking for them. */
  readonly pushes: () => boolean;
  /** The client asks again when it is told to. */
  readonly canRefresh: () => boolean;
}

/** What is known of a file that is not open. */
export interface ClosedDiagnostics {
  readonly resultId: string;
  readonly items: Diagnostic[];
}

export class Diagnostics {
  readonly #waiting = new Set<OpenFile>();
  readonly #checked = new WeakMap<OpenFile, { id: string; problems: readonly Problem[] }>();
  /** Of files on disk, by address. */
  readonly closed = new Map<string, ClosedDiagnostics>();
  /** The revision each file named when it was last checked. */
  readonly #revisions = new Map<string, string>();
  #round = 0;
  #reads = 0;
  #onClosedChange: (() => void)[] = [];

  constructor(private readonly options: DiagnosticsOptions) {
    options.workspace.onFile((uri, document) => this.#fileOnDisk(uri, document));
  }

  /** The text changed. What the client asked in the same breath is answered first; nothing waits for a timer. */
  changed(file: OpenFile): void {
    if (!this.options.pushes() || this.#waiting.has(file)) return;
    this.#waiting.add(file);
    setImmediate(() =>
      setImmediate(() => {
        this.#waiting.delete(file);
        if (this.options.workspace.get(file.uri) !== file) return;
        const { uri, version } = file;
        void this.options.connection.sendDiagnostics({ uri, version, diagnostics: this.of(file) });
      }),
    );
  }

  /** Settings or findings changed: what was said of the same text no longer holds. */
  allChanged(): void {
    this.#round++;
    if (this.options.pushes()) for (const file of this.options.workspace.openFiles) this.changed(file);
    else if (this.options.canRefresh()) void this.options.connection.languages.diagnostics.refresh();
  }

  /** The file was closed: what was said of its live text goes, under the very address the client gave it. */
  cleared(uri: string): void {
    if (this.options.pushes()) void this.options.connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  /** Says which text and settings the diagnostics of a file are made from. */
  resultId(file: OpenFile): string {
    return `${file.version}.${this.#round}`;
  }

  /** The rules' problems of a file, worked out once for each text. */
  problems(file: OpenFile): readonly Problem[] {
    const id = this.resultId(file);
    let checked = this.#checked.get(file);
    if (checked?.id !== id) {
      checked = { id, problems: this.#check(file.uri, file.document) };
      this.#checked.set(file, checked);
      this.#noteRevision(file.uri, file.document);
    }
    return checked.problems;
  }

  of(file: OpenFile): Diagnostic[] {
    const { sync } = this.options;
    const problems = [...this.problems(file), ...sync.notes(file)];
    return convert(this.#converter(file.uri, file.document), problems, sync.findings(file.uri));
  }

  /** Resolves when the diagnostics of a file on disk change. */
  closedChange(): Promise<void> {
    return new Promise((resolve) => this.#onClosedChange.push(resolve));
  }

  #check(uri: string, document: FlowDocument): readonly Problem[] {
    const { rules } = this.options.settings();
    const problems = checkDocument(document, rules);
    const own = summarise(uri, document);
    const others = own.revision === undefined ? [] : this.options.workspace.naming(own.revision, uri);
    if (others.length === 0) return problems;
    return [...(checkWorkspace([own, ...others], rules).get(uri) ?? []), ...problems];
  }

  #fileOnDisk(uri: string, document: FlowDocument | undefined): void {
    const { settings, pushes, connection, sync } = this.options;
    const shown = document && settings().diagnostics.workspace;
    const items = shown ? convert(this.#converter(uri, document), this.#check(uri, document), sync.findings(uri)) : [];
    const before = this.closed.get(uri)?.items ?? [];
    if (document) this.closed.set(uri, { resultId: String(++this.#reads), items });
    else this.closed.delete(uri);
    if (items.length + before.length > 0) {
      if (pushes()) void connection.sendDiagnostics({ uri, diagnostics: items });
      for (const resolve of this.#onClosedChange.splice(0)) resolve();
    }
    this.#noteRevision(uri, document);
  }

  /** A file names another revision than before: the files that name the old or the new one are checked again. */
  #noteRevision(uri: string, document: FlowDocument | undefined): void {
    const key = keyOf(uri);
    const before = this.#revisions.get(key);
    const now = document && summarise(uri, document).revision;
    if (before === now) return;
    if (now === undefined) this.#revisions.delete(key);
    else this.#revisions.set(key, now);
    const { workspace } = this.options;
    const touched = [before, now].flatMap((revision) => (revision ? workspace.naming(revision, uri) : []));
    for (const other of touched) {
      const open = workspace.get(other.uri);
      if (open) this.#checked.delete(open);
      else void workspace.reread(other.uri);
    }
    if (touched.some((other) => workspace.get(other.uri))) this.allChanged();
  }

  #converter(uri: string, document: FlowDocument): Converter {
    return new Converter(uri, document, this.options.encoding(), (other) => this.#revisionPlace(other));
  }

  /** Where another file names its revision, the one place that problems point to across files. */
  #revisionPlace(uri: string): Range | undefined {
    const open = this.options.workspace.get(uri);
    if (!open) return this.options.workspace.closed(uri)?.revisionRange;
    const { revisionSpan } = summarise(uri, open.document);
    return revisionSpan && new Converter(uri, open.document, this.options.encoding()).range(revisionSpan);
  }
}

function convert(converter: Converter, problems: readonly Problem[], findings: readonly Problem[]): Diagnostic[] {
  return shownOf(problems, findings).map(({ problem, source }) =>
    converter.diagnostic(problem, source, pageOf(problem, source)),
  );
}

/** What a rule is about, as Markdown, for a place that has a problem. */
export function ruleHelp(problem: Problem): string | undefined {
  const rule = ruleCatalog.find(({ code }) => code === problem.code);
  if (!rule) return undefined;
  const page = ruleDocUrl(rule.code, INSTALLED);
  return `${rule.title}. [${rule.code}](${page}) · silence it with \`# flow-ignore ${rule.code}\``;
}

/** The page of the rule; the pages lie beside the folder this file runs from. */
function pageOf(problem: Problem, source: string): string | undefined {
  const known = source === "assistant-flow" && ruleCatalog.some((rule) => rule.code === problem.code);
  return known ? ruleDocUrl(problem.code, INSTALLED) : undefined;
}

const INSTALLED = pathToFileURL(join(__dirname, "..")).href;
