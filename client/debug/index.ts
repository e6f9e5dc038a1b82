/** Registers the debugger: the inline adapter, questions as quick picks, and the Play page. */
import * as vscode from "vscode";
import type { AskedBy, LaunchConfiguration, RunPlace } from "../../debug/messages";
import { ANSWER, PATH, PLACE, QUESTION, RESTART_FROM, SAVE_AS_TEST } from "../../debug/messages";
import { type ActiveFlow, chooseFlow, flowOf } from "../active-flow";
import { loadDebugger } from "../parts";
import type { Server } from "../server";
import { onCommand, showError } from "../ui/notice";
import { pathOf } from "../ui/workspace-files";
import { debugHost, folderOf, uriOf } from "./debug-host";
import { registerPlay } from "./play-page";
import { Questions, type SendAnswer } from "./questions";
import { RunPlaces } from "./run-places";
import { saveRunAsTest } from "./save-test";

export type { RunPlaces } from "./run-places";

export function registerDebugging(context: vscode.ExtensionContext, server: Server, activeFlow: ActiveFlow): RunPlaces {
  const places = new RunPlaces();
  const questions = new Questions();
  const configurations = new Configurations();
  const { Dynamic } = vscode.DebugConfigurationProviderTriggerKind;
  context.subscriptions.push(
    places,
    questions,
    vscode.debug.registerDebugConfigurationProvider(TYPE, configurations),
    vscode.debug.registerDebugConfigurationProvider(TYPE, configurations, Dynamic),
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: (session) => adapterFor(session, server),
    }),
    vscode.debug.onDidReceiveDebugSessionCustomEvent(({ session, event, body }) => {
      if (session.type !== TYPE) return;
      if (event === QUESTION) void questions.askAtStop(session, body as AskedBy, sendTo(session));
      if (event !== PLACE) return;
      questions.arrived(body as RunPlace);
      places.show(session, body as RunPlace, (text) => void answer(session, text));
    }),
    vscode.debug.onDidTerminateDebugSession((session) => {
      if (session.type === TYPE) questions.close();
      places.hide(session);
    }),
  );
  onCommand(context, "debugFlow", (target?: unknown) => {
    const uri = flowOf(target) ?? activeFlow.uri;
    return start(uri, uri && flowConfiguration(uri));
  });
  onCommand(context, "debugTest", (uri: string, test: string) => {
    const file = vscode.Uri.parse(uri);
    return start(file, testConfiguration(file, test));
  });
  onCommand(context, "debugPath", (uri: string, path: readonly string[], values?: Record<string, unknown>) => {
    const file = vscode.Uri.parse(uri);
    // The run of a call is repeated from its entry.
    return start(file, flowConfiguration(file, { path, ...(values ? { values, stopOnEntry: true } : {}) }));
  });
  onCommand(context, "answerRun", () => {
    const session = ours();
    const asks = session && places.place?.asks;
    if (session && asks) return questions.ask(asks, sendTo(session));
    return void showError(vscode.l10n.t("The run isn't waiting for an answer."));
  });
  onCommand(context, "restartFrom", () => restartFrom(ours()));
  onCommand(context, "saveRunAsTest", () => {
    const session = ours();
    const file = places.place?.file;
    if (!session || file === undefined) return showError(vscode.l10n.t("Nothing is being debugged."));
    return saveRunAsTest(uriOf(file), async (request) => await session.customRequest(SAVE_AS_TEST, request));
  });
  registerBrokenPaths(context, places);
  registerHovers(context);
  registerPlay(context, server, activeFlow, places);
  return places;
}

async function adapterFor(session: vscode.DebugSession, server: Server): Promise<vscode.DebugAdapterDescriptor> {
  const { FlowDebugSession } = await loadDebugger();
  const { workspaceFolder, configuration } = session;
  const folder = workspaceFolder ? pathOf(workspaceFolder.uri) : folderOf(uriOf(String(configuration.program ?? "")));
  return new vscode.DebugAdapterInlineImplementation(
    new FlowDebugSession(debugHost(folder, server)) as vscode.DebugAdapter,
  );
}

async function start(uri: vscode.Uri | undefined, configuration: vscode.DebugConfiguration | undefined): Promise<void> {
  const folder = uri && vscode.workspace.getWorkspaceFolder(uri);
  // With an empty configuration, the provider asks for a flow.
  await vscode.debug.startDebugging(folder, configuration ?? { type: "", request: "", name: "" });
}

function ours(): vscode.DebugSession | undefined {
  const session = vscode.debug.activeDebugSession;
  return session?.type === TYPE ? session : undefined;
}

function sendTo(session: vscode.DebugSession): SendAnswer {
  return (text) => Promise.resolve(session.customRequest(ANSWER, { text }));
}

async function answer(session: vscode.DebugSession, text: string): Promise<void> {
  // Rejected if the run has moved on, or if the answer doesn't fit; the adapter's message says which.
  await sendTo(session)(text).catch((error: Error) => showError(error.message));
}

async function restartFrom(session: vscode.DebugSession | undefined): Promise<void> {
  if (!session) return void showError(vscode.l10n.t("Nothing is being debugged."));
  const { nodes } = (await session.customRequest(PATH)) as { readonly nodes: readonly string[] };
  const rows = nodes.map((label, number) => ({ label, description: `${number + 1}`, number })).reverse();
  const chosen = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t("Restart from Node"),
    placeHolder: vscode.l10n.t("Select a node on the path"),
  });
  if (chosen) await session.customRequest(RESTART_FROM, { number: chosen.number });
}

/** Highlights in the graph the path that violates a policy, until the flow violates none. */
function registerBrokenPaths(context: vscode.ExtensionContext, places: RunPlaces): void {
  const owner = {};
  let shown: vscode.Uri | undefined;
  let whole = Date.now();
  onCommand(context, "showPath", (flow: string, path: readonly string[], edges: readonly string[]) => {
    shown = vscode.Uri.parse(flow);
    places.show(owner, { file: pathOf(shown), path, edges, asks: undefined, whole: ++whole }, () => undefined);
    return vscode.commands.executeCommand("assistantFlow.openPreview", shown);
  });
  context.subscriptions.push(
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      const flow = shown?.toString();
      if (!shown || !uris.some((uri) => uri.toString() === flow)) return;
      if (vscode.languages.getDiagnostics(shown).some(isBrokenPolicy)) return;
      shown = undefined;
      places.hide(owner);
    }),
  );
}

function isBrokenPolicy({ code }: vscode.Diagnostic): boolean {
  return (typeof code === "object" ? code.value : code) === "policy-broken";
}

/** Resolves what F5 starts: a launch configuration or, without one, the flow or test in the active editor. */
const TYPE = "assistant-flow";

/** VS Code's variable for the active file. */
const THIS_FILE = "$" + "{file}";

class Configurations implements vscode.DebugConfigurationProvider {
  async resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    if (configuration.type || configuration.request || configuration.name) return withDefaults(configuration);
    const editor = vscode.window.activeTextEditor;
    const started = editor && configurationFor(editor.document, editor.selection.active.line);
    if (started) return started;
    const uri = await chooseFlow(vscode.l10n.t("Debug Flow"));
    return uri && flowConfiguration(uri);
  }

  provideDebugConfigurations(): vscode.DebugConfiguration[] {
    return [{ type: TYPE, request: "launch", name: vscode.l10n.t("Debug Flow"), program: THIS_FILE }];
  }
}

function withDefaults(configuration: vscode.DebugConfiguration): vscode.DebugConfiguration {
  const { program = THIS_FILE, ...others } = configuration as vscode.DebugConfiguration & { program?: string };
  const open = vscode.window.activeTextEditor?.document.uri;
  // The variable has only the path of the file, which is in another file system.
  const isElsewhere = program === THIS_FILE && open !== undefined && open.scheme !== "file";
  return { stopAtEnd: true, ...others, program: isElsewhere ? pathOf(open) : program };
}

function flowConfiguration(uri: vscode.Uri, more: Partial<LaunchConfiguration> = {}): vscode.DebugConfiguration {
  const name = vscode.l10n.t("Debug {0}", vscode.workspace.asRelativePath(uri));
  return { type: TYPE, request: "launch", name, program: pathOf(uri), stopAtEnd: true, ...more };
}

function testConfiguration(uri: vscode.Uri, test: string): vscode.DebugConfiguration {
  return { ...flowConfiguration(uri, { test }), name: vscode.l10n.t('Debug "{0}"', test) };
}

function configurationFor(document: vscode.TextDocument, line: number): vscode.DebugConfiguration | undefined {
  if (document.languageId === "assistant-flow") return flowConfiguration(document.uri);
  if (document.languageId !== "assistant-flow-test") return undefined;
  const name = testAbove(document, line);
  return name === undefined ? flowConfiguration(document.uri) : testConfiguration(document.uri, name);
}

/** Returns the name of the test that contains the line. */
function testAbove(document: vscode.TextDocument, line: number): string | undefined {
  for (let at = line; at >= 0; at--) {
    const written = /^\s*(?:-\s+)?name:\s*(.+?)\s*$/.exec(document.lineAt(at).text)?.[1];
    if (written !== undefined) return /^(["'])(.*)\1$/.exec(written)?.[2] ?? written.replace(/(?<!\s)\s+#[\s\S]*$/, "");
  }
  return undefined;
}

const VARIABLE = /\{\{\s*[A-Za-z][\w-]*\s*\}\}/g;
const CONDITION = /(?<=\bwhen:\s{0,20}(["']?)).+?(?=\1\s{0,20}(?:[,}]|#|$))/g;

/** Chooses the expression that a hover evaluates while a run is paused: a variable in braces, or a whole condition. */
function registerHovers(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.languages.registerEvaluatableExpressionProvider("assistant-flow", {
      provideEvaluatableExpression(document, position) {
        const { text } = document.lineAt(position.line);
        for (const pattern of [VARIABLE, CONDITION])
          for (const match of text.matchAll(pattern)) {
            const range = new vscode.Range(position.line, match.index, position.line, match.index + match[0].length);
            if (range.contains(position)) return new vscode.EvaluatableExpression(range, match[0]);
          }
        const word = document.getWordRangeAtPosition(position, /[A-Za-z][\w-]*/);
        return word && new vscode.EvaluatableExpression(word);
      },
    }),
  );
}
