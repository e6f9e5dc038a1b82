/** The parts of a block that graph rules depend on. Two blocks of the same shape give the same graph findings. */
import { type EdgeModel, readTemplates } from "../model";
import { pairOf, textOf } from "../values";
import { type Block, isNode, type NodeBlock } from "./blocks";

/** Whether two lists of blocks have the same shapes, one by one. */
export function sameShapes(some: readonly Block[], others: readonly Block[]): boolean {
  return some.length === others.length && some.every((block, index) => sameShape(block, others[index] as Block));
}

function sameShape(a: Block, b: Block): boolean {
  if (a === b) return true;
  if (a.section !== b.section || a.key !== b.key || a.isBroken !== b.isBroken) return false;
  if (isNode(a) && isNode(b)) return sameNodeShape(a, b);
  if (a.section === "top" && a.key !== "entry" && a.key !== "component_outputs") {
    if (a.value?.kind !== b.value?.kind) return false;
    const names = (block: Block) => readTemplates(block.value, block.text).map((ref) => ref.name);
    return names(a).join() === names(b).join();
  }
  return a.text === b.text;
}

function sameNodeShape(a: NodeBlock, b: NodeBlock): boolean {
  return (
    a.type === b.type &&
    a.edges.length === b.edges.length &&
    a.edgesPair?.value?.kind === b.edgesPair?.value?.kind &&
    a.refs.length === b.refs.length &&
    a.named.join() === b.named.join() &&
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
        edge.isOdd === other.isOdd &&
        sameField(edge, other, "on") &&
        sameField(edge, other, "id") &&
        sameCondition(edge, other)
      );
    })
  );
}

/** What a condition tests decides which paths exist; prose is left to the model. */
function sameCondition(a: EdgeModel, b: EdgeModel): boolean {
  const [own, others] = [pairOf(a.value, "when"), pairOf(b.value, "when")];
  if ((own === undefined) !== (others === undefined)) return false;
  const [is, was] = [textOf(own?.value) ?? "", textOf(others?.value) ?? ""];
  return is === was || !(is.includes("{{") || was.includes("{{"));
}

function sameField(a: EdgeModel, b: EdgeModel, field: string): boolean {
  const own = pairOf(a.value, field);
  const others = pairOf(b.value, field);
  return (own === undefined) === (others === undefined) && textOf(own?.value) === textOf(others?.value);
}
