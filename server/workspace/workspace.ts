/**
 * The flow files the server knows: those open in the editor, with their live text, and those on disk, of which it keeps
 * only a digest (digest.ts). An open file takes precedence over the file on disk.
 */
import { FileScope } from "../../files";
import { type FileSummary, FlowDocument, summarize, topText } from "../../flow";
import { turns } from "../../system";
import { isBelow, isSavable, keyOf, pathOf } from "../protocol/uris";
import type { FileDigest } from "./digest";
import type { DigestReader } from "./digest-reader";
import { type FileFacts, factsOf, listFiles, readFlowFile, stampOf } from "./files";

/** A file open in the editor. The document changes in place; `version` identifies its text. */
export interface OpenFile {
  readonly uri: string;
  readonly document: FlowDocument;
  version: number;
}

/** The digest of a file on disk. */
export interface ClosedFile extends FileDigest {
  /** Changes when the file on disk does. */
  readonly stamp: string;
}

/** Called when a file on disk changed. `file` is undefined if it was removed. */
export type FileListener = (uri: string, file: ClosedFile | undefined) => void;

/**
 * The pause in typing before the next file on disk is read, which takes a few milliseconds. Shorter than any human
 * typing interval.
 */
const QUIET_MS = 30;

const IDS = ["assistant", "revision"] as const;

function idsOf(file: ClosedFile | undefined): string[] {
  return IDS.flatMap((key) => file?.facts[key]?.toLowerCase() ?? []);
}

export class Workspace {
  readonly #open = new Map<string, OpenFile>();
  readonly #closed = new Map<string, ClosedFile>();
  readonly #listeners: FileListener[] = [];
  /** The files on disk by the revision they name. */
  readonly #byRevision = new Map<string, Map<string, FileSummary>>();
  /** The files on disk by their component IDs, in lowercase. */
  readonly #byId = new Map<string, Set<string>>();
  folders: readonly string[] = [];
  /** What a `component` may name a flow by, from its project file. */
  namesOf: (flow: string, own: readonly (string | undefined)[]) => readonly string[] | undefined = () => undefined;
  #typed = Number.NEGATIVE_INFINITY;
  #edits = 0;

  constructor(private readonly reader: Pick<DigestReader, "read">) {}

  /** Calls back whenever a file on disk was read again or removed, unless it is open. */
  onFile(listener: FileListener): void {
    this.#listeners.push(listener);
  }

  open(uri: string, version: number, text: string): OpenFile {
    const file: OpenFile = { uri, version, document: FlowDocument.read(text) };
    this.#open.set(keyOf(uri), file);
    return file;
  }

  /** The user typed in an open file. */
  typed(): void {
    this.#typed = performance.now();
    this.#edits++;
  }

  /** How often open files were edited. Flows change in place, so what was read from them before is invalid. */
  get edits(): number {
    return this.#edits;
  }

  /** Loads again if a file was edited in the meantime. */
  async loadCurrent<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
    for (;;) {
      const edits = this.#edits;
      const loaded = await load();
      if (edits === this.#edits) return loaded;
    }
  }

  /** Drops the live text; the file on disk is used again if it belongs to the workspace. */
  async close(uri: string): Promise<void> {
    const key = keyOf(uri);
    this.#open.delete(key);
    if (this.isInside(key)) await this.reread(key);
    else this.#notify(key, undefined);
  }

  get(uri: string): OpenFile | undefined {
    return this.#open.get(keyOf(uri));
  }

  get openFiles(): Iterable<OpenFile> {
    return this.#open.values();
  }

  /** The files on disk that aren't open. */
  *closedFiles(): Generator<ClosedFile> {
    for (const [key, file] of this.#closed) if (!this.#open.has(key)) yield file;
  }

  closed(uri: string): ClosedFile | undefined {
    return this.#closed.get(keyOf(uri));
  }

  /** The other files that name a revision. */
  naming(revision: string, uri: string): FileSummary[] {
    const key = keyOf(uri);
    const found: FileSummary[] = [];
    for (const [other, file] of this.#open)
      if (other !== key && isSavable(other)) {
        const summary = summarize(file.uri, file.document);
        if (summary.revision === revision) found.push(summary);
      }
    for (const [other, summary] of this.#byRevision.get(revision) ?? [])
      if (other !== key && !this.#open.has(other)) found.push(summary);
    return found;
  }

  /** The URIs of the files that name an ID, given in lowercase, as their assistant or revision. */
  withId(id: string): string[] {
    const found: string[] = [];
    for (const { uri, document } of this.#open.values())
      if (IDS.some((key) => topText(document, key)?.toLowerCase() === id)) found.push(uri);
    for (const key of this.#byId.get(id) ?? []) {
      const file = this.#open.has(key) ? undefined : this.#closed.get(key);
      if (file) found.push(file.facts.uri);
    }
    return found;
  }

  /** The facts of every known file; those of open files come from the live text. */
  *facts(): Generator<FileFacts> {
    for (const file of this.#open.values()) yield this.#named(factsOf(file.uri, file.document));
    for (const file of this.closedFiles()) yield this.#named(file.facts);
  }

  #named(facts: FileFacts): FileFacts {
    const names = this.namesOf(facts.uri, [facts.assistant, facts.revision]);
    return names ? { ...facts, names } : facts;
  }

  /** The document of a file; one that isn't open is read again each time. */
  async document(uri: string): Promise<FlowDocument | undefined> {
    const open = this.get(uri);
    if (open) return open.document;
    const text = await readFlowFile(uri);
    return text === undefined ? undefined : FlowDocument.read(text);
  }

  /** Drops the files on disk that are no longer in any of the folders. */
  dropOutside(): void {
    for (const key of [...this.#closed.keys()].filter((each) => !this.isInside(each))) {
      this.#keep(key, undefined);
      this.#notify(key, undefined);
    }
  }

  /** The known files below a folder, open or not. */
  knownBelow(folder: string): string[] {
    return [...new Set([...this.#open.keys(), ...this.#closed.keys()])].filter((key) => isBelow(key, folder));
  }

  /** Reads one file on disk again. */
  async reread(uri: string): Promise<void> {
    const key = keyOf(uri);
    const stamp = (await this.#isReallyInside(key)) ? await stampOf(key) : undefined;
    const digest = stamp === undefined ? undefined : await this.reader.read(key);
    // Its folder may have been removed in the meantime.
    const isThere = stamp !== undefined && digest !== undefined && this.isInside(key);
    const file = isThere ? { ...digest, stamp } : undefined;
    this.#keep(key, file);
    this.#notify(key, file);
  }

  #keep(key: string, file: ClosedFile | undefined): void {
    for (const id of idsOf(this.#closed.get(key))) {
      this.#byId.get(id)?.delete(key);
      if (this.#byId.get(id)?.size === 0) this.#byId.delete(id);
    }
    for (const id of idsOf(file)) this.#byId.set(id, (this.#byId.get(id) ?? new Set()).add(key));
    const before = this.#closed.get(key)?.summary.revision;
    // A file that names the same revision as before keeps its position in the list.
    if (before !== undefined && before !== file?.summary.revision) {
      const naming = this.#byRevision.get(before);
      naming?.delete(key);
      if (naming?.size === 0) this.#byRevision.delete(before);
    }
    if (!file) {
      this.#closed.delete(key);
      return;
    }
    this.#closed.set(key, file);
    const { revision } = file.summary;
    if (revision === undefined) return;
    const naming = this.#byRevision.get(revision);
    if (naming) naming.set(key, file.summary);
    else this.#byRevision.set(revision, new Map([[key, file.summary]]));
  }

  /** Reads every flow file in the workspace's folders that changed since the last time; one pass at a time. */
  update(step: (done: number, total: number) => boolean = () => true): Promise<void> {
    return this.#inTurn(() => this.#update(step));
  }

  readonly #inTurn = turns();

  async #update(step: (done: number, total: number) => boolean): Promise<void> {
    const found = (await Promise.all(this.folders.map((folder) => listFiles(folder)))).flat();
    const keys = [...new Set(found)];
    const there = new Set(keys);
    for (const key of [...this.#closed.keys()]) if (!there.has(key)) await this.reread(key);
    for (const [done, key] of keys.entries()) {
      if (!step(done, keys.length)) return;
      if (this.#closed.get(key)?.stamp === (await stampOf(key))) continue;
      await this.reread(key);
      await this.#untilQuiet();
    }
  }

  /** Typing has priority: the next file waits until the last keystroke was answered, but only for a limited time. */
  #untilQuiet(): Promise<void> {
    const left = QUIET_MS - (performance.now() - this.#typed);
    return new Promise((resolve) => (left > 0 ? setTimeout(resolve, left) : setImmediate(resolve)));
  }

  /** Makes the next update read every file again, because the options of its diagnostics changed. */
  forget(): void {
    for (const [key, file] of this.#closed) this.#closed.set(key, { ...file, stamp: "" });
  }

  /** Whether a file is in one of the folders. */
  isInside(uri: string): boolean {
    return this.folders.some((folder) => isBelow(uri, folder));
  }

  /** Resolves links first: an editor may watch folders that are links to others. */
  async #isReallyInside(key: string): Promise<boolean> {
    const path = pathOf(key);
    return this.isInside(key) && path !== undefined && this.scope().allows(path);
  }

  /** Where the files of the workspace, and the files they name, may be. */
  scope(): FileScope {
    return new FileScope(this.folders.flatMap((folder) => pathOf(folder) ?? []));
  }

  #notify(key: string, file: ClosedFile | undefined): void {
    if (!this.#open.has(key)) for (const listener of this.#listeners) listener(key, file);
  }
}
