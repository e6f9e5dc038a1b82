/**
 * What sync must still know after a crash, one file per flow: the graph the file last agreed with, what was last seen on
 * the platform where that differs, and the batch whose outcome is not known yet. A save is on disk before it resolves: it
 * goes to a second file, is flushed, takes the place of the first by a rename, and the folder is flushed. Where the graphs
 * stay the same, only what changed is added to the file that this process wrote, and flushed.
 */
import { randomBytes } from "node:crypto";
import type { Graph, GraphOp } from "../../flow";
import type { Clock, Identity, Storage } from "../environment";
import type { EdgeNames } from "../normal-form/edge-names";
import { asWritten, type Pairs } from "../normal-form/normal-form";
import { turns } from "../turns";
import { decode, digest, encode, encodeChange, graphText, textOnce } from "./journal-text";

/** A graph and the version under which the platform showed it. */
export interface Known {
  readonly graph: Graph;
  readonly version: number;
  /** How the platform keeps what was written, as far as it was learned; `asWritten` reads the graph with them. */
  readonly pairs?: Pairs;
}

/** A batch that was about to be sent. Until somebody has looked, it may have been applied or not. */
export interface InFlight {
  readonly ops: readonly GraphOp[];
  readonly baseVersion: number;
  /**
   * The batches before it, since the base was seen, each of which the platform has said it applied, as a version of its
   * own. What they made was not looked at: every answer shows the whole graph, and in a long chain few need to be read.
   */
  readonly answered?: readonly (readonly GraphOp[])[];
  /** Something said yes to it, and not what became of it. */
  readonly unclear?: Unclear;
}

export interface Unclear {
  /** What is wrong with the answer. */
  readonly why: string;
  /** The platform said that it works on the batch later. */
  readonly isAccepted: boolean;
  /** How long it is waited for. */
  readonly until: number;
}

/** The platform moved by more than the batch that was sent: the push may have overwritten a change. */
export interface OverwriteRisk {
  /** The version the batch was made for and the one that came back. */
  readonly sent: number;
  readonly now: number;
  readonly at: number;
}

export interface JournalRecord {
  /** The common ancestor of the file and the platform. It moves only when an equality was seen. */
  readonly base?: Known;
  /** What was last seen on the platform, where it is not the base. */
  readonly remote?: Known;
  readonly inFlight?: InFlight;
  /** The version that the platform last gave to a batch of ours. A graph of a lower one is older than our own work. */
  readonly given?: number;
  /** The platform shows edges in another order with every read: their order there means nothing. */
  readonly isShuffled?: boolean;
  /** The platform's own IDs of edges. Every graph and operation in this record has the file's. */
  readonly names?: EdgeNames;
  /** Other forms that came back to a batch while somebody else may have been at work: the second time they are learned. */
  readonly doubts?: Pairs;
  /** The base is what the platform had when a first push began: the file never agreed with it. */
  readonly isFirstPush?: boolean;
  /** The file whose first push a person has agreed to; another one with the same ids is asked about anew. */
  readonly confirmed?: string;
  /** True once the platform has refused a batch because it was made for another version. */
  readonly enforces?: boolean;
  /** How many batches in a row made more than one version while nothing else was new: at two, the versions jump. */
  readonly jumps?: number;
  /** The fingerprint of the graph that was last saved by its editor and has not reached the platform. */
  readonly wanted?: string;
  readonly risks?: readonly OverwriteRisk[];
  /** Until when a batch that got no answer, and was not seen to be applied, may still arrive. */
  readonly lateUntil?: number;
}

/** What this process wrote last, so what its file holds as long as nobody else writes there. */
interface OnDisk {
  readonly record: JournalRecord;
  readonly sum: string;
  readonly length: number;
  /** How much of the length may still be changes. */
  readonly room: number;
}

/** So many bytes of changes, and as many as the record has, before all is written anew. */
const LEAST_ROOM = 65_536;

/** Another process took the lock over, so the journal is no longer this one's to write. */
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

  /** Reads the journal of a flow. A damaged one is set aside under another name, never used and never lost. */
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

  /** The record as it is on disk, laid out for reading. */
  get text(): string {
    const { name: file, identity } = this;
    const body = encode(this.#record, identity).text.split("\n")[1] as string;
    return `${JSON.stringify({ file, ...JSON.parse(body) }, null, 2)}\n`;
  }

  /** Changes the record; the next update writes it. */
  amend(change: Partial<JournalRecord>): void {
    this.#record = { ...this.#record, ...change };
  }

  /** Changes the record and resolves when the change is on disk. Throws `Overtaken` where it may not be written. */
  update(change: Partial<JournalRecord>): Promise<void> {
    this.amend(change);
    return this.#inTurn(() => this.#save());
  }

  async #save(): Promise<void> {
    if (!(await this.mayWrite())) throw new Overtaken();
    const before = this.#onDisk;
    // If anything fails here, nobody knows what stands there, and the next save writes all of it.
    this.#onDisk = undefined;
    this.#onDisk = (before && (await this.#add(before))) ?? (await this.#writeAll());
  }

  /** Adds what changed; undefined where it cannot be added. */
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
    // A name that nobody can guess, so that nothing can wait under it.
    const next = `${this.name}.${randomBytes(8).toString("hex")}.next`;
    await this.storage.write(next, text);
    await this.storage.flush(next);
    await this.storage.rename(next, this.name);
    await this.storage.flushFolder();
    const length = Buffer.byteLength(text);
    return { record, sum, length, room: Math.max(LEAST_ROOM, length) };
  }
}

/** Whether a save of a flow, by its editor, has not reached the platform yet. The journal is only read. */
export async function waitsToBeSent(storage: Pick<Storage, "read">, identity: Identity): Promise<boolean> {
  const text = await storage.read(`${fileNameOf(identity)}.journal`);
  return text !== undefined && decode(text)?.wanted !== undefined;
}

/** What file and platform last agreed on, as the file has it and as far as the journal says. It is only read. */
export async function lastAgreed(storage: Pick<Storage, "read">, identity: Identity): Promise<Known | undefined> {
  const text = await storage.read(`${fileNameOf(identity)}.journal`);
  const base = text === undefined ? undefined : decode(text)?.base;
  return base && { ...base, graph: asWritten(base.graph, base.pairs ?? []) };
}

/** A version of the platform's graph, where the journal still has it. It is only read. */
export async function knownVersion(
  storage: Pick<Storage, "read">,
  identity: Identity,
  version: number | undefined,
): Promise<Known | undefined> {
  const text = await storage.read(`${fileNameOf(identity)}.journal`);
  const { remote, base } = (text === undefined ? undefined : decode(text)) ?? {};
  return [remote, base].find((known) => known?.version === version);
}

/** The name of a flow's files in the state folder, without an ending. */
export function fileNameOf({ connection, assistant, revision }: Identity): string {
  // One address may be written in several ways, and each editor has it from somewhere else.
  const address = URL.canParse(connection) ? new URL(connection).href.replace(/\/+$/, "") : connection;
  return digest(JSON.stringify([address, assistant.toLowerCase(), revision.toLowerCase()])).slice(0, 32);
}

/** A short name for what a graph says. */
export const fingerprint = textOnce((graph: Graph) => digest(graphText(graph)).slice(0, 16));
