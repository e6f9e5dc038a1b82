/**
 * One flow is synced by one window at a time. The holder keeps a lock file and renews it; a lock whose process is
 * gone, or that was not renewed for a while, belongs to a window that crashed, and the next one takes it over. A holder
 * that slept too long finds its lock taken when it looks before sending, and stops; should two ever send at once, the
 * versions of the platform's graph still keep one from overwriting the other. Who waits may ask for the lock, and a holder
 * with nothing to do hands it over: the window that holds it may be one that nobody sees any more.
 */

import type { SyncEnvironment } from "../environment";
import { turns } from "../turns";

export interface LockHolder {
  /** For people: `window "billing"`. */
  readonly label: string;
  /** The process, as `World.isGone` knows it. */
  readonly process: string;
  /** Different for every attempt to hold a lock. */
  readonly token: string;
}

interface LockRecord extends LockHolder {
  readonly renewed: number;
}

export const RENEW_EVERY_MS = 3_000;
export const STALE_AFTER_MS = 15_000;
/** How often who asks for the lock looks, in the time between two beats. */
const LOOKS_A_BEAT = 12;

export class Lock {
  #held = false;
  /** When it was last written. */
  #renewed = 0;
  /** The heartbeat, an attempt to sync and the end of a sync may all come at once. */
  readonly #inTurn = turns();

  constructor(
    private readonly world: Pick<SyncEnvironment, "storage" | "clock" | "isGone">,
    private readonly name: string,
    private readonly holder: LockHolder,
  ) {}

  get held(): boolean {
    return this.#held;
  }

  /** Takes the lock, or says who has it. */
  take(): Promise<LockHolder | undefined> {
    return this.#inTurn(() => this.#take());
  }

  /** Renews the lock; false where it is ours no more. */
  renew(): Promise<boolean> {
    return this.#inTurn(() => this.#renew());
  }

  /**
   * Whether it is still ours. It is read again where it may have become stale: a process that was stopped (SIGSTOP, a laptop
   * asleep) goes on in the middle of its work, and another one may have synced the flow meanwhile.
   */
  async stillHeld(): Promise<boolean> {
    return this.world.clock.now() - this.#renewed < STALE_AFTER_MS ? this.#held : this.renew();
  }

  release(): Promise<void> {
    return this.#inTurn(() => this.#release());
  }

  /** Asks for the lock that another has, and waits for some beats of the other's heart; says who still has it. */
  async takeOver(signal: AbortSignal): Promise<LockHolder | undefined> {
    await this.#inTurn(() => this.#put(this.#asked, this.#record()));
    let other = await this.take();
    // Counted in looks, not by the clock: while the machine stands still, the other's heart doesn't beat either.
    for (let looks = 0; other && !signal.aborted && looks < 3 * LOOKS_A_BEAT; looks++) {
      await this.world.clock.sleep(RENEW_EVERY_MS / LOOKS_A_BEAT, signal);
      other = await this.take();
    }
    await this.world.storage.remove(this.#asked);
    return other;
  }

  /** Hands the lock to who asks for it; false where nobody does. */
  handOver(): Promise<boolean> {
    return this.#inTurn(() => this.#handOver());
  }

  get #asked(): string {
    return `${this.name}.asked`;
  }

  async #take(): Promise<LockHolder | undefined> {
    if (this.#held) return undefined;
    if (await this.world.storage.create(this.name, this.#record())) {
      this.#renewed = this.world.clock.now();
      this.#held = true;
      return undefined;
    }
    const other = await this.#read();
    if (other?.token === this.holder.token) this.#held = true;
    else if (other && !this.#isStale(other)) return other;
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
    const asker = this.#held ? await this.#read(this.#asked) : undefined;
    if (!asker) return false;
    await this.world.storage.remove(this.#asked);
    if (this.#isStale(asker) || (await this.#read())?.token !== this.holder.token) return false;
    await this.#put(this.name, this.#record(asker));
    this.#held = false;
    return true;
  }

  async #release(): Promise<void> {
    if (this.#held && (await this.#read())?.token === this.holder.token) await this.world.storage.remove(this.name);
    this.#held = false;
  }

  /** A lock renewed in the future is no better than an old one: a clock was set back, and its process may be another by now. */
  #isStale({ renewed, process }: LockRecord): boolean {
    const age = this.world.clock.now() - renewed;
    return age > STALE_AFTER_MS || age < -STALE_AFTER_MS || this.world.isGone(process);
  }

  /** Several windows may find a lock stale at once: each writes its name, waits, and the one that stands there has it. */
  async #settle(): Promise<boolean> {
    await this.#put(this.name, this.#record());
    await this.world.clock.sleep(200);
    this.#held = (await this.#read())?.token === this.holder.token;
    return this.#held;
  }

  async #put(name: string, record: string): Promise<void> {
    const own = `${this.name}.${this.holder.token}`;
    this.#renewed = this.world.clock.now();
    await this.world.storage.write(own, record);
    await this.world.storage.rename(own, name);
  }

  #record({ label, process, token }: LockHolder = this.holder): string {
    return JSON.stringify({ label, process, token, renewed: this.world.clock.now() } satisfies LockRecord);
  }

  async #read(name = this.name): Promise<LockRecord | undefined> {
    const text = await this.world.storage.read(name);
    return text === undefined ? undefined : lockOf(text);
  }
}

/** Locks are made whole, so whatever else lies there is damaged and nobody's. */
function lockOf(text: string): LockRecord | undefined {
  let found: Partial<Record<keyof LockRecord, unknown>> | null;
  try {
    found = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { label, process, token, renewed } = found ?? {};
  const isLock = [label, process, token].every((part) => typeof part === "string") && Number.isFinite(renewed);
  return isLock ? ({ label, process, token, renewed } as LockRecord) : undefined;
}
