/** Highlights in the graph the path that violates a policy, until the flow violates none. */
import * as vscode from "vscode";
import { onCommand } from "../ui/act";
import { pathOf } from "../ui/workspace-files";
import type { RunPlaces } from "./run-places";

export function registerBrokenPaths(context: vscode.ExtensionContext, places: RunPlaces): void {
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
