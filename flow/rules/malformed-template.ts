import { type Block, type FlowDocument, isNode } from "../document";
import { isNameLike, NAME } from "../grammar";
import type { Span } from "../text";
import { keyText, pairOf, type ScalarValue, type Value } from "../values";
import { quoted } from "./engine/edits";
import type { BlockFinding, Declared, Fix, Rule } from "./engine/rule";
import { eachScalar } from "./engine/walk";

const NAME_AND_TEXT = new RegExp(`^\\{\\{(${NAME})([^\\w-][^{}]*)\\}\\}$`);
const FIRST_NAME = new RegExp(`^${NAME}`);
/** A template, or something similar: double braces on at least one side. */
const BRACES = /\{\{+([^{}\r\n]*)\}*|(?<![{\w])\{([A-Za-z][\w-]*)\}\}+/g;
/** Template syntax of other tools, reported only around the name of a variable. */
const ELSEWHERE =
  /(?<![{$\w])\$?\{\s*([A-Za-z][\w-]*)\s*\}(?!\})|\[\[\s*([A-Za-z][\w-]*)\s*\]\]|(?<![<\w])<([A-Za-z][\w-]*)>(?!>)|(?<![%\w])%([A-Za-z][\w-]*)%(?![%\w])/g;
/** Quick check: most strings contain none of these. */
const MAYBE_ELSEWHERE = /(?<!\{)\{\s*[A-Za-z][\w-]*\s*\}(?!\})|\[\[|<[A-Za-z][\w-]*>|%[A-Za-z][\w-]*%/;
/** A comparison that starts with a bare word. */
const COMPARED = /^\s*([A-Za-z][\w-]*)\s*(==|!=|<=|>=|=|<|>|is not|isn't|is|equals)\s*(.+?)\s*$/i;

export const malformedTemplate: Rule = {
  code: "malformed-template",
  severity: "warning",
  title: "Malformed template",
  checkBlock(block, report) {
    if (!block.text.includes("{{") && !block.text.includes("}}")) return;
    eachScalar(block, (scalar) => {
      if (typeof scalar.value !== "string" || !/\{\{|\}\}/.test(scalar.value)) return;
      const source = block.text.slice(scalar.span.start, scalar.span.end);
      let open = 0;
      let behind = 0;
      for (const match of source.matchAll(BRACES)) {
        const [whole] = match;
        open = Math.max(0, open + surplus(source.slice(behind, match.index)));
        behind = match.index + whole.length;
        const inner = (match[1] ?? match[2] ?? "").trim();
        const name = isNameLike(inner) ? inner : undefined;
        // The braces after a template may close an earlier brace, as in `{"amount": {{amount}}}`.
        const extra = -surplus(whole);
        if (name && !whole.startsWith("{{{") && extra >= 0 && extra <= open) {
          open -= extra;
          continue;
        }
        const closed = whole.endsWith("}");
        // Without closing braces, only the first word can be the name.
        const word = name ?? (closed ? undefined : FIRST_NAME.exec(inner)?.[0]);
        const length = closed ? whole.length : whole.indexOf(inner) + (word ?? "").length;
        const shown = whole.slice(0, length);
        const start = scalar.span.start + match.index;
        report({
          message: word
            ? `"${shown}" isn't a template. Write \`{{${word}}}\`.`
            : `"${shown}" isn't a template. Between \`{{\` and \`}}\`, write one name of letters, digits, \`_\`, and \`-\`.`,
          span: { start, end: start + length },
          ...(word ? { data: { text: `{{${word}}}` } } : {}),
        });
      }
    });
  },
  checkDeclared(block, declared, report) {
    if (declared.isEmpty) return;
    if (MAYBE_ELSEWHERE.test(block.text))
      eachScalar(block, (scalar) => {
        if (typeof scalar.value !== "string" || !MAYBE_ELSEWHERE.test(scalar.value)) return;
        for (const match of block.text.slice(scalar.span.start, scalar.span.end).matchAll(ELSEWHERE)) {
          const name = match[1] ?? match[2] ?? match[3] ?? match[4] ?? "";
          if (declared.has(name)) tell(scalar, scalar.span.start + match.index, match[0], name, report);
        }
      });
    checkBareNames(block, declared, report);
  },
  fixes({ span, data }, document) {
    const { text, value } = (data ?? {}) as { readonly text?: string; readonly value?: Value["span"] };
    if (!text) return textBehind(span, document);
    const title = `Replace with ${text}`;
    if (!value) return [{ title, edits: [{ ...span, text }], preferred: true }];
    // A plain value that would start with braces needs quotes.
    const block = document.blockAt(span.start);
    if (!block) return [];
    const whole = document.absolute(block, value);
    const before = document.slice({ start: whole.start, end: span.start });
    const behind = document.slice({ start: span.end, end: whole.end });
    if (/[\r\n]/.test(before + behind)) return [];
    return [{ title, edits: [{ ...whole, text: quoted(`${before}${text}${behind}`) }], preferred: true }];
  },
};

/** How many more braces a text opens than it closes. */
function surplus(text: string): number {
  return text.split("{").length - text.split("}").length;
}

/** Text that was typed before the closing braces, where completing a variable leaves the cursor. */
function textBehind(span: Span, document: FlowDocument): Fix[] {
  const [, name = "", rest = ""] = NAME_AND_TEXT.exec(document.slice(span)) ?? [];
  if (!document.variable(name)) return [];
  return [{ title: "Move the text out of the braces", edits: [{ ...span, text: `{{${name}}}${rest}` }] }];
}

function tell(
  scalar: ScalarValue,
  start: number,
  shown: string,
  name: string,
  report: (finding: BlockFinding) => void,
): void {
  report({
    message: `"${shown}" is sent literally. To insert the value of "${name}", write \`{{${name}}}\`.`,
    span: { start, end: start + shown.length },
    data: { text: `{{${name}}}`, ...(scalar.style === "plain" ? { value: scalar.span } : {}) },
  });
}

/** Reports a variable's bare name where only its value makes sense. */
function checkBareNames(block: Block, declared: Declared, report: (finding: BlockFinding) => void): void {
  const look = (value: Value | undefined, key?: string) => {
    if (value?.kind !== "scalar" || typeof value.value !== "string" || !declared.has(value.value)) return;
    // `sort_by: date` may be an ordinary word; a name with several parts, or equal to the key, isn't likely to be one.
    if (key !== undefined && key !== value.value && !/[_\d]|[a-z][A-Z]/.test(value.value)) return;
    tell(value, value.span.start, block.text.slice(value.span.start, value.span.end), value.value, report);
  };
  if (block.section === "top") {
    if (block.key === "component_outputs" && block.value?.kind === "list")
      for (const item of block.value.items) look(pairOf(item, "value")?.value);
    return;
  }
  if (!isNode(block)) return;
  const inputs = pairOf(block.value, "inputs")?.value;
  if (inputs?.kind === "map") for (const pair of inputs.pairs) look(pair.value, keyText(pair));
  for (const edge of block.edges) {
    const when = pairOf(edge.value, "when")?.value;
    if (when?.kind !== "scalar" || typeof when.value !== "string") continue;
    const first = /^\s*([A-Za-z][\w-]*)/.exec(when.value)?.[1];
    const match = first !== undefined && declared.has(first) ? COMPARED.exec(when.value) : null;
    if (!match) continue;
    const [, name = "", operator = "", literal = ""] = match;
    if (!declared.has(name) || !isComparison(name, operator, literal, declared)) continue;
    const at = block.text.indexOf(name, when.span.start);
    if (at >= 0 && at < when.span.end) tell(when, at, name, name, report);
  }
}

/**
 * Operators compare; words such as `is` may be prose, unless the name isn't an ordinary word or the value is one of the
 * variable's own.
 */
function isComparison(name: string, operator: string, literal: string, declared: Declared): boolean {
  if (!/[a-z]/i.test(operator)) return true;
  if (declared.valuesOf(name)?.includes(literal.replace(/^["']/, "").replace(/(?<!["'.])["'.]+$/, ""))) return true;
  return /[_\d]|[a-z][A-Z]/.test(name) && /^(?:not\s+)?(?:known|unknown|set|missing|true|false|["'\d])/i.test(literal);
}
