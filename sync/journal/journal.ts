/**
 * What sync must know after a crash, one file per flow: the graph that file and platform last agreed on, the graph last
 * seen on the platform if it differs, and the batch with an unknown outcome. A save resolves when it is on disk: it is
 * written to a second file, flushed, renamed over the first, and the folder is flushed. If the graphs stay the same,
 * only the change is appended to the file this process wrote, and flushed.
 */
import type { Graph } from "../../flow";
import { randomHex } from "../../system";
import type { Clock, Identity, Storage } from "../environment";
import { asWritten } from "../normal-form/normal-form";
import { turns } from "../turns";
import { decode, digest, encode, encodeChange, graphText, textOnce } from "./journal-text";
import type { JournalRecord, Known } from "./record";

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
    const next = `${this.name}.${randomHex(8)}.next`;
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
  const address = URL.canParse(connection) ? new URL(connection).href.replace(/(?<!\/)\/+$/, "") : connection;
  return digest(JSON.stringify([address, assistant.toLowerCase(), revision.toLowerCase()])).slice(0, 32);
}

/** A short hash of a graph's content. */
export const fingerprint = textOnce((graph: Graph) => digest(graphText(graph)).slice(0, 16));
