/** Registers the debugger: the inline adapter, questions as quick picks, and the Play page. */
import * as vscode from "vscode";
import type { AskedBy, RunPlace } from "../../debug/messages";
import { ANSWER, PATH, PLACE, QUESTION, RESTART_FROM, SAVE_AS_TEST } from "../../debug/messages";
import type { ActiveFlow } from "../active-flow";
import { flowOf } from "../choose-flow";
import { loadDebugger } from "../parts";
import type { Server } from "../server";
import { onCommand } from "../ui/act";
import { showError } from "../ui/notice";
import { pathOf } from "../ui/workspace-files";
import { registerBrokenPaths } from "./broken-paths";
import { Configurations, flowConfiguration, TYPE, testConfiguration } from "./configurations";
import { debugHost, folderOf, uriOf } from "./debug-host";
import { registerHovers } from "./hovers";
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
