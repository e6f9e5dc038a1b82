/** The journal of a flow in memory. */
import type { Graph, GraphOp } from "../../flow";
import type { Pairs } from "../normal-form/normal-form";

/** The platform's ID of an edge by the file's, if the two differ. */
export type EdgeNames = Readonly<Record<string, string>>;

/** A graph and its version on the platform. */
export interface Known {
  readonly graph: Graph;
  readonly version: number;
  /** The learned pairs of written and stored values; `asWritten` applies them to the graph. */
  readonly pairs?: Pairs;
}

/** A batch that is about to be sent. Until the platform is read, it may have been applied or not. */
export interface InFlight {
  readonly ops: readonly GraphOp[];
  readonly baseVersion: number;
  /** Set if the platform accepted it without reporting the result. */
  readonly unclear?: Unclear;
}

export interface Unclear {
  /** What is wrong with the answer. */
  readonly why: string;
  /** The platform answered that it will apply the batch later. */
  readonly isAccepted: boolean;
  /** Time in milliseconds until which to wait for it. */
  readonly until: number;
}

/** The platform's version moved by more than the sent batch: the push may have overwritten a change. */
export interface OverwriteRisk {
  /** The version the batch was made for, and the one in the answer. */
  readonly sent: number;
  readonly now: number;
  readonly at: number;
}

export interface JournalRecord {
  /** The common ancestor of the file and the platform. It moves only when both were seen to be equal. */
  readonly base?: Known;
  /** The graph last seen on the platform, if it isn't the base. */
  readonly remote?: Known;
  readonly inFlight?: InFlight;
  /** The version of the last answer to a batch. A graph with a lower version is older than our own changes. */
  readonly given?: number;
  /** The platform returns edges in a different order with every read, so their order there is ignored. */
  readonly isShuffled?: boolean;
  /** The platform changes the form of the IDs of nodes or variables (normal-form/ids.ts). */
  readonly changesIds?: boolean;
  /** The platform's own IDs of edges. Graphs and operations in this record have the file's IDs. */
  readonly names?: EdgeNames;
  /** Other forms in answers to a batch while others may have changed the graph: they are learned the second time. */
  readonly doubts?: Pairs;
  /** The base is the platform's graph before a first push; the file never agreed with it. */
  readonly isFirstPush?: boolean;
  /** The file whose first push the user confirmed; another file with the same IDs needs its own confirmation. */
  readonly confirmed?: string;
  /** True once the platform has rejected a batch because of its version. */
  readonly enforces?: boolean;
  /** How many batches in a row made more than one version without any other change: at two, versions are known to jump. */
  readonly jumps?: number;
  /** The fingerprint of the graph last saved by the editor that hasn't reached the platform. */
  readonly wanted?: string;
  readonly risks?: readonly OverwriteRisk[];
  /** Until when an unanswered batch that wasn't seen to be applied may still arrive. */
  readonly lateUntil?: number;
}
