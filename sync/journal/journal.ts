/**
 * What sync must know after a crash, one file per flow: the graph that file and platform last agreed on, the graph last
 * seen on the platform if it differs, and the batch with an unknown outcome. A save resolves when it is on disk: it is
 * written to a second file, flushed, renamed over the first, and the folder is flushed.
 */
import type { Graph } from "../../flow";
import { randomHex, turns } from "../../system";
import type { Clock, Identity, Storage } from "../environment";
import { asWritten } from "../normal-form/normal-form";
import { decode, digest, encode, graphText, textOnce } from "./journal-text";
import type { JournalRecord, Known } from "./record";

/** Another process took the lock, so this one may no longer write the journal. */
export class Overtaken extends Error {}

export class Journal {
  #record: JournalRecord = {};
  /** The record in the file, if this process wrote it. */
  #onDisk: JournalRecord | undefined;
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
    const body = encode(this.#record, identity).split("\n")[1] as string;
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
    const record = this.#record;
    if (record === this.#onDisk) return;
    // If writing fails, the content of the file is unknown.
    this.#onDisk = undefined;
    // Unpredictable name, so it can't be pre-created as a link.
    const next = `${this.name}.${randomHex(8)}.next`;
    await this.storage.write(next, encode(record, this.identity));
    await this.storage.flush(next);
    await this.storage.rename(next, this.name);
    await this.storage.flushFolder();
    this.#onDisk = record;
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
  return digest(JSON.stringify([addressOf(connection), assistant.toLowerCase(), revision.toLowerCase()])).slice(0, 32);
}

/** The URL of a connection, normalized because editors may spell the same one differently. */
export function addressOf(connection: string): string {
  return URL.canParse(connection) ? new URL(connection).href.replace(/(?<!\/)\/+$/, "") : connection;
}

/** A short hash of a graph's content. */
export const fingerprint = textOnce((graph: Graph) => digest(graphText(graph)).slice(0, 16));
