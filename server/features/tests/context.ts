/** The context of a test file: its tests, its flow, and the flows of its components. */

import { lineStartIn } from "../../../flow";
import type { FlowOf, Program } from "../../../flow/run";
import { type FlowTest, readTestFile, type TestFile } from "../../../flow/test";
import type { KnownTools } from "../../../flow/tools";

export interface TestContext {
  readonly text: string;
  readonly file: TestFile;
  /** The flow under test, if it could be read. */
  readonly program: Program | undefined;
  readonly flowOf: FlowOf;
  /** The tools of the flow; undefined if they aren't known. */
  readonly tools: KnownTools | undefined;
  /** The flows of the workspace, as paths relative to the test file. */
  readonly flows: () => readonly string[];
  /** The tags of all tests in open files, sorted; a tag of several tests is there several times. */
  readonly tags: () => readonly string[];
}

/** The test around an offset, or the last one before it; of its cases, the one there, or the first. */
export function testAt({ tests }: TestFile, offset: number): FlowTest | undefined {
  const last = tests.findLast(({ span }) => span.start <= offset);
  if (!last?.case) return last;
  const cases = tests.filter(({ span }) => span.start === last.span.start);
  return cases.findLast((each) => each.case && each.case.span.start <= offset) ?? cases[0];
}

/** The test around an offset while typing: a line that can't be parsed yet is left out. */
export function testInTyping({ file, text }: TestContext, offset: number): FlowTest | undefined {
  const test = testAt(file, offset);
  const start = lineStartIn(text, offset);
  const found = text.indexOf("\n", offset);
  const end = found < 0 ? text.length : found;
  const isReadable = file.problems.every(({ span }) => span.end < (test?.span.start ?? 0) || span.start > end + 1);
  if (test && isReadable) return test;
  const line = text.slice(start, end);
  const blank = line.replace(/[^\r]/g, " ");
  return testAt(readTestFile(text.slice(0, start) + blank + text.slice(end)), start);
}
