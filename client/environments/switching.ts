/** The environment of the active flow in the status bar, and switching it for this workspace. */
import * as vscode from "vscode";
import type { EnvironmentView, FlowSyncState } from "../../server/messages";
import type { ActiveFlow } from "../active-flow";
import type { Session } from "../connections";
import { fileOf, type SyncStates } from "../sync";
import { setContext } from "../ui/context";
import { inform } from "../ui/notice";
import { currentOf, enterKeyOf, type UsedUrls } from "./keys";

export function showEnvironment(states: SyncStates, activeFlow: ActiveFlow): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("environment", vscode.StatusBarAlignment.Left, 9.5);
  item.name = vscode.l10n.t("Assistant Flow: Environment");
  item.command = "assistantFlow.switchEnvironment";
  const update = () => {
    const hasAny = states.all().some(({ environments }) => environments);
    void setContext("hasEnvironments", hasAny);
    const state = activeState(states, activeFlow);
    if (!state?.environments) return item.hide();
    const current = currentOf(state);
    const name = current?.name ?? vscode.l10n.t("No environment");
    const isProtected = current?.isProtected === true;
    item.text = isProtected
      ? vscode.l10n.t("$(lock) {0} (protected)", name)
      : current
        ? `$(server-environment) ${name}`
        : `$(warning) ${name}`;
    const sentence = !current
      ? state.message
      : isProtected
        ? vscode.l10n.t(
            'The flow is compared with "{0}" ({1}). It is protected, so only a promotion changes it.',
            name,
            current.url ?? "",
          )
        : vscode.l10n.t('The flow is synced with "{0}" ({1}).', name, current.url ?? "");
    item.tooltip = vscode.l10n.t("{0} Click to switch.", sentence);
    item.accessibilityInformation = {
      label: vscode.l10n.t("Assistant Flow environment: {0}. {1}", name, sentence),
      role: "button",
    };
    item.backgroundColor =
      isProtected || !current ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    item.show();
  };
  update();
  return vscode.Disposable.from(item, states.onDidChange(update), activeFlow.onDidChange(update));
}

function activeState(states: SyncStates, { uri }: ActiveFlow): FlowSyncState | undefined {
  return uri && states.get(fileOf(uri));
}

type Choice = vscode.QuickPickItem & { readonly environment?: EnvironmentView; readonly command?: string };

/** Switches the environment of all listed flows in this workspace. */
export async function switchEnvironment(
  session: Session,
  states: SyncStates,
  activeFlow: ActiveFlow,
  urls: UsedUrls,
): Promise<void> {
  const state = activeState(states, activeFlow) ?? states.all().find(({ environments }) => environments);
  if (!state?.environments)
    return void inform(vscode.l10n.t("Open a flow that is listed in assistant-flow.project.yaml first."));
  const rows: Choice[] = state.environments.map((environment) => ({
    label: `$(${environment.name === state.environment ? "check" : environment.isProtected ? "lock" : "server-environment"}) ${environment.name}`,
    description: environment.isProtected
      ? vscode.l10n.t("{0} · protected", environment.url ?? "")
      : (environment.url ?? ""),
    environment,
  }));
  const row = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t("Assistant Flow: Environment"),
    placeHolder: vscode.l10n.t("Select the environment to sync flows with in this window"),
  });
  const environment = row?.environment;
  if (!environment) return;
  const needsKey = environment.url !== undefined && !session.store.byUrl(environment.url);
  if (needsKey && !(await enterKeyOf(session, environment, urls))) return;
  await session.store.chooseEnvironment(environment.name, environment.url);
}
