/** What sync needs of the world around it, as small interfaces; tests put a simulated world in their place. */
import type { Graph, GraphOp } from "../flow";
import type { GraphResult, ValidationError } from "../platform";

/** Which graph on which platform. One of these has one journal, one lock and at most one file. */
export interface Identity {
  /** The connection: its address, or another name that stays with the platform it leads to. */
  readonly connection: string;
  readonly assistant: string;
  readonly revision: string;
}

/** The graph of one revision on the platform. Neither method throws. */
export interface Remote {
  /**
   * Sends a batch once. Without `baseVersion` it is sent for whatever version there is. With `mayStayUnread` the graph in
   * the answer is read only when it is asked for.
   */
  send(
    ops: readonly GraphOp[],
    baseVersion: number | undefined,
    signal?: AbortSignal,
    mayStayUnread?: boolean,
  ): Promise<SendOutcome>;
  read(signal?: AbortSignal): Promise<ReadOutcome>;
}

export type SendOutcome =
  /** The graph is missing where the answer does not hold one that can be read; `unreadable` says why. */
  | {
      readonly kind: "answered";
      readonly version: number;
      readonly graph: Graph | undefined;
      readonly unreadable?: string;
      /** Whether it changed anything, where the platform says so. */
      readonly updated: boolean | undefined;
      readonly result: GraphResult;
      /** Where the graph and the result were left unread: nobody asks for them from now on. */
      drop?(): void;
    }
  | ({ readonly kind: "refused" } & Refusal)
  | { readonly kind: "unauthorized"; readonly message: string }
  /** It is certain that the batch never left: there was no connection to send it on. */
  | ({ readonly kind: "not-sent" } & Failure)
  /**
   * Something said yes, and not what became of the batch: an answer without a version. `isAccepted`: it will be applied later
   * (202). Looking tells.
   */
  | { readonly kind: "unclear"; readonly why: string; readonly isAccepted: boolean }
  /** Nobody can say whether the batch was applied. */
  | ({ readonly kind: "unknown" } & Failure);

/** No answer that tells anything. */
export interface Failure {
  readonly message: string;
  readonly retryAfterMs?: number;
  /** The platform did answer, to say that it cannot now. */
  readonly reached?: boolean;
}

/** The platform's no to a batch. */
export interface Refusal {
  readonly message: string;
  /** True where the reason given is the version the batch was made for. */
  readonly aboutVersion: boolean;
  /** Places in the batch, from a 422. */
  readonly detail: readonly ValidationError[];
}

export type ReadOutcome =
  /** The graph is missing where the answer does not hold the one of this version, or, with `unreadable`, none we can read. */
  | {
      readonly kind: "read";
      readonly version: number;
      readonly graph: Graph | undefined;
      readonly unreadable?: string;
    }
  /** The platform has no such endpoint, or not for this key. */
  | { readonly kind: "unavailable"; readonly message: string }
  | { readonly kind: "unauthorized"; readonly message: string }
  | ({ readonly kind: "failed" } & Failure);

/**
 * A folder of small files. Nothing written is sure to survive a power cut before it is flushed, and a rename not before
 * the folder is.
 */
export interface Storage {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  /** Adds to a file that is so many bytes long; false where it is not there, or has another length. */
  append(name: string, text: string, length: number): Promise<boolean>;
  flush(name: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  flushFolder(): Promise<void>;
  /** Makes a file that must not exist yet, whole or not at all; false where it exists. */
  create(name: string, text: string): Promise<boolean>;
  remove(name: string): Promise<void>;
}

export interface Clock {
  /** Milliseconds, by a clock that other processes on the machine share. */
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
  /** A name for this process that others can ask about. */
  readonly process: string;
  /** True only where it is certain that the process has ended. */
  isGone(process: string): boolean;
}
