/**
 * What sync must still know after a crash, one file per flow: the graph the file last agreed with, what was last seen on
 * the platform where that differs, and the batch whose outcome is not known yet. A save is on disk before it resolves:
 * it goes to a second file, is flushed, takes the place of the first by a rename, and the folder is flushed.
 */
import { createHash, randomBytes } from "node:crypto";
import { type Graph, type GraphOp, graphFromWire, graphToWire } from "../flow";
import { turns } from "./turns";
import type { Clock, Identity, Storage } from "./world";

/** A graph and the version under which the platform showed it. */
export interface Known {
  readonly graph: Graph;
  readonly version: number;
}

/** A batch that was about to be sent. Until somebody has looked, it may have been applied or not. */
export interface InFlight {
  readonly ops: readonly GraphOp[];
  readonly baseVersion: number;
}

/** The platform moved by more than the batch that was sent: somebody's change may lie under ours. */
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
  /** The file whose first push a person has agreed to; another one with the same ids is asked about anew. */
  readonly confirmed?: string;
  /** True once the platform has refused a batch because it was made for another version. */
  readonly enforces?: boolean;
  /** The fingerprint of the graph that was last saved by its editor and has not reached the platform. */
  readonly wanted?: string;
  readonly risks?: readonly OverwriteRisk[];
  /** Until when a batch that got no answer, and was not seen to be applied, may still arrive. */
  readonly lateUntil?: number;
}

export class Journal {
  #record: JournalRecord = {};
  readonly #inTurn = turns();

  private constructor(
    private readonly storage: Storage,
    readonly name: string,
    private readonly identity: Identity,
  ) {}

  /** Reads the journal of a flow. A damaged one is set aside under another name, never used and never lost. */
  static async open(
    storage: Storage,
    identity: Identity,
    clock: Clock,
  ): Promise<{ readonly journal: Journal; readonly setAside?: string }> {
    const journal = new Journal(storage, `${fileNameOf(identity)}.journal`, identity);
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
    const body = encode(this.#record, identity).split("\n")[1] as string;
    return `${JSON.stringify({ file, ...JSON.parse(body) }, null, 2)}\n`;
  }

  /** Changes the record and resolves when the change is on disk. */
  update(change: Partial<JournalRecord>): Promise<void> {
    this.#record = { ...this.#record, ...change };
    return this.#inTurn(() => this.#save());
  }

  async #save(): Promise<void> {
    // A name that nobody can guess, so that nothing can wait under it.
    const next = `${this.name}.${randomBytes(8).toString("hex")}.next`;
    await this.storage.write(next, encode(this.#record, this.identity));
    await this.storage.flush(next);
    await this.storage.rename(next, this.name);
    await this.storage.flushFolder();
  }
}

/** Whether a save of a flow, by its editor, has not reached the platform yet. The journal is only read. */
export async function waitsToBeSent(storage: Pick<Storage, "read">, identity: Identity): Promise<boolean> {
  const text = await storage.read(`${fileNameOf(identity)}.journal`);
  return text !== undefined && decode(text)?.wanted !== undefined;
}

/** What file and platform last agreed on, as far as the journal says. It is only read. */
export async function lastAgreed(storage: Pick<Storage, "read">, identity: Identity): Promise<Known | undefined> {
  const text = await storage.read(`${fileNameOf(identity)}.journal`);
  return text === undefined ? undefined : decode(text)?.base;
}

/** The name of a flow's files in the state folder, without an ending. */
export function fileNameOf({ connection, assistant, revision }: Identity): string {
  // One address may be written in several ways, and each editor has it from somewhere else.
  const address = URL.canParse(connection) ? new URL(connection).href.replace(/\/+$/, "") : connection;
  return digest(JSON.stringify([address, assistant.toLowerCase(), revision.toLowerCase()])).slice(0, 32);
}

/** A short name for what a graph says. */
export function fingerprint(graph: Graph): string {
  return digest(graphText(graph)).slice(0, 16);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const FORMAT = 1;

/** The first line is the digest of the second, so that a file that was torn or changed is known for what it is. */
function encode({ base, remote, ...rest }: JournalRecord, identity: Identity): string {
  const head = JSON.stringify({ format: FORMAT, identity, ...rest });
  const known = (name: string, value: Known | undefined) =>
    value ? `,"${name}":{"version":${value.version},"graph":${graphText(value.graph)}}` : "";
  const body = `${head.slice(0, -1)}${known("base", base)}${known("remote", remote)}}`;
  return `${digest(body)}\n${body}\n`;
}

/** A long chain writes the same large graph again and again; graphs are never changed in place. */
const graphTexts = new WeakMap<Graph, string>();

function graphText(graph: Graph): string {
  const known = graphTexts.get(graph);
  if (known !== undefined) return known;
  const text = JSON.stringify(graphToWire(graph));
  graphTexts.set(graph, text);
  return text;
}

function decode(text: string): JournalRecord | undefined {
  const [sum, body] = text.split("\n");
  if (sum === undefined || body === undefined || digest(body) !== sum) return undefined;
  const { format, identity, base, remote, ...rest } = JSON.parse(body);
  const known = ({ graph, version }: { graph: unknown; version: number }): Known => ({
    graph: graphFromWire(graph) as Graph,
    version,
  });
  if (format !== FORMAT) return undefined;
  return { ...rest, ...(base ? { base: known(base) } : {}), ...(remote ? { remote: known(remote) } : {}) };
}
