/** Creates tests of a flow: their text, and their position in a file. Nothing is written here. */
import { Suite } from "../../files/suite";
import { applyEdits, unreadIn, whyNoRun } from "../../flow";
import { CallTracer, readCall } from "../../flow/calls";
import { testAlong } from "../../flow/debug";
import type { FlowOf, Program } from "../../flow/run";
import {
  addTests,
  type FlowTest,
  faultsIn,
  freshNames,
  type GeneratedTest,
  generateTests,
  positionsIn,
  type RecordedCall,
  readTestFile,
  type TestFile,
  testBlocks,
  testFileWith,
  testLike,
  testOfCall,
  testThrough,
  whyNoneAgrees,
  withToolOutputs,
} from "../../flow/test";
import type { KnownTools } from "../../flow/tools";
import { path } from "../../system";
import { t } from "../../text";
import { linkTurns } from "../features/graph/turns";
import type { TextPosition } from "../messages";
import { uriOf } from "../protocol/uris";
import type { CallView, NewTests, NoNewTests, WantedTests } from "../test-messages";

/** Access to test files that may exist. */
export interface TestFilesThere {
  /** Undefined if it doesn't exist; `unreadable` if it exists but can't be read. */
  look(absolute: string): Promise<TestFile | "unreadable" | undefined>;
}

export interface NewTest {
  readonly flow: string;
  /** The working folder: flows below it may be components. */
  readonly cwd: string;
  readonly what: WantedTests;
  /** The known tools, as the text of a snapshot. */
  readonly tools?: string;
}

export async function newTests(
  { flow, what, tools }: Omit<NewTest, "cwd" | "tools"> & { readonly tools: KnownTools | undefined },
  program: Program | undefined,
  there: TestFilesThere,
  flowOf: FlowOf,
): Promise<NewTests | NoNewTests> {
  const name = path.basename(flow);
  if (!program) return { problem: t('"{0}" can\'t be read.', name) };
  const { document, entry } = program;
  const at = (position: TextPosition) => ({ at: { uri: uriOf(flow), position } });
  const unread = unreadIn(document);
  if (!entry || unread)
    return { problem: `"${name}" ${whyNoRun(document)}`, ...at(document.positionAt(unread?.span.start ?? 0)) };
  const target = await targetFor(flow, there);
  const taken = target.file?.tests.map((test) => test.name) ?? [];
  const blocks = blocksFor(what, program, taken, flowOf, tools);
  if ("problem" in blocks) {
    const node = what.kind === "through" && what.node !== undefined ? document.node(what.node) : undefined;
    return { ...blocks, ...at(document.positionOf(node ?? entry.block)) };
  }
  const same = blocks.blocks.map((block) => sameIn(target, block, program, flowOf));
  const fresh = blocks.blocks.filter((_, index) => !same[index]);
  const [first] = same;
  if (first && fresh.length === 0) return noneLeft(what, target, first);
  const faults = faultsIn(blocks.tests ?? [], taken, (index) => !same[index]);
  return {
    ...placed(flow, target, fresh),
    ...(blocks.isDraft ? { isDraft: true } : {}),
    ...(faults.length > 0 ? { faults } : {}),
  };
}

/** The test of the file that has the same run as the new one. */
function sameIn({ file }: Target, block: string, program: Program, flowOf: FlowOf): FlowTest | undefined {
  const [test] = readTestFile(testFileWith("", [block])).tests;
  return test && testLike(test, file?.tests ?? [], program, flowOf);
}

function noneLeft(what: WantedTests, { path: file, file: tests }: Target, { name, nameSpan }: FlowTest): NoNewTests {
  const problem =
    what.kind === "all"
      ? t("The test file already has a test for every edge.")
      : t('Test "{0}" already runs this conversation.', name);
  const position = positionsIn(tests?.text ?? "");
  return {
    problem,
    same: { uri: uriOf(file), name: { start: position(nameSpan.start), end: position(nameSpan.end) } },
  };
}

interface Made {
  readonly blocks: readonly string[];
  readonly isDraft?: boolean;
  /** What the blocks were made from; absent for a call. */
  readonly tests?: readonly GeneratedTest[];
}

function blocksFor(
  what: WantedTests,
  program: Program,
  taken: readonly string[],
  flowOf: FlowOf,
  tools: KnownTools | undefined,
): Made | NoNewTests {
  if (what.kind === "call") {
    const call = recorded(what.call, program, flowOf);
    const made = testOfCall(program, call, freshNames(taken));
    if (made) return { blocks: [made.lines.join("\n")], isDraft: made.isDraft };
    const reason = whyNoneAgrees(program, call);
    return { problem: `${t("No run of this flow matches the call.")} ${reason}`, reason };
  }
  if (what.kind === "all") {
    const { tests } = generateTests(program, flowOf);
    return tests.length > 0
      ? { blocks: testBlocks(withToolOutputs(tests, tools), taken), tests }
      : { problem: t("No run of this flow ends, so there's nothing to test.") };
  }
  if (what.kind === "along") {
    const made = testAlong(program, what.path, flowOf);
    return made
      ? { blocks: testBlocks(withToolOutputs([made], tools), taken), tests: [made] }
      : { problem: t("No run was found that takes this path and ends, so it can't be a test.") };
  }
  const made = testThrough(program, what.node, flowOf);
  if (made) return { blocks: testBlocks(withToolOutputs([made], tools), taken), tests: [made] };
  const problem =
    what.node === undefined
      ? t("No run of this flow ends, so there's nothing to test.")
      : t('No run that ends reaches "{0}".', what.node);
  return { problem };
}

function recorded(view: CallView, program: Program, flowOf: FlowOf): RecordedCall {
  const { variables, ended, turns, names, says } = view;
  // If the assistant spoke a node's exact text, that node was certainly entered.
  const links = linkTurns(turns, {}, [{ uri: "", document: program.document }]);
  const entered = links.map(({ node }) => node).filter((node, index, all) => node !== all[index - 1]);
  const caller = says ? turns.filter(({ user }) => /customer|caller|user|human|lead/i.test(user)) : [];
  const said = caller.map(({ text }) => text);
  const path = tracedPath(view, program, flowOf);
  return { variables: new Map(Object.entries(variables)), ended, entered, said, names, ...(path && { path }) };
}

/** The path that the call page shows. Steps inside a component count as the component's node. */
function tracedPath(view: CallView, program: Program, flowOf: FlowOf): RecordedCall["path"] {
  const { turns, variables, reason, endedBy } = view;
  const call = readCall({ transcript: turns, variables, callEndedReason: reason, callEndedBy: endedBy });
  const steps = call ? new CallTracer(program, flowOf).trace(call).steps : [];
  const whole = steps.map(({ node, edge }) => ({
    node: node.split("/")[0] ?? node,
    ...(edge !== undefined && { edge }),
  }));
  const path = whole.filter(({ node }, index) => node !== whole[index - 1]?.node || !steps[index]?.node.includes("/"));
  return path.length > 0 ? path : undefined;
}

interface Target {
  readonly path: string;
  /** An existing test file for this flow, to which tests can be added. */
  readonly file: TestFile | undefined;
}

/** The test file with the flow's name; if that is another kind of file, the next free name. */
async function targetFor(flow: string, there: TestFilesThere): Promise<Target> {
  const base = flow.replace(/(\.flow)?\.ya?ml$/, "");
  for (let count = 1; ; count++) {
    const absolute = `${base}${count === 1 ? "" : `-${count}`}.flowtest.yaml`;
    const found = await there.look(absolute);
    if (found === undefined) return { path: absolute, file: undefined };
    if (found === "unreadable" || !addTests(found, ["  - name: a"])) continue;
    if (Suite.flowPath(absolute, found) === flow) return { path: absolute, file: found };
  }
}

function placed(flow: string, { path: target, file }: Target, blocks: readonly string[]): NewTests {
  const edit = file ? addTests(file, blocks) : { start: 0, end: 0, text: testFileWith(path.basename(flow), blocks) };
  if (!edit) throw new Error("There's no place for a test in a file that was found to have one.");
  const after = applyEdits(file?.text ?? "", [edit]);
  const position = positionsIn(after);
  const span = readTestFile(after).tests[file?.tests.length ?? 0]?.nameSpan ?? { start: 0, end: 0 };
  return {
    uri: uriOf(target),
    isNew: !file,
    position: positionsIn(file?.text ?? "")(edit.start),
    text: edit.text,
    name: { start: position(span.start), end: position(span.end) },
    count: blocks.length,
  };
}
