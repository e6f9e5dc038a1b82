/** What the graph rules look at in an entry. Two entries of the same shape give the same graph findings. */
import { readTemplates } from "../model";
import { pairOf, textOf } from "../values";
import { type Entry, isNode, type NodeEntry } from "./entries";

export function sameShape(a: Entry, b: Entry): boolean {
  if (a === b) return true;
  if (a.section !== b.section || a.key !== b.key) return false;
  if (isNode(a) && isNode(b)) return sameNodeShape(a, b);
  if (a.section === "top" && a.key !== "entry" && a.key !== "component_outputs") {
    const refs = readTemplates(b.value, b.text);
    return readTemplates(a.value, a.text).every(
      (ref, index, all) => all.length === refs.length && ref.name === refs[index]?.name,
    );
  }
  return a.text === b.text;
}

function sameNodeShape(a: NodeEntry, b: NodeEntry): boolean {
  return (
    a.type === b.type &&
    a.edges.length === b.edges.length &&
    a.refs.length === b.refs.length &&
    a.refs.every((ref, index) => {
      const other = b.refs[index];
      return ref.name === other?.name && ref.kind === other.kind && ref.edge === other.edge;
    }) &&
    a.edges.every((edge, index) => {
      const other = b.edges[index];
      return (
        edge.id === other?.id &&
        edge.to === other.to &&
        edge.isDefault === other.isDefault &&
        textOf(pairOf(edge.value, "on")?.value) === textOf(pairOf(other.value, "on")?.value)
      );
    })
  );
}
