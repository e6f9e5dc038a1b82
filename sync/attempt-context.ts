/** What an attempt works with: the parts of its session, and the state kept between attempts. */
import type { Side } from "../flow";
import type { Consent } from "./consent";
import type { SyncEnvironment } from "./environment";
import type { SyncHost, Target } from "./host";
import type { Journal } from "./journal/journal";
import type { Known } from "./journal/record";
import type { Allowance } from "./limits";
import type { Observer } from "./remote/observe";
import type { Refused, SyncState } from "./state";

/** `look` only reads the platform and reports the state. */
export type SyncRequest = "push" | "pull" | "look";

/** State that a session keeps between attempts in addition to its journal. */
export interface Memory {
  target?: Target;
  /**
   * The common ancestor of file and platform if another process has moved the journal's base since the target was made.
   */
  ancestor?: Known;
  refusal?: Refused;
  /** A version that the platform reported without returning its graph. */
  hidden?: number;
  /** A version the platform returned that is older than one seen before. */
  older?: number;
  /** The requests left for the current save. */
  readonly allowance: Allowance;
  /** Conflict decisions by key; each is valid only for the two values it was made for. */
  readonly choices: Map<string, Side>;
}

/** What an attempt may use of its session. */
export interface AttemptContext {
  readonly environment: SyncEnvironment;
  readonly host: SyncHost;
  readonly consent: Consent;
  readonly observer: Observer;
  readonly memory: Memory;
  readonly journal: Journal;
  readonly closing: AbortSignal;
  show(state: SyncState): void;
  /**
   * Ensures that this session holds the lock; otherwise returns the state that names the holder. "moved": another
   * process held it in between, so the attempt must start over.
   */
  hold(): Promise<SyncState | "moved" | undefined>;
  /** The platform accepted a batch, so retry delays start over. */
  progressed(): void;
}
