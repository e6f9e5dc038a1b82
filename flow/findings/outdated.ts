/**
 * Whether a finding still applies to a text. It was made for a version of the flow on the platform, so it applies as long
 * as the elements it mentions are the same in the text.
 */

import type { FlowDocument } from "../document";
import type { PlannedOp } from "../graph/diff";
import type { PlacedFinding } from "./finding";
import { findEdge, quotedNames } from "./subject";

/** `Since` is how a text differs from the version that findings were made for. */
export interface Since {
  readonly version: number | undefined;
  /** The operations that lead from that version to the text; undefined where the version is no longer known. */
  readonly ops: readonly PlannedOp[] | undefined;
}

/** A test for the findings that may no longer apply to a document. */
export function outdatedIn(document: FlowDocument, ops: Since["ops"]): (placed: PlacedFinding) => boolean {
  if (!ops) return () => true;
  if (ops.length === 0) return () => false;
  // The edges of a node are written inside it, so they also count as a change of the node.
  const changed = { nodes: new Set<string>(), edges: new Set<string>(), variables: new Set<string>(), top: new Set() };
  for (const { at } of ops) {
    if (at.kind === "node") changed.nodes.add(at.id);
    else if (at.kind === "edge") changed.nodes.add(at.node) && changed.edges.add(at.id);
    else if (at.kind === "variable") changed.variables.add(at.name);
    else if (at.kind === "top") changed.top.add(at.key);
  }
  const isTopChanged = (key: string) => !comparedAsOne.has(key) || changed.top.has(key);

  const isPlaceChanged = ({ element, anchor, span }: PlacedFinding): boolean => {
    switch (element?.kind) {
      case "node":
        return changed.nodes.has(element.id);
      case "edge":
        return changed.edges.has(element.id);
      case "variable":
        return changed.variables.has(element.name);
      case "output":
        return isTopChanged("component_outputs");
      case "top":
        return isTopChanged(element.key);
    }
    const entry = anchor === "file" ? undefined : document.blockAt(span.start);
    if (entry?.section === "nodes") return changed.nodes.has(entry.key);
    if (entry?.section === "context_variables") return changed.variables.has(entry.key);
    return !entry || isTopChanged(entry.key);
  };

  return (placed) => {
    const { node_id, edge_id, related_node_ids = [], related_edge_ids = [], message = "" } = placed.finding;
    const nodes = [...(node_id && !edge_id ? [node_id] : []), ...related_node_ids];
    const edges = [...(edge_id ? [edge_id] : []), ...related_edge_ids];
    return (
      isPlaceChanged(placed) ||
      nodes.some((id) => changed.nodes.has(id) || !document.node(id)) ||
      edges.some((id) => changed.edges.has(id) || !findEdge(document, id)) ||
      quotedNames(message).some((name) => changed.nodes.has(name) || changed.variables.has(name))
    );
  };
}

/** A finding at any other key is about the flow as a whole, which any change may affect. */
const comparedAsOne = new Set(["persona", "entry", "component_outputs"]);

/** The message of a finding about another version than the text. */
export function onPlatform({ version }: Pick<Since, "version">, message: string): string {
  return `On the platform${version === undefined ? "" : `, v${version}`}: ${message}`;
}
