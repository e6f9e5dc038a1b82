/** *Expect what this run did* for one case of a test, where other cases share the expectation but behave differently. */
import { eolOf, lineStartIn, type TextEdit } from "../text";
import type { TestResult } from "./runner";
import { inlineText, inlineValue } from "./write";

/** Edits that write the failed shared expectations into the case itself; empty without any. */
export function ownExpectations(text: string, { test, failures, path, variables, ended }: TestResult): TextEdit[] {
  const place = test.case?.span;
  if (!place || /[*&]/.test(text[place.start] as string)) return [];
  const isOwn = (start: number) => start >= place.start && start < place.end;
  const wrong = new Set(failures.map(({ kind }) => kind));
  const { path: nodes, ends, variables: values, span } = test.expect;
  const entries: string[] = [];
  if (nodes && wrong.has("wrong-path") && !isOwn(nodes.span.start)) entries.push(`path: ${inlineValue(path)}`);
  const shared = [...values].flatMap(([name, { span: at }]) => {
    const isWrong = failures.some((failure) => failure.kind === "wrong-variable" && failure.span === at);
    return isWrong && !isOwn(at.start) ? [[name, variables.get(name) ?? null] as const] : [];
  });
  const own = [...values.values()].find(({ span: at }) => isOwn(at.start));
  if (shared.length > 0 && !own) entries.push(`variables: ${inlineValue(Object.fromEntries(shared))}`);
  const isEnded = ended?.kind === "end" || ended?.kind === "transfer";
  if (ends && isEnded && wrong.has("wrong-end") && !isOwn(ends.span.start)) {
    const end = { node: ended.node, transfer: ended.kind === "transfer" };
    entries.push(`ends: ${ends.transfer ? inlineValue(end) : inlineText(ended.node)}`);
  }
  const pairs = shared.map(([name, value]) => inlineValue({ [name]: value }).slice(1, -1));
  const edits = own && pairs.length > 0 ? before(text, own.span.start, pairs) : [];
  if (entries.length === 0) return edits;
  const expect = span && isOwn(span.start) ? span.start : undefined;
  return [...edits, ...into(text, place, expect, entries)];
}

/** Adds entries to `expect` of a case, or `expect` to the case. */
function into(
  text: string,
  place: { readonly start: number; readonly end: number },
  expect: number | undefined,
  entries: readonly string[],
): TextEdit[] {
  if (expect !== undefined) {
    const head = /^expect["']?\s*:\s*(?:#[^\n]*\s+)*(?:\{\s*)?/.exec(text.slice(expect, place.end))?.[0].length ?? 0;
    return head === 0 ? [] : before(text, expect + head, entries);
  }
  const whole = `expect: {${entries.join(", ")}}`;
  const end = text.slice(0, place.end).trimEnd().length;
  if (text[place.start] === "{") return [{ start: end - 1, end: end - 1, text: `, ${whole}` }];
  const pad = " ".repeat(place.start - lineStartIn(text, place.start));
  return [{ start: end, end, text: `${eolOf(text)}${pad}${whole}` }];
}

/** Inserts entries before an entry of a map, in its style. */
function before(text: string, at: number, entries: readonly string[]): TextEdit[] {
  const head = text.slice(lineStartIn(text, at), at);
  const between = head.trim() === "" ? `${eolOf(text)}${head}` : ", ";
  return [{ start: at, end: at, text: entries.map((entry) => entry + between).join("") }];
}
