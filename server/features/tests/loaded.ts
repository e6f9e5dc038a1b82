/** A test file, loaded with its flow, for the editor's requests. */

import { contains } from "../../../flow";
import { callers, nameIn, namesInTest, type TestName } from "../../../flow/test";
import { t } from "../../../text";
import type { CompanionName, LoadedCompanion } from "../companion";
import { completeTest } from "./completion";
import { type TestContext, testAt } from "./context";
import { hoverInTest } from "./hover";
import { outlineOfTests } from "./outline";

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
