/** Runs commands. A rejection by the platform is shown to the user; any other error is a bug and is rethrown. */
import * as vscode from "vscode";
import { PlatformError } from "../../platform";
import { withoutLinks } from "../../text";
import { showError } from "./notice";

export function onCommand<Args extends unknown[]>(
  context: vscode.ExtensionContext,
  name: string,
  run: (...args: Args) => unknown,
): void {
  context.subscriptions.push(
    vscode.commands.registerCommand(`assistantFlow.${name}`, async (...args: unknown[]) => {
      try {
        return await run(...(args as Args));
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        if (error.kind !== "cancelled") void showError(error.message);
      }
    }),
  );
}

/** Runs work with a progress notification. `cancel` is the label of its button; false if the work can't be cancelled. */
export function withNotice<T>(
  title: string,
  run: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
  cancel: string | boolean = true,
): Thenable<T> {
  // VS Code accepts a label for the button, although its types only allow a boolean. Older versions show "Cancel".
  const cancellable = cancel as boolean;
  const options = { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable };
  return vscode.window.withProgress(options, (progress, cancelled) => {
    const abort = new AbortController();
    cancelled.onCancellationRequested(() => abort.abort());
    return run(abort.signal, (message) => progress.report({ message: withoutLinks(message) }));
  });
}

/** Shows a message in the status bar. */
export function showStatus(text: string): void {
  vscode.window.setStatusBarMessage(text, 4000);
}

export async function copy(text: string, what: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  showStatus(vscode.l10n.t("Copied {0}.", what));
}
