import type { Block } from "../document";
import type { Span } from "../text";
import { keyText, pairOf, type ScalarValue } from "../values";
import type { BlockFinding, Rule } from "./engine/rule";
import { isNode } from "./engine/walk";

const WRAPPED = /^[“”„‟«»‘’‚]([^“”„‟«»‘’‚]*)[“”«»‘’]$/;
const COMPARED = /\}\}\s*(?:==|!=|=|(?:is not|isn't|is|equals)(?=\s))\s*([“”„«‘’‚])([^“”„«»‘’‚]*)([“”«»‘’])/g;

/** In prose such quotes are right; around an id or a literal they are part of it. */
export const smartQuotes: Rule = {
  code: "smart-quotes",
  severity: "warning",
  title: "Typographic quotes stand where YAML needs straight ones",
  checkField: {
    concerns: (field) => ["text", "uuid", "node-id", "variable-name"].includes(field.kind),
    check(block, field, value, report) {
      if (value?.kind !== "scalar" || value.style !== "plain") return;
      // What people read may be a quotation in their own language; these two are what word processors make of ".
      const isForPeople = field.name === "name" || field.name === "label";
      if (!isForPeople || /^[“”]/.test(String(value.value))) look(block, value, report);
    },
  },
  checkBlock(block, report) {
    if (!isNode(block) || !/[“”„‟«»‘’‚]/.test(block.text)) return;
    const type = pairOf(block.value, "type")?.value;
    if (type?.kind === "scalar") look(block, type, report);
    if (/^[“”„«‘’]/.test(block.key)) report(finding(block.key, block.keySpan));
    for (const edge of block.edges) {
      const when = pairOf(edge.value, "when")?.value;
      if (when?.kind !== "scalar") continue;
      const source = block.text.slice(when.span.start, when.span.end);
      for (const match of source.matchAll(COMPARED)) {
        const [whole, open = "", literal = "", close = ""] = match;
        const length = open.length + literal.length + close.length;
        const start = when.span.start + match.index + whole.length - length;
        report({
          message: `${open}${literal}${close} is compared with its typographic quotes. Write it without them, or in straight quotes.`,
          span: { start, end: start + length },
          data: literal,
        });
      }
    }
    for (const pair of block.value?.kind === "map" ? block.value.pairs : [])
      if (/^[“”„«‘’]/.test(keyText(pair))) report(finding(keyText(pair), pair.key.span));
  },
  fixes({ span, data }) {
    return typeof data === "string"
      ? [{ title: `Write ${data}`, edits: [{ ...span, text: data }], preferred: true }]
      : [];
  },
};

function look(block: Block, value: ScalarValue, report: (finding: BlockFinding) => void): void {
  const source = block.text.slice(value.span.start, value.span.end);
  if (WRAPPED.test(source)) report(finding(source, value.span));
}

function finding(source: string, span: Span): BlockFinding {
  const inner = WRAPPED.exec(source)?.[1];
  return {
    message: `The typographic quotes are read as part of ${source}. Write it without them, or in straight quotes.`,
    span,
    ...(inner !== undefined && /^[\w -]+$/.test(inner)
      ? { data: /^[\w-]+$/.test(inner) ? inner : JSON.stringify(inner) }
      : {}),
  };
}
