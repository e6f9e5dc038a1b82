/**
 * Two people's changes to one flow, put together field by field. What only one side changed is taken; what both changed
 * alike is taken once; anything else is a conflict, and nothing is guessed. That includes what is sound on each side
 * alone and not together: an edge to a node that the other side removed, two edges put at the same place of a list in
 * which the first match wins.
 */
import { edgesBySource, sameElement, sameJson, sameOutputs } from "./equal";
import type { ElementRef, Graph, GraphEdge, GraphNode, GraphVariable } from "./graph";

export type Side = "ours" | "theirs";

export interface Conflict {
  /** Names the conflict among those of one merge and is stable from merge to merge: `node greet.instructions`. */
  readonly key: string;
  readonly at: ElementRef;
  /** One sentence: what both sides did. */
  readonly message: string;
  /** The three values; undefined where there is none. */
  readonly base: unknown;
  readonly ours: unknown;
  readonly theirs: unknown;
  /** The edges that go with a node if it is removed after all. */
  readonly uses?: readonly GraphEdge[];
}

export interface Merge {
  /** The merged graph; at a conflict that was not decided it has what is ours. */
  readonly graph: Graph;
  /** The conflicts that were not decided. */
  readonly conflicts: readonly Conflict[];
}

export type Choose = (conflict: Conflict) => Side | undefined;

export function mergeGraphs(base: Graph, ours: Graph, theirs: Graph, choose: Choose = () => undefined): Merge {
  return new Merger(base, ours, theirs, choose).merge();
}

class Merger {
  readonly #conflicts: Conflict[] = [];

  constructor(
    readonly base: Graph,
    readonly ours: Graph,
    readonly theirs: Graph,
    readonly choose: Choose,
  ) {}

  merge(): Merge {
    const { base, ours, theirs } = this;
    const persona = this.#value({ kind: "top", key: "persona" }, base.persona, ours.persona, theirs.persona);
    let entry = this.#value({ kind: "top", key: "entry" }, base.entry, ours.entry, theirs.entry);
    const outputs = this.#value(
      { kind: "top", key: "component_outputs" },
      base.outputs,
      ours.outputs,
      theirs.outputs,
      sameOutputs,
    );
    const nodes = this.#members(base.nodes, ours.nodes, theirs.nodes, (id) => ({ kind: "node", id }));
    const edges = this.#members(base.edges, ours.edges, theirs.edges, (id, edge) => ({
      kind: "edge",
      node: edge.source,
      id,
    }));
    const variables = this.#members(base.variables, ours.variables, theirs.variables, (name) => ({
      kind: "variable",
      name,
    }));
    entry = this.#keepNodesInUse(nodes, edges, entry);
    const graph: Graph = {
      ...(persona === undefined ? {} : { persona }),
      ...(entry === undefined ? {} : { entry }),
      variables: variables as Map<string, GraphVariable>,
      nodes,
      edges: this.#order(edges),
      outputs,
    };
    return { graph, conflicts: this.#conflicts };
  }

  /** The one place where a side is taken: by what changed, else by the choice made, else ours with a conflict. */
  #value<T>(at: ElementRef, base: T, ours: T, theirs: T, same: (a: T, b: T) => boolean = sameJson): T {
    if (same(ours, theirs) || same(base, theirs)) return ours;
    if (same(base, ours)) return theirs;
    const side = this.#conflict(at, describe(at, ours, theirs), base, ours, theirs);
    return side === "theirs" ? theirs : ours;
  }

  #conflict(at: ElementRef, message: string, base: unknown, ours: unknown, theirs: unknown): Side | undefined {
    const uses = at.kind === "node" && at.field === undefined ? { uses: this.#usesOf(at.id) } : {};
    const conflict = { key: keyOf(at), at, message, base, ours, theirs, ...uses };
    const side = this.choose(conflict);
    if (!side && !this.#conflicts.some((known) => known.key === conflict.key)) this.#conflicts.push(conflict);
    return side;
  }

  /** As both sides have them: a person who gives a node up gives up what either side wrote at its edges. */
  #usesOf(id: string): GraphEdge[] {
    const isOther = (edge: GraphEdge) => {
      const own = this.ours.edges.get(edge.id);
      return own === undefined || !sameElement(own, edge);
    };
    const edges = [...this.ours.edges.values(), ...[...this.theirs.edges.values()].filter(isOther)];
    return edges.filter((edge) => edge.source === id || edge.target === id);
  }

  #members<T extends GraphNode | GraphEdge | GraphVariable>(
    base: ReadonlyMap<string, T>,
    ours: ReadonlyMap<string, T>,
    theirs: ReadonlyMap<string, T>,
    refTo: (id: string, element: T) => ElementRef,
  ): Map<string, T> {
    const merged = new Map<string, T>();
    for (const id of new Set([...ours.keys(), ...theirs.keys()])) {
      const [b, o, t] = [base.get(id), ours.get(id), theirs.get(id)];
      const result = this.#member(refTo(id, (o ?? t) as T), b, o, t);
      if (result) merged.set(id, result);
    }
    return merged;
  }

  #member<T extends object>(at: ElementRef, base: T | undefined, ours: T | undefined, theirs: T | undefined) {
    if (!ours || !theirs) return this.#value(at, base, ours, theirs, sameOrBothAbsent);
    if (sameElement(ours, theirs) || (base && sameElement(base, theirs))) return ours;
    if (base && sameElement(base, ours)) return theirs;
    const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    const fields: [string, unknown][] = [];
    for (const name of names) {
      if (name === "source_span") continue;
      const value = this.#value(withField(at, name), field(base, name), field(ours, name), field(theirs, name));
      if (value !== null) fields.push([name, value]);
    }
    return Object.fromEntries(fields) as T;
  }

  /** A node that one side removed while the other side leads to it, from it or starts at it. Returns the entry. */
  #keepNodesInUse(nodes: Map<string, GraphNode>, edges: Map<string, GraphEdge>, entry: string | undefined) {
    const used = new Map<string, GraphEdge[]>();
    const use = (id: string, edge?: GraphEdge) => {
      const removedHere = this.base.nodes.has(id) && !nodes.has(id);
      if (removedHere && (this.ours.nodes.has(id) || this.theirs.nodes.has(id)))
        used.set(id, [...(used.get(id) ?? []), ...(edge ? [edge] : [])]);
    };
    for (const edge of edges.values()) {
      use(edge.source, edge);
      use(edge.target, edge);
    }
    if (entry !== undefined) use(entry);
    for (const [id, at] of used) {
      const remover: Side = this.ours.nodes.has(id) ? "theirs" : "ours";
      const [ours, theirs] = [this.ours.nodes.get(id), this.theirs.nodes.get(id)];
      const uses = new Set(this.#usesOf(id).map(edgeInWords));
      const by = uses.size > 0 ? `: ${[...uses].join("; ")}` : "";
      const message =
        remover === "ours"
          ? `Node “${id}” was removed in the file and is still used on the platform${by}.`
          : `Node “${id}” was removed on the platform and is still used in the file${by}.`;
      const side = this.#conflict({ kind: "node", id }, message, this.base.nodes.get(id), ours, theirs);
      if (side !== remover) nodes.set(id, (ours ?? theirs) as GraphNode);
      else {
        for (const edge of at) edges.delete(edge.id);
        // Who removed the entry has another one, which must then be there.
        if (id !== entry) continue;
        entry = this[remover].entry;
        const start = entry === undefined ? undefined : this[remover].nodes.get(entry);
        if (start && !nodes.has(start.id)) nodes.set(start.id, start);
      }
    }
    return entry;
  }

  /** The edges with every source's list in its merged order. */
  #order(edges: Map<string, GraphEdge>): Map<string, GraphEdge> {
    const lists = [this.base, this.ours, this.theirs].map(edgesBySource);
    const ordered = new Map<string, GraphEdge>();
    const bySource = new Map<string, Set<string>>();
    for (const edge of edges.values()) {
      const ids = bySource.get(edge.source);
      if (ids) ids.add(edge.id);
      else bySource.set(edge.source, new Set([edge.id]));
    }
    for (const [source, ids] of bySource) {
      const [base, ours, theirs] = lists.map((list) => (list.get(source) ?? []).map((edge) => edge.id)) as [
        string[],
        string[],
        string[],
      ];
      for (const id of this.#orderOf(source, ids, base, ours, theirs)) ordered.set(id, edges.get(id) as GraphEdge);
    }
    return ordered;
  }

  #orderOf(source: string, ids: Set<string>, base: string[], ours: string[], theirs: string[]): string[] {
    const [o, t] = [ours.filter((id) => ids.has(id)), theirs.filter((id) => ids.has(id))];
    const merged = this.#combine(ids, base, o, t);
    if (merged) return merged;
    const at: ElementRef = { kind: "node", id: source, field: "edges" };
    const message = `The edges of “${source}” were put in different orders in the file and on the platform.`;
    const side = this.#conflict(at, message, base, ours, theirs);
    const [first, second] = side === "theirs" ? [t, o] : [o, t];
    return [...new Set([...first, ...second, ...ids])];
  }

  /** One order that has what each side did to the order of the base, or nothing where there is more than one. */
  #combine(ids: Set<string>, base: string[], ours: string[], theirs: string[]): string[] | undefined {
    if (sameJson(ours, theirs)) return ours.length === ids.size ? ours : undefined;
    const inAll = (id: string) => ids.has(id) && ours.includes(id) && theirs.includes(id) && base.includes(id);
    const inBoth = (id: string) => ours.includes(id) && theirs.includes(id);
    const anchors = base.filter(inAll);
    const [moved, still] = sameJson(ours.filter(inAll), anchors) ? [theirs, ours] : [ours, theirs];
    if (!sameJson(still.filter(inAll), anchors)) return undefined;
    if (!sameJson(still.filter(inBoth), moved.filter(inBoth)) && !still.filter(inBoth).every(inAll)) return undefined;
    // What only the other side has is put into the gap it stands in, if that gap is the same and empty on this side.
    const result = [...moved];
    let gap: string[] = [];
    let before: string | undefined;
    for (const id of [...still, undefined]) {
      if (id !== undefined && !moved.includes(id)) {
        gap.push(id);
        continue;
      }
      if (gap.length > 0) {
        const from = before === undefined ? 0 : result.indexOf(before) + 1;
        const to = id === undefined ? result.length : result.indexOf(id);
        if (from !== to) return undefined;
        result.splice(from, 0, ...gap);
        gap = [];
      }
      before = id;
    }
    return result.length === ids.size ? result : undefined;
  }
}

function sameOrBothAbsent(a: object | undefined, b: object | undefined): boolean {
  return a && b ? sameElement(a, b) : a === b;
}

function field(element: object | undefined, name: string): unknown {
  return element && Object.hasOwn(element, name) ? ((element as Record<string, unknown>)[name] ?? null) : null;
}

function withField(at: ElementRef, name: string): ElementRef {
  if (at.kind === "top") return at;
  // In the file the far end of an edge is called `to`.
  return { ...at, field: at.kind === "edge" && name === "target" ? "to" : name };
}

function keyOf(at: ElementRef): string {
  if (at.kind === "top") return at.key;
  const name = at.kind === "variable" ? at.name : at.kind === "output" ? at.index : at.id;
  return `${at.kind} ${name}${at.field === undefined ? "" : `.${at.field}`}`;
}

function describe(at: ElementRef, ours: unknown, theirs: unknown): string {
  if (at.kind === "top") return `“${at.key}” was changed in the file and on the platform.`;
  const what = at.kind === "variable" ? `Variable “${at.name}”` : at.kind === "output" ? "An output" : nameOf(at);
  if (at.field !== undefined) return `${what}: “${at.field}” was changed in the file and on the platform.`;
  if (ours === undefined) return `${what} was removed in the file and changed on the platform.`;
  if (theirs === undefined) return `${what} was removed on the platform and changed in the file.`;
  return `${what} was changed in the file and on the platform.`;
}

function edgeInWords({ source, target, when }: GraphEdge): string {
  return `${source} → ${target}${when ? ` when ${when}` : ""}`;
}

function nameOf(at: ElementRef & { kind: "node" | "edge" }): string {
  return at.kind === "node" ? `Node “${at.id}”` : `Edge “${at.id}” of “${at.node}”`;
}
