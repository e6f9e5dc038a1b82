import { isNode } from "../document";
import { partsOf } from "../run/conditions";
import { allOf, isAllRead, isCertain, passedOver, readEdges, variablesIn } from "./analyses/over-enums";
import { addEdge, endNodes, quoted } from "./engine/edits";
import { type Declared, fixWith, type Rule } from "./engine/rule";

interface Data {
  readonly variable: string;
  readonly values: readonly string[];
  /** The index of the default edge, if there is one. */
  readonly fallback?: number;
}

/**
 * A decision on an enum: at least two of its values have an edge, and every condition concerns only this variable and
 * can be evaluated offline. A value that only the default handles may be intentional, so that's a hint.
 */
export const enumValueUnhandled: Rule = {
  code: "enum-value-unhandled",
  severity: "warning",
  title: "Decision doesn't handle every enum value",
  checkDeclared(block, declared, report) {
    if (!isNode(block) || !block.refs.some((ref) => ref.edge !== undefined && declared.valuesOf(ref.name))) return;
    const edges = readEdges(block, declared);
    const conditions = edges?.flatMap(({ condition }) => condition ?? []) ?? [];
    const [variable, ...others] = new Set(conditions.flatMap(variablesIn));
    const values = variable === undefined ? undefined : declared.valuesOf(variable);
    if (!edges || variable === undefined || !values || others.length > 0) return;
    if (!conditions.every((each) => isAllRead(each) && isCertain(each, declared)) || named(conditions).size < 2) return;
    const fallback = edges.find(({ condition }) => condition === undefined)?.edge;
    const left = leftOver(conditions, variable, declared);
    if (left.length === 0) return;
    const which = left.map((value) => `"${value}"`).join(", ");
    const isLeft = fallback
      ? `goes to "${fallback.to ?? ""}" by default`
      : `${left.length === 1 ? "has" : "have"} no edge, so the conversation gets stuck`;
    const goes = fallback && left.length > 1 ? isLeft.replace("goes", "go") : isLeft;
    report({
      message: `"${block.id}" decides on "${variable}", but ${which} ${goes}. Add an edge for ${left.length === 1 ? "it" : "each"}.`,
      span: block.edgesPair?.key.span ?? block.keySpan,
      data: { variable, values: left, ...(fallback ? { fallback: fallback.index } : {}) } satisfies Data,
      ...(fallback ? { severity: "hint" as const } : {}),
    });
  },
  fixes(problem, document) {
    const node = document.blockAt(problem.span.start);
    if (!node || !isNode(node)) return [];
    const { variable, values, fallback } = problem.data as Data;
    const own = fallback === undefined ? undefined : node.edges[fallback]?.to;
    const targets = own === undefined ? endNodes(document, 2).map(({ id }) => id) : [own];
    return targets.flatMap((to) =>
      values.slice(0, 4).flatMap((value) => {
        const when = quoted(`{{${variable}}} is ${literal(value)}`);
        const edit = addEdge(
          document,
          node,
          [
            ["to", to],
            ["when", when],
          ],
          fallback,
        );
        return fixWith(`Add edge to "${to}" for "${value}"`, edit);
      }),
    );
  },
};

function named(conditions: readonly Parameters<typeof partsOf>[0][]): Set<string> {
  const literals = conditions.flatMap((condition) =>
    partsOf(condition).flatMap((part) =>
      part.kind === "clause" && part.test.kind === "equals" && !part.test.negated ? part.test.literals : [],
    ),
  );
  return new Set(literals.map(({ text }) => text));
}

function leftOver(
  conditions: readonly Parameters<typeof partsOf>[0][],
  variable: string,
  declared: Declared,
): string[] {
  let facts = allOf([variable], declared, "set") as ReturnType<typeof passedOver>;
  for (const condition of conditions) facts = facts && passedOver(condition, facts);
  return (facts?.get(variable) ?? []) as string[];
}

/** A literal that conditions read as this value. */
function literal(value: string): string {
  return /^[A-Za-z][\w-]*$/.test(value) && !/^(known|unknown|set|missing|not|one|true|false)$/i.test(value)
    ? value
    : `'${value}'`;
}
