/**
 * The local sandbox in a browser, which runs in the extension's worker. Its requests never leave it, and its state is in
 * memory. It takes the place of client/connections/local-sandbox.ts.
 */
import * as vscode from "vscode";
import { reasonOf } from "../../files";
import { Secret } from "../../platform";
import { answerInProcess } from "../../system/browser";
import { confirmLoss, SANDBOX, usesSandbox } from "../connections/sandbox-connection";
import type { Session } from "../connections/session";
import { temporaryId } from "../connections/store";
import { inform, showError } from "../ui/notice";
import { loadSandbox } from "./parts";

export class LocalSandbox implements vscode.Disposable {
  #starting: Promise<void> | undefined;

  constructor(
    _context: vscode.ExtensionContext,
    private readonly session: Session,
  ) {
    // The window used the sandbox before it was reloaded.
    if (session.store.isActive(temporaryId(SANDBOX))) setTimeout(() => void this.start(), 0);
  }

  /** Whether the active connection is the sandbox. */
  get isInUse(): boolean {
    return usesSandbox(this.session);
  }

  /** Connects to the sandbox, and opens one if there's none. */
  async start(): Promise<void> {
    const { store } = this.session;
    try {
      if (!store.get(temporaryId(SANDBOX)))
        this.#starting ??= this.#open().finally(() => {
          this.#starting = undefined;
        });
      const location = vscode.ProgressLocation.Window;
      const title = vscode.l10n.t("Starting local sandbox…");
      await vscode.window.withProgress({ location, title }, async () => this.#starting);
      await store.activate(temporaryId(SANDBOX));
      await this.session.refresh();
    } catch (error) {
      void showError(reasonOf(error));
    }
  }

  async stop(): Promise<void> {
    if (await confirmLoss("stop")) await this.#stop();
  }

  /** Starts again with the demo data. */
  async restart(): Promise<void> {
    if (!(await confirmLoss("restart"))) return;
    await this.#stop();
    await this.start();
    void inform(vscode.l10n.t("The local sandbox was restarted with its demo data."));
  }

  dispose(): void {
    answerInProcess(undefined);
  }

  async #stop(): Promise<void> {
    answerInProcess(undefined);
    await this.session.store.remove(temporaryId(SANDBOX));
  }

  async #open(): Promise<void> {
    const { baseUrl, workflowBaseUrl, apiKey, answer } = await loadSandbox();
    answerInProcess(answer);
    this.session.store.addTemporary(SANDBOX, { baseUrl, workflowBaseUrl, key: new Secret(apiKey) });
  }
}
