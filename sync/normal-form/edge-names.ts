/**
 * Maps edge IDs, because the platform may assign its own. An edge with another ID is matched by its source, target,
 * `on`, `when` and `label`. The rest of sync uses the file's IDs: graphs get them when they are read (`withFileIds`),
 * operations lose them when they are sent (`withPlatformIds`).
 */
import {
  applyOps,
  edgesBySource,
  emptyGraph,
  formOf,
  type Graph,
  type GraphEdge,
  type GraphOp,
  matchEdges,
  sameJson,
} from "../../flow";
import type { GraphResult } from "../../platform";
import type { EdgeNames, JournalRecord } from "../journal/record";

export interface Renamed {
  readonly graph: Graph;
  readonly names: EdgeNames | undefined;
}

/** A graph from the platform with the file's edge IDs. Before the first agreement they come from `file`. */
export function withFileIds(seen: Graph, record: JournalRecord, file: Graph | undefined): Renamed {
  const { base, remote, inFlight, names = {} } = record;
  const ops = inFlight?.ops ?? [];
  const from = base?.graph ?? remote?.graph ?? file ?? emptyGraph;
  const expected = ops.length > 0 ? (applyOps(from, ops).graph ?? from) : from;
  const isKnown = (id: string) => seen.edges.has(id) && !Object.hasOwn(names, id);
  // Most platforms keep IDs, so there is nothing to match.
  if (Object.keys(names).length === 0 && [...expected.edges.keys()].every(isKnown))
    return { graph: seen, names: record.names };
  const sent = new Set(ops.flatMap((op) => (op.op === "add_edge" ? [op.edge.id] : [])));
  // As long as the platform kept IDs, an edge that is as it was before the batch is the same edge.
  const before = Object.keys(names).length === 0 ? from : emptyGraph;
  const ids = fileIds(seen, expected, [before, remote?.graph ?? emptyGraph], names, sent);
  const found = Object.fromEntries([...ids].filter(([theirs, ours]) => theirs !== ours).map(([a, b]) => [b, a]));
  const isSame = sameJson(found, names);
  if (Object.keys(found).length === 0) return { graph: seen, names: isSame ? record.names : undefined };
  const edges = [...seen.edges.values()].map((edge): [string, GraphEdge] => {
    const id = ids.get(edge.id) as string;
    return [id, id === edge.id ? edge : { ...edge, id }];
  });
  return { graph: { ...seen, edges: new Map(edges) }, names: isSame ? record.names : found };
}

/** The file's edge IDs by the platform's. */
function fileIds(
  seen: Graph,
  expected: Graph,
  earlier: readonly Graph[],
  names: EdgeNames,
  sent: ReadonlySet<string>,
): Map<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (theirs: string, ours: string) => {
    ids.set(theirs, ours);
    taken.add(ours);
  };
  const lastName = new Map(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));
  /** What the platform's ID referred to so far; one that is also the file's ID of another edge is ambiguous. */
  const nameOf = (id: string) => lastName.get(id) ?? (Object.hasOwn(names, id) ? undefined : id);
  const added = new Map([...sent].map((id) => [formOf(withoutNumber(id)), expected.edges.get(id)]));
  /** Whether it was to be replaced by an equal one, whose ID the platform stores in the same form again. */
  const isReplaced = (edge: GraphEdge, name: string) => {
    const next = expected.edges.has(name) ? undefined : added.get(formOf(withoutNumber(edge.id)));
    return next !== undefined && withoutNumber(next.id) !== withoutNumber(edge.id) && isAlike(next, edge);
  };
  for (const edge of seen.edges.values()) {
    const name = nameOf(edge.id);
    if (name === undefined || isReplaced(edge, name)) continue;
    const known = [expected, ...earlier].map((graph) => graph.edges.get(name));
    if (known.some((each) => each && isAlike(each, edge))) pair(edge.id, name);
  }
  const lists = edgesBySource(seen);
  /** Pairs the remaining edges, first by content: some platforms renumber all edges with every batch. */
  const match = (
    idOf: (edge: GraphEdge, index: number) => string,
    isOurs: (mine: GraphEdge, theirs: GraphEdge) => boolean,
  ) => {
    for (const [source, edges] of edgesBySource(expected)) {
      const before = edges.filter(({ id }) => !taken.has(id));
      const after = (lists.get(source) ?? []).filter(({ id }) => !ids.has(id));
      if (before.length === 0 || after.length === 0) continue;
      const asKnown = after.map((edge, index) => ({ ...edge, id: idOf(edge, index) }));
      for (const { before: one, after: other } of matchEdges(before, asKnown, { renamed: true }).pairs) {
        const [mine, theirs] = [before[one] as GraphEdge, after[other] as GraphEdge];
        if (isOurs(mine, theirs)) pair(theirs.id, mine.id);
      }
    }
  };
  match((_, index) => `\0${index}`, isAlike);
  match(
    ({ id }) => nameOf(id) ?? id,
    (mine, theirs) => mine.id === nameOf(theirs.id) || sent.has(mine.id),
  );
  for (const { id } of seen.edges.values()) {
    if (ids.has(id)) continue;
    const name = nameOf(id) ?? id;
    pair(id, taken.has(name) ? freeId(id, (each) => taken.has(each) || seen.edges.has(each)) : name);
  }
  keepFileOrder(ids, lists, expected);
  return ids;
}

/**
 * Assigns IDs to equal edges in the file's order. They are interchangeable, so any other order would look like a
 * change.
 */
function keepFileOrder(
  ids: Map<string, string>,
  lists: ReadonlyMap<string, readonly GraphEdge[]>,
  expected: Graph,
): void {
  const place = new Map([...expected.edges.keys()].map((id, index) => [id, index]));
  for (const edges of lists.values()) {
    const equal = new Map<string, GraphEdge[]>();
    for (const edge of edges) {
      const { id: _, source_span: __, ...says } = edge;
      const key = JSON.stringify(says);
      equal.set(key, [...(equal.get(key) ?? []), edge]);
    }
    for (const group of equal.values()) {
      const ours = group.map(({ id }) => ids.get(id) as string);
      if (group.length < 2 || !ours.every((id) => place.has(id))) continue;
      ours.sort((a, b) => (place.get(a) as number) - (place.get(b) as number));
      for (const [index, { id }] of group.entries()) ids.set(id, ours[index] as string);
    }
  }
}

/** An ID without the number that `freeId` adds. */
function withoutNumber(id: string): string {
  return id.replace(/--\d+$/, "");
}

function freeId(id: string, isTaken: (id: string) => boolean): string {
  let number = 2;
  while (isTaken(`${id}--${number}`)) number++;
  return `${id}--${number}`;
}

function isAlike(a: GraphEdge, b: GraphEdge): boolean {
  return ["source", "target", "on", "when", "label"].every((field) => sameJson(a[field] ?? null, b[field] ?? null));
}

/**
 * Operations with the platform's edge IDs; `earlier` are those sent since `base` was seen. An edge whose ID is in use is
 * added with the platform's ID for it, or with a free one. An ID is also in use if it differs only in form, such as in
 * case: the platform might store both as one and replace the other edge.
 */
export function withPlatformIds(
  ops: readonly GraphOp[],
  names: EdgeNames = {},
  base: Graph = emptyGraph,
): readonly GraphOp[] {
  const isNamed = Object.keys(names).length > 0;
  const known = [...base.edges.values()];
  const added = ops.flatMap((op) => (op.op === "add_edge" ? [op.edge] : []));
  if (!isNamed && known.every(isDerived) && added.every(isDerived)) return ops;
  const platformId = (id: string) => (Object.hasOwn(names, id) ? (names[id] as string) : id);
  const inUse = new IdsInUse();
  for (const id of Object.values(names)) inUse.add({ id, source: "", target: "" });
  for (const edge of known) inUse.add({ ...edge, id: platformId(edge.id) });
  return ops.map((op) => {
    if (op.op === "remove_edge") {
      const id = platformId(op.edge_id);
      inUse.delete(id);
      return id === op.edge_id ? op : { ...op, edge_id: id };
    }
    if (op.op !== "add_edge") return op;
    const { edge } = op;
    const last = { ...edge, id: platformId(edge.id) };
    const isFree = (id: string) => !inUse.has({ ...edge, id }) && !Object.hasOwn(names, id);
    const id = !inUse.has(edge) ? edge.id : !inUse.has(last) ? last.id : freeId(last.id, (each) => !isFree(each));
    inUse.add({ ...edge, id });
    return id === edge.id ? op : { ...op, edge: { ...edge, id } };
  });
}

/** Edge IDs by their form. */
class IdsInUse {
  readonly #byForm = new Map<string, Map<string, boolean>>();

  add(edge: GraphEdge): void {
    const form = formOf(edge.id);
    this.#byForm.set(form, (this.#byForm.get(form) ?? new Map()).set(edge.id, isDerived(edge)));
  }

  delete(id: string): void {
    this.#byForm.get(formOf(id))?.delete(id);
  }

  /** Derived IDs differ like the IDs of their nodes, which the platform distinguishes or doesn't. */
  has(edge: GraphEdge): boolean {
    const others = this.#byForm.get(formOf(edge.id)) ?? [];
    return [...others].some(([id, isOther]) => id === edge.id || !isOther || !isDerived(edge));
  }
}

function isDerived({ id, source, target }: GraphEdge): boolean {
  return id.startsWith(`${source}--${target}`);
}

/** The platform's findings with the file's edge IDs. */
export function findingsWithFileIds(result: GraphResult, names: EdgeNames | undefined): GraphResult {
  const { validation } = result;
  if (!names || !validation?.findings) return result;
  const ours = new Map(Object.entries(names).map(([mine, theirs]) => [theirs, mine]));
  const idOf = (id: string) => ours.get(id) ?? id;
  const findings = validation.findings.map((finding) => ({
    ...finding,
    ...(finding.edge_id ? { edge_id: idOf(finding.edge_id) } : {}),
    ...(finding.related_edge_ids ? { related_edge_ids: finding.related_edge_ids.map(idOf) } : {}),
  }));
  return { ...result, validation: { ...validation, findings } };
}
