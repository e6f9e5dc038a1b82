/** Loads test coverage for the graph, again after each change of the flow or a test while the page shows it. */
import * as vscode from "vscode";
import type { FlowTests } from "../testing";
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
    else if (!found.coverage) none(vscode.l10n.t("The flow has syntax errors, so its tests can't run."));
    else this.send({ type: "coverage", uri, coverage: found.coverage });
  }
}
