/**
 * Shows progress for pushes with several batches, which can be stopped between two. A single batch is too quick to
 * show.
 */
import * as vscode from "vscode";
import { ask, SyncActionRequest } from "../../server/messages";
import { withoutLinks } from "../../text";
import type { Server } from "../server";
import type { SyncStates } from "./states";

interface Shown {
  report(batch: number, batches: number): void;
  end(): void;
}

export function showProgress(states: SyncStates, server: Server): vscode.Disposable {
  const shown = new Map<string, Shown>();
  return states.onDidChange((uri) => {
    const { kind, batch = 0, batches = 0 } = states.get(uri) ?? {};
    const key = uri.toString();
    if (kind !== "syncing" || batches < 2) {
      shown.get(key)?.end();
      shown.delete(key);
      return;
    }
    const before = shown.get(key);
    if (before) before.report(batch, batches);
    else shown.set(key, begin(uri, server, { batch, batches }));
  });
}

function begin(uri: vscode.Uri, server: Server, first: { batch: number; batches: number }): Shown {
  const title = withoutLinks(vscode.l10n.t("Syncing {0}", vscode.workspace.asRelativePath(uri)));
  // Batches that were sent aren't undone. VS Code accepts a label, although its types only allow a boolean.
  const cancellable = vscode.l10n.t("Stop after This Batch") as unknown as boolean;
  const options = { location: vscode.ProgressLocation.Notification, cancellable, title };
  let progress: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  let last = first;
  let reported = 0;
  const update = () => {
    const done = (100 * Math.max(0, last.batch - 1)) / last.batches;
    progress?.report({
      message: vscode.l10n.t("batch {0} of {1}", last.batch, last.batches),
      increment: Math.max(0, done - reported),
    });
    reported = Math.max(reported, done);
  };
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  void vscode.window.withProgress(options, (made, cancelled) => {
    progress = made;
    cancelled.onCancellationRequested(() => ask(server, SyncActionRequest, { uri: uri.toString(), action: "cancel" }));
    update();
    return ended;
  });
  return {
    report(batch, batches) {
      last = { batch, batches };
      update();
    },
    end,
  };
}
