/**
 * Companion files (tests, policies and project files): those open in the editor with their live text, and those on disk, which are
 * listed on request.
 */
import { fileKind, fileNameIn } from "../../flow";
import { keyOf } from "../protocol/uris";
import { listFiles, readFile } from "../workspace/files";
import type { NearestFiles } from "../workspace/nearest-files";
import type { Workspace } from "../workspace/workspace";
import { PlainText } from "./plain-text";

export type CompanionKind = "test" | "policies" | "project";

/** A companion file open in the editor. The text changes in place; `version` identifies it. */
export interface Companion {
  readonly uri: string;
  readonly kind: CompanionKind;
  readonly document: PlainText;
  version: number;
  /** The file is deleted, and the text wasn't edited since. */
  isDeleted: boolean;
}

/** By file name, or by the language ID from the editor. */
export function companionKind(uri: string, languageId?: string): CompanionKind | undefined {
  const kind = fileKind(fileNameIn(uri));
  for (const each of ["test", "policies", "project"] as const)
    if (kind === each || languageId === `assistant-flow-${each}`) return each;
  return undefined;
}

export class Companions {
  readonly #open = new Map<string, Companion>();

  constructor(private readonly workspace: Workspace) {}

  open(uri: string, kind: CompanionKind, version: number, text: string): Companion {
    const file: Companion = { uri, kind, version, document: new PlainText(text), isDeleted: false };
    this.#open.set(keyOf(uri), file);
    return file;
  }

  close(uri: string): boolean {
    return this.#open.delete(keyOf(uri));
  }

  get(uri: string): Companion | undefined {
    return this.#open.get(keyOf(uri));
  }

  /** Of files that apply to the flows around them, the nearest one to a file, with its live text if it's open. */
  nearestTo<Content>(uri: string, disk: NearestFiles<Content>): { uri: string; content: Content } | undefined {
    for (const key of disk.candidates(uri)) {
      const open = this.get(key);
      const content = open ? disk.read(open.document) : disk.get(key);
      if (content) return { uri: open?.uri ?? key, content };
    }
    return undefined;
  }

  get openFiles(): Iterable<Companion> {
    return this.#open.values();
  }

  /** Every file of a kind in the workspace, and every open one, with its text. */
  async *all(kind: CompanionKind): AsyncGenerator<{ uri: string; document: PlainText; version: number | null }> {
    const { folders } = this.workspace;
    const found = await Promise.all(folders.map((folder) => listFiles(folder, (name) => companionKind(name) === kind)));
    const open = [...this.#open].filter(([, file]) => file.kind === kind).map(([key]) => key);
    for (const key of new Set([...open, ...found.flat()])) {
      const live = this.#open.get(key);
      const text = live ? undefined : await readFile(key);
      if (live) yield live;
      else if (text !== undefined) yield { uri: key, document: new PlainText(text), version: null };
    }
  }
}
