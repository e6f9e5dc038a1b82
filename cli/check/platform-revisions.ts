/** What the platform says about the revisions of checked flows: now, if it can be asked, else what it said last. */
import { openState } from "../../files";
import type { FlowDocument } from "../../flow";
import type { FlowEnvironment } from "../../flow/project";
import { type PlatformClient, PlatformError, stateDirectory } from "../../platform";
import { lastRevision, linkOf, RevisionKeeper, type RevisionRecord } from "../../sync";
import { clientFor, connectionOf, environmentConnection } from "../platform/cli-connection";
import type { Terminal } from "../terminal";
import { cached } from "./policy-files";

export class PlatformRevisions {
  /** By environment; that without a name is configured by variables. */
  readonly #clients = new Map<string, Promise<PlatformClient | undefined>>();
  /** After a failure the rest of the check doesn't wait for the platform again. */
  readonly #failed = new Set<string>();
  readonly #records = new Map<string, Promise<RevisionRecord | undefined>>();

  constructor(private readonly env: Terminal["env"]) {}

  /** Each revision is read once. Nothing is written. */
  async recordOf(document: FlowDocument, environment?: FlowEnvironment): Promise<RevisionRecord | undefined> {
    const identity = identityOf(document, this.env, environment);
    if (!identity) return undefined;
    const key = `${identity.connection} ${identity.assistant} ${identity.revision}`.toLowerCase();
    return cached(this.#records, key, () => this.#read(identity, environment));
  }

  async #read(identity: Known, environment: FlowEnvironment | undefined): Promise<RevisionRecord | undefined> {
    const state = openState(stateDirectory(this.env));
    const { connection, revision } = identity;
    if (connection === undefined) return lastRevision(state, identity);
    const keeper = new RevisionKeeper(state, { ...identity, connection }, true);
    await keeper.load();
    const client = await this.#connected(connection, environment);
    if (!client || this.#failed.has(connection)) return keeper.record;
    try {
      keeper.read(await client.getWorkflowRevision(revision));
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      // A revision that can't be read says nothing about the others.
      if (error.kind !== "not-found" && error.kind !== "invalid") this.#failed.add(connection);
    }
    return keeper.record;
  }

  /** Undefined without a usable connection: `check` works without one. */
  #connected(address: string, environment: FlowEnvironment | undefined): Promise<PlatformClient | undefined> {
    const terminal = { env: this.env, input: async () => "" };
    const key = `${environment?.name ?? ""} ${address}`;
    const connect = () => (environment ? environmentConnection(environment, {}, terminal) : connectionOf(terminal, {}));
    return cached(this.#clients, key, () => connect().then(clientFor, () => undefined));
  }
}

interface Known {
  readonly connection: string | undefined;
  readonly assistant: string;
  readonly revision: string;
}

/** The platform and the revision of a flow: those of its environment, or its own IDs. */
export function identityOf(
  document: FlowDocument,
  env: Terminal["env"],
  environment: FlowEnvironment | undefined,
): Known | undefined {
  const link = environment?.link ?? linkOf(document);
  return link && { connection: environment?.url ?? (env.ASSISTANT_FLOW_BASE_URL || undefined), ...link };
}
