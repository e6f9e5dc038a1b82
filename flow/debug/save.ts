/** Saves a run as a test that repeats it. */

import { pathOf } from "../run/machine";
import { type FlowTest, readTestFile } from "../test/file/test-file";
import { runTest } from "../test/runner";
import { testLike } from "../test/same-run";
import { freshNames, testFileWith, testLines } from "../test/write";
import { eolOf } from "../text";
import { type Moment, momentsOf, type RunSetup } from "./run";

export type SavedTest = { readonly text: string; readonly name: string } | { readonly problem: string };

/** Where a run is saved as a test, and under which name: one that says where the run goes, if none is given. */
export interface SaveRequest {
  /** The flow's path, relative to the file. */
  readonly flow: string;
  /** The text of the test file, if there is one. */
  readonly existing?: string | undefined;
  readonly name?: string | undefined;
}

/** The text of a test file with the run as its last test: `existing` plus one, or a new file. */
export function saveAsTest(last: Moment, setup: RunSetup, { flow, existing, name: wanted }: SaveRequest): SavedTest {
  const { ended } = last.state;
  if (!ended) return { problem: "Let the conversation end before saving it as a test." };
  if (ended.kind === "endless") return { problem: "The run doesn't end, and a test can't expect that." };
  const moments = momentsOf(last);
  const given = new Map([...setup.test.given].map(([name, { value }]) => [name, value]));
  for (const { move, before } of moments) {
    if (move?.kind !== "set") continue;
    if (before?.state.before || before?.state.phase !== "entered" || move.frame.depth > 0)
      return { problem: `A test can't set "${move.name}" here. Step back and give it as an answer.` };
    given.set(move.name, move.value);
  }
  const answers = moments.flatMap(({ move, before }) =>
    move?.kind === "answer" && before ? [{ at: before.state, answer: move.answer }] : [],
  );
  const file = existing === undefined ? undefined : readTestFile(existing);
  const other = file?.flow?.value.split(/[\\/]/).at(-1);
  if (other !== undefined && other !== flow.split("/").at(-1))
    return { problem: `This flow's test file is for "${other}". Rename it, or correct its \`flow\`.` };
  const there = file?.tests ?? [];
  const taken = new Set(there.map(({ name }) => name));
  if (wanted !== undefined && taken.has(wanted)) return { problem: `A test named "${wanted}" already exists.` };
  const name = wanted ?? freshNames(taken)(nameOf(last));
  const parts = { given: [...given].filter(([, value]) => value !== undefined), answers, last: last.state };
  const lines = testLines(name, parts);
  const text = existing === undefined ? testFileWith(flow, [lines.join("\n")]) : withTest(existing, lines);
  if (text === undefined)
    return { problem: "Can't add to the list of tests in the test file. Write the list as lines that start with `-`." };
  return checked(text, name, last, setup, there);
}

/** The test must do the same as the run, and no other test may; otherwise it isn't written. */
function checked(
  text: string,
  name: string,
  last: Moment,
  { program, flowOf }: RunSetup,
  there: readonly FlowTest[],
): SavedTest {
  const test = readTestFile(text).tests.find((each) => each.name === name);
  if (!test) return { problem: "The test file has problems. Fix them before saving the test." };
  const same = testLike(test, there, program, flowOf);
  if (same) return { problem: `Test "${same.name}" already runs this conversation.` };
  const result = runTest(test, program, flowOf);
  const isSame = result.path.join(" ") === pathOf(last.state).join(" ");
  if (result.status === "passed" && isSame) return { text, name };
  return { problem: `A test can't repeat this run: ${result.failures[0]?.message ?? "it takes another path."}` };
}

function nameOf({ state }: Moment): string {
  const verb = state.ended?.kind === "transfer" ? "transfers" : state.ended?.kind === "stuck" ? "gets stuck" : "ends";
  const path = pathOf(state);
  const turns = path.length > 3 ? [path[0], "…", path.at(-2)] : path.slice(0, -1);
  return `${turns.length > 0 ? `${turns.join(", ")}: ` : ""}${verb} at ${state.at}`;
}

/** The file with another test after the last, indented like it; undefined if the list isn't in block style. */
function withTest(text: string, lines: readonly string[]): string | undefined {
  const file = readTestFile(text);
  const last = file.tests.at(-1);
  if (!last) {
    const empty = /^tests:[ \t]*(\[\s*\])?[ \t]*(#.*)?$/m.exec(text);
    if (!empty) return undefined;
    const after = text.slice(empty.index + empty[0].length).replace(/^\r?\n/, "");
    return `${text.slice(0, empty.index)}tests:\n${lines.join("\n")}\n${after}`;
  }
  const start = text.lastIndexOf("\n", last.span.start - 1) + 1;
  const bullet = /^([ \t]*)-[ \t]+$/.exec(text.slice(start, last.span.start))?.[1];
  if (bullet === undefined) return undefined;
  const eol = eolOf(text);
  const body = lines.map((line) => bullet + line.slice(2)).join(eol);
  const end = text.slice(0, last.span.end).trimEnd().length;
  // Text after the last test on its line, such as a comment, stays there.
  const rest = /^[^\r\n]*/.exec(text.slice(end))?.[0] ?? "";
  const head = text.slice(0, end) + rest;
  const tail = text.slice(head.length).replace(/^\s*\n/, "");
  return `${head}${eol}${eol}${body}${eol}${tail}`;
}
