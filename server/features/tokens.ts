/** The semantic tokens of a block. Computed from one block alone and cached with it. */
import {
  type Block,
  isNode,
  isVariable,
  keyText,
  type NodeBlock,
  nodeType,
  type Span,
  TEMPLATES,
  topFields,
  type Value,
  type VariableRef,
} from "../../flow";
import { edgeCondition, partsOf, type ValuesOf } from "../../flow/run";

/** Standard types of the protocol, so that every theme has a color for them. */
export const tokenTypes = ["keyword", "property", "function", "variable", "type", "enumMember"] as const;
/** `decided`: a condition, or a part of one, that is decided without a model. */
export const tokenModifiers = ["declaration", "modification", "decided"] as const;

export interface Token {
  /** Relative to the block; never across a line break. */
  readonly span: Span;
  readonly type: (typeof tokenTypes)[number];
  readonly modifier?: (typeof tokenModifiers)[number];
}

const known = new WeakMap<Block, { readonly tokens: readonly Token[]; readonly values: string }>();

/** The tokens of a block in text order, without overlaps. The same list as long as nothing changes. */
export function tokensOf(block: Block, valuesOf: ValuesOf): readonly Token[] {
  const values = isNode(block) ? valuesAsked(block, valuesOf) : "";
  let kept = known.get(block);
  if (kept?.values !== values) {
    kept = { tokens: inOrder(read(block, valuesOf), block.text), values };
    known.set(block, kept);
  }
  return kept.tokens;
}

/** What the conditions of a node depend on outside of it. */
function valuesAsked({ refs }: NodeBlock, valuesOf: ValuesOf): string {
  const asked = refs.filter((ref) => ref.edge !== undefined && valuesOf(ref.name));
  return asked.length === 0 ? "" : JSON.stringify(asked.map((ref) => valuesOf(ref.name)));
}

/** The parts of conditions that are decided offline; they take precedence over other tokens of the same text. */
function conditionTokens(block: NodeBlock, valuesOf: ValuesOf): Token[] {
  const tokens: Token[] = [];
  for (const edge of block.edges) {
    const when = edgeCondition(edge, block.text, valuesOf);
    if (!when) continue;
    const parts = partsOf(when.condition);
    const key = edge.value?.pairs.find((pair) => keyText(pair) === "when")?.key;
    if (key && parts.every((part) => part.kind === "clause"))
      tokens.push({ span: key.span, type: "property", modifier: "decided" });
    for (const part of parts) {
      if (part.kind !== "clause") continue;
      const place = when.place(part.span);
      const ref = block.refs.find(
        (each) => each.span.start >= place.start && each.span.end <= place.end && isWritten(block, each),
      );
      if (ref) tokens.push({ span: ref.span, type: "variable", modifier: "decided" });
      if (part.test.kind !== "equals") continue;
      for (const literal of part.test.literals)
        tokens.push({ span: when.place(literal.span), type: "enumMember", modifier: "decided" });
    }
  }
  return tokens;
}

/** Whether the name is written at its position, not in an alias. */
function isWritten({ text }: Block, { name, span }: VariableRef): boolean {
  return text.startsWith(name, span.start) && span.end - span.start === name.length;
}

function read(block: Block, valuesOf: ValuesOf): Token[] {
  const tokens: Token[] = [];
  if (isNode(block)) {
    for (const each of conditionTokens(block, valuesOf)) tokens.push(each);
    tokens.push({ span: block.keySpan, type: "function", modifier: "declaration" });
    if (block.typeSpan && nodeType(block.type)) tokens.push({ span: block.typeSpan, type: "type" });
    const mode = block.fields.get("mode");
    if (mode?.value?.kind === "scalar") tokens.push({ span: mode.value.span, type: "enumMember" });
    for (const edge of block.edges) {
      for (const pair of edge.value?.pairs ?? []) {
        if (keyText(pair) === "on" && pair.value?.kind === "scalar")
          tokens.push({ span: pair.value.span, type: "enumMember" });
      }
      if (edge.toSpan) tokens.push({ span: edge.toSpan, type: "function" });
    }
    for (const ref of block.refs) {
      if (ref.kind !== "template") tokens.push({ span: ref.span, type: "variable", modifier: "modification" });
      else if (isWritten(block, ref)) tokens.push({ span: ref.span, type: "variable" });
    }
  } else if (isVariable(block)) {
    tokens.push({ span: block.keySpan, type: "variable", modifier: "declaration" });
    const type = block.fields.get("type")?.value;
    if (type?.kind === "scalar") tokens.push({ span: type.span, type: "type" });
    const values = block.fields.get("enum_values")?.value;
    if (values?.kind === "list") for (const item of values.items) tokens.push({ span: item.span, type: "enumMember" });
  } else {
    if (topFields.some((field) => field.name === block.key)) tokens.push({ span: block.keySpan, type: "keyword" });
    if (block.key === "entry" && block.value?.kind === "scalar")
      tokens.push({ span: block.value.span, type: "function" });
    for (const span of templates(block)) tokens.push({ span, type: "variable" });
  }
  // A key that is also a name, as in `saves`, already has its token.
  for (const span of keysIn(block.value)) tokens.push({ span, type: "property" });
  return tokens;
}

function templates(block: Block): Span[] {
  if (!block.text.includes("{{")) return [];
  return [...block.text.matchAll(TEMPLATES)].map((match) => {
    const start = match.index + match[0].indexOf(match[1] as string);
    return { start, end: start + (match[1] as string).length };
  });
}

/** The keys of all maps in a value. */
function keysIn(value: Value | undefined, found: Span[] = []): readonly Span[] {
  if (value?.kind === "list") for (const item of value.items) keysIn(item, found);
  else if (value?.kind === "map")
    for (const { key, value: inner } of value.pairs) {
      found.push(key.span);
      keysIn(inner, found);
    }
  return found;
}

/** Sorted; of overlapping tokens the first one stays. Values from aliases are at the alias and are left out. */
function inOrder(tokens: readonly Token[], text: string): Token[] {
  const kept: Token[] = [];
  for (const token of [...tokens].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)) {
    const { start, end } = token.span;
    if (end <= start || start < (kept.at(-1)?.span.end ?? 0) || end > text.length) continue;
    if (text[start] === "*" || /[\r\n]/.test(text.slice(start, end))) continue;
    kept.push(token);
  }
  return kept;
}
