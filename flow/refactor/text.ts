/** Refactorings of text: extract part of it into a node or a variable. */
import type { NodeBlock } from "../document";
import { composeEdits } from "../edit/compose";
import { columnOf, elementEnd, leadStart, lineStart, pad } from "../edit/lines";
import { setVariable } from "../edit/operations";
import { open } from "../edit/page";
import { isPlain, pairText, writeLine } from "../edit/write";
import { nodeType } from "../fields";
import { unquoted } from "../model";
import { shift, type TextEdit, trimmedEnd } from "../text";
import { pairOf, type ScalarValue, scalarsIn, type Value } from "../values";
import { asId, nodeAt, type Refactoring, type Selection, unused } from "./refactoring";

/** Extracts the selected text of a node's instructions, or the lines from the cursor on, into the next node. */
export function extractNode(selection: Selection): Refactoring[] {
  const { document } = selection;
  const node = nodeAt(selection);
  const pair = pairOf(node?.value, "instructions");
  if (!node || pair?.value?.kind !== "scalar" || typeof pair.value.value !== "string" || !canBeSplit(node)) return [];
  if (node.value?.kind !== "map" || node.value.flow || node.edgesPair?.value?.kind === "map") return [];
  const parts = splitText(selection, node, pair.value);
  if (!parts) return [];
  const id = unused(`${node.id}_then`.slice(0, 60), (other) => document.node(other) !== undefined);
  const scalar = pair.value;
  const edits = () => {
    const { text, style } = open(document);
    const base = document.startOf(node);
    const column = columnOf(text, base + pair.key.span.start);
    const nodeColumn = columnOf(text, base);
    const rest = `${pairText("instructions", parts.rest, column, style)}`;
    const edgesAt = node.edgesPair && base + node.edgesPair.key.span.start;
    const edgesStart = edgesAt === undefined ? undefined : leadStart(text, edgesAt);
    const edgesEnd = node.edgesPair && elementEnd(text, base + node.edgesPair.span.end, column);
    const moved = edgesStart === undefined ? "" : `${style.eol}${text.slice(edgesStart, edgesEnd)}`;
    const link = pad(column) + pairText("edges", [{ to: id }], column, style);
    const end = elementEnd(text, base + (node.value as Value).span.end, nodeColumn);
    const added = [
      `${style.eol}${style.airyNodes ? style.eol : ""}${pad(nodeColumn)}${id}:`,
      `${style.eol}${pad(column)}type: message`,
      `${style.eol}${pad(column)}${pairText("instructions", parts.taken, column, style)}${moved}`,
    ].join("");
    const keyStart = base + pair.key.span.start;
    const list: TextEdit[] = [
      { start: keyStart, end: elementEnd(text, base + scalar.span.end, column), text: rest },
      edgesStart === undefined
        ? { start: end, end, text: style.eol + link }
        : { start: edgesStart, end: edgesEnd as number, text: link },
      { start: end, end, text: added },
    ];
    return composeEdits([], list, document.length);
  };
  const title = `Extract text of "${node.id}" into node "${id}"`;
  return [{ kind: "extract", id: "extract-node", title, means: { changes: "touched" }, edits }];
}

/** A terminal node has no next node, and a node that waits for an event can't be split from it. */
function canBeSplit({ type, edges }: NodeBlock): boolean {
  const known = nodeType(type);
  const acts = known?.terminal || known?.name === "tool" || known?.name === "component";
  return !acts && !edges.some((edge) => edge.isOnEvent);
}

/** The instructions without the selected part, and that part; neither may be empty. */
function splitText(
  { document, span }: Selection,
  node: NodeBlock,
  scalar: ScalarValue,
): { rest: string; taken: string } | undefined {
  const at = shift(span, -document.startOf(node));
  if (at.start < scalar.span.start || at.end > scalar.span.end) return undefined;
  const value = scalar.value as string;
  const raw = node.text.slice(scalar.span.start, scalar.span.end);
  let rest: string;
  let taken: string;
  if (scalar.style === "literal") {
    const lineOf = (offset: number) => node.text.slice(scalar.span.start, offset).split("\n").length - 2;
    const lines = trimmedEnd(value, "\n").split("\n");
    const empty = at.start === at.end;
    const from = lineOf(at.start);
    const to = empty
      ? lines.length - 1
      : lineOf(at.end > at.start && node.text[at.end - 1] === "\n" ? at.end - 1 : at.end);
    if (from < 0 || (empty && from === 0) || from >= lines.length) return undefined;
    taken = lines.slice(from, to + 1).join("\n");
    rest = [...lines.slice(0, from), ...lines.slice(to + 1)].join("\n");
  } else {
    const inner = unquoted(scalar);
    if (at.start === at.end || node.text.slice(inner.start, inner.end) !== value || raw.includes("\n"))
      return undefined;
    const [from, to] = [Math.max(0, at.start - inner.start), at.end - inner.start];
    if (isInTemplate(value, from) || isInTemplate(value, to)) return undefined;
    taken = value.slice(from, to);
    rest = `${value.slice(0, from).trimEnd()} ${value.slice(to).trimStart()}`;
  }
  const tidy = (words: string) => {
    const clean = words.trim();
    return clean.includes("\n") ? `${clean}\n` : clean;
  };
  return tidy(rest) === "" || tidy(taken) === "" ? undefined : { rest: tidy(rest), taken: tidy(taken) };
}

/** Replaces selected words with `{{name}}`, here or in every text that contains them. */
export function literalToVariable(selection: Selection): Refactoring[] {
  const { document, span } = selection;
  const words = document.slice(span);
  if (words.trim() !== words || words === "" || /[\n{}"'\\]/.test(words)) return [];
  const block = document.blockAt(span.start);
  const places = document.nodes.flatMap((node) => placesOf(node, words).map((at) => ({ node, at })));
  const here = places.find(({ node, at }) => node === block && document.startOf(node) + at.offset === span.start);
  const id = asId(words);
  if (!here || id === undefined) return [];
  const name = unused(id, (other) => document.variable(other) !== undefined);
  const make = (chosen: typeof places) => () => {
    const edits = setVariable(document, { name, type: "string", description: words });
    const scalars = new Map<ScalarValue, { base: number; text: string; offsets: number[] }>();
    for (const { node, at } of chosen) {
      const known = scalars.get(at.scalar) ?? { base: document.startOf(node), text: node.text, offsets: [] };
      known.offsets.push(at.offset);
      scalars.set(at.scalar, known);
    }
    const { style } = open(document);
    for (const [scalar, { base, text, offsets }] of scalars)
      for (const edit of putTemplate(scalar, text, offsets, words.length, `{{${name}}}`, isInFlow(text, scalar)))
        edits.push({ ...shift(edit, base), text: edit.text || writeLine("", style) });
    return composeEdits([], edits, document.length);
  };
  const one: Refactoring = {
    kind: "extract",
    id: "literal-to-variable",
    title: `Extract "${words}" into variable "${name}"`,
    means: { changes: "touched" },
    edits: make([here]),
  };
  if (places.length < 2) return [one];
  return [
    one,
    {
      ...one,
      id: "literal-to-variable-everywhere",
      title: `Extract all ${places.length} uses of "${words}" into variable "${name}"`,
      edits: make(places),
    },
  ];
}

function placesOf(node: NodeBlock, words: string): { scalar: ScalarValue; offset: number }[] {
  const places: { scalar: ScalarValue; offset: number }[] = [];
  for (const [field, pair] of node.fields) {
    if (["type", "variable", "tool", "component", "id", "mode", "saves"].includes(field)) continue;
    for (const scalar of scalarsIn(pair.value)) {
      if (typeof scalar.value !== "string" || node.text[scalar.span.start] === "*") continue;
      const raw = node.text.slice(scalar.span.start, scalar.span.end);
      // A template must not be split. The words have no braces, so only what is between two places opens or closes one.
      let isInside = false;
      let from = 0;
      for (let at = raw.indexOf(words); at >= 0; at = raw.indexOf(words, from)) {
        const between = raw.slice(from, at);
        const opened = between.lastIndexOf("{{");
        const closed = between.lastIndexOf("}}");
        if (opened !== closed) isInside = opened > closed;
        from = at + words.length;
        if (!isInside && !/[\p{L}\p{N}_]/u.test((raw[at - 1] ?? "") + (raw[from] ?? "")))
          places.push({ scalar, offset: scalar.span.start + at });
      }
    }
  }
  return places;
}

/** Whether a place is between the braces of a template. */
function isInTemplate(text: string, at: number): boolean {
  const before = text.slice(0, at);
  return before.lastIndexOf("{{") > before.lastIndexOf("}}");
}

/** A scalar that can no longer be plain (`{{` at its start, or inside braces) is quoted. */
function putTemplate(
  scalar: ScalarValue,
  text: string,
  offsets: readonly number[],
  length: number,
  template: string,
  flow: boolean,
): TextEdit[] {
  const edits = offsets.map((start) => ({ start, end: start + length, text: template }));
  if (scalar.style !== "plain") return edits;
  let changed = "";
  let from = scalar.span.start;
  for (const edit of edits) {
    changed += text.slice(from, edit.start) + template;
    from = edit.end;
  }
  changed += text.slice(from, scalar.span.end);
  if (isPlain(changed, flow)) return edits;
  if (changed.includes("\n")) changed = changed.replace(/(?<!\s)\s*\n\s*/g, " ");
  return [{ start: scalar.span.start, end: scalar.span.end, text: JSON.stringify(changed) }];
}

/** Whether a scalar is in `{}` or `[]` on its line. Quotes are always valid, so false positives are fine. */
function isInFlow(text: string, { span: { start } }: ScalarValue): boolean {
  return /[{[]/.test(text.slice(lineStart(text, start), start));
}
