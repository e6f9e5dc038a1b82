/** Runs tests for the Test Explorer, once or on every change, and reports the results on their lines. */
import * as vscode from "vscode";
import type { FailureView, RunTestsParams, TestRunView } from "../../server/test-messages";
import { rangeOf } from "../ui/ranges";
import { FLOW_PATTERN, TEST_PATTERN, watchFiles } from "../ui/workspace-files";
import type { Coverage } from "./coverage";
import { Rerunner } from "./rerunner";
import { affectsRuns, type TestServer } from "./test-server";
import type { TestTree } from "./tree";

export class TestRuns {
  constructor(
    private readonly controller: vscode.TestController,
    private readonly tree: TestTree,
    private readonly server: TestServer,
    private readonly coverage: Coverage | undefined,
  ) {}

  /** The run handler of the test profiles. */
  readonly run = async (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> => {
    if (!request.continuous) return this.#once(request, token);
    const rerunner = new Rerunner(() => this.#once(copyRequest(request), token));
    const changed = () => rerunner.soon();
    const listeners = [
      rerunner,
      watchFiles(`{${TEST_PATTERN},${FLOW_PATTERN}}`, changed),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && affectsRuns(document)) changed();
      }),
    ];
    token.onCancellationRequested(() => {
      for (const listener of listeners) listener.dispose();
    });
    await rerunner.now();
  };

  async #once(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    try {
      if (!request.include) await this.tree.discover();
      // In a continuous run, tests keep their last results until there are new ones.
      if (!request.continuous)
        for (const item of request.include ?? items(this.controller.items))
          for (const test of item.parent ? [item] : items(item.children)) run.started(test);
      const view = await this.server.run(this.#files(request), run.token);
      const rows = view.files.map((file) => this.tree.show(file, true));
      report(run, view, rows);
      this.coverage?.add(run, view, rows);
    } catch (error) {
      if (!token.isCancellationRequested && !run.token.isCancellationRequested) throw error;
    } finally {
      run.end();
    }
  }

  #files({ include, exclude = [] }: vscode.TestRunRequest): RunTestsParams["files"] {
    const excluded = new Set(exclude);
    const requested = new Map<vscode.TestItem, Set<string> | "all">();
    for (const item of include ?? items(this.controller.items)) {
      const file = item.parent ?? item;
      const known = requested.get(file);
      if (item === file) requested.set(file, "all");
      else if (known === undefined) requested.set(file, new Set([item.id]));
      else if (known !== "all") known.add(item.id);
    }
    return [...requested].flatMap(([file, tests]) => {
      if (excluded.has(file)) return [];
      const skipped = items(file.children).filter((test) => excluded.has(test));
      const chosen = tests === "all" && skipped.length > 0 ? new Set(items(file.children).map(({ id }) => id)) : tests;
      if (chosen === "all") return [{ uri: file.id }];
      for (const { id } of skipped) chosen.delete(id);
      return [{ uri: file.id, tests: [...chosen] }];
    });
  }
}

function report(run: vscode.TestRun, view: TestRunView, rows: readonly vscode.TestItem[]): void {
  view.files.forEach((file, index) => {
    const row = rows[index] as vscode.TestItem;
    if (file.problem) {
      const message = new vscode.TestMessage(file.problem.message);
      message.location = new vscode.Location(row.uri as vscode.Uri, rangeOf(file.problem.range));
      run.errored(row, message);
      run.appendOutput(lines(`${row.label}: ${file.problem.message}`), message.location, row);
    }
    for (const { id, failures, skipped, path } of file.results) {
      const test = row.children.get(id);
      if (!test) continue;
      if (skipped !== undefined) {
        run.skipped(test);
        run.appendOutput(lines(vscode.l10n.t("Skipped: {0}: {1}", test.label, skipped)), undefined, test);
        continue;
      }
      if (failures.length === 0) {
        run.passed(test);
        continue;
      }
      const messages = failures.map((failure) => messageOf(failure, row.uri as vscode.Uri));
      run.failed(test, messages);
      const output = [
        `✗ ${test.label}`,
        ...failures.map(({ message }) => `  ${message}`),
        vscode.l10n.t("  Path: {0}", path ?? ""),
      ];
      run.appendOutput(lines(output.join("\n")), messages[0]?.location, test);
    }
  });
  run.appendOutput(lines(summary(view)));
}

function summary({ files }: TestRunView): string {
  const results = files.flatMap((file) => file.results);
  const notRun = files.filter(({ problem }) => problem).length;
  const filesNotRun = notRun === 1 ? vscode.l10n.t("1 file not run.") : vscode.l10n.t("{0} files not run.", notRun);
  if (results.length === 0) return notRun === 0 ? vscode.l10n.t("No tests were run.") : filesNotRun;
  const skipped = results.filter((result) => result.skipped !== undefined).length;
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const passed = results.length - skipped - failed;
  const counts =
    skipped === 0
      ? vscode.l10n.t("{0} passed, {1} failed.", passed, failed)
      : vscode.l10n.t("{0} passed, {1} failed, {2} skipped.", passed, failed, skipped);
  const note = vscode.l10n.t("Tests run offline: they check paths and values, not what a model decides.");
  // On its own line, because the terminal wraps in the middle of a word.
  return `${notRun === 0 ? counts : `${counts} ${filesNotRun}`}\n${note}`;
}

function messageOf(failure: FailureView, uri: vscode.Uri): vscode.TestMessage {
  const { expected, actual, stack } = failure;
  const message =
    expected === undefined || actual === undefined
      ? new vscode.TestMessage(failure.message)
      : vscode.TestMessage.diff(failure.message, expected, actual);
  message.location = new vscode.Location(uri, rangeOf(failure.range));
  message.stackTrace = stack.map(
    (frame) => new vscode.TestMessageStackFrame(frame.label, vscode.Uri.parse(frame.uri), rangeOf(frame.range).start),
  );
  return message;
}

/** Copies the request: VS Code merges runs of one request, and a test that failed once would stay failed. */
function copyRequest({
  include,
  exclude,
  profile,
  continuous,
  preserveFocus,
}: vscode.TestRunRequest): vscode.TestRunRequest {
  return new vscode.TestRunRequest(include, exclude, profile, continuous, preserveFocus);
}

/** Terminals need CRLF. */
function lines(text: string): string {
  return `${text.replaceAll("\n", "\r\n")}\r\n`;
}

function items(collection: vscode.TestItemCollection): vscode.TestItem[] {
  return [...collection].map(([, item]) => item);
}
