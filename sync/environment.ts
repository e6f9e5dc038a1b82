/** The interfaces sync uses for the platform, storage, the clock and processes; tests simulate them. */
import type { Graph, GraphOp } from "../flow";
import type { GraphResult, ValidationError } from "../platform";
import type { StateStore } from "../system";

/** A revision on a platform. Each has one journal, one lock and at most one file. */
export interface Identity {
  /** The connection's URL, or another name that identifies the platform. */
  readonly connection: string;
  readonly assistant: string;
  readonly revision: string;
}

/** The graph of one revision on the platform. Its methods never throw. */
export interface Remote {
  /** Sends a batch once. Without `baseVersion` it applies to any version. */
  send(ops: readonly GraphOp[], baseVersion: number | undefined, signal?: AbortSignal): Promise<SendOutcome>;
  read(signal?: AbortSignal): Promise<ReadOutcome>;
}

export type SendOutcome =
  /** The graph is missing if the answer doesn't contain a readable one; `unreadable` is the reason. */
  | {
      readonly kind: "answered";
      readonly version: number;
      readonly graph: Graph | undefined;
      readonly unreadable?: string;
      /** Whether the batch changed anything, if the platform reports it. */
      readonly updated: boolean | undefined;
      readonly result: GraphResult;
    }
  | ({ readonly kind: "refused" } & Refusal)
  | { readonly kind: "unauthorized"; readonly message: string }
  /** The batch was certainly not sent: there was no connection. */
  | ({ readonly kind: "not-sent" } & Failure)
  /** The platform accepted the batch without reporting a version. `isAccepted`: it will be applied later (202). */
  | { readonly kind: "unclear"; readonly why: string; readonly isAccepted: boolean }
  /** The batch may or may not have been applied. */
  | ({ readonly kind: "unknown" } & Failure);

/** A request without a usable answer. */
export interface Failure {
  readonly message: string;
  readonly retryAfterMs?: number;
  /** The platform answered that it is unavailable. */
  readonly reached?: boolean;
  /** The platform doesn't accept requests from the site that VS Code is on, so sending it again doesn't help. */
  readonly isRefusedSite?: boolean;
}

/** The platform's rejection of a batch. */
export interface Refusal {
  readonly message: string;
  /** True if the batch was rejected because of its version. */
  readonly aboutVersion: boolean;
  /** Positions in the batch, from a 422. */
  readonly detail: readonly ValidationError[];
}

export type ReadOutcome =
  /** The graph is missing if the answer is for another version, or unreadable, with the reason in `unreadable`. */
  | {
      readonly kind: "read";
      readonly version: number;
      readonly graph: Graph | undefined;
      readonly unreadable?: string;
    }
  /** The endpoint doesn't exist, or the key has no access to it. */
  | { readonly kind: "unavailable"; readonly message: string }
  | { readonly kind: "unauthorized"; readonly message: string }
  | ({ readonly kind: "failed" } & Failure);

/** What a session stores; see `StateStore`. */
export type Storage = Omit<StateStore, "list" | "process" | "isGone">;

export interface Clock {
  /** Milliseconds, from a clock shared by all processes on the machine. */
  now(): number;
  /** Resolves early, without an error, when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface SyncEnvironment {
  readonly remote: Remote;
  readonly storage: Storage;
  readonly clock: Clock;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  /** Identifies this process to others. */
  readonly process: string;
  /** True only if the process has certainly ended. */
  isGone(process: string): Promise<boolean> | boolean;
}
