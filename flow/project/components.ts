/** Components by name: `component: $name` is the flow whose assistant or revision is a value of the name. */
import { nameIn } from "./names";
import type { ProjectFile } from "./project-file";

/** The IDs behind a `component`, in lower case: its own, or the values of its name, those of the default environment first. */
export function idsBehind(written: string, { environments, default: initial }: ProjectFile): string[] {
  const name = nameIn(written);
  if (name === undefined) return [written.toLowerCase()];
  const isFirst = (each: { readonly name: string }) => Number(each.name === initial?.text);
  return [...environments]
    .sort((a, b) => isFirst(b) - isFirst(a))
    .flatMap(({ names }) => names.get(name)?.value.toLowerCase() ?? []);
}

/** The path of the listed flow that has an ID (in lower case) as its assistant or revision in an environment. */
export function listedFlow(id: string, { environments }: ProjectFile): string | undefined {
  for (const { flows } of environments)
    for (const [path, { assistant, revision }] of flows) if (id === assistant || id === revision) return path;
  return undefined;
}

/** What other flows may write to use a flow as a component: its IDs, as given and as listed, and their names. */
export function writtenFor(path: string, own: readonly string[], { environments }: ProjectFile): Set<string> {
  const listed = environments.flatMap(({ flows }) => flows.get(path) ?? []);
  const ids = new Set([...own, ...listed.flatMap(({ assistant, revision }) => [assistant, revision])]);
  const names = environments.flatMap(({ names }) =>
    [...names].filter(([, { value }]) => ids.has(value.toLowerCase())).map(([name]) => `$${name}`),
  );
  return new Set([...ids, ...names]);
}
