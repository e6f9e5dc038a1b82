/** The environments of a flow: where it is pushed, the names it may use, and the IDs that belong to other environments. */
import { isUuid } from "../grammar";
import type { Names } from "./names";
import type { Environment, ProjectFile } from "./project-file";

/** A flow in one environment. */
export interface FlowEnvironment {
  readonly name: string;
  readonly url: string | undefined;
  readonly callingUrl: string | undefined;
  readonly isProtected: boolean;
  readonly link: { readonly assistant: string; readonly revision: string };
  readonly names: Names;
  /** IDs that only other environments have, in lower case. They must never be sent to this one. */
  readonly foreign: ReadonlyMap<string, ForeignId>;
}

export interface ForeignId {
  readonly environment: string;
  /** The name of the ID there; undefined for assistants and revisions. */
  readonly name: string | undefined;
}

/** The environment with this name, or the default one: the one named by `default`, or the only one. */
export function environmentNamed(project: ProjectFile, name?: string): Environment | undefined {
  const { environments } = project;
  const wanted = name ?? project.default?.text ?? (environments.length === 1 ? environments[0]?.name : undefined);
  return environments.find((each) => each.name === wanted);
}

/** The flow at a path (relative to the project file) in every environment that lists it. */
export function environmentsOf(project: ProjectFile, path: string): FlowEnvironment[] {
  return project.environments.flatMap((environment) => flowIn(project, environment, path) ?? []);
}

/**
 * The environment of a flow that has its own IDs: the one that lists its revision, for this path or for another one. A copy of
 * a flow must not get around a protected environment.
 */
export function environmentWith(project: ProjectFile, path: string, revision: string): FlowEnvironment | undefined {
  const listed = project.environments.flatMap(({ flows }) => [...flows]);
  const paths = [path, ...listed.flatMap(([each, link]) => (link.revision === revision ? [each] : []))];
  return paths.flatMap((each) => environmentsOf(project, each)).find(({ link }) => link.revision === revision);
}

/** Undefined if the environment doesn't list the flow. */
export function flowIn(project: ProjectFile, environment: Environment, path: string): FlowEnvironment | undefined {
  const link = environment.flows.get(path);
  if (!link) return undefined;
  return {
    name: environment.name,
    url: environment.url?.text,
    callingUrl: environment.callingUrl?.text,
    isProtected: environment.isProtected,
    link: { assistant: link.assistant, revision: link.revision },
    names: new Map([...environment.names].map(([name, { value }]) => [name, value])),
    foreign: foreignTo(environment, project),
  };
}

/** The IDs of an environment: those of its names and those of its flows. */
function* idsOf({ names, flows }: Environment): Generator<{ readonly id: string; readonly name?: string }> {
  for (const [name, { value }] of names) if (isUuid(value)) yield { id: value.toLowerCase(), name };
  for (const { assistant, revision } of flows.values()) {
    yield { id: assistant };
    yield { id: revision };
  }
}

function foreignTo(own: Environment, { environments }: ProjectFile): ReadonlyMap<string, ForeignId> {
  const ours = new Set(Array.from(idsOf(own), ({ id }) => id));
  const foreign = new Map<string, ForeignId>();
  for (const other of environments)
    for (const { id, name } of idsOf(other))
      if (!ours.has(id) && !foreign.has(id)) foreign.set(id, { environment: other.name, name });
  return foreign;
}
