/** Flow files on disk: listing and reading them, and the facts of a flow that other files need. */
import { FileRefused, FileScope, MAX_TEXT_SIZE } from "../../files";
import { type Block, type ComponentFacts, componentFacts, type FlowDocument, isFlowFile, textOf } from "../../flow";
import { join, readdir, stat } from "../../system";
import { pathOf, uriOf } from "../protocol/uris";

/** What other files and searches need to know about a flow. */
export interface FileFacts extends ComponentFacts {
  /** IDs of tools and components by the node that uses them. */
  readonly uses: readonly { readonly kind: "tool" | "component"; readonly id: string; readonly by: string }[];
}

/** A searchable name, with its line and UTF-16 column. For ASCII IDs the column is the same in any encoding. */
export interface FileSymbol {
  readonly kind: "node" | "variable";
  readonly name: string;
  /** A node's type and name, or a variable's type. */
  readonly detail: string;
  readonly line: number;
  readonly character: number;
  /** Its length in the text, including quotes. */
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

/** The nodes and variables of a flow by name, for workspace symbols. */
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

/** The text of a file, or undefined if it can't be read or isn't a flow file. */
export async function readFlowFile(uri: string): Promise<string | undefined> {
  return isFlowFile(uri) ? readFile(uri) : undefined;
}

/**
 * The text of a file of a known kind, or undefined if it can't be read or is a link to another location. With `by`,
 * only files in the same repository as `by` are read.
 */
export async function readFile(uri: string, by?: string): Promise<string | undefined> {
  const path = pathOf(uri);
  if (path === undefined) return undefined;
  try {
    return await new FileScope([]).read(path, by && pathOf(by));
  } catch {
    // A deleted or unreadable file isn't part of the workspace.
    return undefined;
  }
}

/** Why a file isn't read; undefined if it can be read or doesn't exist. */
export async function refusalOf(uri: string): Promise<string | undefined> {
  const path = pathOf(uri);
  if (path === undefined) return undefined;
  return new FileScope([]).read(path).then(
    () => undefined,
    (error: unknown) => (error instanceof FileRefused ? error.why : undefined),
  );
}

/** Changes when the file does; undefined if the file doesn't exist or is too large for a flow. */
export async function stampOf(uri: string): Promise<string | undefined> {
  const path = pathOf(uri);
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return found?.isFile() && found.size <= MAX_TEXT_SIZE ? `${found.mtimeMs} ${found.size}` : undefined;
}

/** Whether a `file:` URI names a path that doesn't exist. */
export async function isDeleted(uri: string): Promise<boolean> {
  const path = pathOf(uri);
  if (path === undefined) return false;
  return stat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
}

/** The URIs of the files of a kind below a folder, at most MAX_FILES. */
export async function listFiles(folder: string, isWanted = isFlowFile): Promise<string[]> {
  const root = pathOf(folder);
  if (root === undefined) return [];
  const found: string[] = [];
  const pending = [root];
  for (let path = pending.pop(); path !== undefined && found.length < MAX_FILES; path = pending.pop()) {
    // A folder that can't be listed is skipped.
    const items = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const item of items) {
      if (item.isDirectory() && !item.name.startsWith(".") && !SKIPPED.has(item.name))
        pending.push(join(path, item.name));
      else if (item.isFile() && isWanted(item.name)) found.push(uriOf(join(path, item.name)));
    }
  }
  return found.sort();
}
