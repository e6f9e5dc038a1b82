/** Finds flow files by arguments: files, folders, patterns, and `-` for standard input. */
import { lstat, stat } from "node:fs/promises";
import path from "node:path";
import { checkAllowed, FileScope, filesBelow, isUnsafeOnWindows, shownPath } from "../../files";
import { FILE_KINDS, type FileKind, fileKind, isFlowFile, pathPattern } from "../../flow";
import { EXIT, Stop } from "../command";
import type { Terminal } from "../terminal";

export interface FlowFile {
  /** The displayed path, relative to the working folder, with forward slashes. */
  readonly path: string;
  readonly absolute: string;
  readonly text: string;
}

export const STANDARD_INPUT = "-";

export const FORMATTED_KINDS: readonly FileKind[] = ["flow", "test", "policies", "project"];
export const CHECKED_KINDS: readonly FileKind[] = [...FORMATTED_KINDS, "tools"];

/** A file with its text, if it has been read. */
export type NamedFile = Omit<FlowFile, "text"> & { readonly text?: string };

/** Finds the files that the arguments name; without arguments, those below the working folder. */
export async function namedFiles(
  named: readonly string[],
  terminal: Terminal,
  kinds: readonly FileKind[],
): Promise<NamedFile[]> {
  if (named.includes(STANDARD_INPUT)) {
    if (named.length > 1) throw new Stop("Standard input (-) can't be combined with files.", EXIT.usage);
    const absolute = path.join(terminal.cwd, "stdin.flow.yaml");
    return [{ path: "stdin.flow.yaml", absolute, text: await terminal.input() }];
  }
  const found = await findFiles(named.length > 0 ? named : ["."], terminal.cwd, kinds);
  return found.map((absolute) => ({ path: shownPath(absolute, terminal.cwd), absolute }));
}

export async function readFlowFiles(named: readonly string[], terminal: Terminal): Promise<FlowFile[]> {
  const files = await namedFiles(named, terminal, ["flow"]);
  return Promise.all(files.map((file) => withText(file, terminal.cwd)));
}

/** The absolute path of the only flow that an argument names. */
export async function flowNamed(name: string, cwd: string): Promise<string> {
  const [file, more] = await findFiles([name], cwd, ["flow"]);
  if (file === undefined || more !== undefined) throw new Stop("Pass one flow file.", EXIT.usage);
  return file;
}

export async function withText(file: NamedFile, cwd: string): Promise<FlowFile> {
  return { ...file, text: file.text ?? (await readSource(file.absolute, cwd)) };
}

/** Reads a flow, test or policy file that was named or found. */
export function readSource(absolute: string, cwd?: string): Promise<string> {
  return new FileScope([], cwd).read(absolute);
}

/** The folders that named files may refer to. */
export async function scopeOf(named: readonly string[], cwd: string): Promise<FileScope> {
  const folders: string[] = [];
  for (const name of named.length > 0 ? named : ["."]) {
    const { place } = placeOf(name, cwd);
    if (!isUnsafeOnWindows(place, [cwd]) && (await stat(place).catch(() => undefined))?.isDirectory())
      folders.push(place);
  }
  return new FileScope(folders, cwd);
}

/**
 * Returns sorted, unique absolute paths. An argument that matches nothing is an error, unless `whenNone` is "silent".
 */
export async function findFiles(
  named: readonly string[],
  cwd: string,
  kinds: readonly FileKind[],
  whenNone: "stop" | "silent" = "stop",
): Promise<string[]> {
  const found = new Set<string>();
  for (const name of named) {
    const before = found.size;
    const whole = path.resolve(cwd, name);
    if (isUnsafeOnWindows(whole, [cwd])) throw new Stop(`${name}: devices and network files aren't supported.`);
    await checkAllowed(whole);
    const there = await stat(whole).catch(() => undefined);
    const which = whenNone === "stop" ? "all" : "readable";
    if (there?.isDirectory()) for (const file of await filesBelow(whole, isOfKind(kinds), which)) found.add(file);
    else if (there || (await lstat(whole).catch(() => undefined))) {
      if (!isOfKind(kinds)(whole)) throw new Stop(`${name} isn't ${kindWords(kinds)}.`);
      found.add(whole);
    } else if (WILD.test(name)) for (const file of await matching(name, cwd, kinds)) found.add(file);
    else throw new Stop(`${name}: no such file or folder.`);
    if (found.size === before && !there?.isFile()) {
      const many = named.length > 1 ? ` in ${name}` : name === "." ? " below this folder" : ` in ${name}`;
      const [{ called, ending }] = kinds.map((kind) => FILE_KINDS[kind]) as [(typeof FILE_KINDS)["flow"]];
      if (named.length === 1 && whenNone === "stop")
        throw new Stop(`No ${called} files found${many}. Their names end in ${ending}.`);
    }
  }
  return [...found].sort();
}

function isOfKind(kinds: readonly FileKind[]): (name: string) => boolean {
  return (name) => {
    const kind = fileKind(name);
    return kind !== undefined && kinds.includes(kind);
  };
}

function kindWords(kinds: readonly FileKind[]): string {
  // There is one project file with a fixed name, so another file is never meant to be one.
  const words = kinds
    .filter((kind) => kind !== "project")
    .map((kind) => `a ${FILE_KINDS[kind].called} file (${FILE_KINDS[kind].ending})`);
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : (words[0] ?? "");
}

/** The other flows that an editor would know: those below the working folder and next to the given files. */
export async function otherFlows(files: readonly FlowFile[], cwd: string): Promise<FlowFile[]> {
  const places = new Set([cwd, ...files.map(({ absolute }) => path.dirname(absolute))]);
  const found = new Set(
    (await Promise.all([...places].map((place) => filesBelow(place, isFlowFile, "readable")))).flat(),
  );
  for (const { absolute } of files) found.delete(absolute);
  // Errors are ignored, because the user didn't name these files.
  const texts = [...found].sort().map(async (absolute) => {
    const text = await readSource(absolute, cwd).catch(() => "");
    return { path: shownPath(absolute, cwd), absolute, text };
  });
  return Promise.all(texts);
}

const WILD = /[*?{[]/;

/** Splits a pattern into its folder and the part from the first wildcard on. */
function placeOf(name: string, cwd: string): { readonly place: string; readonly rest: string } {
  const parts = name.split(path.sep).join("/").split("/");
  const wild = parts.findIndex((part) => WILD.test(part));
  if (wild < 0) return { place: path.resolve(cwd, name), rest: "" };
  const place = path.resolve(cwd, parts.slice(0, wild).join("/") || (parts[0] === "" ? "/" : "."));
  return { place, rest: parts.slice(wild).join("/") };
}

/** Finds the files that match a pattern. */
async function matching(name: string, cwd: string, kinds: readonly FileKind[]): Promise<string[]> {
  const { place, rest } = placeOf(name, cwd);
  await checkAllowed(place);
  if (!(await stat(place).catch(() => undefined))?.isDirectory()) return [];
  const pattern = pathPattern(rest);
  if (!pattern) throw new Stop(`${name}: invalid pattern.`, EXIT.usage);
  return (await filesBelow(place, isOfKind(kinds))).filter((file) => pattern.test(shownPath(file, place)));
}
