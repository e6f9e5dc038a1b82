/**
 * Who refers to whom in a flow, by name: the edges that lead to a node and the uses of a variable. Kept beside each
 * document and brought up to date by looking at the entries that came and went, so an answer after a keystroke costs no
 * walk through all edges and texts.
 */
import {
  type EdgeModel,
  type Entry,
  type FlowDocument,
  type NodeEntry,
  type Span,
  topRefs,
  type VariableRef,
} from "../../flow";

export interface EdgeUse {
  readonly entry: NodeEntry;
  readonly edge: EdgeModel;
}

export interface VariableUse {
  readonly entry: Entry;
  readonly ref: VariableRef;
}

export interface CrossReferences {
  /** The edges that lead to a node, in the order of the file. */
  incoming(id: string): EdgeUse[];
  incomingCount(id: string): number;
  /** Where a variable is read and set, in the order of the file. */
  uses(name: string): VariableUse[];
  usesIn(entry: Entry): readonly VariableUse[];
  /** Names that edges lead to. */
  targets(): Iterable<string>;
  /** Names of variables that are used anywhere. */
  usedNames(): Iterable<string>;
}

const known = new WeakMap<FlowDocument, Index>();

export function crossReferences(document: FlowDocument): CrossReferences {
  let index = known.get(document);
  if (!index) {
    index = new Index(document);
    known.set(document, index);
  }
  index.refresh();
  return index;
}

class Index implements CrossReferences {
  readonly #edges = new Map<string, Set<EdgeUse>>();
  readonly #uses = new Map<string, Set<VariableUse>>();
  /** The entries that are in the maps, with what each has put there and the round it was last seen in. */
  readonly #entries = new Map<Entry, { edges: EdgeUse[]; uses: VariableUse[]; round: number }>();
  #round = 0;

  constructor(private readonly document: FlowDocument) {}

  refresh(): void {
    this.#round++;
    let seen = 0;
    for (const entry of this.document.nodes) {
      seen++;
      const there = this.#entries.get(entry);
      if (there) there.round = this.#round;
      else this.#add(entry, entry.edges, entry.refs);
    }
    for (const [entry, refs] of topRefsByEntry(this.document)) {
      seen++;
      const there = this.#entries.get(entry);
      if (there) there.round = this.#round;
      else this.#add(entry, [], refs);
    }
    if (this.#entries.size === seen) return;
    for (const [entry, { edges, uses, round }] of this.#entries) {
      if (round === this.#round) continue;
      for (const use of edges) remove(this.#edges, use.edge.to as string, use);
      for (const use of uses) remove(this.#uses, use.ref.name, use);
      this.#entries.delete(entry);
    }
  }

  incoming(id: string): EdgeUse[] {
    return this.#inOrder(this.#edges.get(id), (use) => use.edge.span);
  }

  incomingCount(id: string): number {
    return this.#edges.get(id)?.size ?? 0;
  }

  uses(name: string): VariableUse[] {
    return this.#inOrder(this.#uses.get(name), (use) => use.ref.span);
  }

  usesIn(entry: Entry): readonly VariableUse[] {
    return this.#entries.get(entry)?.uses ?? [];
  }

  targets(): Iterable<string> {
    return this.#edges.keys();
  }

  usedNames(): Iterable<string> {
    return this.#uses.keys();
  }

  #inOrder<Use extends { readonly entry: Entry }>(uses: Set<Use> | undefined, span: (use: Use) => Span): Use[] {
    if (!uses) return [];
    return [...uses]
      .map((use) => ({ use, at: this.document.startOf(use.entry) + span(use).start }))
      .sort((a, b) => a.at - b.at)
      .map(({ use }) => use);
  }

  #add(entry: Entry, edges: readonly EdgeModel[], refs: readonly VariableRef[]): void {
    const record = {
      edges: edges.filter((edge) => edge.to !== undefined).map((edge) => ({ entry: entry as NodeEntry, edge })),
      uses: refs.map((ref) => ({ entry, ref })),
      round: this.#round,
    };
    this.#entries.set(entry, record);
    for (const use of record.edges) add(this.#edges, use.edge.to as string, use);
    for (const use of record.uses) add(this.#uses, use.ref.name, use);
  }
}

function topRefsByEntry(document: FlowDocument): Map<Entry, VariableRef[]> {
  const byEntry = new Map<Entry, VariableRef[]>();
  for (const { entry, ref } of topRefs(document)) byEntry.set(entry, [...(byEntry.get(entry) ?? []), ref]);
  return byEntry;
}

function add<Value>(map: Map<string, Set<Value>>, key: string, value: Value): void {
  const there = map.get(key);
  if (there) there.add(value);
  else map.set(key, new Set([value]));
}

function remove<Value>(map: Map<string, Set<Value>>, key: string, value: Value): void {
  const there = map.get(key);
  there?.delete(value);
  if (there?.size === 0) map.delete(key);
}
