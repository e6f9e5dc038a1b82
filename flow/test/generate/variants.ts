/**
 * Small mistakes in the edges of a node: another comparison, a missing part, two edges in the wrong order. A test
 * detects one if the run would leave the node by another edge, so tests that detect all of them show what each
 * condition is for.
 */
import { ALWAYS_TRUE, type Condition, evaluate, NEVER_TRUE } from "../../run/conditions";
import { awaits, type RunEdge, type RunNode } from "../../run/program";

/** The edges of a node with one mistake. */
export type Variant = readonly Slipped[];

interface Slipped {
  readonly edge: RunEdge;
  readonly condition: Condition | undefined;
}

/** Limits the mistakes per condition, so that a long one doesn't take all the time. */
const MAX_SLIPS = 40;

export function variantsOf({ edges }: RunNode): Variant[] {
  const own = edges.map((edge) => ({ edge, condition: edge.condition }));
  return own.flatMap(({ edge, condition }, index): Variant[] => {
    const others = own.filter((_, at) => at !== index);
    const before = own[index - 1];
    const swapped = before
      ? [[...own.slice(0, index - 1), own[index] as Slipped, before, ...own.slice(index + 1)]]
      : [];
    const slips: Condition[] = [];
    for (const slip of condition ? slipsIn(condition) : []) if (slips.push(slip) >= MAX_SLIPS) break;
    return [
      others,
      ...swapped,
      ...[...(condition ? [ALWAYS_TRUE] : []), ...slips].map((slip) =>
        own.map((each) => (each.edge === edge ? { edge, condition: slip } : each)),
      ),
    ];
  });
}

function* slipsIn(condition: Condition): Generator<Condition> {
  switch (condition.kind) {
    case "prose":
      yield ALWAYS_TRUE;
      yield NEVER_TRUE;
      return;
    case "clause": {
      const { test } = condition;
      yield ALWAYS_TRUE;
      yield NEVER_TRUE;
      if (test.kind === "compares") {
        const operator = ({ "<": "<=", "<=": "<", ">": ">=", ">=": ">" } as const)[test.operator];
        yield { ...condition, test: { ...test, operator } };
        for (const by of [-1, 1]) yield { ...condition, test: { ...test, number: test.number + by } };
      }
      if (test.kind === "equals" && test.literals.length > 1)
        for (const literal of test.literals)
          yield { ...condition, test: { ...test, literals: test.literals.filter((each) => each !== literal) } };
      return;
    }
    case "not":
      yield condition.part;
      for (const part of slipsIn(condition.part)) yield { ...condition, part };
      return;
    default: {
      const { kind, parts } = condition;
      yield { ...condition, kind: kind === "and" ? "or" : "and" };
      for (const [index, part] of parts.entries()) {
        yield { ...condition, parts: parts.filter((_, at) => at !== index) };
        for (const slip of slipsIn(part))
          yield { ...condition, parts: parts.map((each, at) => (at === index ? slip : each)) };
      }
    }
  }
}

/** How a run left a node. */
export interface Left {
  readonly edge: RunEdge;
  /** Whether the edge was chosen by a `take`. */
  readonly isChosen: boolean;
  readonly event: string | undefined;
  readonly variables: ReadonlyMap<string, unknown>;
}

/** Whether a test that left the node this way fails with the mistake. */
export function isNoticed(variant: Variant, { edge, isChosen, event, variables }: Left): boolean {
  const value = (name: string) => variables.get(name);
  let isChoice = false;
  for (const each of variant) {
    if (!awaits(each.edge, event)) continue;
    const truth = each.condition ? evaluate(each.condition, value) : true;
    if (truth === false) continue;
    // A choice that offers the same edge continues as before.
    if (isChosen && each.edge === edge && (isChoice || truth === undefined)) return false;
    if (truth === true) return isChosen || isChoice || each.edge.to !== edge.to;
    if (!isChosen) return true;
    isChoice = true;
  }
  return true;
}
