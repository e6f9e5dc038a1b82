/** Commands about the revision of a flow: its description, its quality report and its tools. */
import * as vscode from "vscode";
import { reasonOf } from "../../files";
import { ask, OtherTextRequest, SyncActionRequest } from "../../server/messages";
import { ToolSnapshotRequest } from "../../server/revision-messages";
import type { Server } from "../server";
import { inform, showError } from "../ui/notice";
import { plural } from "../ui/words";
import { writeWorkspaceFile } from "../ui/workspace-files";
import { showText } from "./texts";

/** Shows what is known; if nothing is, the platform is read first. */
export async function showRevision(server: Server, file: vscode.Uri, which: "revision" | "quality"): Promise<void> {
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
export async function saveTools(server: Server, file: vscode.Uri): Promise<void> {
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
