/** Loads test coverage for the graph, again after each change of the flow or a test while the page shows it. */
import * as vscode from "vscode";
import type { CoveredFlow, FlowTests } from "../testing";
import { Rerunner } from "../testing/rerunner";
import type { ToGraphPage } from "./messages";

export class GraphCoverage implements vscode.Disposable {
  #isShown = false;
  readonly #rerunner = new Rerunner(() => this.#update());
  readonly #listener: vscode.Disposable;

  constructor(
    private readonly tests: FlowTests,
    private readonly uri: () => vscode.Uri | undefined,
    private readonly send: (message: Extract<ToGraphPage, { type: "coverage" }>) => void,
  ) {
    this.#listener = tests.onDidChange(() => this.changed());
  }

  async show(isShown: boolean): Promise<void> {
    this.#isShown = isShown;
    if (isShown) this.#rerunner.soon();
  }

  changed(): void {
    if (this.#isShown) this.#rerunner.soon();
  }

  dispose(): void {
    this.#rerunner.dispose();
    this.#listener.dispose();
  }

  async #update(): Promise<void> {
    const flow = this.uri();
    if (!flow) return;
    const found = await this.tests.of(flow).catch(() => "failed" as const);
    const uri = flow.toString();
    const none = (reason: string) => this.send({ type: "coverage", uri, coverage: undefined, reason });
    if (found === "failed") none(vscode.l10n.t("The tests couldn't run."));
    else if (!found) none(vscode.l10n.t("No tests for this flow"));
    else if (!found.coverage) none(whyNone(found));
    else this.send({ type: "coverage", uri, coverage: found.coverage });
  }
}

/** Why no test file of a flow can be run: the flow has syntax errors, or the files have problems. */
function whyNone({ files }: CoveredFlow): string {
  const problem = files.find((file) => file.problem)?.problem;
  return problem
    ? vscode.l10n.t("The tests can't run: {0}", problem.message.replaceAll("`", '"'))
    : vscode.l10n.t("The tests couldn't run.");
}
