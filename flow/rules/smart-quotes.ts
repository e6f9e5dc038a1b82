import { type Block, isNode } from "../document";
import { briefly, type Span } from "../text";
import { keyText, pairOf, type ScalarValue } from "../values";
import { type BlockFinding, type Rule, replaceWithData } from "./engine/rule";

const WRAPPED = /^[“”„‟«»‘’‚]([^“”„‟«»‘’‚]*)[“”«»‘’]$/;
const COMPARED = /\}\}\s*(?:==|!=|=|(?:is not|isn't|is|equals)(?=\s))\s*([“”„«‘’‚])([^“”„«»‘’‚]*)([“”«»‘’])/g;

/** Curly quotes are fine in prose, but become part of an ID or a literal. */
export const smartQuotes: Rule = {
  code: "smart-quotes",
  severity: "warning",
  title: "Curly quotes used where YAML requires straight quotes",
  checkField: {
    concerns: (field) => ["text", "uuid", "node-id", "variable-name"].includes(field.kind),
    check(block, field, value, report) {
      if (value?.kind !== "scalar" || value.style !== "plain") return;
      // Names and labels may contain quotations in any language; word processors produce these two from `"`.
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
      const quoted = when.style === "plain" ? WRAPPED.exec(source)?.[1] : undefined;
      // In curly quotes, a comparison is left to the model.
      if (quoted?.includes("{{")) report(finding(source, when.span, JSON.stringify(quoted)));
      for (const match of source.matchAll(COMPARED)) {
        const [whole, open = "", literal = "", close = ""] = match;
        const length = open.length + literal.length + close.length;
        const start = when.span.start + match.index + whole.length - length;
        report({
          message: `The curly quotes are compared as part of ${open}${literal}${close}. Remove them, or use straight quotes.`,
          span: { start, end: start + length },
          data: literal,
        });
      }
    }
    for (const pair of block.value?.kind === "map" ? block.value.pairs : [])
      if (/^[“”„«‘’]/.test(keyText(pair))) report(finding(keyText(pair), pair.key.span));
  },
  fixes: replaceWithData((data) => `Replace with ${briefly(data)}`),
};

function look(block: Block, value: ScalarValue, report: (finding: BlockFinding) => void): void {
  const source = block.text.slice(value.span.start, value.span.end);
  if (WRAPPED.test(source)) report(finding(source, value.span));
}

function finding(source: string, span: Span, data = straight(source)): BlockFinding {
  return {
    message: `The curly quotes are parsed as part of ${briefly(source)}. Remove them, or use straight quotes.`,
    span,
    ...(data === undefined ? {} : { data }),
  };
}

/** A name without its curly quotes. */
function straight(source: string): string | undefined {
  const inner = WRAPPED.exec(source)?.[1];
  if (inner === undefined || !/^[\w -]+$/.test(inner)) return undefined;
  return /^[\w-]+$/.test(inner) ? inner : JSON.stringify(inner);
}
