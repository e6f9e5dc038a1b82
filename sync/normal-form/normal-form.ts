/**
 * The platform's normal form of a graph. It may add defaults, drop fields, convert values and sort: differences in the
 * answer to our own batch are its normal form, not another user's edit. They are learned as pairs, one for each element
 * that differs: the fields as the file writes them, and as the platform stores them.
 *
 * `asWritten` translates a stored graph into the file's form. The rest of sync compares, plans and merges the translated
 * graph, so two graphs are equal if they are equal under the pairs. A pair is valid for exactly two values: a later change
 * on either side invalidates it and is a real change.
 */
import {
  changedFields,
  type ElementRef,
  edgesBySource,
  type Graph,
  type GraphEdge,
  sameElement,
  sameOutputs,
} from "../../flow";
import {
  contentOf,
  type Fields,
  get,
  has,
  MEMBERS,
  type Members,
  pick,
  refTo,
  same,
  setTop,
  TOP,
  topOf,
} from "./elements";

export interface Pair {
  /** `top`: a top-level key of the flow, as `value`. `order`: the edges of a node, by its ID, as `edges`. */
  readonly of: "node" | "edge" | "variable" | "top" | "order";
  readonly id: string;
  /** The fields that differ, as the file writes them; missing if the file has no such element. */
  readonly wrote?: Fields;
  /** The same fields as the platform stores them; a field that is absent on one side is absent there. */
  readonly stores: Fields;
}

export type Pairs = readonly Pair[];

/** A stored graph as the file would write it. */
export function asWritten(stored: Graph, pairs: Pairs): Graph {
  if (pairs.length === 0) return stored;
  const draft = { ...stored } as { -readonly [K in keyof Graph]: Graph[K] };
  const own = new Map<Members, Map<string, object>>();
  const write = (which: Members): Map<string, object> => {
    const known = own.get(which) ?? new Map<string, object>(stored[which]);
    own.set(which, known);
    return known;
  };
  const orders: Pair[] = [];
  for (const pair of pairs) {
    const { of, id, wrote, stores } = pair;
    if (of === "order") orders.push(pair);
    else if (of === "top") {
      if (same(topOf(stored, id), stores.value)) setTop(draft, id, wrote?.value);
    } else {
      const element = stored[MEMBERS[of]].get(id);
      if (!element) continue;
      if (wrote) {
        // An element may have several pairs, each with some of its fields.
        const members = write(MEMBERS[of]);
        members.set(id, withFields(members.get(id) ?? element, element, pair));
      } else if (sameElement(element, stores)) write(MEMBERS[of]).delete(id);
    }
  }
  for (const [which, members] of own) (draft as Record<Members, unknown>)[which] = members;
  if (orders.length > 0) draft.edges = reordered(draft, orders);
  return draft;
}

/** The pairs between a written graph and its normal form, and the written elements that aren't stored at all. */
export function pairsBetween(
  written: Graph,
  stored: Graph,
): { readonly pairs: Pairs; readonly missing: readonly ElementRef[] } {
  const pairs: Pair[] = [];
  const missing: ElementRef[] = [];
  for (const key of TOP) {
    const [mine, theirs] = [topOf(written, key), topOf(stored, key)];
    const equal = key === "component_outputs" ? sameOutputs(written.outputs, stored.outputs) : same(mine, theirs);
    if (!equal) pairs.push({ of: "top", id: key, wrote: { value: mine }, stores: { value: theirs } });
  }
  for (const of of ["node", "edge", "variable"] as const) {
    const [mine, theirs] = [written[MEMBERS[of]], stored[MEMBERS[of]]];
    if ((mine as unknown) === theirs) continue;
    for (const [id, element] of mine) {
      const other = theirs.get(id);
      if (!other) missing.push(refTo(of, id, element));
      else if (!sameElement(element, other)) {
        const fields = changedFields(element, other);
        pairs.push({ of, id, wrote: pick(element, fields), stores: pick(other, fields) });
      }
    }
    for (const [id, element] of theirs) if (!mine.has(id)) pairs.push({ of, id, stores: element as unknown as Fields });
  }
  for (const each of orderPairs(written, stored)) pairs.push(each);
  return { pairs, missing };
}

/** The pairs that still hold for a later graph; of two pairs for the same field, the first counts. */
export function carry(stored: Graph, ...lists: readonly Pairs[]): Pairs {
  const kept: Pair[] = [];
  const known = new Set<string>();
  let bySource: Map<string, GraphEdge[]> | undefined;
  const edgesOf = (id: string) => {
    bySource ??= edgesBySource(stored);
    return (bySource.get(id) ?? []).map((edge) => edge.id);
  };
  for (const pair of lists.flat()) {
    for (const held of stillHolding(pair, stored, edgesOf))
      for (const fresh of withoutFields(held, (field) => known.has(keyOf(pair, field)))) {
        for (const field of fieldsOf(fresh)) known.add(keyOf(pair, field));
        kept.push(fresh);
      }
  }
  return kept;
}

/**
 * The pairs without those whose stored form the file has adopted. An order stays valid if the file only added edges.
 */
export function adopt(pairs: Pairs, file: Graph): Pairs {
  if (pairs.length === 0) return pairs;
  const lists = pairs.some(({ of }) => of === "order") ? edgesBySource(file) : undefined;
  return pairs.flatMap((pair): Pair[] => {
    const { of, id, wrote, stores } = pair;
    if (of === "order") {
      const now = (lists?.get(id) ?? []).map((edge) => edge.id);
      const before = wrote?.edges as string[];
      if (!sameOrder(before, now)) return [pair];
      return [{ ...pair, wrote: { edges: [...now, ...before.filter((edge) => !now.includes(edge))] } }];
    }
    if (of === "top") return same(topOf(file, id), stores.value) ? [] : [pair];
    const element = file[MEMBERS[of]].get(id);
    if (!element) return [pair];
    if (!wrote) return [];
    return withoutFields(pair, (field) => has(stores, field) && same(get(element, field), stores[field]));
  });
}

/**
 * The pairs without fields that the platform added and the file lacks, so `asWritten` shows the platform's defaults. A
 * field of the file that is stored under another name isn't an addition.
 */
export function withoutAdditions(pairs: Pairs, file: Graph): Pairs {
  return pairs.flatMap((pair): Pair[] => {
    const { of, id, wrote } = pair;
    if (of === "order") return [pair];
    if (of === "top") return wrote?.value === undefined && topOf(file, id) === undefined ? [] : [pair];
    const element = file[MEMBERS[of]].get(id);
    if (!wrote) return element ? [pair] : [];
    if (!element) return [pair];
    return withoutFields(pair, (field) => isAdded(pair, field) && !has(element, field));
  });
}

/** Whether the platform has added something that the file lacks. */
export function hasAdditions(pairs: Pairs, file: Graph): boolean {
  const rest = withoutAdditions(pairs, file);
  return rest.length < pairs.length || rest.some((pair, index) => pair !== pairs[index]);
}

/**
 * The pairs without the fields that the platform never stored, if it has a value for them now or their element is gone:
 * neither may remove values that only the file has.
 */
export function withoutDropped(pairs: Pairs, later: Graph): Pairs {
  return pairs.flatMap((pair): Pair[] => {
    const { of, id, wrote, stores } = pair;
    if (of === "order" || !wrote) return [pair];
    const now = of === "top" ? { value: topOf(later, id) } : later[MEMBERS[of]].get(id);
    return withoutFields(pair, (field) => !has(stores, field) && (now === undefined || has(now, field)));
  });
}

/** What the platform doesn't keep of a file: fields it doesn't store, and nodes whose edges it reorders. */
export function notKept(pairs: Pairs, file: Graph): readonly ElementRef[] {
  return adopt(pairs, file).flatMap((pair): ElementRef[] => {
    const { of, id, wrote, stores } = pair;
    if (of === "order") return [{ kind: "node", id, field: "edges" }];
    if (!wrote) return [];
    if (of === "top") return has(stores, "value") ? [] : [{ kind: "top", key: id }];
    const element = file[MEMBERS[of]].get(id);
    if (!element) return [];
    const lost = Object.keys(wrote).filter(
      (field) => has(wrote, field) && !has(stores, field) && same(get(element, field), wrote[field]),
    );
    return lost.map((field) => ({ ...refTo(of, id, element), field }) as ElementRef);
  });
}

/** The pairs whose two values are equal in another form or under another name. */
export function inOtherForm(pairs: Pairs): Pairs {
  return pairs.flatMap((pair): Pair[] => {
    const { of, wrote, stores } = pair;
    if (of === "order" || !wrote) return [];
    const isForm = (field: string) =>
      contentOf(wrote[field]) === contentOf(stores[field]) || partners(pair, field).length > 0;
    return withoutFields(pair, (field) => !isForm(field));
  });
}

/**
 * The pairs without leftovers of earlier values. A platform that stored a field under another name and now stores it as
 * written keeps the earlier value under that name; it is neither written by anyone nor a default.
 */
export function withoutLeftovers(pairs: Pairs, before: Pairs, written: Graph): Pairs {
  const renamed = new Map<string, unknown>();
  for (const { of, id, wrote, stores } of before) {
    if (of === "order" || of === "top" || !wrote) continue;
    const now = written[MEMBERS[of]].get(id);
    // A removal that wasn't applied leaves the element unchanged.
    if (!now) continue;
    for (const [field, value] of Object.entries(wrote)) {
      if (has(stores, field) || !has(wrote, field) || same(get(now, field), value)) continue;
      for (const name of otherNames(field, wrote, stores)) renamed.set(`${of} ${id} ${name}`, stores[name]);
    }
  }
  if (renamed.size === 0) return pairs;
  return pairs.flatMap((pair): Pair[] => {
    if (!pair.wrote) return [pair];
    const isLeft = (field: string) => {
      const key = keyOf(pair, field);
      return renamed.has(key) && !has(pair.wrote as Fields, field) && same(pair.stores[field], renamed.get(key));
    };
    return withoutFields(pair, isLeft);
  });
}

/** The fields of some pairs that are equal in the others. */
export function inBoth(pairs: Pairs, others: Pairs): Pairs {
  if (others.length === 0) return [];
  return pairs.flatMap((pair): Pair[] => {
    const alike = others.filter(({ of, id }) => of === pair.of && id === pair.id);
    if (!pair.wrote) return alike.some(({ wrote, stores }) => !wrote && sameElement(stores, pair.stores)) ? [pair] : [];
    const isIn = (field: string) =>
      alike.some(
        ({ wrote, stores }) =>
          wrote && same(pair.wrote?.[field], wrote[field]) && same(pair.stores[field], stores[field]),
      );
    return withoutFields(pair, (field) => !isIn(field));
  });
}

/** An element with its fields as written, if the stored values haven't changed since. */
function withFields(draft: object, element: object, pair: Pair): object {
  const { wrote = {}, stores } = pair;
  const fields = new Map(Object.entries(draft));
  for (const field of new Set([...Object.keys(wrote), ...Object.keys(stores)])) {
    if (!isStored(pair, field, element)) continue;
    if (has(wrote, field)) fields.set(field, wrote[field]);
    else fields.delete(field);
  }
  // Object.fromEntries defines own properties, so a field called `__proto__` needs no special case.
  return Object.fromEntries(fields);
}

/**
 * Whether an element still has the stored value of a field. A field stored under another name forms a pair with it: a
 * change of either invalidates both.
 */
function isStored(pair: Pair, field: string, element: object): boolean {
  const isUnchanged = (name: string) => same(get(element, name), pair.stores[name]);
  if (!isUnchanged(field)) return false;
  const names = partners(pair, field);
  return names.length === 0 || names.some(isUnchanged);
}

/** Whether a field is stored that wasn't written under this name or another. */
export function isAdded(pair: Pair, field: string): boolean {
  const { wrote, stores } = pair;
  return wrote !== undefined && !has(wrote, field) && has(stores, field) && partners(pair, field).length === 0;
}

/** The names under which a field is stored, or the fields that are stored under this name. */
export function partners({ wrote = {}, stores }: Pair, field: string): string[] {
  const isOnlyWritten = (name: string) => has(wrote, name) && !has(stores, name);
  if (isOnlyWritten(field)) return otherNames(field, wrote, stores);
  return Object.keys(wrote).filter((name) => isOnlyWritten(name) && otherNames(name, wrote, stores).includes(field));
}

/** The names that a field may be stored under: they have an equal value and weren't written themselves. */
function otherNames(field: string, wrote: Fields, stores: Fields): string[] {
  return Object.keys(stores).filter(
    (name) => !has(wrote, name) && has(stores, name) && contentOf(stores[name]) === contentOf(wrote[field]),
  );
}

function stillHolding(pair: Pair, stored: Graph, edgesOf: (id: string) => string[]): Pair[] {
  const { of, id, wrote, stores } = pair;
  if (of === "top") return same(topOf(stored, id), stores.value) ? [pair] : [];
  if (of === "order") return sameOrder(stores.edges as string[], edgesOf(id)) ? [pair] : [];
  const element = stored[MEMBERS[of]].get(id);
  if (!element) return [];
  if (!wrote) return sameElement(element, stores) ? [pair] : [];
  return withoutFields(pair, (field) => !isStored(pair, field, element));
}

/** The pair without some of its fields; none if no field is left. */
export function withoutFields(pair: Pair, isOut: (field: string) => boolean): Pair[] {
  const fields = fieldsOf(pair);
  const left = fields.filter((field) => !isOut(field));
  if (left.length === fields.length) return [pair];
  if (left.length === 0) return [];
  return [{ ...pair, ...(pair.wrote ? { wrote: pick(pair.wrote, left) } : {}), stores: pick(pair.stores, left) }];
}

/** The names of the fields of a pair; one empty name for a whole element. */
export function fieldsOf({ wrote, stores }: Pair): string[] {
  return wrote ? [...new Set([...Object.keys(wrote), ...Object.keys(stores)])] : [""];
}

function keyOf({ of, id }: Pair, field: string): string {
  return `${of} ${id} ${field}`;
}

function orderPairs(written: Graph, stored: Graph): Pair[] {
  const theirs = edgesBySource(stored);
  const pairs: Pair[] = [];
  for (const [id, list] of edgesBySource(written)) {
    const [mine, other] = [list, theirs.get(id) ?? []].map((edges) => edges.map((edge) => edge.id)) as [
      string[],
      string[],
    ];
    if (!sameOrder(mine, other)) pairs.push({ of: "order", id, wrote: { edges: mine }, stores: { edges: other } });
  }
  return pairs;
}

/** Whether the elements that two lists share are in the same order in both. */
export function sameOrder(a: readonly string[], b: readonly string[]): boolean {
  const [inA, inB] = [new Set(a), new Set(b)];
  const common = b.filter((item) => inA.has(item));
  return a.filter((item) => inB.has(item)).every((item, index) => item === common[index]);
}

/** The edges in the order they were written; newer ones come last in their list. */
function reordered(graph: Graph, orders: Pairs): Graph["edges"] {
  const lists = edgesBySource(graph);
  for (const { id, wrote, stores } of orders) {
    const list = lists.get(id);
    const now = list?.map((edge) => edge.id) ?? [];
    if (!list || !sameOrder(stores.edges as string[], now)) continue;
    const place = new Map(((wrote?.edges ?? []) as string[]).map((edge, index) => [edge, index]));
    const placeOf = (edge: GraphEdge) => place.get(edge.id) ?? Number.POSITIVE_INFINITY;
    const compare = (x: GraphEdge, y: GraphEdge) => (placeOf(x) === placeOf(y) ? 0 : placeOf(x) - placeOf(y));
    lists.set(id, [...list].sort(compare));
  }
  return new Map([...lists.values()].flat().map((edge) => [edge.id, edge]));
}
