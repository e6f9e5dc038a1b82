import { type Block, isNode } from "../document";
import { pairOf, type ScalarValue, textOf, type Value } from "../values";
import { quoted } from "./engine/edits";
import type { BlockFinding, Rule } from "./engine/rule";
import { eachField, textKinds } from "./engine/walk";

/** Words and numbers that YAML 1.1, which many tools still use, doesn't parse as strings. */
const OLD_BOOLEAN = /^(?:y|yes|n|no|on|off)$/i;
const OLD_NUMBER = /^[-+]?(?:\d(?=\d*_)[\d_]*|\d+(?::[0-5]?\d)+|0b[01_]+)$/;
const DATE = /^\d{4}-\d\d?-\d\d?(?:[Tt ].*)?$/;

export const ambiguousScalar: Rule = {
  code: "ambiguous-scalar",
  severity: "warning",
  title: "Unquoted value isn't parsed as a string",
  checkField: {
    concerns: (field) => textKinds.has(field.kind) || field.kind === "list-of-text",
    check(block, field, value, report) {
      if (value?.kind === "scalar" && field.kind !== "list-of-text") look(block, value, `\`${field.name}\``, report);
      else if (value?.kind === "list" && field.kind === "list-of-text") {
        const type = textOf(pairOf(block.value, "type")?.value);
        if (type === undefined || type === "string" || type === "date")
          for (const item of value.items)
            if (item.kind === "scalar") look(block, item, `a value of \`${field.name}\``, report);
      }
    },
  },
  checkBlock(block, report) {
    if (block.section !== "context_variables" && LOSING.test(block.text)) lookForLost(block, report);
    // None of the ambiguous words is longer.
    if (block.section === "top" || block.key.length > 5) return;
    const key = block.text.slice(block.keySpan.start, block.keySpan.end);
    if (/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(key))
      report({
        message: `Some YAML parsers don't read \`${key}\` as a string, but ${isNode(block) ? "a node ID" : "a variable name"} must be one. Quote it: \`${quoted(key)}\`.`,
        span: block.keySpan,
      });
  },
  fixes({ span }, document) {
    return [{ title: "Add quotes", edits: [{ ...span, text: quoted(document.slice(span)) }], preferred: true }];
  },
};

/** Matches numbers with a leading zero or plus, with more digits than a double keeps, or that JSON doesn't have. */
const LOSING = /[^\w.]0\d|\d{16}|[^\w]\+\d|\.(?:nan|NaN|NAN|inf|Inf|INF)|\d[eE]\+?\d{3}/;

/** Reports numbers that lose digits when parsed. Fields known to be text are checked elsewhere. */
function lookForLost(block: Block, report: (finding: BlockFinding) => void): void {
  const texts = new Set<number>();
  eachField(block, (field, value) => {
    if (value && textKinds.has(field.kind)) texts.add(value.span.start);
  });
  const check = (scalar: ScalarValue, what: string) => {
    if (scalar.style !== "plain" || typeof scalar.value !== "number" || texts.has(scalar.span.start)) return;
    const source = block.text.slice(scalar.span.start, scalar.span.end);
    if (!losesDigits(source, scalar.value)) return;
    const sent = Number.isFinite(scalar.value) ? scalar.value : null;
    report({
      message: `\`${source}\` is parsed as a number and sent as \`${sent}\`${what}. To keep it unchanged, quote it: \`${quoted(source)}\`.`,
      span: scalar.span,
    });
  };
  const walk = (value: Value | undefined) => {
    if (value?.kind === "scalar") check(value, "");
    else if (value?.kind === "list") value.items.forEach(walk);
    else
      for (const pair of value?.pairs ?? []) {
        check(pair.key, ", as a key");
        walk(pair.value);
      }
  };
  walk(block.value);
}

function losesDigits(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return true;
  if (/^0[xo]/i.test(source)) return false;
  if (/^[-+]?0\d/.test(source) || source.startsWith("+")) return true;
  const digits = (text: string) =>
    text
      .replace(/[eE][\s\S]*$/, "")
      .replace(/[-+.]/g, "")
      .replace(/^0+|0+$/g, "");
  return digits(source) !== digits(String(value));
}

function look(block: Block, scalar: ScalarValue, what: string, report: (finding: BlockFinding) => void): void {
  if (scalar.style !== "plain" || (typeof scalar.value === "string" && !mayBeOdd(scalar.value))) return;
  const source = block.text.slice(scalar.span.start, scalar.span.end);
  const reading = readingOf(scalar, source);
  if (!reading) return;
  report({
    message: `\`${source}\` is parsed as ${reading}, but ${what} is a string. Quote it: \`${quoted(source)}\`.`,
    span: scalar.span,
  });
}

/** Quick check: every ambiguous text has at most three letters, or starts with a digit or a sign. */
function mayBeOdd(text: string): boolean {
  const code = text.charCodeAt(0);
  return text.length <= 3 || (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d;
}

function readingOf({ value }: ScalarValue, source: string): string | undefined {
  if (source === "") return undefined;
  if (value === null) return "null";
  if (typeof value === "boolean") return "a boolean";
  if (typeof value === "number") return `the number ${value}`;
  if (OLD_BOOLEAN.test(source)) return "a boolean by some YAML parsers";
  if (OLD_NUMBER.test(source)) return "a number by some YAML parsers";
  if (DATE.test(source)) return "a date by some YAML parsers";
  return undefined;
}
