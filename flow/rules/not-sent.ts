import type { Block } from "../document";
import { habitOf, topFields } from "../fields";
import { nearest } from "../near";
import { keyText, type MapValue, type Pair, type Value } from "../values";
import { removeKey } from "./engine/edits";
import type { Rule } from "./engine/rule";
import { isNode } from "./engine/walk";

/** Fields that stand for what the file says in another way, and so have no place of their own on the wire. */
export const notSent: Rule = {
  code: "not-sent",
  severity: "warning",
  title: "Something that is written is not sent to the platform",
  checkBlock(block, report) {
    const map = block.value?.kind === "map" ? block.value : undefined;
    const tell = (pair: Pair, message: string) => report({ message, span: pair.key.span });
    if (isNode(block)) {
      const id = own(map, "id");
      if (id)
        tell(id, `A node's ID is its key, "${block.key}", so this "id" isn't sent. Remove it, or rename the key.`);
      for (const edge of block.edges) {
        const source = own(edge.value, "source");
        if (source) tell(source, `An edge starts at the node it stands in, so this "source" isn't sent. Remove it.`);
        const target = edge.to === undefined ? undefined : own(edge.value, "target");
        if (target) tell(target, `Where an edge leads is "to", so this "target" isn't sent. Remove it.`);
      }
    } else if (block.section === "context_variables") {
      // What has edges is a node that stands in the wrong section.
      const name = own(map, "edges") ? undefined : own(map, "name");
      if (name)
        tell(
          name,
          `A variable's name is its key, "${block.key}", so this "name" isn't sent. Remove it, or rename the key.`,
        );
    } else if (isStray(block))
      report({
        message: `"${block.key}" isn't part of a flow, so it isn't sent to the platform. Remove it, or start its name with "x-" if it only holds values that others share.`,
        span: block.keySpan,
      });
  },
  fixes({ span }, document) {
    const edit = removeKey(document, span);
    return edit ? [{ title: `Remove "${document.slice(span)}"`, edits: [edit] }] : [];
  },
};

function own(map: MapValue | undefined, key: string): Pair | undefined {
  return map?.pairs.find((pair) => keyText(pair) === key);
}

const topNames = new Set(topFields.map((field) => field.name));

/** A top-level key that nothing reads: none of the flow's, no slip of one, and no place for anchors. */
function isStray(block: Block): boolean {
  if (topNames.has(block.key) || /^(?:[xX][-_]|[._<])/.test(block.key) || block.value === undefined) return false;
  // A slip of a name has a rule of its own.
  if (habitOf("top", block.key) ?? nearest(block.key, topNames)) return false;
  return !hasAnchor(block.text) && !isEmpty(block.value);
}

function hasAnchor(text: string): boolean {
  return /(?:^|[\s,[{])&[^\s,[\]{}]+/.test(text);
}

function isEmpty(value: Value): boolean {
  return value.kind === "scalar" && value.value === null;
}
