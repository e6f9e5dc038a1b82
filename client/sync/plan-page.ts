/**
 * The plan page: what a push would change, old → new, with the choices of an open question. It updates while the user
 * types, never takes the focus, and never covers another page.
 */
import * as vscode from "vscode";
import { ask, PlanRequest } from "../../server/messages";
import type { ActiveFlow } from "../active-flow";
import type { FromPlanPage, ToPlanPage } from "../pages/messages";
import { type OpenPage, RecordPages } from "../pages/record-page";
import type { Server } from "../server";
import { startOf } from "../ui/ranges";
import { columnOf, openIfExists } from "../ui/workspace-files";
import { asks, type OpenQuestions } from "./questions";
import type { SyncStates } from "./states";

const TYPE = "assistantFlow.plan";
const SOON_MS = 100;
const PUSH = vscode.l10n.t("Push");

export class PlanPages implements vscode.Disposable {
  readonly #pages: RecordPages<vscode.Uri, ToPlanPage, FromPlanPage>;
  readonly #subscriptions: vscode.Disposable[];
  #pending: NodeJS.Timeout | undefined;

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly questions: OpenQuestions,
    private readonly states: SyncStates,
    activeFlow: ActiveFlow,
    outdated: vscode.Event<void>,
  ) {
    this.#pages = new RecordPages(context, {
      viewType: TYPE,
      bundle: "plan",
      identity: String,
      title: titleOf,
      column: columnFor,
      restore: (state) => {
        const { uri } = (state ?? {}) as { readonly uri?: string };
        return uri ? vscode.Uri.parse(uri) : undefined;
      },
      serve: (file, page) => {
        const { panel } = page;
        page.subscriptions.push(
          panel.onDidChangeViewState(() => activeFlow.page(panel, panel.active ? file : undefined)),
          { dispose: () => activeFlow.page(panel, undefined) },
        );
        return (message) => this.#receive(file, page, message);
      },
    });
    this.#subscriptions = [
      outdated(() => this.#soon()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId === "assistant-flow") this.#soon();
      }),
    ];
  }

  isOpen(file: vscode.Uri): boolean {
    return this.#pages.get(file) !== undefined;
  }

  show(file: vscode.Uri): void {
    this.#pages.show(file, true);
  }

  async hide(file: vscode.Uri): Promise<void> {
    const panel = this.#pages.get(file)?.panel;
    if (panel?.active) await focusFile(file);
    panel?.dispose();
  }

  dispose(): void {
    clearTimeout(this.#pending);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #receive(file: vscode.Uri, page: OpenPage<ToPlanPage>, message: FromPlanPage): Promise<void> {
    if (message.type === "ready") return this.#send(file, page);
    if (message.type === "run")
      return vscode.commands.executeCommand(`assistantFlow.${message.command}`, file, { kind: "push" });
    if (message.type === "choose") {
      if (this.questions.choicesFor(file.toString()).includes(message.choice)) {
        this.questions.answer(file.toString(), message.choice);
        return focusFile(file);
      }
      // Without an open question, the page asks about the plan that it shows. Other choices were of a withdrawn one.
      if (message.choice === PUSH) await vscode.commands.executeCommand("assistantFlow.push", file, message.answered);
      return;
    }
    if (!(await openIfExists(file))) return page.panel.dispose();
    const selection = startOf(message.range);
    await vscode.window.showTextDocument(file, { selection, viewColumn: columnOf(file) ?? vscode.ViewColumn.One });
  }

  #soon(): void {
    this.#pending ??= setTimeout(() => {
      this.#pending = undefined;
      for (const { key, page } of this.#pages.all) void this.#send(key, page);
    }, SOON_MS);
  }

  async #send(file: vscode.Uri, page: OpenPage<ToPlanPage>): Promise<void> {
    // There is nothing to plan for a deleted file.
    if (!(await openIfExists(file))) return page.panel.dispose();
    const uri = file.toString();
    const plan = (await ask(this.server, PlanRequest, { uri })) ?? undefined;
    const answers = this.questions.choicesFor(uri);
    const question = this.questions.textFor(uri) ?? (plan?.asks && asks(plan.asks));
    const reason = this.states.get(file)?.message;
    const message: ToPlanPage = {
      type: "plan",
      uri,
      name: vscode.workspace.asRelativePath(file),
      ...(question === undefined ? {} : { question }),
      choices: answers.length > 0 ? answers : plan && plan.lines.length > 0 ? [PUSH] : [],
      ...(plan ? { plan } : {}),
      ...(reason ? { reason } : {}),
    };
    if (this.#pages.get(file) === page) page.send(message);
  }
}

/** VS Code doesn't move the focus out of a webview that is closed. */
async function focusFile(file: vscode.Uri): Promise<void> {
  const viewColumn = columnOf(file);
  if (viewColumn) await vscode.window.showTextDocument(file, { viewColumn });
}

function titleOf(file: vscode.Uri): string {
  return vscode.l10n.t("Plan: {0}", file.path.slice(file.path.lastIndexOf("/") + 1));
}

/** Returns the column beside the file that doesn't cover another page. */
function columnFor(file: vscode.Uri): vscode.ViewColumn {
  const column = columnOf(file);
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
