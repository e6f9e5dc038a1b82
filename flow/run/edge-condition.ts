/** The condition of an edge, with its places in the flow. */

import { AttachedCache } from "../attached-cache";
import type { Block, FlowDocument, VariableBlock } from "../document";
import type { EdgeModel } from "../model";
import { sourcePlaces } from "../scalar-source";
import type { Span } from "../text";
import { pairOf, scalarText, textOf } from "../values";
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
