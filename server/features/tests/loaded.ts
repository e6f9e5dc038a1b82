/** A test file, loaded with its flow, for the editor's requests. */
import { contains } from "../../../flow";
import type { TestFile, TestName, TestStep } from "../../../flow/test";
import { callers, nameIn, namesInTest, shownValue } from "../../../flow/test";
import { t } from "../../../text";
import type { CompanionName, CompanionSymbol, LoadedCompanion } from "../companion";
import { firstWords } from "../hover/describe";
import { completeTest } from "./completion";
import { type TestContext, testAt } from "./context";
import { hoverInTest } from "./hover";

export function loadedTests(context: TestContext, flowUri: string | undefined): LoadedCompanion {
  const { file, text, program, flowOf } = context;
  const namesAround = (offset: number): readonly TestName[] => {
    const test = testAt(file, offset);
    return program && test ? namesInTest(test, text, program, flowOf) : [];
  };
  return {
    complete: (offset) => completeTest(context, offset),
    hover: (offset) => hoverInTest(context, offset),
    outline: () => outlineOfTests(file),
    names: (offset) => {
      const name = nameIn(namesAround(offset), offset);
      return name ? asNames(name) : [];
    },
    same: (offset) => {
      const name = nameIn(namesAround(offset), offset);
      if (!name || !program) return [];
      const all = file.tests.flatMap((test) => namesInTest(test, text, program, flowOf));
      return all.filter((each) => isSame(each, name)).map(({ span }) => span);
    },
    files: (offset) =>
      file.flow && flowUri !== undefined && contains(file.flow.span, offset)
        ? { span: file.flow.span, uris: [flowUri] }
        : undefined,
    lenses: () =>
      file.tests.flatMap(({ name, nameSpan }) =>
        name === "" ? [] : { span: nameSpan, title: t("Debug Test"), places: [], debugs: name },
      ),
  };
}

function asNames(name: TestName): CompanionName[] {
  const { program, span } = name;
  if (name.kind === "edge") return [name];
  if (name.kind !== "tool") return [{ kind: name.kind, name: name.name, span, program }];
  // A tool by its ID: the nodes that call it.
  return callers(program, name.name).map(({ id }) => ({ kind: "node", name: id, span, program }));
}

function isSame(a: TestName, b: TestName): boolean {
  if (a.kind !== b.kind || a.program !== b.program) return false;
  return a.kind === "edge" && b.kind === "edge" ? a.edge === b.edge : a.name === b.name;
}

/** Longer files are outlined by their tests alone. */
const MAX_TESTS_WITH_STEPS = 500;

/** The outline of a test file: its tests, and the steps of each. */
function outlineOfTests({ tests, flow }: TestFile): CompanionSymbol[] {
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
