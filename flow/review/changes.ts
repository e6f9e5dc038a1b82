/** The differences between two graphs, by element. */
import type { FlowDocument, NodeBlock } from "../document";
import { haveOwnId, matchEdges } from "../graph/edge-match";
import { changedFields, edgesBySource, type Graph, type GraphEdge, sameElement, sameOutputs } from "../graph/graph";
import { graphOf } from "../graph/graph-of";
import { longestIncreasing } from "../sequences";

export interface Change {
  readonly kind: "added" | "removed" | "changed" | "moved";
  readonly what: "node" | "edge" | "variable" | "persona" | "entry" | "outputs";
  /** The ID of the element, or the key of a unique one. For an edge, its ID in the new flow, unless it was removed. */
  readonly id: string;
  /** The previous ID of an edge, if it differs: moving an edge changes its derived ID. */
  readonly old_id?: string;
  /** The names of the fields that differ, as in a flow file. */
  readonly fields: readonly string[];
  /** The values of these fields on each side, without absent ones. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /**
   * The fields among these that only the platform changed: an added default, or another form. `order`: it sorts the
   * edges.
   */
  readonly platform?: readonly string[];
}

/**
 * The edges of an added or removed node aren't listed. An edge with a new target is another edge, unless it has an
 * explicit ID. An edge is moved if its place among the remaining ones changed; of two that swapped places, one is
 * listed.
 */
export function changesBetween(from: Graph, to: Graph): Change[] {
  return [
    ...single("persona", "persona", from.persona, to.persona),
    ...single("entry", "entry", from.entry, to.entry),
    ...members("variable", from.variables, to.variables),
    ...members("node", from.nodes, to.nodes),
    ...edges(from, to),
    ...(sameOutputs(from.outputs, to.outputs)
      ? []
      : single("outputs", "component_outputs", listed(from.outputs), listed(to.outputs))),
  ];
}

/** The same for two documents. Shared parts aren't compared, which is nearly everything if one was read like the other. */
export function changesBetweenDocuments(from: FlowDocument, to: FlowDocument): Change[] {
  // Of two elements with the same ID, only one counts, so with explicit IDs (or repeated node IDs) any node may affect
  // any other.
  const mayCollide = ({ problems }: FlowDocument, nodes: readonly NodeBlock[]) =>
    problems.length > 0 || nodes.some(({ edges }) => edges.some(({ hasId }) => hasId));
  const changed = changedBlocks(to, from);
  if (mayCollide(from, from.nodes) || mayCollide(to, changed)) return changesBetween(graphOf(from), graphOf(to));
  return changesBetween(graphOf(from, changedBlocks(from, to)), graphOf(to, changed));
}

/** The nodes of a document that another one doesn't have. Most are in the same order in both, and found without lookups. */
function changedBlocks(document: FlowDocument, other: FlowDocument): NodeBlock[] {
  const others = other.nodes;
  let next = 0;
  return document.nodes.filter((block) => {
    if (others[next] === block) {
      next++;
      return false;
    }
    const same = other.node(block.id);
    if (same === block && others[next + 1] === block) next += 2;
    else if (same && same === others[next]) next++;
    return same !== block;
  });
}

/**
 * Marks the platform's part in the changes: everything that isn't among `own`, where its form counts as what was
 * written.
 */
export function withPlatformFields(changes: readonly Change[], own: readonly Change[]): Change[] {
  const keyOf = ({ what, id, kind }: Change) => `${what} ${id} ${kind === "changed" ? "moved" : kind}`;
  const known = new Map(own.map((change) => [keyOf(change), change]));
  return changes.map((change) => {
    const meant = known.get(keyOf(change));
    const fields = change.fields.filter((field) => !meant?.fields.includes(field));
    const platform = change.kind === "moved" && meant?.kind !== "moved" ? [...fields, "order"] : fields;
    return platform.length > 0 ? { ...change, platform } : change;
  });
}

function listed(outputs: Graph["outputs"]): Graph["outputs"] | undefined {
  return outputs.length > 0 ? outputs : undefined;
}

function single(what: "persona" | "entry" | "outputs", id: string, before: unknown, after: unknown): Change[] {
  if ((before ?? undefined) === (after ?? undefined)) return [];
  const kind = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return [change(kind, what, id, { [id]: before }, { [id]: after })];
}

function members(
  what: "variable" | "node",
  from: ReadonlyMap<string, object>,
  to: ReadonlyMap<string, object>,
): Change[] {
  const identity = what === "node" ? "id" : "name";
  const changes = [...to].flatMap(([id, after]) => {
    const before = from.get(id);
    // Nearly all are equal, and compared without a copy.
    if (before && sameElement(before, after)) return [];
    return elementChange(before ? "changed" : "added", what, id, without(before, identity), without(after, identity));
  });
  const removed = [...from].filter(([id]) => !to.has(id));
  return [...changes, ...removed.map(([id, before]) => change("removed", what, id, without(before, identity), {}))];
}

function edges(from: Graph, to: Graph): Change[] {
  const removed: Change[] = [];
  const changes: Change[] = [];
  const [before, after] = [edgesBySource(from), edgesBySource(to)];
  for (const source of new Set([...before.keys(), ...after.keys()])) {
    const [old, list] = [before.get(source) ?? [], after.get(source) ?? []];
    if (!from.nodes.has(source) || !to.nodes.has(source)) continue;
    if (old.length === list.length && list.every((edge, at) => sameElement(old[at] as GraphEdge, edge))) continue;
    const { pairs } = matchEdges(old, list);
    const places = new Map(pairs.map((pair) => [pair.after, pair.before]));
    const stays = new Set(places.values());
    for (const [place, edge] of old.entries())
      if (!stays.has(place)) removed.push(change("removed", "edge", edge.id, asWritten(edge), {}));
    const inPlace = longestIncreasing(list.flatMap((_, at) => places.get(at) ?? []));
    const own = [haveOwnId(old), haveOwnId(list)] as const;
    for (const [at, edge] of list.entries()) {
      const place = places.get(at);
      if (place === undefined) changes.push(change("added", "edge", edge.id, {}, asWritten(edge)));
      else {
        const kind = inPlace.has(place) ? "changed" : "moved";
        const was = old[place] as GraphEdge;
        const [wasOwn, isOwn] = [own[0][place], own[1][at]];
        const ids = was.id === edge.id ? {} : { old_id: was.id };
        // Adding or removing an explicit ID is a change of the edge; a new derived ID isn't.
        const written = (each: GraphEdge, isIt: boolean | undefined) => ({
          ...asWritten(each),
          ...(isIt && was.id !== edge.id ? { id: each.id } : {}),
        });
        for (const each of elementChange(kind, "edge", edge.id, written(was, wasOwn), written(edge, isOwn)))
          changes.push({ ...each, ...ids });
      }
    }
  }
  return [...removed, ...changes];
}

/** Empty if the element is equal, unless it moved. */
function elementChange(
  kind: "added" | "changed" | "moved",
  what: "node" | "edge" | "variable",
  id: string,
  before: object,
  after: object,
): Change[] {
  const { fields, ...rest } = change(kind, what, id, before, after);
  return kind === "changed" && fields.length === 0 ? [] : [{ ...rest, fields }];
}

function change(kind: Change["kind"], what: Change["what"], id: string, before: object, after: object): Change {
  const fields = changedFields(before, after).filter((name) => name !== "source_span");
  const only = (element: object) =>
    Object.fromEntries(
      fields.flatMap((name) => {
        const value = Object.hasOwn(element, name) ? (element as Record<string, unknown>)[name] : undefined;
        return value === undefined || value === null ? [] : [[name, value]];
      }),
    );
  return { kind, what, id, fields, before: only(before), after: only(after) };
}

function without(element: object | undefined, name: string): object {
  const { [name]: _, ...rest } = (element ?? {}) as Record<string, unknown>;
  return rest;
}

/** An edge with field names as in a file. */
function asWritten(edge: GraphEdge | undefined): object {
  if (!edge) return {};
  const { id: _, source: __, target, ...fields } = edge;
  return { to: target, ...fields };
}
