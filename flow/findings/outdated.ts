/**
 * Whether a finding still applies to the current text. It was made for a version of the flow on the platform, so it applies as long
 * as what it depends on is the same in the text: the elements it mentions, the nodes that their edges lead to, how they
 * are connected, and the uses of its variables.
 */

import { addTo } from "../collections";
import type { FlowDocument } from "../document";
import { nodeType } from "../fields";
import { diff } from "../graph/diff";
import type { Graph } from "../graph/graph";
import type { PlacedFinding } from "./finding";
import { findEdge, quotedNames } from "./subject";

/** The difference between the text and the version that findings were made for. */
export interface Since {
  readonly version: number | undefined;
  /** The graph of that version; undefined if it is no longer known. */
  readonly before: Graph | undefined;
  /** The graph of the text. */
  readonly now: Graph;
}

/** A test for the findings that may no longer apply to a document. */
export function outdatedIn(document: FlowDocument, { before, now }: Since): (placed: PlacedFinding) => boolean {
  if (!before) return () => true;
  const changed = changesBetween(before, now);
  if (!changed) return () => false;
  const leadsToChanged = (to: string | undefined) => to !== undefined && changed.ends.has(to);
  const { connections } = changed;
  const isNodeChanged = (id: string) =>
    changed.nodes.has(id) ||
    document.node(id)?.edges.some(({ to }) => leadsToChanged(to)) === true ||
    connections?.isChanged(id) === true;
  const isEdgeChanged = (id: string) => {
    const { source, target } = now.edges.get(id) ?? {};
    return (
      changed.edges.has(id) ||
      leadsToChanged(target) ||
      (source !== undefined && connections?.isChanged(source) === true)
    );
  };
  const isVariableChanged = (name: string) =>
    changed.variables.has(name) || (now.variables.has(name) && changed.uses.has(name));
  const isTopChanged = (key: string) =>
    !comparedAsOne.has(key) || changed.top.has(key) || (key !== "persona" && connections !== undefined);
  /** The places and uses of a variable may be on other paths. */
  const areValuesChanged = ({ element, span }: PlacedFinding, names: readonly string[]): boolean => {
    if (!connections || !names.some((name) => before.variables.has(name) || now.variables.has(name))) return false;
    const block = document.blockAt(span.start);
    return element?.kind === "variable" || block?.section !== "nodes" || connections.isAfterChange(block.key);
  };

  const isPlaceChanged = ({ element, anchor, span }: PlacedFinding): boolean => {
    switch (element?.kind) {
      case "node":
        return isNodeChanged(element.id);
      case "edge":
        return isEdgeChanged(element.id);
      case "variable":
        return isVariableChanged(element.name);
      case "output":
        return isTopChanged("component_outputs");
      case "top":
        return isTopChanged(element.key);
    }
    const entry = anchor === "file" ? undefined : document.blockAt(span.start);
    if (entry?.section === "nodes") return isNodeChanged(entry.key);
    if (entry?.section === "context_variables") return isVariableChanged(entry.key);
    return !entry || isTopChanged(entry.key);
  };

  return (placed) => {
    const { node_id, edge_id, related_node_ids = [], related_edge_ids = [], message = "" } = placed.finding;
    const nodes = [...(node_id && !edge_id ? [node_id] : []), ...related_node_ids];
    const edges = [...(edge_id ? [edge_id] : []), ...related_edge_ids];
    const names = quotedNames(message);
    return (
      isPlaceChanged(placed) ||
      areValuesChanged(placed, names) ||
      nodes.some((id) => isNodeChanged(id) || !document.node(id)) ||
      edges.some((id) => isEdgeChanged(id) || !findEdge(document, id)) ||
      names.some((name) => changed.nodes.has(name) || isVariableChanged(name))
    );
  };
}

/** What differs between two graphs; undefined if nothing does. */
function changesBetween(before: Graph, now: Graph) {
  const ops = diff(before, now);
  if (ops.length === 0) return undefined;
  // The edges of a node are written inside it, so they also count as a change of the node.
  const nodes = new Set<string>();
  const edges = new Set<string>();
  const variables = new Set<string>();
  const top = new Set<string>();
  /** The nodes that are new, gone, or of another type. */
  const ends = new Set<string>();
  /** The names that an element uses now and didn't before, or the other way round. */
  const uses = new Set<string>();
  const compare = (was: unknown, is: unknown) => {
    const [had, has] = [namesIn(was), namesIn(is)];
    for (const name of had) if (!has.has(name)) uses.add(name);
    for (const name of has) if (!had.has(name)) uses.add(name);
  };
  for (const { at } of ops)
    if (at.kind === "node") {
      const [was, is] = [before.nodes.get(at.id), now.nodes.get(at.id)];
      nodes.add(at.id);
      if (!was || !is || was.type !== is.type) ends.add(at.id);
      compare(was, is);
    } else if (at.kind === "edge") {
      nodes.add(at.node);
      edges.add(at.id);
      compare(before.edges.get(at.id), now.edges.get(at.id));
    } else if (at.kind === "variable") variables.add(at.name);
    else if (at.kind === "top") {
      top.add(at.key);
      if (at.key !== "entry") compare([before.persona, before.outputs], [now.persona, now.outputs]);
    }
  /** The nodes that paths lead on from in another way. */
  const sources = new Set(ends);
  for (const id of edges)
    for (const edge of [before.edges.get(id), now.edges.get(id)]) if (edge) sources.add(edge.source);
  const connections =
    sources.size > 0 || top.has("entry") ? changedConnections(before, now, sources, edges) : undefined;
  return { nodes, edges, variables, top, ends, uses, connections };
}

/** The names that an element uses: as a whole value or a key, and in templates. */
function namesIn(element: unknown): Set<string> {
  return new Set(quotedNames(JSON.stringify(element ?? null)));
}

/** A finding at any other key is about the flow as a whole, which any change may affect. */
const comparedAsOne = new Set(["persona", "entry", "component_outputs"]);

/** The message of a finding about another version than the text. */
export function onPlatform({ version }: Pick<Since, "version">, message: string): string {
  return `On the platform${version === undefined ? "" : `, v${version}`}: ${message}`;
}

/**
 * Where a change of edges or nodes matters elsewhere. A finding's words don't tell whether it's about paths, so every
 * finding at a node counts as changed if the node is connected to the entry, to an end or in a loop in another way.
 */
interface Connections {
  /** Whether a node is connected in another way. */
  isChanged(id: string): boolean;
  /** Whether a path to a node was changed, which may change the values of variables there. */
  isAfterChange(id: string): boolean;
}

/** `sources`: the nodes that were changed themselves, or one of their edges; `edges`: the edges that were changed. */
function changedConnections(
  before: Graph,
  now: Graph,
  sources: ReadonlySet<string>,
  edges: ReadonlySet<string>,
): Connections {
  const [was, is] = [pathsIn(before, sources), pathsIn(now, sources)];
  const targets = new Set([...edges].flatMap((id) => [before.edges.get(id)?.target, now.edges.get(id)?.target]));
  const isInLoop = (id: string) => [was, is].some(({ after, toward }) => after.has(id) && toward.has(id));
  return {
    isChanged: (id) =>
      targets.has(id) ||
      was.reached.has(id) !== is.reached.has(id) ||
      was.ending.has(id) !== is.ending.has(id) ||
      isInLoop(id),
    isAfterChange: (id) => was.after.has(id) || is.after.has(id),
  };
}

function pathsIn({ nodes, edges, entry }: Graph, sources: ReadonlySet<string>) {
  const next = new Map<string, string[]>();
  const previous = new Map<string, string[]>();
  for (const { source, target } of edges.values()) {
    addTo(next, source, target);
    addTo(previous, target, source);
  }
  const ends = [...nodes.values()].filter(({ id, type }) => {
    const known = nodeType(type);
    return known ? known.terminal : !next.has(id);
  });
  return {
    reached: walk(next, entry === undefined ? [] : [entry]),
    ending: walk(
      previous,
      ends.map(({ id }) => id),
    ),
    after: walk(
      next,
      [...sources].flatMap((id) => next.get(id) ?? []),
    ),
    /** The nodes with a path to a change. Those that are also after one are in a loop with it, or between two. */
    toward: walk(previous, sources),
  };
}

/** The nodes that can be reached from some nodes, including these. */
function walk(links: ReadonlyMap<string, readonly string[]>, from: Iterable<string>): ReadonlySet<string> {
  const seen = new Set(from);
  // A set's iteration includes what is added to it meanwhile.
  for (const id of seen) for (const other of links.get(id) ?? []) seen.add(other);
  return seen;
}
