/** Finds the parts of a test that its run didn't use. */
import { TEMPLATES } from "../grammar";
import { type State, statesOf } from "../run/machine";
import type { FlowTest, TestProblem } from "./file/test-model";

/** The unused parts after a run that reached an end. `calls` is how often each key of `tools` answered. */
export function unusedIn(test: FlowTest, last: State, calls: ReadonlyMap<string, number>): TestProblem[] {
  const unset = test.expect.unset.length > 0 ? readUnset(last) : undefined;
  const unread = test.expect.unset.flatMap(({ value, span }): TestProblem[] =>
    unset?.has(value) ? [] : [{ message: `The run doesn't read "${value}" without a value.`, span }],
  );
  // One of several tests may leave a shared part unused.
  return test.isShared ? unread : [...unread, ...unusedAnswers(test, calls), ...unusedValues(test, last)];
}

function unusedAnswers({ tools }: FlowTest, calls: ReadonlyMap<string, number>): TestProblem[] {
  return [...tools].flatMap(([key, { span, isList, answers }]): TestProblem[] => {
    const used = calls.get(key) ?? 0;
    if (used === 0) return [{ message: `The run doesn't call "${key}", so its answer isn't used.`, span }];
    if (!isList || used >= answers.length) return [];
    const message = `The run calls "${key}" ${used === 1 ? "once" : `${used} times`}, but the test has ${answers.length} answers.`;
    return [{ message, span }];
  });
}

function unusedValues({ given, expect }: FlowTest, last: State): TestProblem[] {
  if (given.size === 0) return [];
  const read = new Set<string>();
  for (const node of new Set(statesOf(last).flatMap(({ frame, node }) => (frame.caller ? [] : node))))
    for (const [, name = ""] of node.block.text.matchAll(TEMPLATES)) read.add(name);
  return [...given].flatMap(([name, { value, span }]): TestProblem[] => {
    if (value === undefined) return [{ message: `"${name}" has no value anyway, so this has no effect.`, span }];
    if (read.has(name) || expect.variables.has(name)) return [];
    return [{ message: `The run doesn't read "${name}", so its value isn't used.`, span }];
  });
}

function readUnset(last: State): ReadonlySet<string> {
  return new Set(statesOf(last).flatMap(({ unset }) => unset.map(({ variable }) => variable)));
}
