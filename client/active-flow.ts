/**
 * The flow of the active tab: its text, graph, or plan. Commands can't use the active text editor for this: VS Code has
 * none while a webview has the focus, and treats the output panel as one.
 */
import * as vscode from "vscode";
import { isFlowFile } from "../flow/file-kind";
import { fileOf } from "./sync/texts";
import { inform } from "./ui/notice";
import { findFiles } from "./ui/workspace-files";

export class ActiveFlow implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #events = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(() => this.#notify()),
    vscode.window.tabGroups.onDidChangeTabs(() => this.#notify()),
    vscode.window.tabGroups.onDidChangeTabGroups(() => this.#notify()),
  );
  /**
   * Flows of the active webviews, newest last. The next page may become active before the previous one is reported
   * inactive.
   */
  readonly #pages = new Map<object, vscode.Uri>();
  readonly onDidChange = this.#changes.event;
  #lastUri: string | undefined;

  get uri(): vscode.Uri | undefined {
    return [...this.#pages.values()].at(-1) ?? activeTabUri() ?? vscode.window.activeTextEditor?.document.uri;
  }

  /** Sets the flow of an active page; undefined when the page is no longer active. */
  page(page: object, uri: vscode.Uri | undefined): void {
    if (uri?.toString() === this.#pages.get(page)?.toString()) return;
    this.#pages.delete(page);
    if (uri) this.#pages.set(page, uri);
    this.#notify();
  }

  #notify(): void {
    const now = this.uri?.toString();
    if (now === this.#lastUri) return;
    this.#lastUri = now;
    this.#changes.fire();
  }

  dispose(): void {
    this.#events.dispose();
    this.#changes.dispose();
  }
}

function activeTabUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** Lists the flows in the workspace, sorted by name. */
export async function flowsIn(): Promise<readonly vscode.Uri[]> {
  const found = await findFiles("flow", "**/node_modules/**", 2000);
  const name = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri);
  return found.sort((a, b) => name(a).localeCompare(name(b)));
}

/** The title of one of our commands, as in the palette. */
function titleOf({ extension }: vscode.ExtensionContext, command: string): string {
  const { commands } = extension.packageJSON.contributes as { commands: { command: string; title: string }[] };
  return commands.find((each) => each.command === `assistantFlow.${command}`)?.title ?? "Assistant Flow";
}

export async function chooseFlow(title: string): Promise<vscode.Uri | undefined> {
  const found = await flowsIn();
  if (found.length === 0) {
    const choice = await inform(vscode.l10n.t("There is no flow in this workspace yet."), vscode.l10n.t("New Flow…"));
    if (choice) await vscode.commands.executeCommand("assistantFlow.newFlow");
    return undefined;
  }
  if (found.length === 1) return found[0];
  const rows = found.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
  return (await vscode.window.showQuickPick(rows, { title, placeHolder: vscode.l10n.t("Select a flow") }))?.uri;
}

/** The active flow, if the active tab shows one. */
export function flowIn({ uri }: ActiveFlow): vscode.Uri | undefined {
  return uri && isFlowFile(uri.path) ? uri : undefined;
}

/** The flow of a command: the given one, the active one or its read-only version, or the one that the user chooses. */
export async function flowFor(
  context: vscode.ExtensionContext,
  command: string,
  target: unknown,
  { uri }: ActiveFlow,
): Promise<vscode.Uri | undefined> {
  const isFlow = uri && isFlowFile(fileOf(uri).path);
  const found = flowOf(target) ?? (isFlow ? uri : undefined) ?? (await chooseFlow(titleOf(context, command)));
  return found && fileOf(found);
}

/** Accepts a URI, or a row of the flows view, whose ID is the URI, or starts with it and `#`. */
export function flowOf(target: unknown): vscode.Uri | undefined {
  if (target instanceof vscode.Uri) return target;
  if (typeof target === "string") return vscode.Uri.parse(target);
  const { resourceUri, id } = (target ?? {}) as { resourceUri?: unknown; id?: unknown };
  if (resourceUri instanceof vscode.Uri) return resourceUri;
  const file = typeof id === "string" ? id.replace(/#.*/s, "") : "";
  return isFlowFile(file) ? vscode.Uri.parse(file) : undefined;
}
