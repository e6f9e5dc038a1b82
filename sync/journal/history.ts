/**
 * The versions of a flow that were pushed or seen, one append-only file per flow. A graph is stored once, under the hash
 * of its content. When the file is full, the older half is dropped.
 */
import { type Graph, graphFromWire, graphToWire } from "../../flow";
import type { Clock, Identity, Storage } from "../environment";
import { turns } from "../turns";
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

/** How a line with a graph starts. Graphs are most of a file, so a list of versions is made without parsing them. */
const GRAPH_LINE = '{"hash":';

type Line = HistoryEntry | { readonly hash: string; readonly data: unknown };

/** What must be known to append: not the graphs, because an editor has many flows open for days. */
interface Summary {
  readonly bytes: number;
  readonly hashes: ReadonlySet<string>;
  readonly last: HistoryEntry | undefined;
}

export class History {
  readonly #name: string;
  readonly #inTurn = turns();
  #known: Summary | undefined;

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
    return (await this.#lines((line) => !line.startsWith(GRAPH_LINE))).filter(isEntry);
  }

  async graphOf(entry: HistoryEntry): Promise<Graph | undefined> {
    const line = (await this.#lines()).find((each) => !isEntry(each) && each.hash === entry.graph);
    return line && !isEntry(line) ? graphFromWire(line.data) : undefined;
  }

  async #record(
    { graph, version, by, operations }: SeenVersion,
    environment: string | undefined,
    file: string,
  ): Promise<void> {
    const data = graphToWire(graph);
    const hash = digest(JSON.stringify(data)).slice(0, 32);
    // Another process may add versions at the same time; then the file is read again. A damaged file is rewritten.
    for (let isRetry = false; ; isRetry = true) {
      this.#known ??= summaryOf(await this.#lines());
      const { bytes, hashes, last } = this.#known;
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
      const added: Line[] = hashes.has(hash) ? [entry] : [{ hash, data }, entry];
      const text = textOf(added);
      const isFull = bytes + Buffer.byteLength(text) > this.limits.most;
      if (bytes === 0 || isFull || isRetry) {
        const all = [...(await this.#lines()), ...added];
        const kept = isFull ? newest(all, this.limits.kept) : all;
        await this.storage.write(this.#name, textOf(kept));
        this.#known = summaryOf(kept);
        return;
      }
      if (await this.storage.append(this.#name, text, bytes)) {
        const all = new Set(hashes).add(hash);
        this.#known = { bytes: bytes + Buffer.byteLength(text), hashes: all, last: entry };
        return;
      }
      this.#known = undefined;
    }
  }

  /** Lines that can't be read are left out: a crash may have cut the last one. */
  async #lines(isWanted: (line: string) => boolean = () => true): Promise<Line[]> {
    const text = (await this.storage.read(this.#name)) ?? "";
    return text.split("\n").flatMap((line) => {
      try {
        const value: unknown = line === "" || !isWanted(line) ? undefined : JSON.parse(line);
        return isLine(value) ? [value] : [];
      } catch {
        return [];
      }
    });
  }
}

function textOf(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function summaryOf(lines: readonly Line[]): Summary {
  return {
    bytes: Buffer.byteLength(textOf(lines)),
    hashes: new Set(lines.flatMap((line) => (isEntry(line) ? [] : [line.hash]))),
    last: lines.findLast(isEntry),
  };
}

/** The newest entries that fit, with their graphs; always at least one. */
function newest(lines: readonly Line[], size: number): Line[] {
  const graphs = new Map(lines.flatMap((line) => (isEntry(line) ? [] : [[line.hash, line]])));
  const entries: HistoryEntry[] = [];
  const used = new Set<string>();
  let bytes = 0;
  for (const entry of lines.filter(isEntry).reverse()) {
    const graph = used.has(entry.graph) ? undefined : graphs.get(entry.graph);
    bytes += Buffer.byteLength(textOf(graph ? [graph, entry] : [entry]));
    if (bytes > size && entries.length > 0) break;
    used.add(entry.graph);
    entries.unshift(entry);
  }
  return [...[...used].flatMap((hash) => graphs.get(hash) ?? []), ...entries];
}

function isEntry(line: Line): line is HistoryEntry {
  return "version" in line;
}

function isLine(value: unknown): value is Line {
  if (typeof value !== "object" || value === null) return false;
  const line = value as Partial<HistoryEntry> & { hash?: unknown; data?: unknown };
  return typeof line.hash === "string" || (typeof line.version === "number" && typeof line.graph === "string");
}
