/** Flow files named on a command line: files, folders, patterns, and `-` for standard input. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { checkAllowed, readText } from "../files";
import { isTestFile, pathPattern } from "../flow";
import { filesBelow, shownPath } from "../suite";
import { EXIT, Stop } from "./command";
import type { Terminal } from "./terminal";

export interface FlowFile {
  /** As it is shown: relative to where the command runs, with slashes. */
  readonly path: string;
  readonly absolute: string;
  readonly text: string;
}

export const STANDARD_INPUT = "-";

/** A kind of file that folders are searched for. */
export interface FileKind {
  readonly is: (name: string) => boolean;
  readonly called: string;
  readonly ending: string;
}

export const flowKind: FileKind = { is: isFlowFile, called: "flow files", ending: ".flow.yaml or .flow.yml" };
export const testKind: FileKind = { is: isTestFile, called: "test files", ending: ".flowtest.yaml or .flowtest.yml" };

/** A flow file by name; its text where it is at hand already. */
export type NamedFile = Omit<FlowFile, "text"> & { readonly text?: string };

export async function namedFlowFiles(named: readonly string[], terminal: Terminal): Promise<NamedFile[]> {
  if (named.includes(STANDARD_INPUT)) {
    if (named.length > 1) throw new Stop("Standard input (-) cannot be mixed with files.", EXIT.usage);
    const absolute = path.join(terminal.cwd, "stdin.flow.yaml");
    return [{ path: "stdin.flow.yaml", absolute, text: await terminal.input() }];
  }
  const found = await findFiles(named.length > 0 ? named : ["."], terminal.cwd, flowKind);
  return found.map((absolute) => ({ path: shownPath(absolute, terminal.cwd), absolute }));
}

export async function readFlowFiles(named: readonly string[], terminal: Terminal): Promise<FlowFile[]> {
  return Promise.all((await namedFlowFiles(named, terminal)).map(withText));
}

export async function withText(file: NamedFile): Promise<FlowFile> {
  return { ...file, text: file.text ?? (await readText(file.absolute)) };
}

/** Absolute paths, sorted, each once. A path that names nothing is a mistake, and is said unless nobody asked for it. */
export async function findFiles(
  named: readonly string[],
  cwd: string,
  wanted: FileKind,
  whenNone: "stop" | "silent" = "stop",
): Promise<string[]> {
  const found = new Set<string>();
  for (const name of named) {
    const before = found.size;
    const whole = path.resolve(cwd, name);
    await checkAllowed(whole);
    const kind = await stat(whole).catch(() => undefined);
    const which = whenNone === "stop" ? "all" : "readable";
    if (kind?.isDirectory()) for (const file of await filesBelow(whole, wanted.is, which)) found.add(file);
    else if (kind) found.add(whole);
    else if (WILD.test(name)) for (const file of await matching(name, cwd, wanted)) found.add(file);
    else throw new Stop(`${name}: there is no such file or folder.`);
    if (found.size === before && !kind?.isFile()) {
      const many = named.length > 1 ? ` in ${name}` : name === "." ? " below this folder" : ` in ${name}`;
      if (named.length === 1 && whenNone === "stop")
        throw new Stop(`There are no ${wanted.called}${many}. They end in ${wanted.ending}.`);
    }
  }
  return [...found].sort();
}

/** The flows that others than those named would be beside in an editor: below the working folder, and where they are. */
export async function otherFlows(files: readonly FlowFile[], cwd: string): Promise<FlowFile[]> {
  const places = new Set([cwd, ...files.map(({ absolute }) => path.dirname(absolute))]);
  const found = new Set(
    (await Promise.all([...places].map((place) => filesBelow(place, flowKind.is, "readable")))).flat(),
  );
  for (const { absolute } of files) found.delete(absolute);
  // Nobody named these: one that cannot be read says nothing.
  const texts = [...found].sort().map(async (absolute) => {
    const text = await readText(absolute).catch(() => "");
    return { path: shownPath(absolute, cwd), absolute, text };
  });
  return Promise.all(texts);
}

export function isFlowFile(name: string): boolean {
  return /\.flow\.ya?ml$/.test(name);
}

const WILD = /[*?{[]/;

/** The flows that a pattern names. Its folders before the first wildcard are a place; the rest is matched below it. */
async function matching(name: string, cwd: string, wanted: FileKind): Promise<string[]> {
  const parts = name.split(path.sep).join("/").split("/");
  const wild = parts.findIndex((part) => WILD.test(part));
  const place = path.resolve(cwd, parts.slice(0, wild).join("/") || (parts[0] === "" ? "/" : "."));
  await checkAllowed(place);
  if (!(await stat(place).catch(() => undefined))?.isDirectory()) return [];
  const pattern = pathPattern(parts.slice(wild).join("/"));
  if (!pattern) throw new Stop(`${name}: this pattern cannot be read.`, EXIT.usage);
  return (await filesBelow(place, wanted.is)).filter((file) => pattern.test(shownPath(file, place)));
}
