/**
 * What sync must know after a crash, one file per flow: the graph that file and platform last agreed on, the graph last
 * seen on the platform if it differs, and the batch with an unknown outcome. A save resolves when it is on disk: it is
 * written to a second file, flushed, renamed over the first, and the folder is flushed. If the graphs stay the same,
 * only the change is appended to the file this process wrote, and flushed.
 */
import { randomBytes } from "node:crypto";
import type { Graph, GraphOp } from "../../flow";
import type { Clock, Identity, Storage } from "../environment";
import type { EdgeNames } from "../normal-form/edge-names";
import { asWritten, type Pairs } from "../normal-form/normal-form";
import { turns } from "../turns";
import { decode, digest, encode, encodeChange, graphText, textOnce } from "./journal-text";

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
  /**
   * The batches before it since the base was seen, each confirmed by the platform with a version. Their graphs weren't
   * read: every answer has the whole graph, and a long chain needs few of them.
   */
  readonly answered?: readonly (readonly GraphOp[])[];
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

/** What this process wrote last, and so what the file contains unless another process wrote it. */
interface OnDisk {
  readonly record: JournalRecord;
  readonly sum: string;
  readonly length: number;
  /** How many more bytes of changes may be appended. */
  readonly room: number;
}

/** Appended changes may take this many bytes, or as many as the record, before it is rewritten. */
const LEAST_ROOM = 65_536;

/** Another process took the lock, so this one may no longer write the journal. */
export class Overtaken extends Error {}

export class Journal {
  #record: JournalRecord = {};
  #onDisk: OnDisk | undefined;
  readonly #inTurn = turns();

  private constructor(
    private readonly storage: Storage,
    readonly name: string,
    private readonly identity: Identity,
    private readonly mayWrite: () => Promise<boolean>,
  ) {}

  /** Opens the journal of a flow. A damaged one is set aside under another name, never used and never deleted. */
  static async open(
    storage: Storage,
    identity: Identity,
    clock: Clock,
    mayWrite: () => Promise<boolean> = async () => true,
  ): Promise<{ readonly journal: Journal; readonly setAside?: string }> {
    const journal = new Journal(storage, `${fileNameOf(identity)}.journal`, identity, mayWrite);
    const text = await storage.read(journal.name);
    if (text === undefined) return { journal };
    const record = decode(text);
    if (record) {
      journal.#record = record;
      return { journal };
    }
    const setAside = `${journal.name}.damaged-${clock.now()}`;
    await storage.rename(journal.name, setAside);
    return { journal, setAside };
  }

  get record(): JournalRecord {
    return this.#record;
  }

  /** The record on disk, formatted for reading. */
  get text(): string {
    const { name: file, identity } = this;
    const body = encode(this.#record, identity).text.split("\n")[1] as string;
    return `${JSON.stringify({ file, ...JSON.parse(body) }, null, 2)}\n`;
  }

  /** Changes the record; the next update writes it. */
  amend(change: Partial<JournalRecord>): void {
    this.#record = { ...this.#record, ...change };
  }

  /** Changes the record and resolves when the change is on disk. Throws `Overtaken` if it may not be written. */
  update(change: Partial<JournalRecord>): Promise<void> {
    this.amend(change);
    return this.#inTurn(() => this.#save());
  }

  async #save(): Promise<void> {
    if (!(await this.mayWrite())) throw new Overtaken();
    const before = this.#onDisk;
    // If writing fails, the content of the file is unknown, so the next save writes all of it.
    this.#onDisk = undefined;
    this.#onDisk = (before && (await this.#add(before))) ?? (await this.#writeAll());
  }

  /** Appends the change; undefined if it can't be appended. */
  async #add(before: OnDisk): Promise<OnDisk | undefined> {
    const record = this.#record;
    if (record === before.record) return before;
    const change = encodeChange(before.record, record, before.sum);
    if (!change) return undefined;
    const { text, sum } = change;
    const bytes = Buffer.byteLength(text);
    if (bytes > before.room || !(await this.storage.append(this.name, text, before.length))) return undefined;
    await this.storage.flush(this.name);
    return { record, sum, length: before.length + bytes, room: before.room - bytes };
  }

  async #writeAll(): Promise<OnDisk> {
    const record = this.#record;
    const { text, sum } = encode(record, this.identity);
    // Unpredictable name, so it can't be pre-created as a link.
    const next = `${this.name}.${randomBytes(8).toString("hex")}.next`;
    await this.storage.write(next, text);
    await this.storage.flush(next);
    await this.storage.rename(next, this.name);
    await this.storage.flushFolder();
    const length = Buffer.byteLength(text);
    return { record, sum, length, room: Math.max(LEAST_ROOM, length) };
  }
}

/** Whether a flow has a save that hasn't reached the platform yet. Only reads the journal. */
export async function waitsToBeSent(storage: Pick<Storage, "read">, identity: Identity): Promise<boolean> {
  const text = await storage.read(`${fileNameOf(identity)}.journal`);
  return text !== undefined && decode(text)?.wanted !== undefined;
}

/** The graph that file and platform last agreed on, as the file writes it. Only reads the journal. */
export async function lastAgreed(storage: Pick<Storage, "read">, identity: Identity): Promise<Known | undefined> {
  const text = await storage.read(`${fileNameOf(identity)}.journal`);
  const base = text === undefined ? undefined : decode(text)?.base;
  return base && { ...base, graph: asWritten(base.graph, base.pairs ?? []) };
}

/** A version of the platform's graph, if the journal still has it. Only reads the journal. */
export async function knownVersion(
  storage: Pick<Storage, "read">,
  identity: Identity,
  version: number | undefined,
): Promise<Known | undefined> {
  const text = await storage.read(`${fileNameOf(identity)}.journal`);
  const { remote, base } = (text === undefined ? undefined : decode(text)) ?? {};
  return [remote, base].find((known) => known?.version === version);
}

/** The name of a flow's files in the state folder, without extension. */
export function fileNameOf({ connection, assistant, revision }: Identity): string {
  // Normalized, because editors may spell the same URL differently.
  const address = URL.canParse(connection) ? new URL(connection).href.replace(/\/+$/, "") : connection;
  return digest(JSON.stringify([address, assistant.toLowerCase(), revision.toLowerCase()])).slice(0, 32);
}

/** A short hash of a graph's content. */
export const fingerprint = textOnce((graph: Graph) => digest(graphText(graph)).slice(0, 16));
