/**
 * Runs the tests of one flow and returns their coverage, for the graph and *Go to Test*. Every call runs them again.
 */
import * as vscode from "vscode";
import type { FlowCoverageView, TestRunView } from "../../server/test-messages";
import type { TestServer } from "./test-server";
import type { TestTree } from "./tree";

export interface CoveredFlow {
  /** Undefined if no test file can be run, such as if the flow has syntax errors. */
  readonly coverage: FlowCoverageView | undefined;
  readonly files: TestRunView["files"];
}

export class FlowTests {
  /** Fires when a test file changed. */
  readonly onDidChange: vscode.Event<void>;

  constructor(
    private readonly tree: TestTree,
    private readonly server: TestServer,
  ) {
    this.onDidChange = tree.onDidChange;
  }

  /** Undefined if no test file names the flow. */
  async of(flow: vscode.Uri): Promise<CoveredFlow | undefined> {
    await this.tree.discover();
    const files = this.tree.filesOf(flow);
    if (files.length === 0) return undefined;
    const view = await this.server.run(
      files.map((uri) => ({ uri: uri.toString() })),
      new vscode.CancellationTokenSource().token,
    );
    const coverage = view.coverage.find(({ uri }) => vscode.Uri.parse(uri).toString() === flow.toString());
    return { coverage, files: view.files };
  }
}
