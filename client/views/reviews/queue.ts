/**
 * Rejections on their way to the platform. A rejection is kept on disk before its row goes, waits for the time in which
 * it can be undone, and is then sent once. Windows share the disk: whichever takes a rejection out of the waiting ones
 * sends it, and no other does. A window that closes leaves it there for the next one.
 */
import { l10n } from "vscode";

export interface Rejection {
  /** The id of the review. */
  readonly id: string;
  readonly note: string;
  /** The connection it must be sent on. */
  readonly connection: string;
  /** What the row said, for messages. */
  readonly label: string;
  readonly due: number;
}

/** Where rejections survive. `take` and `begin` succeed for one caller only, of all windows. */
export interface RejectionStore {
  put(rejection: Rejection): Promise<void>;
  waiting(): Promise<Rejection[]>;
  /** Takes it back. */
  take(rejection: Rejection): Promise<boolean>;
  /** Moves it from waiting to being sent. */
  begin(rejection: Rejection): Promise<boolean>;
  /** Its outcome is known. */
  end(rejection: Rejection): Promise<void>;
  /** Those whose window ended while they were being sent; each is handed out once. */
  interrupted(): Promise<Rejection[]>;
}

export interface QueueWorld {
  now(): number;
  after(ms: number, run: () => Promise<void>): unknown;
  /** Whether a request on this connection can be made now. */
  canSend(connection: string): boolean | Promise<boolean>;
  send(rejection: Rejection): Promise<void>;
  /** A sentence for people. */
  reasonOf(error: unknown): string;
  /** Something to show has changed. */
  changed(): void;
  /** Reports how far a batch is; `undo` still takes back what was not sent. */
  progress(done: number, batch: Batch): void;
  /** A batch is through. */
  done(report: Report, batch: Batch): void;
}

export interface Report {
  readonly sent: readonly Rejection[];
  readonly failed: readonly { readonly rejection: Rejection; readonly reason: string }[];
  /** Still on disk: their connection cannot be used now. */
  readonly kept: readonly Rejection[];
}

export interface Batch {
  readonly rejections: readonly Rejection[];
  readonly due: number;
}

export interface Resumed {
  readonly waiting: Batch | undefined;
  /** Of these nobody can say whether they were sent. */
  readonly interrupted: readonly Rejection[];
}

export class ReviewQueue {
  /** Rows that are not shown, by connection and id, and since when it is settled what became of them. */
  readonly #hidden = new Map<string, { settledAt?: number }>();
  readonly #problems = new Map<string, string>();
  readonly #notes = new Map<string, string>();
  readonly #batches: Batch[] = [];
  #turns: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: RejectionStore,
    private readonly world: QueueWorld,
  ) {}

  isHidden(connection: string, id: string): boolean {
    return this.#hidden.has(key(connection, id));
  }

  /** Why the last try to reject a review failed. */
  problem(connection: string, id: string): string | undefined {
    return this.#problems.get(key(connection, id));
  }

  /** The note of a rejection that came to nothing: whoever wrote it need not write it again. */
  note(connection: string, id: string): string | undefined {
    return this.#notes.get(key(connection, id));
  }

  /** The batch that can still be undone, the newest first. */
  get undoable(): Batch | undefined {
    return this.#batches.at(-1);
  }

  /** Keeps the rejections, hides their rows, and sends them when the time to undo is over. */
  async reject(
    reviews: readonly { readonly id: string; readonly label: string }[],
    options: { readonly connection: string; readonly note: string; readonly undoMs: number },
  ): Promise<Batch | undefined> {
    const { connection, note, undoMs } = options;
    const due = this.world.now() + undoMs;
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
        this.#comesBack(rejection);
      }
      throw error;
    }
    for (const rejection of rejections) this.#problems.delete(keyOf(rejection));
    this.world.changed();
    // Counted from when the row is gone: keeping it may have taken a while, and the time is the person's.
    return this.#schedule(rejections, this.world.now() + undoMs);
  }

  /** Takes a batch back; gives those that were not sent yet. */
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
        this.#comesBack(rejection);
      } else if (isWaiting) this.#settled(rejection); // By another window.
    this.world.changed();
    return taken;
  }

  /** After a start or a change of connection: what still waits gets its time to undo again, and is sent then. */
  resume(undoMs: number): Promise<Resumed> {
    return this.#inTurn(() => this.#resume(undoMs));
  }

  /**
   * One after the other: two resumptions at once would share out what waits between them, and one that has read what
   * waits would hide again what was undone meanwhile.
   */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turns.then(work);
    this.#turns = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  /** A list that was asked for at this time shows what was settled before it. */
  observed(askedAt: number): void {
    for (const [id, { settledAt }] of this.#hidden)
      if (settledAt !== undefined && settledAt <= askedAt) this.#hidden.delete(id);
  }

  #schedule(rejections: readonly Rejection[], due: number): Batch {
    const batch = { rejections, due };
    this.#batches.push(batch);
    this.world.after(Math.max(0, due - this.world.now()), () => this.#send(batch));
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
      if (await this.world.canSend(rejection.connection)) fresh.push(rejection);
    }
    for (const rejection of fresh) this.#hidden.set(keyOf(rejection), {});
    if (fresh.length > 0 || interrupted.length > 0) this.world.changed();
    // Counted from now: the clock may have been set, and whoever comes back needs a moment to see it.
    const due = this.world.now() + undoMs;
    return { waiting: fresh.length > 0 ? this.#schedule(fresh, due) : undefined, interrupted };
  }

  async #send(batch: Batch): Promise<void> {
    if (!this.#batches.includes(batch)) return; // It was undone.
    this.#forget(batch);
    const sent: Rejection[] = [];
    const failed: { rejection: Rejection; reason: string }[] = [];
    const kept: Rejection[] = [];
    for (const [index, rejection] of batch.rejections.entries()) {
      this.world.progress(index, batch);
      if (!(await this.world.canSend(rejection.connection))) {
        kept.push(rejection);
        this.#hidden.delete(keyOf(rejection));
        continue;
      }
      if (!(await this.store.begin(rejection))) {
        this.#settled(rejection); // Another window sent it or took it back.
        continue;
      }
      try {
        await this.world.send(rejection);
        sent.push(rejection);
        this.#notes.delete(keyOf(rejection));
        this.#settled(rejection);
      } catch (error) {
        const reason = this.world.reasonOf(error);
        failed.push({ rejection, reason });
        this.#comesBack(rejection);
        this.#problems.set(keyOf(rejection), reason);
      }
      await this.store.end(rejection);
      this.world.changed();
    }
    this.world.done({ sent, failed, kept }, batch);
  }

  /** The row stays away until a list says what became of it. */
  #settled(rejection: Rejection): void {
    this.#hidden.set(keyOf(rejection), { settledAt: this.world.now() });
  }

  #comesBack(rejection: Rejection): void {
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
