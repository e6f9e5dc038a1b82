/**
 * Files with a given name that apply to the flows around them: for each flow the nearest one, in its folder or above.
 * They are read from disk when the server starts and when they change.
 */
import { looksAbove } from "../../files";
import { path } from "../../system";
import { keyOf, pathOf, uriOf } from "../protocol/uris";
import { listFiles, readFile, refusalOf } from "./files";
import type { Workspace } from "./workspace";

export class NearestFiles<Content> {
  readonly #disk = new Map<string, { readonly text: string; readonly content: Content }>();
  readonly #live = new WeakMap<object, { readonly text: string; readonly content: Content }>();
  /** Folders outside the workspace that were searched. */
  readonly #looked = new Set<string>();

  constructor(
    private readonly name: string,
    private readonly workspace: Workspace,
    private readonly contentOf: (text: string) => Content,
    /** The content of a file of the workspace that isn't read, such as one that is too large. */
    private readonly contentOfRefused?: (why: string) => Content,
  ) {}

  /** Reads the files of the workspace; true if one was added, removed or changed. */
  async update(): Promise<boolean> {
    const found = await Promise.all(
      this.workspace.folders.map((folder) => listFiles(folder, (name) => name === this.name)),
    );
    let isChanged = false;
    for (const key of new Set([...this.#disk.keys(), ...found.flat()])) if (await this.reread(key)) isChanged = true;
    return isChanged;
  }

  /** Reads one file again; true if its text changed. */
  async reread(uri: string): Promise<boolean> {
    const key = keyOf(uri);
    const text = await readFile(key);
    const before = this.#disk.get(key)?.text;
    if (text === undefined && this.contentOfRefused) return this.#refused(key, this.contentOfRefused);
    if (text === undefined) this.#disk.delete(key);
    else if (text !== before) this.#disk.set(key, { text, content: this.contentOf(text) });
    return before !== text;
  }

  async #refused(key: string, contentOf: (why: string) => Content): Promise<boolean> {
    const before = this.#disk.get(key);
    const why = await refusalOf(key);
    if (why === undefined) this.#disk.delete(key);
    else this.#disk.set(key, { text: "", content: contentOf(why) });
    return before !== undefined || why !== undefined;
  }

  /**
   * Looks for files above the workspace, or above a flow outside it, in the same repository and never in a folder that
   * everyone can write to. True if there is one.
   */
  async lookAbove(flow: string): Promise<boolean> {
    let found = false;
    for (const key of this.candidates(flow)) {
      // The folders above it were searched as well.
      if (this.#looked.has(key)) return found;
      this.#looked.add(key);
      const text = await readFile(key, flow);
      if (text !== undefined && !this.#disk.has(key)) {
        this.#disk.set(key, { text, content: this.contentOf(text) });
        found = true;
      }
      if (!(await looksAbove(path.dirname(pathOf(key) as string)))) return found;
    }
    return found;
  }

  /** The content of a live text. */
  read(document: { readonly text: string }): Content {
    const { text } = document;
    const known = this.#live.get(document);
    if (known?.text === text) return known.content;
    const content = this.contentOf(text);
    this.#live.set(document, { text, content });
    return content;
  }

  get(uri: string): Content | undefined {
    return this.#disk.get(keyOf(uri))?.content;
  }

  get uris(): Iterable<string> {
    return this.#disk.keys();
  }

  /** Where the file for a flow may be, nearest first. */
  *candidates(flow: string): Generator<string> {
    const own = pathOf(flow);
    if (own === undefined) return;
    for (let folder = path.dirname(own); ; folder = path.dirname(folder)) {
      yield uriOf(path.join(folder, this.name));
      if (folder === path.dirname(folder)) return;
    }
  }
}
