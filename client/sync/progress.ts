/**
 * Shows progress for pushes with several batches, which can be stopped between two. A single batch is too quick to
 * show.
 */
import * as vscode from "vscode";
import { ask, SyncActionRequest } from "../../server/messages";
import type { Server } from "../server";
import { type OpenProgress, openProgress } from "../ui/notice";
import type { SyncStates } from "./states";

interface Shown {
  readonly progress: OpenProgress;
  /** The percentage that was reported. */
  percent: number;
}

export function showProgress(states: SyncStates, server: Server): vscode.Disposable {
  const shown = new Map<string, Shown>();
  return states.onDidChange((uri) => {
    const { kind, batch = 0, batches = 0 } = states.get(uri) ?? {};
    const key = uri.toString();
    if (kind !== "syncing" || batches < 2) {
      shown.get(key)?.progress.close();
      shown.delete(key);
      return;
    }
    const own = shown.get(key) ?? { progress: begin(uri, server), percent: 0 };
    shown.set(key, own);
    const percent = Math.max(own.percent, (100 * Math.max(0, batch - 1)) / batches);
    own.progress.report(vscode.l10n.t("batch {0} of {1}", batch, batches), percent - own.percent);
    own.percent = percent;
  });
}

function begin(uri: vscode.Uri, server: Server): OpenProgress {
  const title = vscode.l10n.t("Syncing {0}", vscode.workspace.asRelativePath(uri));
  // Batches that were sent aren't undone.
  return openProgress(title, vscode.l10n.t("Stop after This Batch"), () =>
    ask(server, SyncActionRequest, { uri: uri.toString(), action: "cancel" }),
  );
}
