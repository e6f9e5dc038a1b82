/** The outline of a test file: its tests, and the steps of each. */
import { contains } from "../../../flow";
import { shownValue, type TestFile, type TestStep } from "../../../flow/test";
import { t } from "../../../text";
import type { CompanionSymbol } from "../companion";
import { firstWords } from "../hover/describe";

/** Longer files are outlined by their tests alone. */
const MAX_TESTS_WITH_STEPS = 500;

export function outlineOfTests({ tests, flow }: TestFile): CompanionSymbol[] {
  const withSteps = tests.length <= MAX_TESTS_WITH_STEPS;
  const named: CompanionSymbol[] = flow
    ? [{ name: "flow", detail: flow.value, kind: "file", span: flow.span, nameSpan: flow.span, children: [] }]
    : [];
  return [
    ...named,
    ...tests.map((test): CompanionSymbol => {
      const { length } = test.steps;
      const span = test.case?.span ?? test.span;
      // For a case, only its own steps: the shared ones are outside of its range.
      const own = withSteps ? test.steps.filter((step) => contains(span, step.span.start)) : [];
      return {
        name: test.name || t("(no name)"),
        detail: length === 1 ? "1 step" : `${length} steps`,
        kind: "test",
        span,
        nameSpan: test.nameSpan,
        children: own.map(outlineOfStep),
      };
    }),
  ];
}

function outlineOfStep({ does, span, says }: TestStep): CompanionSymbol {
  const name =
    does.kind === "take"
      ? `take ${firstWords(does.edge.value)}`
      : does.variable
        ? `give ${does.variable.value}: ${firstWords(shownValue(does.value))}`
        : "give null";
  return { name, detail: firstWords(says), kind: "step", span, nameSpan: span, children: [] };
}
