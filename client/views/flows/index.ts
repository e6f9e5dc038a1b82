/** The flows view: the workspace's flow files with their sync state and links. It works without a connection. */

import * as vscode from "vscode";
import { isFlowFile, withoutFlowEnding } from "../../../flow/file-kind";
import type { EnvironmentState } from "../../../server/environment-messages";
import type { FlowSyncState } from "../../../server/messages";
import type { Session } from "../../connections";
import type { FlowEnvironments } from "../../environments";
import { newFlow } from "../../new-flow";
import { compileWords, type SyncStates } from "../../sync";
import { copy, onCommand } from "../../ui/notice";
import { detailRow, type Row } from "../../ui/row";
import { plural } from "../../ui/words";
import { FLOW_PATTERN, findFiles, PROJECT_PATTERN, readWorkspaceText, watchFiles } from "../../ui/workspace-files";
import { ListView } from "../tree";
import { describeFlow, notExecuted } from "./description";
import { environmentRow } from "./environments";
import { historyRow } from "./history";
import { type FlowLink, linkOf, pageOf } from "./link";

/** The part of a file that contains its first keys, in bytes. */
const HEAD = 64 * 1024;

export interface FlowFile extends FlowLink {
  readonly uri: vscode.Uri;
}

export interface FlowsView {
  /** Fires when files, or their links, may have changed. */
  readonly onDidChange: vscode.Event<unknown>;
}

export function registerFlows(
  context: vscode.ExtensionContext,
  session: Session,
  states: SyncStates,
  { drifts, versions }: FlowEnvironments,
): FlowsView {
  const view = new ListView<readonly FlowFile[]>(context, session, {
    name: "flows",
    things: vscode.l10n.t("flows"),
    empty: "",
    local: true,
    load: async () => {
      const uris = await findFiles("flow", "**/node_modules/**", 2000);
      const files = await Promise.all(uris.map(async (uri) => ({ uri, ...linkOf(await head(uri)) })));
      const projects = await findFiles("project", "**/node_modules/**", 1);
      if (projects.length > 0) drifts.read(uris);
      versions.refresh();
      return files.sort((a, b) => a.uri.path.localeCompare(b.uri.path));
    },
    rows: (files, now) =>
      files.map((file) => {
        const { uri } = file;
        const history = historyRow(uri, versions.of(uri), now, () => {
          if (!versions.of(uri)) versions.read([uri]);
        });
        return flowRow(file, states.get(uri), drifts.of(uri) ?? [], history);
      }),
  });
  const changes = new vscode.EventEmitter<void>();
  const soon = debounce(() => void view.update().then(() => changes.fire()));
  const redrawSoon = debounce(() => view.redraw());
  context.subscriptions.push(
    changes,
    watchFiles(FLOW_PATTERN, soon),
    watchFiles(PROJECT_PATTERN, soon),
    vscode.workspace.onDidChangeWorkspaceFolders(soon),
    states.onDidChange(redrawSoon),
    drifts.onDidChange(redrawSoon),
    versions.onDidChange(redrawSoon),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some(({ path }) => isFlowFile(path))) redrawSoon();
    }),
  );
  onCommand(context, "newFlow", () => newFlow());
  onCommand(context, "openLinked", openLinked);
  return { onDidChange: changes.event };
}

async function head(uri: vscode.Uri): Promise<string> {
  try {
    return (await readWorkspaceText(uri)).slice(0, HEAD);
  } catch {
    return ""; // The file was just deleted, which the watcher reports next, or it isn't a regular file.
  }
}

/** States that need the user's attention. */
const warning: ReadonlySet<FlowSyncState["kind"]> = new Set(["blocked", "conflict", "diverged", "unauthorized"]);

function flowRow(
  file: FlowFile,
  state: FlowSyncState | undefined,
  environments: readonly EnvironmentState[],
  history: Row,
): Row {
  const { uri, assistant, revision } = file;
  const id = uri.toString();
  const path = vscode.workspace.asRelativePath(uri);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
  const found = problemsOf(uri);
  const unseen = revision ? vscode.l10n.t("not compared yet") : vscode.l10n.t("unlinked");
  const compile = state && compileWords(state);
  const isListed = environments.length > 0;
  return {
    id,
    label: withoutFlowEnding(name),
    description: describeFlow({ unseen, state, environments, folder, findings: found.text }),
    ...lookOf(found, state),
    context: isListed
      ? "flow linked listed"
      : assistant && revision
        ? "flow linked"
        : assistant
          ? "flow half-linked"
          : "flow",
    copy: revision ?? path,
    thing: { file: path, assistant, revision },
    // As in the explorer, a click opens the file and keeps the focus in the tree.
    command: { command: "vscode.open", title: vscode.l10n.t("Open Flow"), arguments: [uri, { preserveFocus: true }] },
    facts: () => [
      [vscode.l10n.t("File:"), path],
      [vscode.l10n.t("Sync:"), state ? [state.text, state.message].filter(Boolean).join(". ") : unseen],
      [vscode.l10n.t("Compile:"), compile],
      [
        vscode.l10n.t("Execution:"),
        state &&
          notExecuted(state) &&
          vscode.l10n.t("The flow is turned off for this revision: it is stored, but not executed."),
      ],
      [vscode.l10n.t("Findings:"), found.text || vscode.l10n.t("none")],
      [vscode.l10n.t("Assistant:"), assistant],
      [vscode.l10n.t("Revision:"), revision],
    ],
    children: [
      ...environments.map((each) => environmentRow(uri, each)),
      ...detailRow(id, vscode.l10n.t("Assistant"), assistant, {
        key: "#assistant",
        icon: "hubot",
        copy: assistant,
        context: "assistant-id",
        command: opens("assistant", assistant, uri),
      }),
      ...detailRow(id, vscode.l10n.t("Revision"), revision, {
        key: "#revision",
        icon: "versions",
        copy: revision,
        context: "text",
        command: opens("revision", revision, uri),
      }),
      ...detailRow(id, vscode.l10n.t("Findings"), found.text, {
        key: "#findings",
        icon: "checklist",
        command: { command: "workbench.actions.view.problems", title: vscode.l10n.t("Show Problems") },
      }),
      ...(isListed || (assistant && revision) ? [history] : []),
      {
        id: `${id}#graph`,
        label: vscode.l10n.t("Graph"),
        icon: "type-hierarchy",
        command: { command: "assistantFlow.openPreview", title: vscode.l10n.t("Open Flow Graph"), arguments: [uri] },
      },
    ],
  };
}

type Linked = "assistant" | "revision";

function opens(what: Linked, id: string | undefined, file: vscode.Uri): NonNullable<Row["command"]> {
  const title = what === "assistant" ? vscode.l10n.t("Open Assistant") : vscode.l10n.t("Open Revision");
  return { command: "assistantFlow.openLinked", title, arguments: [what, id, file] };
}

/**
 * Opens the platform's page if a setting has its address; otherwise reveals the assistant's row or shows the revision
 * ID.
 */
async function openLinked(what: Linked, id: string, file: vscode.Uri): Promise<void> {
  const page = pageOf(vscode.workspace.getConfiguration("assistantFlow.links", file).get<string>(what), id);
  // `vscode.open` asks before it opens an untrusted address.
  if (page) await vscode.commands.executeCommand("vscode.open", vscode.Uri.parse(page, true));
  else if (what === "assistant") await vscode.commands.executeCommand("assistantFlow.showAssistant", id);
  else await copy(id, vscode.l10n.t("revision ID {0}", id));
}

function lookOf(
  found: { errors: number; warnings: number },
  state: FlowSyncState | undefined,
): { icon: string; color?: string } {
  if (found.errors > 0 || state?.compile?.state === "failed") return { icon: "error", color: "list.errorForeground" };
  if (found.warnings > 0 || (state && warning.has(state.kind)))
    return { icon: "warning", color: "list.warningForeground" };
  return { icon: state?.kind === "syncing" ? "sync~spin" : state?.kind === "synced" ? "pass" : "type-hierarchy" };
}

function problemsOf(uri: vscode.Uri): { errors: number; warnings: number; text: string } {
  const all = vscode.languages.getDiagnostics(uri);
  const errors = all.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error).length;
  const warnings = all.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Warning).length;
  const text = [
    errors > 0 && plural(errors, vscode.l10n.t("error"), vscode.l10n.t("errors")),
    warnings > 0 && plural(warnings, vscode.l10n.t("warning"), vscode.l10n.t("warnings")),
  ]
    .filter(Boolean)
    .join(", ");
  return { errors, warnings, text };
}

function debounce(run: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, 150);
  };
}
