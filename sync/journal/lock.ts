/**
 * Ensures that one window at a time syncs a flow. The holder renews a lock file; a lock whose process has ended, or that
 * wasn't renewed for a while, is stale, and the next window takes it over. A holder that was suspended checks its lock
 * before it sends, and stops if it was taken. If two windows ever send at once, the graph versions still prevent one from
 * overwriting the other. A waiting window may request the lock, and an idle holder hands it over, since the user may be
 * working in the other window.
 */

import { parsedJson } from "../../flow";
import { turns } from "../../system";
import type { SyncEnvironment } from "../environment";

export interface LockHolder {
  /** For the user, such as `window "billing"`. */
  readonly label: string;
  /** The process, as in `SyncEnvironment.isGone`. */
  readonly process: string;
  /** Unique for every attempt to acquire a lock. */
  readonly token: string;
}

interface LockRecord extends LockHolder {
  readonly renewed: number;
}

export const RENEW_EVERY_MS = 3_000;
export const STALE_AFTER_MS = 15_000;
/** How often a waiting process checks the lock per heartbeat. */
const CHECKS_PER_BEAT = 12;

export class Lock {
  #held = false;
  /** When it was last written. */
  #renewed = 0;
  /** The heartbeat, an attempt and closing the session may run at the same time. */
  readonly #inTurn = turns();

  constructor(
    private readonly environment: Pick<SyncEnvironment, "storage" | "clock" | "isGone">,
    private readonly name: string,
    private readonly holder: LockHolder,
  ) {}

  get held(): boolean {
    return this.#held;
  }

  /** Acquires the lock, or returns its holder. */
  take(): Promise<LockHolder | undefined> {
    return this.#inTurn(() => this.#take());
  }

  /** Renews the lock; false if another process has it. */
  renew(): Promise<boolean> {
    return this.#inTurn(() => this.#renew());
  }

  /**
   * Whether this process still holds it. Reads the file again if it may be stale: a suspended process (SIGSTOP, sleep)
   * resumes in the middle of its work, and another one may have synced the flow in between.
   */
  async stillHeld(): Promise<boolean> {
    return this.environment.clock.now() - this.#renewed < STALE_AFTER_MS ? this.#held : this.renew();
  }

  release(): Promise<void> {
    return this.#inTurn(() => this.#release());
  }

  /** Requests the lock and waits a few heartbeats for the holder to hand over; returns the holder if it doesn't. */
  async takeOver(signal: AbortSignal): Promise<LockHolder | undefined> {
    await this.#inTurn(() => this.#put(this.#requestFile, this.#record()));
    let other = await this.take();
    // Counted in checks, not by the clock: while the machine sleeps, the holder doesn't renew either.
    for (let checks = 0; other && !signal.aborted && checks < 3 * CHECKS_PER_BEAT; checks++) {
      await this.environment.clock.sleep(RENEW_EVERY_MS / CHECKS_PER_BEAT, signal);
      other = await this.take();
    }
    await this.environment.storage.remove(this.#requestFile);
    return other;
  }

  /** Hands the lock over if it was requested; false if not. */
  handOver(): Promise<boolean> {
    return this.#inTurn(() => this.#handOver());
  }

  get #requestFile(): string {
    return `${this.name}.asked`;
  }

  async #take(): Promise<LockHolder | undefined> {
    if (this.#held) return undefined;
    if (await this.environment.storage.create(this.name, this.#record())) {
      this.#renewed = this.environment.clock.now();
      this.#held = true;
      return undefined;
    }
    const other = await this.#read();
    if (other?.token === this.holder.token) this.#held = true;
    else if (other && !(await this.#isStale(other))) return other;
    else if (!(await this.#settle())) return (await this.#read()) ?? { ...this.holder, label: "another window" };
    return undefined;
  }

  async #renew(): Promise<boolean> {
    if (!this.#held) return false;
    const current = await this.#read();
    if (current?.token !== this.holder.token) {
      this.#held = false;
      return false;
    }
    await this.#put(this.name, this.#record());
    return true;
  }

  async #handOver(): Promise<boolean> {
    const requester = this.#held ? await this.#read(this.#requestFile) : undefined;
    if (!requester) return false;
    await this.environment.storage.remove(this.#requestFile);
    if ((await this.#isStale(requester)) || (await this.#read())?.token !== this.holder.token) return false;
    await this.#put(this.name, this.#record(requester));
    this.#held = false;
    return true;
  }

  async #release(): Promise<void> {
    if (this.#held && (await this.#read())?.token === this.holder.token)
      await this.environment.storage.remove(this.name);
    this.#held = false;
  }

  /** A lock renewed in the future is stale too: the clock was set back, and the process ID may have been reused. */
  async #isStale({ renewed, process }: LockRecord): Promise<boolean> {
    const age = this.environment.clock.now() - renewed;
    return age > STALE_AFTER_MS || age < -STALE_AFTER_MS || this.environment.isGone(process);
  }

  /**
   * Several windows may find a lock stale at once: each writes its token and waits; the one whose token is in the file
   * wins.
   */
  async #settle(): Promise<boolean> {
    await this.#put(this.name, this.#record());
    await this.environment.clock.sleep(200);
    this.#held = (await this.#read())?.token === this.holder.token;
    return this.#held;
  }

  async #put(name: string, record: string): Promise<void> {
    const own = `${this.name}.${this.holder.token}`;
    this.#renewed = this.environment.clock.now();
    await this.environment.storage.write(own, record);
    await this.environment.storage.rename(own, name);
  }

  #record({ label, process, token }: LockHolder = this.holder): string {
    return JSON.stringify({ label, process, token, renewed: this.environment.clock.now() } satisfies LockRecord);
  }

  async #read(name = this.name): Promise<LockRecord | undefined> {
    const text = await this.environment.storage.read(name);
    return text === undefined ? undefined : lockOf(text);
  }
}

/** Locks are written atomically, so any other content is damaged and has no holder. */
function lockOf(text: string): LockRecord | undefined {
  const found = parsedJson(text) as Partial<Record<keyof LockRecord, unknown>> | null | undefined;
  const { label, process, token, renewed } = found ?? {};
  const isLock = [label, process, token].every((part) => typeof part === "string") && Number.isFinite(renewed);
  return isLock ? ({ label, process, token, renewed } as LockRecord) : undefined;
}
