/** What the edges of a node leave of the values of variables, where their conditions are read offline. */
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

/** The edges that are gone through in order where no event came; undefined where one of them can't be read. */
export function readEdges(node: NodeBlock, declared: Declared): ReadEdge[] | undefined {
  const edges: ReadEdge[] = [];
  for (const edge of node.edges) {
    if (!edge.value) return undefined;
    if (edge.isOnEvent) continue;
    edges.push({ edge, condition: edgeCondition(edge, node.text, declared.valuesOf)?.condition });
  }
  return edges;
}

/** Whether the values of a variable can tell: a comparison by size depends on its type, and a literal may be a slip. */
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

/** All that variables may be. */
export function allOf(variables: Iterable<string>, declared: Declared, unset: "with unset" | "set"): Facts {
  const facts = new Map<string, Possible>();
  for (const variable of variables) {
    const values = declared.valuesOf(variable);
    const all: Possible = values ? [undefined, ...new Set(values)] : anything;
    facts.set(variable, unset === "set" ? all.filter((value) => value !== undefined) : all);
  }
  return facts;
}

/** What is left where a condition was passed over; undefined where it can't be. */
export function passedOver(condition: Condition, facts: Facts): Facts | undefined {
  return narrowed(condition, facts, false);
}
