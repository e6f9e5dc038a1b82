/** Lists flows in the Source Control view, with local changes and platform changes. */

import * as vscode from "vscode";
import { isFlowFile } from "../../flow/file-kind";
import type { FlowSyncState } from "../../server/messages";
import { explanation, words } from "./state-words";
import type { SyncStates } from "./states";
import { textUri } from "./texts";

export function showSourceControl(states: SyncStates): vscode.Disposable {
  const control = vscode.scm.createSourceControl("assistantFlow", "Assistant Flow");
  control.inputBox.visible = false;
  control.quickDiffProvider = {
    provideOriginalResource: (uri) =>
      isFlowFile(uri.path) && states.get(uri)?.kind !== "unlinked" && states.get(uri)
        ? textUri(uri, "base")
        : undefined,
  };
  const local = control.createResourceGroup("local", vscode.l10n.t("Local Changes"));
  const remote = control.createResourceGroup("remote", vscode.l10n.t("Platform Changes"));
  const conflicts = control.createResourceGroup("conflicts", vscode.l10n.t("Conflicts"));
  for (const group of [local, remote, conflicts]) group.hideWhenEmpty = true;
  const update = () => {
    // Flows synced by another window are listed there.
    const mine = states.all().filter(({ reason }) => reason !== "held");
    const of = (...kinds: FlowSyncState["kind"][]) => mine.filter((state) => kinds.includes(state.kind));
    const sends = of("pending", "syncing", "blocked", "unauthorized");
    local.resourceStates = sends.map((state) => row(state, "compareWithBase"));
    remote.resourceStates = of("diverged").map((state) => row(state, "compareWithPlatform"));
    conflicts.resourceStates = of("conflict").map((state) => row(state, "resolveConflicts"));
    control.count = local.resourceStates.length + remote.resourceStates.length + conflicts.resourceStates.length;
    // An empty view looks broken, so show an empty group that explains why.
    local.hideWhenEmpty = control.count > 0;
    local.label = control.count > 0 ? vscode.l10n.t("Local Changes") : whyEmpty(states.all());
  };
  update();
  return vscode.Disposable.from(control, states.onDidChange(update));
}

/** Explains why the list is empty. A linked flow that can't be compared is `unlinked` too, but with a reason. */
export function whyEmpty(states: readonly Pick<FlowSyncState, "kind" | "reason">[]): string {
  if (states.some(({ kind }) => kind === "synced")) return vscode.l10n.t("Nothing to push or pull");
  if (states.some(({ reason }) => reason === "held")) return vscode.l10n.t("Synced by another window");
  return states.some(({ kind, reason }) => kind !== "unlinked" || reason !== undefined)
    ? vscode.l10n.t("Not compared with the platform yet")
    : vscode.l10n.t("No linked flow is open");
}

function row(state: FlowSyncState, command: string): vscode.SourceControlResourceState {
  const resourceUri = vscode.Uri.parse(state.uri);
  return {
    resourceUri,
    contextValue: state.kind,
    command: { command: `assistantFlow.${command}`, title: vscode.l10n.t("Show"), arguments: [resourceUri] },
    decorations: { tooltip: `${words(state)}. ${explanation(state).join(" ")}` },
  };
}
