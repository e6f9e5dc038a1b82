/**
 * Parses test files. It never throws: it returns what could be parsed and a list of problems with their locations. A
 * problem of the file prevents all of its tests from running, a problem of a test only that test.
 */
import { MAX_LENGTH } from "../../document";
import { type ListText, readListText } from "../../reading/list-text";
import { briefly, lastAtMost, lineStartsOf, type Position, shift } from "../../text";
import { textOf } from "../../values";
import { nearest } from "../../wording";
import { namesOf, testKeys } from "./fields";
import type { TestFile, TestProblem } from "./test-model";
import { TestReader } from "./test-reader";

export type * from "./test-model";

const fileKeys = namesOf(testKeys.file);

const tooLong: ListText = {
  tops: new Map(),
  items: undefined,
  problems: [
    {
      code: "limit",
      message: "This file is longer than 5 MB and isn't read. Split it into several test files.",
      span: { start: 0, end: 1 },
    },
  ],
};

export function readTestFile(text: string): TestFile {
  const { tops, items: tests, problems: unreadable } = text.length > MAX_LENGTH ? tooLong : readListText(text, "tests");
  const problems: TestProblem[] = unreadable.filter(({ code }) => code !== "duplicate-key");
  const whole = { start: 0, end: Math.min(1, text.length) };
  const flow = tops.get("flow");
  const flowText = textOf(flow?.value);
  if (problems.length === 0) {
    for (const [key, { keySpan, isShared }] of tops) {
      // A key with any name may contain shared parts.
      if (fileKeys.includes(key) || isShared) continue;
      const near = nearest(key, fileKeys);
      const advice = near ? `Did you mean "${near}"?` : `Known keys: ${fileKeys.join(", ")}.`;
      problems.push({
        message: `"${briefly(key)}" isn't a key of a test file. ${advice}`,
        span: keySpan,
        ...(near === undefined ? {} : { near }),
      });
    }
    if (flowText === undefined)
      problems.push({
        message: "The test file doesn't name its flow. Add `flow:` with the path of the flow file.",
        span: flow?.keySpan ?? whole,
      });
    if (!tests)
      problems.push({
        message: "The test file has no list of tests. Add `tests:` and a list of tests below it.",
        span: tops.get("tests")?.keySpan ?? whole,
      });
  }
  const duplicates = unreadable.filter(({ code }) => code === "duplicate-key");
  // A duplicate key of the file; one inside a test is that test's problem.
  const twice = duplicates.find(({ span }) => span.start === 0 || /[\r\n]/.test(text[span.start - 1] as string));
  if (twice) problems.push(twice);
  return {
    text,
    flow:
      flow?.value && flowText !== undefined ? { value: flowText, span: shift(flow.value.span, flow.base) } : undefined,
    tests: (tests ?? []).flatMap((part, index) => new TestReader(text, part.base).read(part, index, duplicates)),
    problems,
  };
}

/** Converts offsets to lines and columns, both 0-based. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = lineStartsOf(text);
  return (offset) => {
    const line = lastAtMost(starts, offset);
    return { line, character: offset - (starts[line] as number) };
  };
}
