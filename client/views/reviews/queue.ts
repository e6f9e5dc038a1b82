/**
 * The queue of rejections. A rejection is saved to disk before its row is hidden, waits until the undo period ends, and
 * is then sent exactly once. All windows share the disk: the one that moves a rejection out of `waiting` sends it. A
 * window that closes leaves its rejections to the next one.
 */
import { l10n } from "vscode";
import { turns } from "../../../system";

export interface Rejection {
  /** The review's ID. */
  readonly id: string;
  readonly note: string;
  /** The connection it must be sent on. */
  readonly connection: string;
  /** The row's label, for messages. */
  readonly label: string;
  readonly due: number;
}

/** Persistent storage. `take` and `begin` succeed for only one caller across all windows. */
export interface RejectionStore {
  put(rejection: Rejection): Promise<void>;
  waiting(): Promise<Rejection[]>;
  /** Removes a waiting rejection, for undo. */
  take(rejection: Rejection): Promise<boolean>;
  /** Moves a rejection from waiting to sending. */
  begin(rejection: Rejection): Promise<boolean>;
  /** Removes a rejection whose outcome is known. */
  end(rejection: Rejection): Promise<void>;
  /** Returns rejections whose window closed while sending, each only once. */
  interrupted(): Promise<Rejection[]>;
}

export interface QueueHost {
  now(): number;
  after(ms: number, run: () => Promise<void>): unknown;
  /** Whether requests can be sent on this connection now. */
  canSend(connection: string): boolean | Promise<boolean>;
  send(rejection: Rejection): Promise<void>;
  /** Returns a message for the user. */
  reasonOf(error: unknown): string;
  /** Called when the rows need a redraw. */
  changed(): void;
  /** Reports progress of a batch. `undo` still removes rejections that haven't been sent. */
  progress(done: number, batch: Batch): void;
  /** Called when a batch is finished. */
  done(report: Report, batch: Batch): void;
}

export interface Report {
  readonly sent: readonly Rejection[];
  readonly failed: readonly { readonly rejection: Rejection; readonly reason: string }[];
  /** Still on disk, because their connection can't be used now. */
  readonly kept: readonly Rejection[];
}

export interface Batch {
  readonly rejections: readonly Rejection[];
  readonly due: number;
}

export interface Resumed {
  readonly waiting: Batch | undefined;
  /** It is unknown whether these were sent. */
  readonly interrupted: readonly Rejection[];
}

export class ReviewQueue {
  /** Hidden rows by connection and ID, with the time their outcome became known. */
  readonly #hidden = new Map<string, { settledAt?: number }>();
  readonly #problems = new Map<string, string>();
  readonly #notes = new Map<string, string>();
  readonly #batches: Batch[] = [];
  /** Two concurrent resumes would split the waiting rejections, and a resume could hide rows that were just undone. */
  readonly #inTurn = turns();

  constructor(
    private readonly store: RejectionStore,
    private readonly host: QueueHost,
  ) {}

  isHidden(connection: string, id: string): boolean {
    return this.#hidden.has(key(connection, id));
  }

  /** Returns why the last attempt to reject a review failed. */
  problem(connection: string, id: string): string | undefined {
    return this.#problems.get(key(connection, id));
  }

  /** Returns the note of a failed or undone rejection, so that the user needn't retype it. */
  note(connection: string, id: string): string | undefined {
    return this.#notes.get(key(connection, id));
  }

  /** The newest batch that can still be undone. */
  get undoable(): Batch | undefined {
    return this.#batches.at(-1);
  }

  /** Saves the rejections, hides their rows, and sends them when the undo period ends. */
  async reject(
    reviews: readonly { readonly id: string; readonly label: string }[],
    options: { readonly connection: string; readonly note: string; readonly undoMs: number },
  ): Promise<Batch | undefined> {
    const { connection, note, undoMs } = options;
    const due = this.host.now() + undoMs;
    const rejections = reviews
      .filter(({ id }) => !this.isHidden(connection, id))
      .map(({ id, label }) => ({ id, label, note, connection, due }));
    if (rejections.length === 0) return undefined;
    for (const rejection of rejections) this.#hidden.set(keyOf(rejection), {});
    try {
      for (const rejection of rejections) await this.store.put(rejection);
    } catch (error) {
      for (const rejection of rejections) {
        await this.store.take(rejection);
        this.#showAgain(rejection);
      }
      throw error;
    }
    for (const rejection of rejections) this.#problems.delete(keyOf(rejection));
    this.host.changed();
    // Starts after the rows are hidden: saving may take a while, and the user gets the full undo period.
    return this.#schedule(rejections, this.host.now() + undoMs);
  }

  /** Undoes a batch. Returns the rejections that weren't sent. */
  undo(batch: Batch): Promise<readonly Rejection[]> {
    return this.#inTurn(() => this.#undo(batch));
  }

  async #undo(batch: Batch): Promise<readonly Rejection[]> {
    const taken: Rejection[] = [];
    const isWaiting = this.#batches.includes(batch);
    this.#forget(batch);
    for (const rejection of batch.rejections)
      if (await this.store.take(rejection)) {
        taken.push(rejection);
        this.#showAgain(rejection);
      } else if (isWaiting) this.#settled(rejection); // Another window sent or undid it.
    this.host.changed();
    return taken;
  }

  /** Reschedules waiting rejections after a start or a change of connection, with a new undo period. */
  resume(undoMs: number): Promise<Resumed> {
    return this.#inTurn(() => this.#resume(undoMs));
  }

  /** Shows rows again whose outcome was known before this list was requested. */
  observed(askedAt: number): void {
    for (const [id, { settledAt }] of this.#hidden)
      if (settledAt !== undefined && settledAt <= askedAt) this.#hidden.delete(id);
  }

  #schedule(rejections: readonly Rejection[], due: number): Batch {
    const batch = { rejections, due };
    this.#batches.push(batch);
    this.host.after(Math.max(0, due - this.host.now()), () => this.#send(batch));
    return batch;
  }

  async #resume(undoMs: number): Promise<Resumed> {
    const interrupted = await this.store.interrupted();
    for (const rejection of interrupted)
      this.#problems.set(
        keyOf(rejection),
        l10n.t("The window closed while this was being sent. If it is still listed after a refresh, reject it again."),
      );
    const fresh: Rejection[] = [];
    for (const rejection of await this.store.waiting()) {
      if (this.#hidden.has(keyOf(rejection))) continue;
      if (await this.host.canSend(rejection.connection)) fresh.push(rejection);
    }
    for (const rejection of fresh) this.#hidden.set(keyOf(rejection), {});
    if (fresh.length > 0 || interrupted.length > 0) this.host.changed();
    // Uses the current time: the saved one may be wrong after a clock change, and the user needs time to notice.
    const due = this.host.now() + undoMs;
    return { waiting: fresh.length > 0 ? this.#schedule(fresh, due) : undefined, interrupted };
  }

  async #send(batch: Batch): Promise<void> {
    if (!this.#batches.includes(batch)) return; // The batch was undone.
    this.#forget(batch);
    const sent: Rejection[] = [];
    const failed: { rejection: Rejection; reason: string }[] = [];
    const kept: Rejection[] = [];
    for (const [index, rejection] of batch.rejections.entries()) {
      this.host.progress(index, batch);
      if (!(await this.host.canSend(rejection.connection))) {
        kept.push(rejection);
        this.#hidden.delete(keyOf(rejection));
        continue;
      }
      if (!(await this.store.begin(rejection))) {
        this.#settled(rejection); // Another window sent or undid it.
        continue;
      }
      try {
        await this.host.send(rejection);
        sent.push(rejection);
        this.#notes.delete(keyOf(rejection));
        this.#settled(rejection);
      } catch (error) {
        const reason = this.host.reasonOf(error);
        failed.push({ rejection, reason });
        this.#showAgain(rejection);
        this.#problems.set(keyOf(rejection), reason);
      }
      await this.store.end(rejection);
      this.host.changed();
    }
    this.host.done({ sent, failed, kept }, batch);
  }

  /** Keeps the row hidden until a newer list shows the outcome. */
  #settled(rejection: Rejection): void {
    this.#hidden.set(keyOf(rejection), { settledAt: this.host.now() });
  }

  #showAgain(rejection: Rejection): void {
    this.#hidden.delete(keyOf(rejection));
    if (rejection.note !== "") this.#notes.set(keyOf(rejection), rejection.note);
  }

  #forget(batch: Batch): void {
    const at = this.#batches.indexOf(batch);
    if (at >= 0) this.#batches.splice(at, 1);
  }
}

const keyOf = (rejection: Rejection) => key(rejection.connection, rejection.id);
const key = (connection: string, id: string) => `${connection}\n${id}`;
