/**
 * Read-only documents about a flow: the version of the last sync, the platform's version, the plan, the revision and its
 * tools. The server creates them, and they update when something changes.
 */

import * as vscode from "vscode";
import { withoutFlowEnding } from "../../flow/file-kind";
import { ask, OtherTextRequest, PlanRequest } from "../../server/messages";
import { TEXT_SCHEME, ToolTextRequest } from "../../server/revision-messages";
import type { Server } from "../server";
import { columnOf, openIfExists } from "../ui/workspace-files";

export type TextKind = keyof typeof endings;

/** File endings of the documents. */
const endings = {
  base: " (last synced).flow.yaml",
  remote: " (platform).flow.yaml",
  "plan-json": ".plan.json",
  journal: ".journal.json",
  revision: " (revision).yaml",
  quality: " (quality report).yaml",
};

/** Returns the file a document is about; any other file is returned unchanged. */
export function fileOf(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === TEXT_SCHEME ? vscode.Uri.parse(JSON.parse(uri.query).file) : uri;
}

export function textUri(file: vscode.Uri, kind: TextKind): vscode.Uri {
  const path = withoutFlowEnding(file.path) + endings[kind];
  return vscode.Uri.from({ scheme: TEXT_SCHEME, path, query: JSON.stringify({ file: file.toString(), kind }) });
}

/** Opens a document beside the file, or beside the active editor if the file isn't visible. */
export async function showText(file: vscode.Uri, kind: Exclude<TextKind, "base" | "remote">): Promise<void> {
  const column = columnOf(file);
  const viewColumn = column ? column + 1 : vscode.ViewColumn.Beside;
  await vscode.window.showTextDocument(textUri(file, kind), { viewColumn, preview: true });
}

/** The comparison that opened last, or is still opening and has no tab yet. */
let opening: Promise<void> = Promise.resolve();

/** Compares the file with the last synced or the platform's version. */
export function compare(
  uri: vscode.Uri,
  which: "base" | "remote",
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const open = () => openComparison(uri, which, options);
  opening = opening.then(open, open);
  return opening;
}

async function openComparison(
  uri: vscode.Uri,
  which: "base" | "remote",
  options: vscode.TextDocumentShowOptions,
): Promise<void> {
  const other = textUri(uri, which);
  // If the same comparison is already open, show it.
  const shown = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.original.toString() === other.toString(),
    ),
  );
  const at = shown ? { ...options, viewColumn: shown.viewColumn } : options;
  const title = vscode.l10n.t(
    "{0} ({1} ↔ File)",
    vscode.workspace.asRelativePath(uri),
    which === "base" ? vscode.l10n.t("Last Synced") : vscode.l10n.t("Platform"),
  );
  await vscode.commands.executeCommand("vscode.diff", other, uri, title, at);
}

/** Closes a file's comparisons, unless they are pinned. */
export async function closeComparison(uri: vscode.Uri, which: "base" | "remote"): Promise<void> {
  const other = textUri(uri, which).toString();
  const closing = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input, isPinned }) =>
        !isPinned && input instanceof vscode.TabInputTextDiff && input.original.toString() === other,
    );
  // Otherwise no editor would have the focus of a closed one.
  const hasFocus = closing.some((tab) => tab === vscode.window.tabGroups.activeTabGroup.activeTab);
  await vscode.window.tabGroups.close(closing, !hasFocus);
}

export class FlowTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: vscode.Disposable[];
  #pending: NodeJS.Timeout | undefined;
  readonly onDidChange = this.#changes.event;

  constructor(
    private readonly server: Server,
    outdated: vscode.Event<void>,
  ) {
    this.#subscriptions = [
      this.#changes,
      vscode.workspace.registerTextDocumentContentProvider(TEXT_SCHEME, this),
      outdated(() => this.#again()),
      // The plan updates while the user types.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId === "assistant-flow") this.#again();
      }),
    ];
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { file, kind, tool = "" } = JSON.parse(uri.query) as { file: string; kind: TextKind | "tool"; tool?: string };
    const document = await openIfExists(vscode.Uri.parse(file));
    if (!document)
      return vscode.l10n.t("# {0} doesn't exist.\n", vscode.workspace.asRelativePath(vscode.Uri.parse(file)));
    if (kind === "tool")
      return (
        (await ask(this.server, ToolTextRequest, { uri: file, tool })) ??
        vscode.l10n.t("# Nothing is known about this tool.\n")
      );
    if (kind !== "plan-json") {
      const text = await ask(this.server, OtherTextRequest, { uri: file, which: kind });
      // Without a version to compare, return the file itself: an empty text would mark every line as changed.
      return text ?? (kind === "base" ? document.getText() : "");
    }
    const plan = await ask(this.server, PlanRequest, { uri: file });
    if (!plan) return vscode.l10n.t("No platform state yet. Connect, then save or pull this file.\n");
    const operations = plan.lines.map(({ batch, op }) => ({ batch, ...(op as object) }));
    return `${JSON.stringify(operations, null, 2)}\n`;
  }

  dispose(): void {
    clearTimeout(this.#pending);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #again(): void {
    this.#pending ??= setTimeout(() => {
      this.#pending = undefined;
      for (const document of vscode.workspace.textDocuments)
        if (document.uri.scheme === TEXT_SCHEME) this.#changes.fire(document.uri);
    }, 100);
  }
}
