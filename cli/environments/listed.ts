/** The flows of a project, in the environments that list them. */
import path from "node:path";
import { FileScope, shownPath } from "../../files";
import { type FoundProject, Projects } from "../../files/suite";
import { PROJECT_FILE } from "../../flow";
import { type Environment, type FlowEnvironment, flowIn } from "../../flow/project";
import { EXIT, Stop } from "../command";
import { findFiles, readSource } from "../files/flow-files";
import type { Terminal } from "../terminal";
import { chosen, type PlacedFile } from "./projects";

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
