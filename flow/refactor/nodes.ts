/** Refactorings of nodes and edges: rename a node to its name, insert a node, inline a pass-through node. */
import type { NodeBlock } from "../document";
import { composeEdits } from "../edit/compose";
import { changesEdges, removesNode, renamesNode, retargeted } from "../edit/meanings";
import { addNode, removeNode, renameNode, setTarget } from "../edit/operations";
import type { TextEdit } from "../text";
import { asId, edgeAt, nodeAt, type Refactoring, type Selection, unused } from "./refactoring";

/** Renames a node's key to match its `name`, if they differ. */
export function renameToName(selection: Selection): Refactoring[] {
  const { document, span } = selection;
  const node = nodeAt(selection);
  const wanted = node?.name === undefined ? undefined : asId(node.name);
  if (!node || !onKey(selection, node, span.start) || wanted === undefined || node.id.startsWith(wanted)) return [];
  const id = unused(wanted, (other) => document.node(other) !== undefined);
  return [
    {
      kind: "rewrite",
      id: "rename-to-name",
      title: `Rename node "${node.id}" to "${id}" to match its name`,
      means: renamesNode(node.id, id),
      edits: () => renameNode(document, node.id, id),
    },
  ];
}

export function insertOnEdge(selection: Selection): Refactoring[] {
  const { document } = selection;
  const found = edgeAt(selection);
  const to = found?.edge.to;
  if (!found || to === undefined || !document.node(to)) return [];
  const { node, edge } = found;
  const id = unused(`before_${to}`.slice(0, 60), (other) => document.node(other) !== undefined);
  return [
    {
      kind: "rewrite",
      id: "insert-on-edge",
      title: `Insert node "${id}" between "${node.id}" and "${to}"`,
      means: changesEdges(node.id, (edges) => retargeted(edges, node.edges.indexOf(edge), id)),
      edits: () =>
        join(document.length, [
          setTarget(document, node, edge, id),
          addNode(document, { id, type: "message", instructions: "Say what happens here." }, [{ target: to }], node.id),
        ]),
    },
  ];
}

/** A node without text that always leads to the same node: edges to it can point there instead. */
export function inlinePassThrough(selection: Selection): Refactoring[] {
  const { document } = selection;
  const node = nodeAt(selection);
  const edge = node?.edges[0];
  const to = edge?.to;
  if (!node || !edge || to === undefined || node.edges.length !== 1 || !edge.isDefault) return [];
  const silent = node.type === "decision" || node.type === "message" || node.type === undefined;
  const says = [...node.fields.keys()].some(
    (field) => !["type", "name", "description", "instructions", "id"].includes(field),
  );
  if (!silent || says || (node.instructions ?? "").trim() !== "" || to === node.id || !document.node(to)) return [];
  return [
    {
      kind: "inline",
      id: "inline-pass-through",
      title: `Inline "${node.id}" and connect to "${to}"`,
      means: removesNode(node.id, to),
      edits: () => removeNode(document, node.id, to),
    },
  ];
}

function onKey({ document }: Selection, node: NodeBlock, offset: number): boolean {
  const key = document.absolute(node, node.keySpan);
  return key.start <= offset && offset <= key.end + 1;
}

function join(length: number, lists: readonly (readonly TextEdit[])[]): TextEdit[] {
  return composeEdits([], lists.flat(), length);
}
