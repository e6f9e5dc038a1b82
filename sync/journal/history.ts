/**
 * The versions of a flow that were pushed or seen, one file per flow. A graph is stored once, under the hash of its
 * content. When the file is full, the older half is dropped.
 */
import { type Graph, graphFromWire, graphToWire, isRecord, parsedJson } from "../../flow";
import { turns } from "../../system";
import type { Clock, Identity, Storage } from "../environment";
import { fileNameOf } from "./journal";
import { digest } from "./journal-text";

export interface SeenVersion {
  /** As the file writes it, with IDs instead of names. */
  readonly graph: Graph;
  readonly version: number;
  readonly by: "push" | "platform";
  /** How many operations the push had; 0 for a version by another user. */
  readonly operations: number;
}

export interface HistoryEntry {
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly by: SeenVersion["by"];
  /** The version seen before; null for the first. */
  readonly before: number | null;
  readonly version: number;
  readonly operations: number;
  readonly environment: string | null;
  readonly file: string;
  /** The hash of the graph. */
  readonly graph: string;
}

/** The largest size of a file, and what stays of it when it is full, in bytes. */
const LIMITS = { most: 16_000_000, kept: 8_000_000 };

/** How a line with a graph starts, before its hash. Graphs are most of a file, so they are parsed on request only. */
const GRAPH_LINE = '{"hash":"';
const HASH_LENGTH = 32;

/** A line of the file: a graph, or an entry. */
interface Line {
  readonly text: string;
  readonly hash?: string;
  readonly entry?: HistoryEntry;
}

export class History {
  readonly #name: string;
  readonly #inTurn = turns();

  constructor(
    private readonly storage: Storage,
    identity: Identity,
    private readonly clock: Pick<Clock, "now">,
    private readonly limits = LIMITS,
  ) {
    this.#name = `${fileNameOf(identity)}.history`;
  }

  /** Adds a version, unless it is the last one. */
  record(seen: SeenVersion, environment: string | undefined, file: string): Promise<void> {
    return this.#inTurn(() => this.#record(seen, environment, file));
  }

  /** Oldest first. */
  async entries(): Promise<HistoryEntry[]> {
    return (await this.#lines()).flatMap(({ entry }) => entry ?? []);
  }

  async graphOf(entry: HistoryEntry): Promise<Graph | undefined> {
    const line = (await this.#lines()).find(({ hash }) => hash === entry.graph);
    const stored = line && parsedJson(line.text);
    return isRecord(stored) ? graphFromWire(stored.data) : undefined;
  }

  async #record(
    { graph, version, by, operations }: SeenVersion,
    environment: string | undefined,
    file: string,
  ): Promise<void> {
    const data = graphToWire(graph);
    const hash = digest(JSON.stringify(data)).slice(0, HASH_LENGTH);
    const lines = await this.#lines();
    const last = lines.findLast(({ entry }) => entry)?.entry;
    if (last?.version === version && last.graph === hash) return;
    const entry: HistoryEntry = {
      at: new Date(this.clock.now()).toISOString(),
      by,
      before: last?.version ?? null,
      version,
      operations,
      environment: environment ?? null,
      file,
      graph: hash,
    };
    if (!lines.some((line) => line.hash === hash)) lines.push({ text: JSON.stringify({ hash, data }), hash });
    lines.push({ text: JSON.stringify(entry), entry });
    const isFull = sizeOf(lines) > this.limits.most;
    const kept = isFull ? newest(lines, this.limits.kept) : lines;
    await this.storage.replace(this.#name, kept.map(({ text }) => `${text}\n`).join(""));
  }

  /** Lines that can't be read are left out. */
  async #lines(): Promise<Line[]> {
    const all = ((await this.storage.read(this.#name)) ?? "").split("\n");
    return all.flatMap((text): Line[] => {
      if (text.startsWith(GRAPH_LINE) && text.endsWith("}"))
        return [{ text, hash: text.slice(GRAPH_LINE.length, GRAPH_LINE.length + HASH_LENGTH) }];
      const entry = parsedJson(text) as HistoryEntry | undefined;
      return typeof entry?.version === "number" && typeof entry.graph === "string" ? [{ text, entry }] : [];
    });
  }
}

function sizeOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
}

/** The newest entries that fit, with their graphs; always at least one. */
function newest(lines: readonly Line[], size: number): Line[] {
  const graphs = new Map(lines.flatMap((line) => (line.hash === undefined ? [] : [[line.hash, line] as const])));
  const used = new Set<Line>();
  const entries: Line[] = [];
  let bytes = 0;
  for (const line of lines.filter(({ entry }) => entry).reverse()) {
    const graph = graphs.get(line.entry?.graph ?? "");
    bytes += sizeOf(graph && !used.has(graph) ? [graph, line] : [line]);
    if (bytes > size && entries.length > 0) break;
    if (graph) used.add(graph);
    entries.unshift(line);
  }
  return [...used, ...entries];
}
