/** Finds tests with the same run, to avoid duplicates. */
import type { FlowOf } from "../run/machine";
import type { Program } from "../run/program";
import type { FlowTest } from "./file/test-file";
import { runTest } from "./runner";

/**
 * The first of `tests` whose run takes the same edges to the same end, with the same values. Skipped tests count; one with
 * steps left over doesn't, because it describes a longer conversation.
 */
export function testLike(
  wanted: FlowTest,
  tests: readonly FlowTest[],
  program: Program,
  flowOf: FlowOf,
): FlowTest | undefined {
  const keyOf = (test: FlowTest) => {
    const { path, edges, variables, ended, failures } = runTest({ ...test, skip: undefined }, program, flowOf);
    const isCut = path.length === 0 || failures.some(({ kind }) => kind === "step-left-over");
    return isCut ? undefined : JSON.stringify([path, edges, [...variables].sort(byName), ended]);
  };
  const key = keyOf(wanted);
  return key === undefined ? undefined : tests.find((test) => keyOf(test) === key);
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
