/** Where names are used: `$name` in flows, and in tests and policies that name a tool or a component. */
import type { FlowDocument, NodeBlock } from "../document";
import { readListText } from "../reading/list-text";
import { type Span, shift } from "../text";
import { keyText, type ScalarValue, scalarsIn, textOf, type Value } from "../values";
import { NAMED_FIELDS, nameIn } from "./names";

export interface NameUse {
  readonly name: string;
  /** The name, without `$` and quotes. */
  readonly span: Span;
}

export function usesInFlow(document: FlowDocument, nodes: readonly NodeBlock[] = document.nodes): NameUse[] {
  return nodes.flatMap((node) => {
    if (node.value?.kind !== "map" || !node.text.includes("$")) return [];
    return node.value.pairs
      .filter((pair) => NAMED_FIELDS.has(keyText(pair)))
      .flatMap(({ value }) => [...scalarsIn(value)].flatMap((each) => useIn(each, node.text)))
      .map(({ name, span }) => ({ name, span: document.absolute(node, span) }));
  });
}

/** The names in a test or policy file: keys of `tools`, and the value of `tool`. */
export function usesInCompanion(text: string, list: "tests" | "policies"): NameUse[] {
  if (!text.includes("$")) return [];
  const uses = new Map<number, NameUse>();
  const { tops, items = [] } = readListText(text, list);
  for (const { value, base } of [...tops.values(), ...items]) {
    const source = text.slice(base);
    for (const scalar of list === "tests" ? namesInTests(value) : namesInPolicies(value))
      for (const { name, span } of useIn(scalar, source))
        uses.set(base + span.start, { name, span: shift(span, base) });
  }
  return [...uses.values()].sort((a, b) => a.span.start - b.span.start);
}

/** Tests have data of any kind elsewhere, also below `tools`. */
function* namesInTests(value: Value | undefined): Generator<ScalarValue> {
  if (value?.kind === "list") for (const item of value.items) yield* namesInTests(item);
  if (value?.kind !== "map") return;
  for (const { key, value: part } of value.pairs) {
    if (key.value === "cases") yield* namesInTests(part);
    if (key.value === "tools" && part?.kind === "map") yield* part.pairs.map((each) => each.key);
  }
}

function* namesInPolicies(value: Value | undefined): Generator<ScalarValue> {
  if (value?.kind === "list") for (const item of value.items) yield* namesInPolicies(item);
  if (value?.kind !== "map") return;
  for (const { key, value: part } of value.pairs)
    if (key.value === "tool" && part?.kind === "scalar") yield part;
    else yield* namesInPolicies(part);
}

/** An alias has the text of its anchor, which is found where it's written. */
function useIn(scalar: ScalarValue, source: string): NameUse[] {
  const name = nameIn(textOf(scalar) ?? "");
  if (name === undefined) return [];
  const { start, end } = scalar.span;
  const quoted = /["']/.test(source[start] ?? "") ? 1 : 0;
  const span = { start: start + quoted + 1, end: end - quoted };
  return source.slice(span.start, span.end) === name ? [{ name, span }] : [];
}
