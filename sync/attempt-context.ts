/** What an attempt works with: the session's parts, and what it remembers from attempt to attempt. */
import type { Side } from "../flow";
import type { Allowance } from "./allowance";
import type { Consent } from "./consent";
import type { SyncEnvironment } from "./environment";
import type { SyncHost, Target } from "./host";
import type { Journal, Known } from "./journal/journal";
import type { Observer } from "./remote/observe";
import type { Refused, SyncState } from "./state";

/** `look` reads and shows where the flow stands; `push` and `pull` do what they say. */
export type SyncRequest = "push" | "pull" | "look";

/** What one window knows of a flow beyond its journal, from attempt to attempt. */
export interface Memory {
  target?: Target;
  /** The base the target was made from, where another process has moved the journal's base since: the common ancestor. */
  ancestor?: Known;
  refusal?: Refused;
  /** The platform said that it has this version, and did not show it. */
  hidden?: number;
  /** The platform showed a version that is older than one that was seen before. */
  older?: number;
  /** The requests that are left for what is to be sent. */
  readonly allowance: Allowance;
  /** Decisions, each for the two values it was made between. */
  readonly choices: Map<string, Side>;
}

/** The way to the world from inside an attempt. */
export interface AttemptContext {
  readonly world: SyncEnvironment;
  readonly host: SyncHost;
  readonly consent: Consent;
  readonly observer: Observer;
  readonly memory: Memory;
  readonly journal: Journal;
  readonly closing: AbortSignal;
  show(state: SyncState): void;
  /** Makes sure of the lock; else says who has it. "moved": another process had it meanwhile, so the attempt starts over. */
  hold(): Promise<SyncState | "moved" | undefined>;
  /** The platform has taken a batch: whatever kept it from doing so is over. */
  progressed(): void;
}
