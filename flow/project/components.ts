/** Components by name: `component: $name` is the flow whose assistant or revision is a value of the name. */
import { nameIn } from "./names";
import type { ProjectFile } from "./project-file";

/**
 * The flow that a `component` names: by an ID of its own, or by one that the project lists. Of a name's values, that of the
 * default environment counts first.
 */
export function componentIn<Flow>(
  written: string,
  project: ProjectFile,
  byId: (id: string) => Flow | undefined,
  byPath: (path: string) => Flow | undefined,
): Flow | undefined {
  for (const id of idsBehind(written, project)) {
    const listed = listedFlow(id, project);
    const flow = byId(id) ?? (listed === undefined ? undefined : byPath(listed));
    if (flow !== undefined) return flow;
  }
  return undefined;
}

/** In lower case. */
function idsBehind(written: string, { environments, default: initial }: ProjectFile): string[] {
  const name = nameIn(written);
  if (name === undefined) return [written.toLowerCase()];
  const isFirst = (each: { readonly name: string }) => Number(each.name === initial?.text);
  return [...environments]
    .sort((a, b) => isFirst(b) - isFirst(a))
    .flatMap(({ names }) => names.get(name)?.value.toLowerCase() ?? []);
}

/** The path of the listed flow that has an ID (in lower case) as its assistant or revision in an environment. */
function listedFlow(id: string, { environments }: ProjectFile): string | undefined {
  for (const { flows } of environments)
    for (const [path, { assistant, revision }] of flows) if (id === assistant || id === revision) return path;
  return undefined;
}

/** What other flows may write to use a flow as a component: its IDs, as given and as listed, and their names. */
export function writtenFor(path: string, own: readonly string[], { environments }: ProjectFile): string[] {
  const listed = environments.flatMap(({ flows }) => flows.get(path) ?? []);
  const ids = new Set([...own, ...listed.flatMap(({ assistant, revision }) => [assistant, revision])]);
  const names = environments.flatMap(({ names }) =>
    [...names].filter(([, { value }]) => ids.has(value.toLowerCase())).map(([name]) => `$${name}`),
  );
  return [...new Set([...ids, ...names])];
}
