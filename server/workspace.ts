/**
 * The flow files the server knows: those open in the editor, with their live text, and those on disk, of which only the
 * facts that other files ask for are kept (files.ts). An open file always speaks for the file on disk.
 */
import { FlowDocument } from "../flow";
import { type FileFacts, factsOf, listFlowFiles, readFlowFile } from "./files";
import { keyOf } from "./uris";

/** A file open in the editor. The document changes in place; `version` says which text it holds. */
export interface OpenFile {
  readonly uri: string;
  readonly document: FlowDocument;
  version: number;
}

export class Workspace {
  readonly #open = new Map<string, OpenFile>();
  readonly #closed = new Map<string, FileFacts>();
  #folders: string[] = [];

  set folders(uris: readonly string[]) {
    this.#folders = [...uris];
  }

  open(uri: string, version: number, text: string): OpenFile {
    const file: OpenFile = { uri, version, document: FlowDocument.read(text) };
    this.#open.set(keyOf(uri), file);
    return file;
  }

  /** Forgets the live text. Returns the facts of the file on disk, which speaks for itself again. */
  async close(uri: string): Promise<FileFacts | undefined> {
    this.#open.delete(keyOf(uri));
    return this.refresh(uri);
  }

  get(uri: string): OpenFile | undefined {
    return this.#open.get(keyOf(uri));
  }

  get openFiles(): Iterable<OpenFile> {
    return this.#open.values();
  }

  /** Every known file by its facts; those of open files are made from the live text. */
  *files(): Generator<FileFacts> {
    for (const file of this.#open.values()) yield factsOf(file.uri, file.document);
    for (const [key, facts] of this.#closed) if (!this.#open.has(key)) yield facts;
  }

  /** The document of a file, open or not; one that is not open is read anew and not kept. */
  async document(uri: string): Promise<FlowDocument | undefined> {
    const open = this.get(uri);
    if (open) return open.document;
    const text = await readFlowFile(uri);
    return text === undefined ? undefined : FlowDocument.read(text);
  }

  /** Reads one file on disk again. Returns its facts, or undefined when it is gone or open. */
  async refresh(uri: string): Promise<FileFacts | undefined> {
    const key = keyOf(uri);
    const text = await readFlowFile(key);
    if (text === undefined) {
      this.#closed.delete(key);
      return undefined;
    }
    const facts = factsOf(key, FlowDocument.read(text));
    this.#closed.set(key, facts);
    return this.#open.has(key) ? undefined : facts;
  }

  /** The addresses of all flow files under the workspace's folders; files that went away are forgotten. */
  async list(): Promise<string[]> {
    const found = (await Promise.all(this.#folders.map(listFlowFiles))).flat();
    const keys = [...new Set(found)];
    const there = new Set(keys);
    for (const key of this.#closed.keys()) if (!there.has(key)) this.#closed.delete(key);
    return keys;
  }
}
