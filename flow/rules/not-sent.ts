import { type Block, type FlowDocument, isNode } from "../document";
import { habitOf, topFields } from "../fields";
import type { Span } from "../text";
import { isNull, keyText, type MapValue, type Pair, pairOf } from "../values";
import { typoOf } from "../wording";
import { columnOf, removeKey } from "./engine/edits";
import { type Fix, fixWith, type Rule } from "./engine/rule";

/** Fields that repeat what the file states elsewhere, so they aren't sent. */
export const notSent: Rule = {
  code: "not-sent",
  severity: "warning",
  title: "Value not sent to the platform",
  checkBlock(block, report) {
    const map = block.value?.kind === "map" ? block.value : undefined;
    const tell = (pair: Pair, message: string) => report({ message, span: pair.key.span });
    if (isNode(block)) {
      const id = own(map, "id");
      if (id) tell(id, `A node's ID is its key, "${block.key}", so \`id\` isn't sent. Remove it, or rename the key.`);
      for (const edge of block.edges) {
        const source = own(edge.value, "source");
        if (source) tell(source, "An edge starts at the node that contains it, so `source` isn't sent. Remove it.");
        const target = edge.to === undefined ? undefined : own(edge.value, "target");
        if (target) tell(target, "The target of an edge is `to`, so `target` isn't sent. Remove it.");
      }
    } else if (block.section === "context_variables") {
      // A variable with edges is a node in the wrong section.
      const name = own(map, "edges") ? undefined : own(map, "name");
      if (name)
        tell(
          name,
          `A variable's name is its key, "${block.key}", so \`name\` isn't sent. Remove it, or rename the key.`,
        );
    } else if (isStray(block))
      report({
        message: `Unknown key \`${block.key}\` isn't sent to the platform. Remove it, or prefix it with \`x-\` if it only holds shared values.`,
        span: block.keySpan,
      });
  },
  fixes({ span }, document) {
    return [...indented(document, span), ...fixWith(`Remove \`${document.slice(span)}\``, removeKey(document, span))];
  },
};

/** Nodes or variables without indentation, all of those below the name of their section: a fix of the first one. */
function indented(document: FlowDocument, { start }: Span): Fix[] {
  const { tops } = document;
  const first = tops.indexOf(document.blockAt(start) as Block);
  const section = tops[first - 1]?.key;
  if (section !== "nodes" && section !== "context_variables") return [];
  const sibling = (section === "nodes" ? document.nodes : document.variables)[0];
  const after = tops.findIndex((block, index) => index >= first && !(isStray(block) && pairOf(block.value, "type")));
  const next = after < 0 ? undefined : tops[after];
  if (next === tops[first]) return [];
  const lines = document.slice({ start, end: next ? document.startOf(next) : document.length });
  const edits = [...lines.matchAll(/^[^\r\n#]/gm)].map(({ index }) => ({
    start: start + index,
    end: start + index,
    text: " ".repeat(sibling ? columnOf(document, document.startOf(sibling)) : 2),
  }));
  return [{ title: `Indent below \`${section}\``, edits }];
}

function own(map: MapValue | undefined, key: string): Pair | undefined {
  return map?.pairs.find((pair) => keyText(pair) === key);
}

const topNames = new Set(topFields.map((field) => field.name));

/** A top-level key without effect: not part of a flow, not a typo of such a key, and not a place for anchors. */
function isStray(block: Block): boolean {
  if (topNames.has(block.key) || /^(?:[xX][-_]|[._<])/.test(block.key) || block.value === undefined) return false;
  // `near-miss-field` reports typos.
  if (habitOf("top", block.key) ?? typoOf(block.key, topNames)) return false;
  return !hasAnchor(block.text) && !isNull(block.value);
}

function hasAnchor(text: string): boolean {
  return /(?:^|[\s,[{])&[^\s,[\]{}]+/.test(text);
}
