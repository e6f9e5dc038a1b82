/** Shows flow coverage in VS Code: a node is a statement, its edges are branches. */
import * as vscode from "vscode";
import type { CoverageView, FlowCoverageView, TestRunView } from "../../server/test-messages";
import { rangeOf } from "../ui/ranges";

class FlowCoverage extends vscode.FileCoverage {
  constructor(
    readonly flow: FlowCoverageView,
    /** The tests' items, in the order of the results. */
    readonly rows: readonly (vscode.TestItem | undefined)[],
  ) {
    const nodes = flow.nodes.filter(isReachable);
    const edges = flow.nodes.flatMap((node) => node.edges).filter(isReachable);
    super(vscode.Uri.parse(flow.uri), shareOf(nodes), shareOf(edges));
    const passers = new Set(nodes.flatMap((node) => node.tests));
    const tests = [...passers].flatMap((place) => rows[place] ?? []);
    this.includesTests = tests;
  }
}

export class Coverage {
  constructor(profile: vscode.TestRunProfile) {
    profile.loadDetailedCoverage = async (_, file) =>
      file instanceof FlowCoverage ? details(file.flow, countAll) : [];
    profile.loadDetailedCoverageForTest = async (_, file, test) =>
      file instanceof FlowCoverage
        ? details(file.flow, ({ tests }) => tests.some((place) => file.rows[place] === test))
        : [];
  }

  add(run: vscode.TestRun, view: TestRunView, rows: readonly vscode.TestItem[]): void {
    const all = view.files.flatMap(({ results }, file) => results.map(({ id }) => rows[file]?.children.get(id)));
    for (const flow of view.coverage) run.addCoverage(new FlowCoverage(flow, all));
  }
}

/** Unreachable nodes are neither covered nor missing. */
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
