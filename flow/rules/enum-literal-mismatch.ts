import { isNode, type NodeBlock } from "../document";
import { type Comparison, partsOf } from "../run/conditions";
import { edgeCondition } from "../run/edge-condition";
import { pairOf, type ScalarValue } from "../values";
import { didYouMean, isTypo, listNames, nearest, typoOf } from "../wording";
import { columnOf, eolOf, lineEnd, quoted } from "./engine/edits";
import type { Declared, Fix, Rule } from "./engine/rule";

/**
 * `{{plan}} == gold`, `{{plan}} is "gold"`, `{{plan}} is not gold`. A literal is certain if it's quoted, a number, or
 * follows `==`, `!=` or `=`; a bare word after `is` may be anything, so only a typo of a value is reported.
 */
export const enumLiteralMismatch: Rule = {
  code: "enum-literal-mismatch",
  severity: "warning",
  title: "Comparison with an impossible enum value",
  checkDeclared(block, declared, report) {
    if (!isNode(block) || block.refs.length === 0 || !asksOfEnum(block, declared)) return;
    for (const edge of block.edges) {
      const when = edgeCondition(edge, block.text, declared.valuesOf);
      for (const { variable, literal, certain } of when ? partsOf(when.condition).flatMap(comparisonsIn) : []) {
        const values = declared.valuesOf(variable);
        if (!when || !values || values.length === 0 || values.some((value) => isValue(value, literal))) continue;
        const near = (certain ? nearest : typoOf)(literal.text, values);
        if (!certain && near === undefined) continue;
        const advice = near ? didYouMean(near) : `Possible values: ${listNames(values)}.`;
        report({
          message: `"${variable}" is never "${literal.text}". ${advice}`,
          span: when.place(literal.span),
          data: { variable, literal: literal.text, ...(near ? { near } : {}) },
        });
      }
    }
  },
  fixes(problem, document) {
    const { variable, literal, near } = problem.data as { variable: string; literal: string; near?: string };
    const fixes: Fix[] = near
      ? [
          {
            title: `Replace with "${near}"`,
            edits: [{ ...problem.span, text: near }],
            preferred: isTypo(literal, near),
          },
        ]
      : [];
    const block = document.variable(variable);
    const list = pairOf(block?.value, "enum_values")?.value;
    const last = list?.kind === "list" ? list.items.at(-1) : undefined;
    if (!block || list?.kind !== "list" || !last) return fixes;
    const text = /^[A-Za-z][\w-]*$/.test(literal) ? literal : quoted(literal);
    const lastEnd = document.absolute(block, (last as ScalarValue).span).end;
    const column = columnOf(document, document.absolute(block, last.span).start) - 2;
    const edit = list.flow
      ? { start: lastEnd, end: lastEnd, text: `, ${text}` }
      : {
          start: lineEnd(document, lastEnd),
          end: lineEnd(document, lastEnd),
          text: `${eolOf(document)}${" ".repeat(Math.max(0, column))}- ${text}`,
        };
    fixes.push({ title: `Add "${literal}" to \`enum_values\` of "${variable}"`, edits: [edit] });
    return fixes;
  },
};

function comparisonsIn(part: ReturnType<typeof partsOf>[number]): readonly Comparison[] {
  if (part.kind === "prose") return part.comparisons;
  const { variable, test } = part;
  return test.kind === "equals" ? test.literals.map((literal) => ({ variable, literal, certain: true })) : [];
}

function isValue(value: string, { text, number }: Comparison["literal"]): boolean {
  return value === text || (number !== undefined && value !== "" && Number(value) === number);
}

function asksOfEnum({ refs }: NodeBlock, declared: Declared): boolean {
  return refs.some((ref) => ref.edge !== undefined && declared.valuesOf(ref.name));
}
