/** The state of a flow in each of its environments, and the versions that were seen there. */
import { Projects } from "../../files/suite";
import { applyEdits, FlowDocument, type FlowEnvironment } from "../../flow";
import { PlatformClient } from "../../platform";
import {
  type Drift,
  driftOf,
  History,
  type Identity,
  linkOf,
  lookAt,
  mergeText,
  noConnection,
  notConnected,
  platformRemote,
  systemClock,
  targetOf,
} from "../../sync";
import type { ServerContext } from "../context";
import type { EnvironmentState, SeenVersions, SeenVersionView } from "../environment-messages";
import { readFlowFile } from "../workspace/files";
import { placeOf } from "./environments";
import type { Sessions } from "./sessions";
import { environmentView } from "./state-view";

export class EnvironmentStates {
  constructor(
    private readonly server: ServerContext,
    private readonly sessions: Sessions,
  ) {}

  /** Reads every environment of a flow as it is on disk. An empty list if no project file lists it. */
  async of(uri: string): Promise<EnvironmentState[]> {
    const text = await readFlowFile(uri);
    if (text === undefined) return [];
    const { environments, current } = await this.#placeOf(uri, text);
    const states: EnvironmentState[] = [];
    for (const environment of environments) {
      const { state, operations, reason } = await this.#compare(text, environment);
      const isCurrent = environment.name === current;
      states.push({ ...environmentView(environment), isCurrent, state, operations, reason });
    }
    return states;
  }

  /** The versions of a flow that were pushed or seen from this computer, newest first. */
  async versions(uri: string, text: string): Promise<SeenVersions> {
    await this.sessions.recorded();
    const found: SeenVersionView[] = [];
    const { histories, problem } = await this.#histories(uri, text);
    for (const { history, name } of histories) {
      const entries = await history.entries();
      for (const { at, by, version, operations, graph } of entries)
        found.push({ at, by, version, operations, graph, environment: name });
    }
    const versions = found.sort((a, b) => b.at.localeCompare(a.at) || b.version - a.version);
    return { versions, problem };
  }

  /**
   * The file's text with the content of a version, or of an environment as it is now; comments and names stay.
   * Null if the version isn't stored, or the text can't be changed.
   */
  async textWith(uri: string, text: string, environment: string | undefined, version?: string): Promise<string | null> {
    const { histories } = await this.#histories(uri, text);
    const found = histories.find(({ name }) => name === environment);
    if (!found) return null;
    const graph =
      version === undefined
        ? await this.#now(text, found.environment)
        : await found.history
            .entries()
            .then((entries) => entries.find((each) => each.graph === version))
            .then((entry) => entry && found.history.graphOf(entry));
    const edits = graph && mergeText(text, () => graph, found.environment);
    return edits ? applyEdits(text, edits) : null;
  }

  async #compare(text: string, environment: FlowEnvironment): Promise<Drift> {
    return this.#look(text, environment, (drift) => drift);
  }

  async #now(text: string, environment: FlowEnvironment | undefined) {
    return environment && this.#look(text, environment, (_, remote) => remote);
  }

  async #look<T>(
    text: string,
    environment: FlowEnvironment,
    take: (drift: Drift, remote: NonNullable<Drift["graphs"]>["to"] | undefined) => T,
  ): Promise<T> {
    const link = this.sessions.linkTo(environment);
    const unknown = (reason: string) => take({ state: "unknown", operations: 0, reason }, undefined);
    if (!link || !("address" in link) || link.address === undefined)
      return unknown(link && "problem" in link ? link.problem : notConnected());
    const identity: Identity = { connection: link.address, ...environment.link };
    const remote = platformRemote(new PlatformClient(link.transport, { retry: { attempts: 1 } }), identity);
    const document = FlowDocument.read(text);
    // Wrong names don't prevent a comparison. Parts that can't be parsed do: they would look like deletions.
    const errors = document.problems.length;
    const target = { ...targetOf(document, undefined, environment), errors, errorsBeyond: () => errors };
    const { sync, state } = await lookAt(identity, remote, this.sessions.state, target);
    try {
      return take(driftOf(sync, state, document, environment), sync.remote?.graph);
    } finally {
      await sync.close();
    }
  }

  /** The histories of a flow: of each environment, or of the active connection. */
  async #histories(
    uri: string,
    text: string,
  ): Promise<{
    histories: { history: History; name?: string; environment?: FlowEnvironment }[];
    problem?: string | undefined;
  }> {
    const of = (identity: Identity) => new History(this.sessions.state, identity, systemClock);
    const { environments, link, problem } = await this.#placeOf(uri, text);
    const listed = environments.flatMap((environment) => {
      const { url, name, link } = environment;
      return url === undefined ? [] : [{ history: of({ connection: url, ...link }), name, environment }];
    });
    const connection = this.sessions.platformLink?.address;
    const isListed = environments.some((each) => each.link.revision === link?.revision);
    const histories = link && connection && !isListed ? [...listed, { history: of({ connection, ...link }) }] : listed;
    // Without a connection, it isn't known which platform's versions to list.
    return { histories, problem: problem ?? (link && !connection && !isListed ? noConnection() : undefined) };
  }

  async #placeOf(uri: string, text: string) {
    const own = linkOf(FlowDocument.read(text));
    const projects = new Projects(this.server.workspace.scope());
    const wanted = this.server.connected().environment;
    const place = await placeOf(uri, own, projects, wanted);
    const { environments, environment, link, problem = place.listProblem } = place;
    return { environments, current: environment?.name, link, problem };
  }
}
