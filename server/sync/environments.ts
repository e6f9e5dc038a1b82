/** The environment of a synced flow, and what may be sent to it. */
import { reasonOf } from "../../files";
import { type Projects, pathIn } from "../../files/suite";
import { environmentNamed, environmentsOf, environmentWith, type FlowEnvironment, flowIn } from "../../flow";
import { environmentRemote, isProbe, isProtected, notListed, type Remote } from "../../sync";
import { t } from "../../text";
import { pathOf } from "../protocol/uris";

type Link = FlowEnvironment["link"];

export interface Placement {
  /** The assistant and revision: the file's own, or those of its environment. */
  readonly link?: Link | undefined;
  readonly environment?: FlowEnvironment | undefined;
  /** All environments that list the flow. */
  readonly environments: readonly FlowEnvironment[];
  /** Why a listed flow isn't synced. */
  readonly problem?: string;
  /** Why the project file may list a flow that isn't synced, although `environments` is empty. */
  readonly listProblem?: string;
}

/**
 * A file with its own IDs is in the environment that has its revision; any other one is in the environment that the user
 * chose, or in the default one.
 */
export async function placeOf(
  uri: string,
  own: Link | undefined,
  projects: Projects,
  wanted: string | undefined,
): Promise<Placement> {
  const file = pathOf(uri);
  if (file === undefined) return { link: own, environments: [] };
  let found: Awaited<ReturnType<Projects["of"]>>;
  try {
    found = await projects.of(file);
  } catch (error) {
    return { environments: [], problem: t("The project file can't be read: {0}", reasonOf(error)) };
  }
  if (!found) return { link: own, environments: [] };
  const { project } = found;
  const flow = pathIn(found, file);
  const environments = environmentsOf(project, flow);
  const environment = own && environmentWith(project, flow, own.revision);
  if (environment)
    return { link: own, environments: environments.length > 0 ? environments : [environment], environment };
  // The part that can't be read may protect the revision.
  const isBroken = project.problems.some(({ severity }) => severity === "error");
  if (isBroken) {
    const problem = t("The project file has errors. Nothing is pushed until they are fixed.");
    return own || environments.length > 0 ? { environments, problem } : { environments, listProblem: problem };
  }
  if (own || environments.length === 0) return { link: own, environments };
  const chosen = wanted === undefined ? undefined : environmentNamed(project, wanted);
  const used = chosen ?? environmentNamed(project);
  const placed = used && flowIn(project, used, flow);
  if (placed) return { link: placed.link, environments, environment: placed };
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
      const [ops] = batch;
      const known = environment();
      const now = await placeNow();
      if (now.problem !== undefined || !isSame(known, now.environment))
        return refused(t("The project file changed. Save the flow to continue."));
      if (!known) return remote.send(...batch);
      // A pull may compare: a probe changes nothing.
      if (known.isProtected && !isProbe(ops)) return refused(isProtected(known.name));
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
