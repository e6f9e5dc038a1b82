/**
 * Diagnostics of open files and of the workspace's files on disk. A client that supports pull diagnostics pulls them;
 * any other gets them pushed as soon as the text changes, with the version they were computed from.
 */
import type { Connection, Range } from "vscode-languageserver";
import {
  type ComponentFacts,
  checkComponents,
  checkDocument,
  checkNames,
  checkTools,
  checkWorkspace,
  componentFacts,
  componentsIn,
  diagnosticsIn,
  type FlowDiagnostic,
  type FlowDocument,
  type FlowEnvironment,
  getOrCreate,
  type Problem,
  problemOf,
  summarize,
} from "../../flow";
import { differsFromKnown, isSameRule, type Merged, mergeFindings, ruleOf } from "../../flow/findings";
import type { KnownTools } from "../../flow/tools";
import { inBackground } from "../background";
import { Converter } from "../protocol/to-protocol";
import { isSavable, keyOf } from "../protocol/uris";
import { pageOf } from "../rule-pages";
import type { Settings } from "../settings";
import type { LazySync } from "../sync/lazy";
import type { FileDigest } from "../workspace/digest";
import type { OpenFile, Workspace } from "../workspace/workspace";
import { DiagnosticList, type DiagnosticSources, type DiagnosticsOfFile } from "./diagnostic-list";

export interface DiagnosticsOptions {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly sync: LazySync;
  readonly settings: () => Settings;
  readonly encoding: () => string;
  /** Whether the client expects pushed diagnostics instead of pulling them. */
  readonly pushes: () => boolean;
  /** Whether the client supports refresh requests. */
  readonly canRefresh: () => boolean;
  /** Whether the client shows related locations of a diagnostic. */
  readonly showsRelated: () => boolean;
  /** Policy violations of a flow. */
  readonly policies: (uri: string, document: FlowDocument) => readonly Problem[];
  /** The tools of a flow; undefined if they aren't known. */
  readonly tools: (uri: string) => KnownTools | undefined;
  /** The environments that list a flow. */
  readonly environments: (uri: string) => readonly FlowEnvironment[];
}

/** The diagnostics of a file that isn't open. */
export interface ClosedDiagnostics {
  readonly resultId: string;
  /** As JSON: there may be thousands of files. */
  readonly items: string;
}

export class Diagnostics {
  readonly #waiting = new Set<OpenFile>();
  readonly #checked = new WeakMap<OpenFile, { id: string; problems: readonly Problem[] }>();
  readonly #lists = new WeakMap<OpenFile, DiagnosticList>();
  /** The ID of the list last sent to the client. */
  readonly #sent = new WeakMap<OpenFile, string>();
  /** Diagnostics of files on disk, by URI. */
  readonly closed = new Map<string, ClosedDiagnostics>();
  /** The revision that each file named at its last check. */
  readonly #revisions = new Map<string, string>();
  /** The interface of each file for its users at its last check. */
  readonly #interfaces = new Map<string, { readonly facts: string; readonly ids: readonly string[] }>();
  /** Open files that were deleted. */
  readonly #deleted = new Set<string>();
  /** Closed files whose live diagnostics a client may still show, until it gets those of the file on disk. */
  readonly #wasOpen = new Set<string>();
  #round = 0;
  #reads = 0;
  #onClosedChange: (() => void)[] = [];

  constructor(private readonly options: DiagnosticsOptions) {
    options.workspace.onFile((uri, digest) => void this.#fileOnDisk(uri, digest));
  }

  /** Whether the client can receive diagnostics after its request was answered. */
  get canUpdateLater(): boolean {
    return this.options.pushes() || this.options.canRefresh();
  }

  /** The text changed. Deferred two ticks so pending requests go first. */
  changed(file: OpenFile): void {
    if (!this.options.pushes() || this.#waiting.has(file)) return;
    this.#waiting.add(file);
    setImmediate(() =>
      setImmediate(() => {
        this.#waiting.delete(file);
        if (this.options.workspace.get(file.uri) !== file) return;
        const { id, items } = this.of(file);
        if (this.#sent.get(file) === id) return;
        this.#sent.set(file, id);
        const { uri, version } = file;
        void this.options.connection.sendDiagnostics({ uri, version, diagnostics: [...items] });
      }),
    );
  }

  /** Settings or findings changed, so the diagnostics of the same text are outdated. */
  allChanged(): void {
    this.#round++;
    if (this.options.pushes()) for (const file of this.options.workspace.openFiles) this.changed(file);
    else if (this.options.canRefresh()) {
      const { connection } = this.options;
      inBackground({ connection }, connection.languages.diagnostics.refresh());
    }
  }

  /** Another file changed that the problems of these files depend on. */
  checkAgain(uris: readonly string[]): void {
    const { workspace } = this.options;
    for (const uri of uris) if (!workspace.get(uri)) void this.#fileOnDisk(uri, workspace.closed(uri));
    if (uris.some((uri) => workspace.get(uri))) this.allChanged();
  }

  /** A policy or component is being edited. Clients that pull request again on their own. */
  othersChanged(): void {
    this.#round++;
    if (this.options.pushes()) for (const file of this.options.workspace.openFiles) this.changed(file);
  }

  /** The file was closed: clears the diagnostics of its live text, under the exact URI the client used. */
  cleared(uri: string): void {
    this.#deleted.delete(keyOf(uri));
    this.closed.delete(keyOf(uri));
    this.#wasOpen.add(keyOf(uri));
    if (this.options.pushes()) void this.options.connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  /** The problems that rules find in a file, computed once per text. */
  problems(file: OpenFile): readonly Problem[] {
    const id = `${file.version}.${this.#round}`;
    let checked = this.#checked.get(file);
    if (checked?.id !== id) {
      const { uri, document } = file;
      const problems = [...this.#around(uri, document), ...checkDocument(document, this.options.settings().rules)];
      checked = { id, problems };
      this.#checked.set(file, checked);
    }
    return checked.problems;
  }

  /** An open file was deleted, or exists again, or is being edited. A deleted file has no diagnostics. */
  setDeleted(uri: string, isDeleted: boolean): void {
    const key = keyOf(uri);
    if (this.#deleted.has(key) === isDeleted) return;
    if (isDeleted) this.#deleted.add(key);
    else this.#deleted.delete(key);
    this.allChanged();
  }

  of(file: OpenFile): DiagnosticsOfFile {
    if (this.#deleted.has(keyOf(file.uri))) return { id: "deleted", items: [] };
    const list = getOrCreate(this.#lists, file, () => this.#newList());
    return this.#update(list, file.uri, file.document, this.options.sync.notes(file));
  }

  #update(list: DiagnosticList, uri: string, document: FlowDocument, notes: readonly Problem[]): DiagnosticsOfFile {
    const { settings, sync, workspace } = this.options;
    const around = this.#around(uri, document);
    const found = diagnosticsIn(document, settings().rules);
    const findings = sync.findings(uri);
    const sources = findings.length > 0 ? merge(document, around, found, findings) : { around, found, findings };
    const shown = list.update({ ...sources, notes }, this.#converter(uri, document));
    this.#noteRevision(uri, isSavable(uri) ? summarize(uri, document).revision : undefined);
    const isNamed = document.top("assistant") ?? document.top("revision") ?? workspace.namesOf(uri, [])?.length;
    this.#noteInterface(uri, isNamed ? componentFacts("", document) : undefined);
    return shown;
  }

  /** The rules' problems and the platform's findings of a file, without duplicates. */
  merged(file: OpenFile): Merged {
    const { sync } = this.options;
    return mergeFindings([...this.problems(file), ...sync.notes(file)], sync.findings(file.uri), file.document);
  }

  #newList(): DiagnosticList {
    return new DiagnosticList(this.options.showsRelated(), pageOf);
  }

  /** Answers pending requests for the diagnostics of files that aren't open. */
  closedChanged(): void {
    for (const resolve of this.#onClosedChange.splice(0)) resolve();
  }

  /** Resolves when the diagnostics of a file on disk change. */
  closedChange(): Promise<void> {
    return new Promise((resolve) => this.#onClosedChange.push(resolve));
  }

  /** Problems between this file and others. */
  #around(uri: string, document: FlowDocument): readonly Problem[] {
    const { workspace } = this.options;
    const { rules } = this.options.settings();
    const component = componentsIn(() => workspace.facts());
    const problems = [
      ...this.options.policies(uri, document),
      ...checkComponents(document, component, rules),
      ...checkTools(document, this.options.tools(uri), rules),
      ...checkNames(document, this.options.environments(uri), rules),
    ];
    const own = summarize(uri, document);
    const others = own.revision === undefined || !isSavable(uri) ? [] : workspace.naming(own.revision, uri);
    if (others.length === 0) return problems;
    return [...(checkWorkspace([own, ...others], rules).get(uri) ?? []), ...problems];
  }

  /** If the inputs and outputs of a file changed, the files that use it as a component are checked again. */
  #noteInterface(uri: string, facts: ComponentFacts | undefined): void {
    const key = keyOf(uri);
    const before = this.#interfaces.get(key);
    const own = [facts?.assistant, facts?.revision].filter((id) => id !== undefined);
    const names = facts ? [...own, ...(this.options.workspace.namesOf(uri, own) ?? [])] : [];
    if (!before && names.length === 0) return;
    const now = facts && JSON.stringify([facts, names]);
    if (before?.facts === now) return;
    const ids = new Set([...names, ...(before?.ids ?? [])]);
    if (now === undefined) this.#interfaces.delete(key);
    else this.#interfaces.set(key, { facts: now, ids: [...ids] });
    if (ids.size === 0) return;
    const users = [...this.options.workspace.facts()].filter(
      ({ uri: user, uses }) => uses.some(({ kind, id }) => kind === "component" && ids.has(id)) && keyOf(user) !== key,
    );
    this.checkAgain(users.map((user) => user.uri));
  }

  async #fileOnDisk(uri: string, digest: FileDigest | undefined): Promise<void> {
    const { pushes, connection, workspace } = this.options;
    const items = digest ? await this.#closedItems(uri, digest) : NONE;
    // It may have been opened or read again in the meantime.
    if (workspace.get(uri) || (digest && workspace.closed(uri) !== digest)) return;
    const before = this.closed.get(uri)?.items ?? NONE;
    this.#noteRevision(uri, digest?.summary.revision);
    if (digest) {
      const { uses: _, ...facts } = digest.facts;
      this.#noteInterface(uri, { ...facts, uri: "" });
    } else this.#noteInterface(uri, undefined);
    if (!digest) this.closed.delete(uri);
    else if (before !== items || !this.closed.has(uri))
      this.closed.set(uri, { resultId: String(++this.#reads), items });
    const wasOpen = this.#wasOpen.delete(uri);
    if (before === items && !wasOpen) return;
    if (pushes() && before !== items) void connection.sendDiagnostics({ uri, diagnostics: JSON.parse(items) });
    this.closedChanged();
  }

  /** The cached diagnostics of the file, unless there are cross-file problems to add. */
  async #closedItems(uri: string, { summary, facts, diagnostics }: FileDigest): Promise<string> {
    const { settings, sync, workspace } = this.options;
    if (!settings().diagnostics.workspace) return NONE;
    const others = summary.revision === undefined ? [] : workspace.naming(summary.revision, uri);
    const isAlone = others.length === 0 && !facts.uses.some(({ kind }) => kind === "component");
    const mayDiffer = differsFromKnown(sync.blocking(uri)).some((code) => diagnostics.includes(`"code":"${code}"`));
    if (isAlone && !mayDiffer && sync.findings(uri).length === 0) return diagnostics;
    const document = await workspace.document(uri);
    return document ? JSON.stringify(this.#update(this.#newList(), uri, document, []).items) : NONE;
  }

  /** If a file names another revision than before, the files that name the old or the new one are checked again. */
  #noteRevision(uri: string, now: string | undefined): void {
    const key = keyOf(uri);
    const before = this.#revisions.get(key);
    if (before === now) return;
    if (now === undefined) this.#revisions.delete(key);
    else this.#revisions.set(key, now);
    const { workspace } = this.options;
    const touched = [before, now].flatMap((revision) => (revision ? workspace.naming(revision, uri) : []));
    this.checkAgain(touched.map((other) => other.uri));
  }

  #converter(uri: string, document: FlowDocument): Converter {
    const { encoding, sync } = this.options;
    return new Converter(uri, document, encoding(), (other) => this.#revisionPlace(other), sync.blocking(uri));
  }

  /** The location of the revision in another file: the only location that problems refer to across files. */
  #revisionPlace(uri: string): Range | undefined {
    const open = this.options.workspace.get(uri);
    if (!open) return this.options.workspace.closed(uri)?.revisionRange;
    const { revisionSpan } = summarize(uri, open.document);
    return revisionSpan && new Converter(uri, open.document, this.options.encoding()).range(revisionSpan);
  }
}

/** Only problems that the platform may report too are compared; the rest of the list is reused after an edit. */
function merge(
  document: FlowDocument,
  around: readonly Problem[],
  found: readonly FlowDiagnostic[],
  findings: readonly Problem[],
): Omit<DiagnosticSources, "notes"> {
  const rules = new Set(findings.map(ruleOf));
  const isShared = ({ code }: FlowDiagnostic) => [...rules].some((rule) => isSameRule(code, rule));
  const shared = found.filter(isShared).map((each) => problemOf(document, each));
  const merged = mergeFindings([...around, ...shared], findings, document);
  return { around: merged.problems, found: found.filter((each) => !isShared(each)), findings: merged.findings };
}

const NONE = "[]";
