/** What a run of tests prints, and what it leaves in the Testing view. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestController, type TestRunRequest, type Uri, workspace } from "vscode";
import { TestRuns } from "../../../client/testing/runs";
import type { TestServer } from "../../../client/testing/test-server";
import { TestTree } from "../../../client/testing/tree";
import type { TestFileView } from "../../../server/test-messages";

const range = { start: { line: 0, character: 6 }, end: { line: 0, character: 20 } };
const fails = [{ message: "Expected the run to end.", range, stack: [] }];
const file = (name: string, results: object[], problem?: string) =>
  ({
    uri: `file:///${name}.flowtest.yaml`,
    tests: results.map((_, index) => ({ id: `${index}`, name: `${index}`, range })),
    results: results.map((result, index) => ({ id: `${index}`, failures: [], ...result })),
    ...(problem === undefined ? {} : { problem: { message: problem, range } }),
  }) as TestFileView;

function collection() {
  const items = new Map<string, object>();
  return {
    get: (id: string) => items.get(id),
    add: (item: { id: string }) => items.set(item.id, item),
    replace: (rows: readonly { id: string }[]) => rows.map((row) => items.set(row.id, row)),
    get size() {
      return items.size;
    },
    [Symbol.iterator]: () => items[Symbol.iterator](),
  };
}

async function run(...files: TestFileView[]) {
  const printed: string[] = [];
  const nothing = () => undefined;
  const controller = {
    items: collection(),
    createTestItem: (id: string, label: string, uri: Uri) => ({ id, label, uri, children: collection() }),
    createTestRun: () => ({
      token: {},
      appendOutput: (text: string) => printed.push(text),
      ...{ passed: nothing, failed: nothing, skipped: nothing, errored: nothing, started: nothing, end: nothing },
    }),
  } as unknown as TestController;
  const never = () => ({ dispose: nothing });
  const watcher = { onDidCreate: never, onDidChange: never, onDidDelete: never };
  const events = { onDidOpenTextDocument: never, onDidChangeTextDocument: never };
  Object.assign(workspace, { createFileSystemWatcher: () => watcher, ...events });
  const server = { run: async () => ({ files, coverage: [] }) } as unknown as TestServer;
  const tree = new TestTree(controller, server, nothing);
  const runs = new TestRuns(controller, tree, server, undefined);
  await runs.run({} as TestRunRequest, { isCancellationRequested: false } as never);
  const errors = [...controller.items].map(([, item]) => item.error);
  return { printed: printed.join("").split("\r\n"), errors };
}

const NOTE = "Tests run offline: they check paths and values, not what a model decides.";
const BROKEN = '"b.flow.yaml" has a syntax error. Line 34: This `{` is never closed.';

test("a file that wasn't run is counted, and the note about runs has its own line", async () => {
  const { printed } = await run(file("a", [{}, {}, { failures: fails }]), file("b", [], BROKEN));
  assert.deepEqual(printed.slice(-3), ["2 passed, 1 failed. 1 file not run.", NOTE, ""]);
  assert.ok(printed.includes(`file:///b.flowtest.yaml: ${BROKEN}`));
  const all = await run(file("a", [{}, { skipped: "Not yet." }]));
  assert.deepEqual(all.printed.slice(-3), ["1 passed, 0 failed, 1 skipped.", NOTE, ""]);
});

test("a run of nothing doesn't say that nothing failed", async () => {
  assert.deepEqual((await run(file("a", []))).printed, ["No tests were run.", ""]);
  const { printed } = await run(file("b", [], BROKEN), file("c", [], BROKEN));
  assert.deepEqual(printed.slice(-2), ["2 files not run.", ""]);
});

test("the problem of a run doesn't stay in the Testing view after the flow was repaired", async () => {
  const { errors } = await run(file("a", []), file("b", [], BROKEN));
  assert.deepEqual(errors, [undefined, undefined]);
});
