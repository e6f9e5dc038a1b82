/** Flow files on disk: finding them, reading them, and the facts of a flow that other files ask for. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { FileScope, MAX_TEXT_SIZE } from "../../files";
import { type Block, type ComponentFacts, componentFacts, type FlowDocument, isFlowFile, textOf } from "../../flow";
import { pathOf, uriOf } from "../protocol/uris";

/** What other files and searches may ask about a flow, without its text. */
export interface FileFacts extends ComponentFacts {
  /** Ids of tools and components by the node that uses them. */
  readonly uses: readonly { readonly kind: "tool" | "component"; readonly id: string; readonly by: string }[];
}

/** A name that can be searched for. Its place is a line and a UTF-16 column, the same unit as for ASCII ids in any encoding. */
export interface FileSymbol {
  readonly kind: "node" | "variable";
  readonly name: string;
  /** A node's type and name, a variable's type. */
  readonly detail: string;
  readonly line: number;
  readonly character: number;
  /** How long it is as it is written, which quotes make longer than the name. */
  readonly length: number;
}

const MAX_FILES = 5_000;
const SKIPPED = new Set(["node_modules", "dist", "out", "build"]);

export function factsOf(uri: string, document: FlowDocument): FileFacts {
  const uses: FileFacts["uses"][number][] = [];
  for (const node of document.nodes)
    for (const kind of ["tool", "component"] as const) {
      const id = textOf(node.fields.get(kind)?.value);
      if (id) uses.push({ kind, id, by: node.name ?? node.id });
    }
  return { ...componentFacts(uri, document), uses };
}

/** The nodes and variables of a flow by name, for searches over the workspace. */
export function symbolsOf(document: FlowDocument): FileSymbol[] {
  const at = (block: Block) => {
    const written = block.text.slice(block.keySpan.start, block.keySpan.end);
    const length = written.search(/[\r\n]|$/);
    return { ...document.positionAt(document.startOf(block) + block.keySpan.start), length };
  };
  return [
    ...document.nodes.map((node) => ({
      kind: "node" as const,
      name: node.id,
      detail: [node.type, node.name].filter(Boolean).join(" · "),
      ...at(node),
    })),
    ...document.variables.map((variable) => ({
      kind: "variable" as const,
      name: variable.name,
      detail: textOf(variable.fields.get("type")?.value) ?? "",
      ...at(variable),
    })),
  ];
}

/** The text of a file, or undefined when it cannot be read or is no flow file. */
export async function readFlowFile(uri: string): Promise<string | undefined> {
  return isFlowFile(uri) ? readFile(uri) : undefined;
}

/**
 * The text of a file of a kind we know, or undefined if it can't be read or is a link to another place. With `by`, only a file in
 * the repository of that file is read.
 */
export async function readFile(uri: string, by?: string): Promise<string | undefined> {
  const path = pathOf(uri);
  if (path === undefined) return undefined;
  try {
    return await new FileScope([]).read(path, by && pathOf(by));
  } catch {
    // A file that went away, that we may not read or that is none, is simply not part of the workspace.
    return undefined;
  }
}

/** Changes when the file does; undefined when there is no such file, or one that is too large to be a flow. */
export async function stampOf(uri: string): Promise<string | undefined> {
  const path = pathOf(uri);
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return found?.isFile() && found.size <= MAX_TEXT_SIZE ? `${found.mtimeMs} ${found.size}` : undefined;
}

/** Whether an address names a place on this disk where nothing is. */
export async function isDeleted(uri: string): Promise<boolean> {
  const path = pathOf(uri);
  if (path === undefined) return false;
  return stat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
}

/** The addresses of the files of a kind below a folder, at most MAX_FILES. */
export async function listFiles(folder: string, isWanted = isFlowFile): Promise<string[]> {
  const root = pathOf(folder);
  if (root === undefined) return [];
  const found: string[] = [];
  const pending = [root];
  for (let path = pending.pop(); path !== undefined && found.length < MAX_FILES; path = pending.pop()) {
    // A folder that cannot be listed hides its own files only.
    const items = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const item of items) {
      if (item.isDirectory() && !item.name.startsWith(".") && !SKIPPED.has(item.name))
        pending.push(join(path, item.name));
      else if (item.isFile() && isWanted(item.name)) found.push(uriOf(join(path, item.name)));
    }
  }
  return found.sort();
}
