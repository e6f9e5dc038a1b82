/** What the platform says about the revision of a synced file beside its graph, and waiting for its compile. */
import type { GraphResult, PlatformClient, WorkflowRevision } from "../../platform";
import {
  type Clock,
  type Identity,
  RevisionKeeper,
  type RevisionRecord,
  readCompile,
  systemClock,
  watchCompile,
} from "../../sync";
import type { StateStore } from "../../system";

export interface RevisionHost {
  /** Sends each request once: the watch repeats failed ones, and counts them. */
  readonly client: Pick<PlatformClient, "getWorkflowRevision">;
  readonly state: StateStore;
  readonly clock?: Clock;
  /** Nothing is read for a file that is closed. */
  isOpen(): boolean;
  changed(record: RevisionRecord): void;
  failed(error: unknown): void;
}

export class RevisionWatch {
  readonly #keeper: RevisionKeeper;
  /** The newest version whose compile was waited for. */
  #watched = -1;
  #watching: AbortController | undefined;

  constructor(
    private readonly identity: Identity,
    private readonly host: RevisionHost,
  ) {
    this.#keeper = new RevisionKeeper(host.state, identity);
  }

  /** What was known before this server started, or what another program has learned since. */
  async load(): Promise<void> {
    if (!(await this.#keeper.load())) return;
    this.#noteChange(true);
    // There was no read yet, so whether the record is current isn't known: the first look decides what to wait for.
    if (this.#keeper.isFresh) this.#continue();
  }

  /** The answer to a batch. Its compile replaces the one that is waited for. */
  answered(result: GraphResult): void {
    this.#noteChange(this.#keeper.answered(result));
    this.#start();
  }

  /** A revision that was read. A compile that another window or program started is waited for as well. */
  read(revision: WorkflowRevision): void {
    this.#noteChange(this.#keeper.read(revision));
    this.#continue();
  }

  /** The name of the record in the state folder. */
  get file(): string {
    return this.#keeper.file;
  }

  /** The last quality report that was seen. */
  get qualityReport(): unknown {
    return this.#keeper.qualityReport;
  }

  /** The file was closed, or it names another revision. */
  stop(): void {
    this.#watching?.abort();
    this.#watching = undefined;
    this.#watched = -1;
  }

  #continue(): void {
    const { compile, version = -1 } = this.#keeper.record ?? {};
    if (compile?.state === "running" && version > this.#watched) this.#start();
  }

  #start(): void {
    this.#watching?.abort();
    if (!this.host.isOpen()) return;
    const watching = new AbortController();
    this.#watching = watching;
    this.#watched = this.#keeper.record?.version ?? -1;
    watchCompile(this.#keeper.record?.compile, {
      clock: this.host.clock ?? systemClock,
      signal: watching.signal,
      read: (signal) =>
        readCompile(this.host.client, this.identity.revision, signal, (revision) => {
          this.#noteChange(this.#keeper.read(revision));
          return this.#keeper.record?.compile;
        }),
    }).then(
      (end) => {
        if (this.#watching !== watching) return;
        this.#watching = undefined;
        if (end === "settled") this.#noteChange(this.#keeper.settled());
      },
      (error) => this.host.failed(error),
    );
  }

  #noteChange(isChanged: boolean): void {
    const { record } = this.#keeper;
    if (!isChanged || !record) return;
    this.host.changed(record);
    this.#keeper.saved().catch((error) => this.host.failed(error));
  }
}
