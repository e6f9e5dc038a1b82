/** The environments of flow files and commands. */
import path from "node:path";
import { FileScope, shownPath } from "../../files";
import { type FoundProject, Projects, pathIn } from "../../files/suite";
import { FlowDocument, nearest, PROJECT_FILE } from "../../flow";
import { type Environment, environmentNamed, environmentWith, type FlowEnvironment, flowIn } from "../../flow/project";
import { positionsIn } from "../../flow/test";
import { linkOf } from "../../sync";
import { EXIT, Stop } from "../command";
import { type FlowFile, findFiles, readSource } from "../files/flow-files";
import type { Terminal } from "../terminal";

/** The environment of a command without flows. Undefined without a name if there is no project or no default. */
export async function environmentIn(
  cwd: string,
  name: string | undefined,
): Promise<ReturnType<typeof addressesOf> | undefined> {
  const found = await new Projects(new FileScope([], cwd)).of(path.join(cwd, PROJECT_FILE));
  if (!found && name !== undefined) throw noProject(name);
  const environment = found && chosen(found, name, cwd);
  return environment && addressesOf(environment);
}

/** What a connection to an environment is made of. */
export function addressesOf({
  name,
  url,
  callingUrl,
}: Environment): Pick<FlowEnvironment, "name" | "url" | "callingUrl"> {
  return { name, url: url?.text, callingUrl: callingUrl?.text };
}

/** A flow file in the environment it is synced with. */
export interface PlacedFile extends FlowFile {
  /** Undefined if the file is synced by its own IDs. */
  readonly environment?: FlowEnvironment;
  /** The environment that was asked for and doesn't list the file. */
  readonly notListed?: string;
  /** Set when the environment was determined. It isn't determined again, so a push goes where the plan was made for. */
  readonly isPlaced?: true;
}

/**
 * Finds the environment of each file: the named one; otherwise none if the file has IDs of its own, unless they are those
 * of an environment; otherwise the default one.
 */
export async function placeFiles(
  files: readonly (FlowFile | PlacedFile)[],
  name: string | undefined,
  cwd: string,
): Promise<PlacedFile[]> {
  const projects = new Projects(new FileScope([], cwd));
  const place = async (file: FlowFile | PlacedFile): Promise<PlacedFile> =>
    "isPlaced" in file ? file : { ...(await placeFile(file, name, cwd, projects)), isPlaced: true };
  return Promise.all(files.map(place));
}

export async function placeFile(
  file: FlowFile,
  name: string | undefined,
  cwd: string,
  projects: Projects,
): Promise<PlacedFile> {
  const found = await projects.of(file.absolute);
  if (!found) {
    if (name !== undefined) throw noProject(name);
    return file;
  }
  const at = pathIn(found, file.absolute);
  const own = name === undefined ? linkOf(FlowDocument.read(file.text)) : undefined;
  if (own) {
    const same = environmentWith(found.project, at, own.revision);
    // The part that can't be read may protect this revision.
    if (!same) chosen(found, undefined, cwd);
    return same ? { ...file, environment: same } : file;
  }
  const environment = chosen(found, name, cwd);
  const flow = environment && flowIn(found.project, environment, at);
  if (flow) return { ...file, environment: flow };
  return name === undefined ? file : { ...file, notListed: name };
}

/** The named environment, or the default one. A project file with errors isn't used. */
function chosen({ absolute, project }: FoundProject, name: string | undefined, cwd: string): Environment | undefined {
  const shown = shownPath(absolute, cwd);
  const problem = project.problems.find(({ severity }) => severity === "error");
  if (problem) {
    const { line, character } = positionsIn(project.text)(problem.span.start);
    throw new Stop(`${shown}:${line + 1}:${character + 1}: ${problem.message}`);
  }
  const environment = environmentNamed(project, name);
  if (environment || name === undefined) return environment;
  const names = project.environments.map((each) => each.name);
  const near = nearest(name, names);
  const advice = near ? `Did you mean "${near}"?` : `It has ${names.map((each) => `"${each}"`).join(", ")}.`;
  throw new Stop(`${shown} has no environment "${name}". ${advice}`, EXIT.usage);
}

function noProject(name: string): Stop {
  return new Stop(
    `Environment "${name}" isn't known: there is no ${PROJECT_FILE} in this folder or a parent folder.`,
    EXIT.usage,
  );
}

/** A project file and the flows that a command is about. */
export interface Listed {
  readonly found: FoundProject;
  /** Absolute paths. */
  readonly flows: readonly string[];
}

/** The flows that the arguments name; without arguments, all that the project lists. */
export async function listedFlows(args: readonly string[], terminal: Terminal): Promise<Listed> {
  const { cwd } = terminal;
  const named = args.length > 0 ? await findFiles(args, cwd, ["flow"]) : undefined;
  const projects = new Projects(new FileScope([], cwd));
  const found = await projects.of(named?.[0] ?? path.join(cwd, PROJECT_FILE));
  if (!found) throw new Stop(`There is no ${PROJECT_FILE} in this folder or a parent folder.`, EXIT.usage);
  const folder = path.dirname(found.absolute);
  const listed = new Set(found.project.environments.flatMap(({ flows }) => [...flows.keys()]));
  const all = [...listed].map((each) => path.join(folder, each)).sort();
  return { found, flows: named ?? all };
}

export function environmentOf({ found }: Listed, name: string | undefined, { cwd }: Terminal): Environment {
  const environment = chosen(found, name, cwd);
  if (environment) return environment;
  throw new Stop(`${shownPath(found.absolute, cwd)} has no \`default\`. Pass --env.`, EXIT.usage);
}

/** A flow in an environment; undefined if it isn't listed there. Its text is undefined if it can't be read. */
export async function flowFileIn(
  { found }: Listed,
  environment: Environment,
  absolute: string,
  { cwd }: Terminal,
): Promise<
  (Omit<PlacedFile, "text"> & { readonly text: string | undefined; readonly environment: FlowEnvironment }) | undefined
> {
  const at = path.relative(path.dirname(found.absolute), absolute).split(path.sep).join("/");
  const flow = flowIn(found.project, environment, at);
  if (!flow) return undefined;
  const text = await readSource(absolute, cwd).catch(() => undefined);
  return { path: shownPath(absolute, cwd), absolute, text, environment: flow };
}
