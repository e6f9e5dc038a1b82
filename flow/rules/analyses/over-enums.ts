/** Which values of variables the edges of a node leave over, as far as their conditions can be evaluated offline. */
import type { NodeBlock } from "../../document";
import type { EdgeModel } from "../../model";
import { type Condition, partsOf } from "../../run/conditions";
import { edgeCondition } from "../../run/edge-condition";
import { anything, type Facts, narrowed, type Possible } from "../../run/possible";
import type { Declared } from "../engine/rule";

export interface ReadEdge {
  readonly edge: EdgeModel;
  /** Undefined for an edge without `when`. */
  readonly condition: Condition | undefined;
}

/** The edges in evaluation order when no event occurred; undefined if one of them can't be read. */
export function readEdges(node: NodeBlock, declared: Declared): ReadEdge[] | undefined {
  const edges: ReadEdge[] = [];
  for (const edge of node.edges) {
    if (!edge.value) return undefined;
    if (edge.isOnEvent) continue;
    edges.push({ edge, condition: edgeCondition(edge, node.text, declared.valuesOf)?.condition });
  }
  return edges;
}

/**
 * Whether a condition can be decided from the values alone: an ordering depends on the variable's type, and a literal
 * may be a typo.
 */
export function isCertain(condition: Condition, declared: Declared): boolean {
  return partsOf(condition).every((part) => {
    if (part.kind === "prose") return part.comparisons.length === 0;
    if (part.test.kind === "compares") return false;
    const values = declared.valuesOf(part.variable);
    if (!values || part.test.kind !== "equals") return true;
    return part.test.literals.every(({ text }) => values.includes(text));
  });
}

export function isAllRead(condition: Condition): boolean {
  return partsOf(condition).every(({ kind }) => kind === "clause");
}

export function variablesIn(condition: Condition): string[] {
  return [...new Set(partsOf(condition).flatMap((part) => (part.kind === "clause" ? [part.variable] : [])))];
}

/** Every value the variables may have. */
export function allOf(variables: Iterable<string>, declared: Declared, unset: "with unset" | "set"): Facts {
  const facts = new Map<string, Possible>();
  for (const variable of variables) {
    const values = declared.valuesOf(variable);
    const all: Possible = values ? [undefined, ...new Set(values)] : anything;
    facts.set(variable, unset === "set" ? all.filter((value) => value !== undefined) : all);
  }
  return facts;
}

/** The values left after a condition turned out false; undefined if it can't be false. */
export function passedOver(condition: Condition, facts: Facts): Facts | undefined {
  return narrowed(condition, facts, false);
}
