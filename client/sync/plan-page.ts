/**
 * The plan page: what a push would change, old → new, with the choices of an open question. It updates while the user
 * types, never takes the focus, and never covers another page.
 */
import * as vscode from "vscode";
import { ask, PlanRequest } from "../../server/messages";
import type { ActiveFlow } from "../active-flow";
import type { FromPlanPage, ToPlanPage } from "../pages/messages";
import { pageHtml, pageIcon, pageOptions } from "../pages/page";
import type { Server } from "../server";
import { startOf } from "../ui/ranges";
import { openIfExists } from "../ui/workspace-files";
import type { OpenQuestions } from "./questions";

const TYPE = "assistantFlow.plan";
const SOON_MS = 100;
const PUSH = vscode.l10n.t("Push");

export class PlanPages implements vscode.Disposable {
  readonly #open = new Map<string, vscode.WebviewPanel>();
  readonly #subscriptions: vscode.Disposable[];
  #pending: NodeJS.Timeout | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly questions: OpenQuestions,
    private readonly activeFlow: ActiveFlow,
    outdated: vscode.Event<void>,
  ) {
    this.#subscriptions = [
      outdated(() => this.#soon()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId === "assistant-flow") this.#soon();
      }),
      vscode.window.registerWebviewPanelSerializer(TYPE, {
        deserializeWebviewPanel: async (panel, state: { uri?: string } | undefined) => {
          if (!state?.uri) return panel.dispose();
          panel.webview.options = pageOptions(context.extensionUri);
          this.#fill(panel, vscode.Uri.parse(state.uri));
        },
      }),
    ];
  }

  isOpen(file: vscode.Uri): boolean {
    return this.#open.has(file.toString());
  }

  show(file: vscode.Uri): void {
    const there = this.#open.get(file.toString());
    const at = { viewColumn: columnFor(file), preserveFocus: true };
    const options = pageOptions(this.context.extensionUri);
    if (there) there.reveal(undefined, true);
    else this.#fill(vscode.window.createWebviewPanel(TYPE, titleOf(file), at, options), file);
  }

  hide(file: vscode.Uri): void {
    this.#open.get(file.toString())?.dispose();
  }

  dispose(): void {
    clearTimeout(this.#pending);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #fill(panel: vscode.WebviewPanel, file: vscode.Uri): void {
    const { extensionUri } = this.context;
    panel.iconPath = pageIcon(extensionUri);
    this.#open.set(file.toString(), panel);
    const subscriptions = [
      panel.webview.onDidReceiveMessage((message: FromPlanPage) => void this.#receive(file, panel, message)),
      panel.onDidChangeViewState(() => this.activeFlow.page(panel, panel.active ? file : undefined)),
    ];
    panel.onDidDispose(() => {
      this.#open.delete(file.toString());
      this.activeFlow.page(panel, undefined);
      for (const subscription of subscriptions) subscription.dispose();
    });
    panel.webview.html = pageHtml(panel.webview, extensionUri, { name: "plan", title: titleOf(file) });
  }

  async #receive(file: vscode.Uri, panel: vscode.WebviewPanel, message: FromPlanPage): Promise<void> {
    if (message.type === "ready") return this.#send(file, panel);
    if (message.type === "run")
      return vscode.commands.executeCommand(`assistantFlow.${message.command}`, file, { kind: "push" });
    if (message.type === "choose") {
      if (this.questions.choicesFor(file.toString()).includes(message.choice)) {
        this.questions.answer(file.toString(), message.choice);
        // The page may close now, and VS Code doesn't move the focus out of a closed webview.
        const viewColumn = shownAt(file);
        if (viewColumn) await vscode.window.showTextDocument(file, { viewColumn });
        return;
      }
      return vscode.commands.executeCommand("assistantFlow.push", file);
    }
    if (!(await openIfExists(file))) return panel.dispose();
    const selection = startOf(message.range);
    await vscode.window.showTextDocument(file, { selection, viewColumn: shownAt(file) ?? vscode.ViewColumn.One });
  }

  #soon(): void {
    this.#pending ??= setTimeout(() => {
      this.#pending = undefined;
      for (const [uri, panel] of this.#open) void this.#send(vscode.Uri.parse(uri), panel);
    }, SOON_MS);
  }

  async #send(file: vscode.Uri, panel: vscode.WebviewPanel): Promise<void> {
    // There is nothing to plan for a deleted file.
    if (!(await openIfExists(file))) return panel.dispose();
    const uri = file.toString();
    const plan = (await ask(this.server, PlanRequest, { uri })) ?? undefined;
    const answers = this.questions.choicesFor(uri);
    const question = this.questions.textFor(uri);
    const message: ToPlanPage = {
      type: "plan",
      uri,
      name: vscode.workspace.asRelativePath(file),
      ...(question === undefined ? {} : { question }),
      choices: answers.length > 0 ? answers : plan && plan.lines.length > 0 ? [PUSH] : [],
      ...(plan ? { plan } : {}),
    };
    if (this.#open.get(uri) === panel) await panel.webview.postMessage(message);
  }
}

function titleOf(file: vscode.Uri): string {
  return vscode.l10n.t("Plan: {0}", file.path.slice(file.path.lastIndexOf("/") + 1));
}

/** Whether an editor shows the file. */
export function isInSight(file: vscode.Uri): boolean {
  return shownAt(file) !== undefined;
}

function shownAt(file: vscode.Uri): vscode.ViewColumn | undefined {
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === file.toString());
  return shown?.viewColumn;
}

/** Returns the column beside the file that doesn't cover another page. */
function columnFor(file: vscode.Uri): vscode.ViewColumn {
  const column = shownAt(file);
  if (column === undefined) return vscode.ViewColumn.Beside;
  const pages = vscode.window.tabGroups.all
    .filter(({ activeTab }) => {
      const input = activeTab?.input;
      return input instanceof vscode.TabInputWebview && !input.viewType.endsWith(TYPE);
    })
    .map(({ viewColumn }) => viewColumn);
  let next = column + 1;
  while (pages.includes(next)) next++;
  return next;
}
