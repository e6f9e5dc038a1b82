/** The graph of a revision that has no file yet. */
import type { Graph } from "../../flow";
import { type PlatformClient, PlatformError } from "../../platform";
import { randomHex } from "../../system";
import { systemClock } from "../system-environment";
import { Observer, PROBE_PREFIX } from "./observe";
import { graphOfVersion, isHidden, platformRemote } from "./platform-remote";

/**
 * Reads the revision; if the read is denied or lags and the assistant is known, reads it like a sync. Undefined if the
 * platform doesn't return the graph (yet).
 */
export async function graphOfRevision(
  client: PlatformClient,
  revision: string,
  assistant: string | undefined,
): Promise<Graph | undefined> {
  let refusal: PlatformError | undefined;
  try {
    const answer = await client.getWorkflowRevision(revision);
    const graph = graphOfVersion(answer, answer.graph_version ?? 0);
    if (graph || assistant === undefined) return graph;
  } catch (error) {
    if (assistant === undefined || !(error instanceof PlatformError) || !isHidden(error)) throw error;
    refusal = error;
  }
  const remote = platformRemote(client, { assistant, revision });
  const probe = `${PROBE_PREFIX}${randomHex(6)}`;
  const observer = new Observer({ clock: systemClock }, probe);
  const read = await observer.read(remote, []);
  const seen = read.kind === "hidden" ? await observer.probe(remote) : read;
  if (seen.kind === "seen") return seen.known.graph;
  if (refusal) throw refusal;
  return undefined;
}
