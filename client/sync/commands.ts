/** The sync commands. */
import * as vscode from "vscode";
import { reasonOf } from "../../files";
import type { FlowSyncState, SyncAction, TextRange } from "../../server/messages";
import { ask, OtherTextRequest, ResolveRequest, SyncActionRequest } from "../../server/messages";
import { NewFlowRequest, ToolSnapshotRequest } from "../../server/revision-messages";
import { notLinked } from "../../sync/sentences";
import { type ActiveFlow, flowFor } from "../active-flow";
import { freeDemoLink, type Session, usesSandbox } from "../connections";
import { labelOf, ownersOfRevisions } from "../link-flow";
import { chooseFolder, createFlow } from "../new-flow";
import type { Server } from "../server";
import { uuidProblem } from "../ui/checks";
import { askSteps } from "../ui/forms";
import { inform, onCommand, showError, warn } from "../ui/notice";
import { rangeOf, startOf } from "../ui/ranges";
import { plural } from "../ui/words";
import { columnOf, openIfExists, warnIfReadOnly, writeWorkspaceFile } from "../ui/workspace-files";
import { sideText } from "./conflicts";
import { noticeOf } from "./notices";
import type { PlanPages } from "./plan-page";
import { NOT_NOW, type OpenQuestions } from "./questions";
import { explanation, words } from "./state-words";
import type { SyncStates } from "./states";
import { compare, fileOf, showText } from "./texts";

interface SyncParts {
  readonly states: SyncStates;
  readonly questions: OpenQuestions;
  readonly plans: PlanPages;
  readonly activeFlow: ActiveFlow;
  readonly session: Session;
}

export function registerSyncCommands(
  context: vscode.ExtensionContext,
  server: Server,
  { states, questions, plans, activeFlow, session }: SyncParts,
): void {
  const on = (command: string, run: (uri: vscode.Uri, more: unknown) => unknown) =>
    onCommand(context, command, async (target?: unknown, more?: unknown) => {
      const file = await flowFor(context, command, target, activeFlow);
      if (!file) return;
      // Only open documents have a sync session.
      if (await openIfExists(file)) return run(file, more);
      void inform(vscode.l10n.t("{0} doesn't exist.", vscode.workspace.asRelativePath(file)));
    });
  const act = (uri: vscode.Uri, action: SyncAction, answered?: string) =>
    perform(server, uri, { action, ...(answered ? { answered } : {}) }, activeFlow, states);
  // An open question would be asked again, which looks like nothing happened. The menu has its answers. A menu of
  // VS Code passes the selected files, and the plan page the question that it shows.
  on("push", (uri, answered) =>
    questions.choicesFor(uri.toString()).length > 0
      ? showMenu(uri, states.get(uri), questions)
      : act(uri, "push", typeof answered === "string" ? answered : undefined),
  );
  on("pull", (uri) => act(uri, "pull"));
  on("stopSync", (uri) => act(uri, "cancel"));
  on("checkPlatform", (uri) => act(uri, "look"));
  on("acknowledgeRisks", (uri) => act(uri, "acknowledge"));
  on("pushAutosaved", (uri) => (states.get(uri)?.reason === "autosaved" ? act(uri, "push") : undefined));
  on("goToBlocking", goToBlocking);
  on("plan", (uri) => plans.show(uri));
  on("planAsJson", (uri) => showText(uri, "plan-json"));
  on("openJournal", (uri) => showText(uri, "journal"));
  on("showRevision", (uri) => showRevision(server, uri, "revision"));
  on("showQualityReport", (uri) => showRevision(server, uri, "quality"));
  on("saveTools", (uri) => saveTools(server, uri));
  // Before the first sync there is only the platform's version.
  on("compareWithBase", (uri) => compareIfKnown(server, uri, states.get(uri)?.hasBase ? "base" : "remote"));
  on("compareWithPlatform", (uri) => compareIfKnown(server, uri, "remote"));
  on("resolveConflicts", (uri) => resolveConflicts(server, uri, states.get(uri)));
  on("syncMenu", (uri) => showMenu(uri, states.get(uri), questions));
  onCommand(context, "newFromRevision", async (revision?: string, chosen?: vscode.Uri) => {
    const folder = chosen ?? (await chooseFolder());
    if (folder) await newFromRevision(server, session, folder, revision);
  });
  onCommand(context, "showAdvice", showAdvice);
  onCommand(context, "applyFix", applyFix);
}

async function perform(
  server: Server,
  uri: vscode.Uri,
  request: { readonly action: SyncAction; readonly answered?: string },
  activeFlow: ActiveFlow,
  states: SyncStates,
): Promise<void> {
  const { action } = request;
  const title =
    action === "pull"
      ? vscode.l10n.t("Pulling…")
      : action === "push"
        ? vscode.l10n.t("Pushing…")
        : vscode.l10n.t("Checking platform…");
  const answered = ask(server, SyncActionRequest, { uri: uri.toString(), ...request });
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
    untilAsked(answered, uri, states),
  );
  const answer = await answered;
  const name = vscode.workspace.asRelativePath(uri);
  const state = answer ? states.withReason(answer) : undefined;
  // The status bar already shows the state of the active flow.
  const isActive = activeFlow.uri && fileOf(activeFlow.uri).toString() === uri.toString();
  if (state?.kind === "synced")
    return isActive ? undefined : void vscode.window.setStatusBarMessage(`${name}: ${words(state)}`, 4000);
  if (state?.kind === "conflict") return resolveConflicts(server, uri, state);
  // All flows that wait for the platform share one notice, which closes when it is back; that of the sandbox restarts it.
  if (state?.kind === "pending" && state.reason === "offline")
    return void vscode.window.setStatusBarMessage(`${name}: ${words(state)}`, 4000);
  const message = state?.message ?? notLinked();
  if (!message || state?.reason === "declined") return;
  // A notice already reports this state with its actions.
  if (state && noticeOf(state)) return void vscode.window.setStatusBarMessage(`${name}: ${message}`, 8000);
  // Looking only reads. Where the platform doesn't show its graph, a pull does.
  const remedy =
    setupFor(state) ??
    (isShownAsProblem(state)
      ? { title: vscode.l10n.t("Show Problems"), command: SHOW_PROBLEMS }
      : state?.kind === "unknown"
        ? { title: vscode.l10n.t("Pull"), command: "pull" }
        : undefined);
  const choice = await warn(`${name}: ${message}`, ...(remedy ? [remedy.title] : []));
  if (remedy && choice === remedy.title) await runRow(remedy.command, uri);
}

/** Waits for the answer of the server, or until the user is asked: nothing is pushed before they have decided. */
async function untilAsked(answered: Promise<unknown>, uri: vscode.Uri, states: SyncStates): Promise<void> {
  let changes: vscode.Disposable | undefined;
  const asked = new Promise<void>((resolve) => {
    changes = states.onDidChange(() => states.get(uri)?.reason === "asking" && resolve());
  });
  await Promise.race([answered, asked]).finally(() => changes?.dispose());
}

interface Setup {
  readonly icon: string;
  readonly title: string;
  readonly command: string;
  readonly detail?: string;
}

/** What makes sync possible, if nothing can be pushed or compared before. */
function setupFor(state: FlowSyncState | undefined): Setup | undefined {
  if (state?.reason === "untrusted")
    return {
      icon: "shield",
      title: vscode.l10n.t("Manage Workspace Trust"),
      command: MANAGE_TRUST,
      detail: vscode.l10n.t("nothing is compared or pushed until you trust it"),
    };
  if (state && state.kind !== "unlinked") return undefined;
  if (state?.reason === "signed-out")
    return { icon: "key", title: vscode.l10n.t("Enter API Key…"), command: "enterKey" };
  if (state?.reason === "no-connection")
    return { icon: "plug", title: vscode.l10n.t("Switch Connection…"), command: "switchConnection" };
  if (state?.reason !== undefined) return undefined;
  return { icon: "link", title: vscode.l10n.t("Link to Assistant…"), command: "linkFlow" };
}

async function showMenu(uri: vscode.Uri, state: FlowSyncState | undefined, questions: OpenQuestions): Promise<void> {
  // Answer an open question here, since its notification may be gone and another push would ask again.
  const answers = state?.kind === "pending" ? questions.choicesFor(uri.toString()) : [];
  const kind = state?.kind;
  const setup = setupFor(state);
  const others = [
    menuRow("switchConnection", vscode.l10n.t("$(plug) Switch Connection…")),
    menuRow("openJournal", vscode.l10n.t("$(history) Open Sync Journal"), vscode.l10n.t("sync state on disk")),
    menuRow("showLog", vscode.l10n.t("$(output) Show Log")),
  ];
  const actions: MenuRow[] = [
    ...answers.map((answer) => ({ label: `$(${answer === NOT_NOW ? "close" : "cloud-upload"}) ${answer}`, answer })),
    ...(answers.length > 0 ? [SEPARATOR] : []),
    ...(kind === "conflict" ? [menuRow("resolveConflicts", vscode.l10n.t("$(git-merge) Resolve Conflicts…"))] : []),
    ...(kind === "syncing" ? [menuRow("stopSync", vscode.l10n.t("$(debug-stop) Stop after This Batch"))] : []),
    ...(isShownAsProblem(state) ? [menuRow(SHOW_PROBLEMS, vscode.l10n.t("$(warning) Show Problems"))] : []),
    ...(kind === "unauthorized" ? [menuRow("enterKey", vscode.l10n.t("$(key) Enter API Key…"))] : []),
    ...(answers.length > 0
      ? []
      : [menuRow("push", vscode.l10n.t("$(cloud-upload) Push"), vscode.l10n.t("send local changes"))]),
    menuRow("pull", vscode.l10n.t("$(cloud-download) Pull"), vscode.l10n.t("merge platform changes into the file")),
    menuRow("plan", vscode.l10n.t("$(list-ordered) Show Plan"), vscode.l10n.t("what a push would send")),
    ...(state?.hasBase ? [menuRow("compareWithBase", vscode.l10n.t("$(diff) Compare with Last Synced"))] : []),
    menuRow("compareWithPlatform", vscode.l10n.t("$(diff) Compare with Platform")),
    menuRow(
      "showRevision",
      vscode.l10n.t("$(versions) Show Revision"),
      vscode.l10n.t("compile result, models, and tools"),
    ),
    ...(state && state.risks > 0
      ? [menuRow("acknowledgeRisks", vscode.l10n.t("$(check) Dismiss Overwrite Warning"))]
      : []),
    SEPARATOR,
  ];
  const rows = setup
    ? [
        menuRow(setup.command, `$(${setup.icon}) ${setup.title}`, setup.detail),
        ...others.filter(({ command }) => command !== "openJournal" && command !== setup.command),
      ]
    : [...actions, ...others];
  const title = `${vscode.workspace.asRelativePath(uri)}: ${state ? words(state) : vscode.l10n.t("not synced")}`;
  const placeHolder = (state && explanation(state)[0]) || vscode.l10n.t("What do you want to do?");
  const row = await vscode.window.showQuickPick(rows, { title, placeHolder });
  if (row?.answer) return questions.answer(uri.toString(), row.answer);
  if (row?.command) await runRow(row.command, uri);
}

/** Runs the command of a row: one of VS Code, or one of ours without its prefix. */
async function runRow(command: string, uri: vscode.Uri): Promise<void> {
  const isAboutFile = !["enterKey", "switchConnection", "showLog"].includes(command);
  if ([MANAGE_TRUST, SHOW_PROBLEMS].includes(command)) await vscode.commands.executeCommand(command);
  else await vscode.commands.executeCommand(`assistantFlow.${command}`, ...(isAboutFile ? [uri] : []));
}

const MANAGE_TRUST = "workbench.trust.manage";
const SHOW_PROBLEMS = "workbench.actions.view.problems";

interface MenuRow extends vscode.QuickPickItem {
  readonly command?: string;
  readonly answer?: string;
}

const SEPARATOR: MenuRow = { label: "", kind: vscode.QuickPickItemKind.Separator };

function menuRow(command: string, label: string, description?: string): MenuRow {
  return { command, label, ...(description === undefined ? {} : { description }) };
}

/** The reason is a problem of the project file, or of the flow. */
function isShownAsProblem(state: FlowSyncState | undefined): boolean {
  return state?.reason === "project" || state?.reason === "unreadable";
}

async function compareIfKnown(server: Server, uri: vscode.Uri, which: "base" | "remote"): Promise<void> {
  const text = await ask(server, OtherTextRequest, { uri: uri.toString(), which });
  if (text !== null) return compare(uri, which);
  const name = vscode.workspace.asRelativePath(uri);
  void inform(vscode.l10n.t("Nothing to compare {0} with yet. Connect, then save or pull it.", name));
}

/** A longer detail of a quick pick would be cut off. */
const LONGEST_DETAIL = 70;

/** Asks about one conflict at a time, with both sides visible. Nothing is sent before all are decided. */
async function resolveConflicts(server: Server, uri: vscode.Uri, state: FlowSyncState | undefined): Promise<void> {
  if (!state || state.conflicts.length === 0) return void inform(vscode.l10n.t("No conflicts."));
  const choices: Record<string, "ours" | "theirs"> = {};
  const name = vscode.workspace.asRelativePath(uri);
  for (const [index, conflict] of state.conflicts.entries()) {
    // Nothing is selected, so that a stray key in the editor can't replace the conflict.
    const at = conflict.range ?? conflict.near;
    const place = at ? { selection: startOf(at) } : {};
    await compare(uri, "remote", { ...place, preserveFocus: true });
    const rows = [
      {
        label: vscode.l10n.t("$(file) Keep Mine"),
        detail: sideText(conflict, "ours", LONGEST_DETAIL),
        side: "ours" as const,
      },
      {
        label: vscode.l10n.t("$(cloud) Use Platform"),
        detail: sideText(conflict, "theirs", LONGEST_DETAIL),
        side: "theirs" as const,
      },
    ];
    const title = vscode.l10n.t("Conflict {0} of {1} in {2}", index + 1, state.conflicts.length, name);
    // A placeholder has no Markdown.
    const placeHolder = conflict.message.replaceAll("`", '"');
    const row = await vscode.window.showQuickPick(rows, { title, placeHolder, ignoreFocusOut: true });
    if (!row) return;
    choices[conflict.key] = row.side;
  }
  await ask(server, ResolveRequest, { uri: uri.toString(), choices });
}

/** Shows the first error from the platform, or the Problems view if no error has a line. */
async function goToBlocking(uri: vscode.Uri): Promise<void> {
  const errors = vscode.languages
    .getDiagnostics(uri)
    .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error)
    .sort((a, b) => a.range.start.compareTo(b.range.start));
  const found = errors.find(({ source }) => source?.includes("platform")) ?? errors[0];
  if (!found) return void vscode.commands.executeCommand("workbench.actions.view.problems");
  const viewColumn = columnOf(uri) ?? vscode.ViewColumn.Active;
  await vscode.window.showTextDocument(uri, { selection: startOf(found.range), viewColumn });
}

async function newFromRevision(
  server: Server,
  session: Session,
  folder: vscode.Uri,
  given: string | undefined,
): Promise<void> {
  const title = vscode.l10n.t("Pull Revision as New Flow");
  const offersDemo = !given && usesSandbox(session);
  const owners = offersDemo ? await ownersOfRevisions() : new Map<string, string>();
  const demo = given ? {} : freeDemoLink(session, (revision) => owners.has(revision));
  let values = await askSteps(
    title,
    [
      {
        name: "revision",
        label: labelOf("revision", demo.revision !== undefined),
        required: true,
        check: uuidProblem,
      },
      {
        name: "assistant",
        label: demo.assistant
          ? labelOf("assistant", true)
          : vscode.l10n.t("Assistant ID. Sync requires it, but you can add it later."),
        check: uuidProblem,
      },
    ],
    { values: given ? { revision: given } : demo },
  );
  while (values) {
    const { revision = "", assistant } = values;
    const made = await ask(server, NewFlowRequest, { revision, ...(assistant ? { assistant } : {}) });
    if ("text" in made) return createFlow(folder, title, made.text);
    values = await askSteps(
      title,
      [{ name: "revision", label: vscode.l10n.t("Revision ID"), required: true, check: uuidProblem }],
      { values, problems: { revision: made.problem } },
    );
  }
}

/** Shows a suggestion from the platform next to its text; the user decides how to apply it. */
async function showAdvice(uri: string, range: TextRange, text: string): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection: startOf(range) });
  const choice = await inform(vscode.l10n.t("Platform suggestion: {0}", text), vscode.l10n.t("Copy"));
  if (choice === vscode.l10n.t("Copy")) await vscode.env.clipboard.writeText(text);
}

/** Applies a quick fix by title, for links in hovers, if it is still offered. */
async function applyFix(uri: string, range: TextRange, title: string): Promise<void> {
  if (warnIfReadOnly(vscode.Uri.parse(uri))) return;
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    vscode.Uri.parse(uri),
    rangeOf(range),
    vscode.CodeActionKind.QuickFix.value,
  );
  const edit = actions.find((action) => action.title === title)?.edit;
  if (!edit || !(await vscode.workspace.applyEdit(edit)))
    void inform(vscode.l10n.t("The text has changed. Reopen the quick fix."));
}

/** Shows what is known; if nothing is, the platform is read first. */
async function showRevision(server: Server, file: vscode.Uri, which: "revision" | "quality"): Promise<void> {
  const uri = file.toString();
  const isKnown = async () => (await ask(server, OtherTextRequest, { uri, which })) !== null;
  if (!(await isKnown())) {
    const title = vscode.l10n.t("Checking platform…");
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
      ask(server, SyncActionRequest, { uri, action: "look" }),
    );
    if (!(await isKnown())) {
      const name = vscode.workspace.asRelativePath(file);
      return void inform(
        which === "quality"
          ? vscode.l10n.t("The platform has no quality report for {0} yet.", name)
          : vscode.l10n.t("Nothing is known about the revision of {0} yet. Connect, then push or pull it.", name),
      );
    }
  }
  await showText(file, which);
}

/** Writes the tools of the flow's revision, and of other flows that share the file, to the nearest snapshot. */
async function saveTools(server: Server, file: vscode.Uri): Promise<void> {
  const title = vscode.l10n.t("Reading tools…");
  const made = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
    ask(server, ToolSnapshotRequest, { uri: file.toString() }),
  );
  if ("problem" in made) return void showError(made.problem);
  const target = vscode.Uri.parse(made.uri);
  const name = vscode.workspace.asRelativePath(target);
  try {
    await writeWorkspaceFile(target, Buffer.from(made.text));
  } catch (error) {
    return void showError(vscode.l10n.t("Couldn't write {0}: {1}", name, reasonOf(error)));
  }
  const open = vscode.l10n.t("Open");
  const tools = plural(made.count, vscode.l10n.t("tool"), vscode.l10n.t("tools"));
  const choice = await inform(vscode.l10n.t("Saved {0} to {1}.", tools, name), open);
  if (choice === open) await vscode.window.showTextDocument(target);
}
