/**
 * The edges of a merge: named consistently in all versions, in an order that combines both sides' changes, and with
 * their IDs.
 */

import { isNone } from "../graph/edge-likeness";
import { placeId } from "../graph/edge-match";
import { edgesBySource, type Graph, type GraphEdge, sameElement, sameJson } from "../graph/graph";
import type { EdgeIdentity, Three } from "./edge-identity";

type Version = keyof Three<unknown>;

const VERSIONS = ["base", "ours", "theirs"] as const;

export class NamedEdges {
  /** The edges of each version by name. Only explicit IDs are kept: derived ones change with the list. */
  readonly named: Three<ReadonlyMap<string, GraphEdge>>;
  readonly nameOf: EdgeIdentity["nameOf"];
  readonly changed: ReadonlySet<string>;
  readonly unclear: ReadonlySet<string>;
  readonly #lists: Three<ReadonlyMap<string, readonly GraphEdge[]>>;
  readonly #written: Three<Map<string, GraphEdge>> = { base: new Map(), ours: new Map(), theirs: new Map() };

  constructor(graphs: Three<Graph>, { nameOf, changed, unclear, own }: EdgeIdentity) {
    this.nameOf = nameOf;
    this.changed = changed;
    this.unclear = unclear;
    this.#lists = inEach((version) => edgesBySource(graphs[version]));
    this.named = inEach((version) => {
      const named = new Map<string, GraphEdge>();
      for (const edge of graphs[version].edges.values()) {
        const name = nameOf[version](edge.id);
        this.#written[version].set(name, edge);
        const isKept = own[version].has(edge.id) || !changed.has(edge.source);
        named.set(name, isKept ? edge : withoutId(edge));
      }
      return named;
    });
  }

  /** The edges as they are in each version, with their IDs there. */
  versionsOf(name: string): Three<GraphEdge | undefined> {
    return inEach((version) => this.#written[version].get(name));
  }

  orderAt(source: string): Three<readonly string[]> {
    return inEach((version) => (this.#lists[version].get(source) ?? []).map((edge) => this.nameOf[version](edge.id)));
  }

  namesAt(source: string): Set<string> {
    const { base, ours, theirs } = this.orderAt(source);
    return new Set([...ours, ...theirs, ...base]);
  }

  /** The edge lists of each version, as a file contains them. */
  listsAt(source: string): Three<readonly object[]> {
    return inEach((version) =>
      (this.#lists[version].get(source) ?? []).map((edge) => {
        const { id, source: _, target, ...rest } = this.named[version].get(this.nameOf[version](edge.id)) as GraphEdge;
        return { to: target, ...rest, ...(id === undefined ? {} : { id }) };
      }),
    );
  }

  /** The merged edges in order, each with its explicit ID, or its derived ID if that's free. */
  withIds(edges: ReadonlyMap<string, GraphEdge>): Map<string, GraphEdge> {
    const owner = new Map<string, string>();
    for (const [name, { id }] of edges) if (id !== undefined && !owner.has(id)) owner.set(id, name);
    const taken = new Set(owner.keys());
    const numbers = new Map<string, number>();
    const found = new Map<string, GraphEdge>();
    for (const [name, edge] of edges) {
      const pair = `${edge.source}\n${edge.target}`;
      const number = (numbers.get(pair) ?? 0) + 1;
      numbers.set(pair, number);
      if (owner.get(edge.id) === name) {
        found.set(name, edge);
        continue;
      }
      let id = placeId(edge.source, edge.target, number);
      for (let other = number + 1; taken.has(id); other++) id = placeId(edge.source, edge.target, other);
      taken.add(id);
      const made = { ...edge, id };
      const { ours, theirs } = this.versionsOf(name);
      found.set(name, [ours, theirs].find((known) => known && sameElement(known, made)) ?? made);
    }
    return found;
  }
}

/** One order that combines both sides' changes to the base order; undefined if it's ambiguous. */
export function combineOrders(
  names: ReadonlySet<string>,
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly string[] | undefined {
  if (sameJson(ours, theirs)) return ours.length === names.size ? ours : undefined;
  const [inBase, inOurs, inTheirs] = [base, ours, theirs].map((list) => new Set(list)) as [
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  const inBoth = (name: string) => inOurs.has(name) && inTheirs.has(name);
  const inAll = (name: string) => names.has(name) && inBoth(name) && inBase.has(name);
  const anchors = base.filter(inAll);
  const [moved, still] = sameJson(ours.filter(inAll), anchors) ? [theirs, ours] : [ours, theirs];
  if (!sameJson(still.filter(inAll), anchors)) return undefined;
  if (!sameJson(still.filter(inBoth), moved.filter(inBoth)) && !still.filter(inBoth).every(inAll)) return undefined;
  // Elements that only the other side has go into their gap, if that gap is the same and empty on this side.
  const place = new Map(moved.map((name, at) => [name, at]));
  const behind = new Map<number, string[]>();
  let gap: string[] = [];
  let before = -1;
  for (const name of [...still, undefined]) {
    if (name !== undefined && !place.has(name)) {
      gap.push(name);
      continue;
    }
    const at = name === undefined ? moved.length : (place.get(name) as number);
    if (gap.length > 0) {
      if (at !== before + 1) return undefined;
      behind.set(before, gap);
      gap = [];
    }
    before = at;
  }
  const result = [...(behind.get(-1) ?? []), ...moved.flatMap((name, at) => [name, ...(behind.get(at) ?? [])])];
  return result.length === names.size ? result : undefined;
}

/** Whether an unconditional edge comes before another one, which is the case on neither side. */
export function isDefaultFirst(
  merged: readonly string[],
  edges: ReadonlyMap<string, GraphEdge>,
  sides: readonly [ours: readonly string[], theirs: readonly string[]],
  named: Three<ReadonlyMap<string, GraphEdge>>,
): boolean {
  return merged.some((name, at) => {
    if (at === merged.length - 1 || !isDefault(edges.get(name))) return false;
    const known = new Set<string>();
    for (const [index, version] of (["ours", "theirs"] as const).entries()) {
      const list = sides[index] as readonly string[];
      const place = isDefault(named[version].get(name)) ? list.indexOf(name) : -1;
      if (place >= 0) for (const later of list.slice(place + 1)) known.add(later);
    }
    return merged.slice(at + 1).some((later) => !known.has(later));
  });
}

function isDefault(edge: GraphEdge | undefined): boolean {
  return edge !== undefined && isNone(edge.when) && isNone(edge.on);
}

function withoutId(edge: GraphEdge): GraphEdge {
  const { id: _, ...rest } = edge;
  return rest as GraphEdge;
}

function inEach<T>(make: (version: Version) => T): Three<T> {
  return Object.fromEntries(VERSIONS.map((version) => [version, make(version)])) as unknown as Three<T>;
}
