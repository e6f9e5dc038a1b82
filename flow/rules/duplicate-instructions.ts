import type { NodeBlock } from "../document";
import { removeNode } from "../edit/operations";
import { pairOf, textOf } from "../values";
import { laterFix, type Rule } from "./engine/rule";

/** Short sentences repeat naturally. */
const MIN_LENGTH = 40;

export const duplicateInstructions: Rule = {
  code: "duplicate-instructions",
  severity: "info",
  title: "Duplicate instructions",
  groupBy(node) {
    const value = pairOf(node.value, "instructions")?.value;
    const text = textOf(value);
    if (value === undefined || text === undefined || text.length < MIN_LENGTH) return undefined;
    // Instructions that are shared through an alias are written only once.
    const mark = node.text[value.span.start];
    return mark === "*" || mark === "&" ? undefined : wordsHash(text);
  },
  checkGroup(nodes, report) {
    const byWords = new Map<string, NodeBlock>();
    for (const node of nodes) {
      const words = (node.instructions ?? "").replace(/\s+/g, " ").trim();
      const first = byWords.get(words);
      const pair = pairOf(node.value, "instructions");
      if (!first || !pair) {
        byWords.set(words, node);
        continue;
      }
      report(node, {
        message: `"${node.id}" has the same instructions as "${first.id}". Point both edges at one node, or change one of the texts.`,
        span: pair.key.span,
        data: { first: first.id },
      });
    }
  },
  fixes({ span, data }, document) {
    const { first: id } = data as { first: string };
    const node = document.blockAt(span.start);
    const first = document.node(id);
    if (node?.section !== "nodes" || !first || !sayTheSame(first, node as NodeBlock)) return [];
    const title = `Remove "${node.key}" and use "${id}" instead`;
    return [laterFix(title, () => removeNode(document, node.key, id))];
  },
};

/** Whether one of the nodes can be removed without losing anything: they differ only in ID and name. */
function sayTheSame(a: NodeBlock, b: NodeBlock): boolean {
  const meaning = ({ wire: { id: _, name: __, ...fields }, edges }: NodeBlock) => [
    { ...fields, instructions: undefined },
    edges.map(({ wire }) => ({ ...wire, id: undefined, source: undefined })),
  ];
  return JSON.stringify(meaning(a)) === JSON.stringify(meaning(b));
}

/** Equal for instructions that differ only in whitespace. */
function wordsHash(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 32 && (code < 127 || !/\s/.test(text[at] as string))) hash = (Math.imul(hash, 31) + code) | 0;
  }
  return hash;
}
