/** The environment of a synced flow, and what may be sent to it. */
import { reasonOf } from "../../files";
import { environmentNamed, environmentsOf, type FlowEnvironment, flowIn, readProjectFile } from "../../flow";
import { environmentRemote, isProtected, notListed, type Remote } from "../../sync";
import { t } from "../../text";
import type { ProjectFiles } from "../workspace/project-files";

type Link = FlowEnvironment["link"];

export interface Placement {
  /** The assistant and revision: the file's own, or those of its environment. */
  readonly link?: Link | undefined;
  readonly environment?: FlowEnvironment | undefined;
  /** All environments that list the flow. */
  readonly environments: readonly FlowEnvironment[];
  /** Why a listed flow isn't synced. */
  readonly problem?: string;
}

/**
 * A file with its own IDs is in the environment that has its revision; any other one is in the environment that the user
 * chose, or in the default one.
 */
export async function placeOf(
  uri: string,
  own: Link | undefined,
  projects: ProjectFiles,
  wanted: string | undefined,
): Promise<Placement> {
  let found: Awaited<ReturnType<ProjectFiles["of"]>>;
  try {
    found = await projects.of(uri);
  } catch (error) {
    return { environments: [], problem: t("The project file can't be read: {0}", reasonOf(error)) };
  }
  if (!found) return { link: own, environments: [] };
  const project = readProjectFile(found.text);
  const environments = environmentsOf(project, found.flow);
  if (environments.length === 0) return { link: own, environments };
  if (own)
    return { link: own, environments, environment: environments.find(({ link }) => link.revision === own.revision) };
  if (project.problems.some(({ severity }) => severity === "error"))
    return { environments, problem: t("The project file has errors. Run `assistant-flow check` to see them.") };
  const chosen = wanted === undefined ? undefined : environmentNamed(project, wanted);
  const used = chosen ?? environmentNamed(project);
  const environment = used && flowIn(project, used, found.flow);
  if (environment) return { link: environment.link, environments, environment };
  const problem = chosen ? notListed(chosen.name) : t("The project file has no default environment for this flow.");
  return { environments, problem };
}

/** The connection of an environment among those with a key: the one with its URL. */
export function connectionTo(
  { name, url }: Pick<FlowEnvironment, "name" | "url">,
  addresses: readonly string[],
): { readonly address: string } | { readonly problem: string } {
  if (url === undefined) return { problem: t('Environment "{0}" has no usable URL.', name) };
  const address = addresses.find((each) => normalized(each) === normalized(url));
  if (address !== undefined) return { address };
  return { problem: t('Environment "{0}" is at {1}, and there is no connection with this URL.', name, url) };
}

/** Sends only what the environment allows. The project file may have changed since the flow was saved. */
export function guardedRemote(
  remote: Remote,
  environment: () => FlowEnvironment | undefined,
  placeNow: () => Promise<Placement>,
): Remote {
  const refused = (message: string) => ({ kind: "refused" as const, message, aboutVersion: false, detail: [] });
  return {
    ...remote,
    async send(...batch) {
      const known = environment();
      const now = await placeNow();
      if (now.problem !== undefined || !isSame(known, now.environment))
        return refused(t("The project file changed. Save the flow to continue."));
      if (!known) return remote.send(...batch);
      if (known.isProtected) return refused(isProtected(known.name));
      return environmentRemote(remote, known).send(...batch);
    },
  };
}

function isSame(one: FlowEnvironment | undefined, other: FlowEnvironment | undefined): boolean {
  const parts = (each: FlowEnvironment | undefined) =>
    each && JSON.stringify({ ...each, names: [...each.names], foreign: [...each.foreign] });
  return parts(one) === parts(other);
}

function normalized(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/\/$/, "") : url;
}
