/** The condition of an edge, with its places in the flow. */
import { AttachedCache } from "../attached-cache";
import type { Block, FlowDocument, VariableBlock } from "../document";
import type { EdgeModel } from "../model";
import type { Span } from "../text";
import { pairOf, type ScalarValue, scalarText, textOf } from "../values";
import { type Condition, partsOf, readCondition, type ValuesOf } from "./conditions";

export interface EdgeCondition {
  readonly condition: Condition;
  /** The place of the condition, relative to the node's block; its key if it's empty or not a string. */
  readonly span: Span;
  /** The place in the node's entry of a place in the condition. */
  readonly place: (span: Span) => Span;
}

/** The `when` of an edge, if there is one. */
export function edgeCondition(edge: EdgeModel, blockText: string, valuesOf: ValuesOf): EdgeCondition | undefined {
  const pair = pairOf(edge.value, "when");
  if (!pair) return undefined;
  const scalar = pair.value;
  if (scalar?.kind !== "scalar") {
    const { span } = scalar ?? pair.key;
    return { condition: readCondition(""), span, place: () => span };
  }
  let place: ((span: Span) => Span) | undefined;
  return {
    condition: conditionIn(scalarText(scalar), valuesOf),
    span: scalar.span,
    place: (span) => {
      place ??= sourcePlaces(scalar, blockText);
      return place(span);
    },
  };
}

/** The condition of an edge alone. */
export function conditionOf(edge: EdgeModel, valuesOf: ValuesOf): Condition | undefined {
  const pair = edge.isDefault ? undefined : pairOf(edge.value, "when");
  if (!pair) return undefined;
  const text = pair.value?.kind === "scalar" ? scalarText(pair.value) : "";
  // Without a variable all of it is left to the model, however its parts are joined. To look for one sign is quicker than for two.
  return text.indexOf("{") >= 0 && text.includes("{{") ? conditionIn(text, valuesOf) : plainWords;
}

const plainWords = readCondition("plain words");

/** Conditions about variables are mostly the same few over and over; prose is each time another, and quickly read. */
function conditionIn(text: string, valuesOf: ValuesOf): Condition {
  if (!text.includes("{{")) return readCondition(text, valuesOf);
  let known = knownConditions.get(valuesOf);
  if (!known || known.size > MAX_CONDITIONS) {
    known = new Map();
    knownConditions.set(valuesOf, known);
  }
  let condition = known.get(text);
  if (!condition) {
    condition = readCondition(text, valuesOf);
    known.set(text, condition);
  }
  return condition;
}

const MAX_CONDITIONS = 5_000;
const knownConditions = new AttachedCache<ValuesOf, Map<string, Condition>>();

/** The values of a flow's enumerated variables, as they are now. */
export function valuesIn({ variables }: FlowDocument): ValuesOf {
  let known = knownValues.get(variables);
  if (!known) {
    const values = new Map<string, readonly string[] | undefined>();
    for (const variable of variables) if (!values.has(variable.name)) values.set(variable.name, enumValues(variable));
    known = (variable) => values.get(variable);
    knownValues.set(variables, known);
  }
  return known;
}

// A document makes a new list when its variables change.
const knownValues = new AttachedCache<readonly VariableBlock[], ValuesOf>();

/** The only values of a variable; undefined where it may have any, as the platform says with an empty list. */
export function enumValues(variable: Block): string[] | undefined {
  const list = pairOf(variable.value, "enum_values")?.value;
  return list?.kind === "list" && list.items.length > 0 ? list.items.flatMap((item) => textOf(item) ?? []) : undefined;
}

/** What decides a condition, with the reasons if it's the model. */
export function whoDecides(condition: Condition): {
  readonly decided: "offline" | "partly" | "model";
  reasons: string[];
} {
  const parts = partsOf(condition);
  const reasons = parts.flatMap((part) => (part.kind === "prose" ? part.reason : []));
  const decided = reasons.length === 0 ? "offline" : reasons.length < parts.length ? "partly" : "model";
  return { decided, reasons: [...new Set(reasons)] };
}

/** Maps characters of a scalar's value to its source, which may contain quotes, escapes, and folded lines. */
/** Converts places in a scalar's value to places in the block with the given text. */
function sourcePlaces(scalar: ScalarValue, blockText: string): (span: Span) => Span {
  const { start, end } = scalar.span;
  const source = blockText.slice(start, end);
  const value = scalarText(scalar);
  // For an alias, every place is the alias itself.
  if (scalar.style === "plain" && source.startsWith("*")) return () => ({ start, end });
  const quoted = scalar.style === "single" || scalar.style === "double";
  if (source === value) return (span) => ({ start: start + span.start, end: start + span.end });
  const places = lettersOf(source, value, scalar.style, quoted ? 1 : 0);
  const at = (offset: number) => start + (places[offset] ?? source.length - (quoted ? 1 : 0));
  return (span) => {
    const last = at(span.end - 1);
    return span.end > span.start
      ? { start: at(span.start), end: Math.min(end, last + letterLength(blockText, last, scalar.style)) }
      : { start: at(span.start), end: at(span.start) };
  };
}

function lettersOf(source: string, value: string, style: ScalarValue["style"], from: number): number[] {
  const isBlock = style === "literal" || style === "folded";
  let at = isBlock ? Math.max(0, source.search(/[\r\n]/)) : from;
  const places: number[] = [];
  let wasBlank = false;
  for (let index = 0; index < value.length; index++) {
    const isEscape = style === "double" && source[at] === "\\" && !/[\r\n]/.test(source[at + 1] ?? "");
    const isBlank = /\s/.test(value[index] as string);
    // Runs of blanks match: a folded line break and its indentation are one blank.
    if (isBlank && wasBlank && !isEscape) {
      places.push(at);
      continue;
    }
    if (!isBlank && !isEscape) while (at < source.length && source[at] !== value[index]) at++;
    places.push(at);
    at += letterLength(source, at, style);
    if (isBlank && !isEscape) while (at < source.length && /\s/.test(source[at] as string)) at++;
    wasBlank = isBlank;
  }
  return places;
}

const ESCAPES: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 };

function letterLength(source: string, at: number, style: ScalarValue["style"]): number {
  if (style === "double" && source[at] === "\\") return ESCAPES[source[at + 1] ?? ""] ?? 2;
  return style === "single" && source.startsWith("''", at) ? 2 : 1;
}
