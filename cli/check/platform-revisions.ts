/** What the platform says about the revisions of checked flows: now, if it can be asked, else what it said last. */
import type { FlowDocument } from "../../flow";
import { fetchTransport, PlatformClient, PlatformError, stateDirectory } from "../../platform";
import { lastRevision, linkOf, RevisionKeeper, type RevisionRecord } from "../../sync";
import { connectionOf, PATIENCE } from "../platform/cli-connection";
import type { Terminal } from "../terminal";

export class PlatformRevisions {
  #client: Promise<PlatformClient | undefined> | undefined;
  /** After a failure the rest of the check doesn't wait for the platform again. */
  #hasFailed = false;
  readonly #records = new Map<string, Promise<RevisionRecord | undefined>>();

  constructor(private readonly env: Terminal["env"]) {}

  /** Each revision is read once. Nothing is written. */
  async recordOf(document: FlowDocument): Promise<RevisionRecord | undefined> {
    const link = linkOf(document);
    if (!link) return undefined;
    const key = `${link.assistant} ${link.revision}`.toLowerCase();
    const record = this.#records.get(key) ?? this.#read(link);
    this.#records.set(key, record);
    return record;
  }

  async #read(link: { readonly assistant: string; readonly revision: string }): Promise<RevisionRecord | undefined> {
    const stateDir = stateDirectory(this.env);
    const connection = this.env.ASSISTANT_FLOW_BASE_URL || undefined;
    if (connection === undefined) return lastRevision(stateDir, { connection, ...link });
    const keeper = new RevisionKeeper(stateDir, { connection, ...link }, true);
    await keeper.load();
    const client = await this.#connected();
    if (!client || this.#hasFailed) return keeper.record;
    try {
      keeper.read(await client.getWorkflowRevision(link.revision));
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      // A revision that can't be read says nothing about the others.
      this.#hasFailed ||= error.kind !== "not-found" && error.kind !== "invalid";
    }
    return keeper.record;
  }

  /** Undefined without a usable connection: `check` works without one. */
  #connected(): Promise<PlatformClient | undefined> {
    const terminal = { env: this.env, input: async () => "" };
    this.#client ??= connectionOf(terminal, {}).then(
      (connection) => new PlatformClient(fetchTransport(connection), { retry: PATIENCE }),
      () => undefined,
    );
    return this.#client;
  }
}
