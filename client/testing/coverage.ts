/** Coverage of flows in VS Code's own view and gutter: a node is a statement, its edges are the branches of it. */
import * as vscode from "vscode";
import type { CoverageView, FlowCoverageView, TestRunView } from "../../server/test-messages";
import { rangeOf } from "./test-server";

class FlowCoverage extends vscode.FileCoverage {
  constructor(
    readonly flow: FlowCoverageView,
    /** The row of a test, by its places in the answer. */
    readonly rowOf: (file: number, result: number) => vscode.TestItem | undefined,
  ) {
    const nodes = flow.nodes.filter(isReachable);
    const edges = flow.nodes.flatMap((node) => node.edges).filter(isReachable);
    super(vscode.Uri.parse(flow.uri), shareOf(nodes), shareOf(edges));
    const tests = new Set<vscode.TestItem>();
    for (const { tests: passers } of nodes)
      for (const place of passers) {
        const row = rowOf(...place);
        if (row) tests.add(row);
      }
    this.includesTests = [...tests];
  }
}

export class Coverage {
  constructor(profile: vscode.TestRunProfile) {
    profile.loadDetailedCoverage = async (_, file) =>
      file instanceof FlowCoverage ? details(file.flow, countAll) : [];
    profile.loadDetailedCoverageForTest = async (_, file, test) =>
      file instanceof FlowCoverage
        ? details(file.flow, ({ tests }) => tests.some((place) => file.rowOf(...place) === test))
        : [];
  }

  add(run: vscode.TestRun, view: TestRunView, rows: readonly vscode.TestItem[]): void {
    const rowOf = (file: number, result: number) =>
      rows[file]?.children.get(view.files[file]?.results[result]?.id ?? "");
    for (const flow of view.coverage) run.addCoverage(new FlowCoverage(flow, rowOf));
  }
}

/** What no run can reach is neither covered nor missing. */
function isReachable({ state }: CoverageView): boolean {
  return state !== "unreachable";
}

function shareOf(elements: readonly CoverageView[]): vscode.TestCoverageCount {
  const covered = elements.filter(({ state }) => state === "covered").length;
  return new vscode.TestCoverageCount(covered, elements.length);
}

const countAll = ({ tests }: CoverageView): number => tests.length;

function details(
  flow: FlowCoverageView,
  executed: (element: CoverageView) => number | boolean,
): vscode.FileCoverageDetail[] {
  return flow.nodes.filter(isReachable).map((node) => {
    const edges = node.edges.filter(isReachable);
    const branches = edges.map((edge) => new vscode.BranchCoverage(executed(edge), rangeOf(edge.range), edge.label));
    return new vscode.StatementCoverage(executed(node), rangeOf(node.range), branches);
  });
}
