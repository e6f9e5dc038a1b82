/** Commands of the sidebar: what the platform rejects is said in its words; anything else is a fault and stays one. */
import * as vscode from "vscode";
import { PlatformError } from "../../platform";
import { withoutLinks } from "../../text";
import { complain } from "./notice";

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
        if (error.kind !== "cancelled") void complain(error.message);
      }
    }),
  );
}

/** Does something that can be cancelled, with a notification while it lasts. */
export function withNotice<T>(
  title: string,
  run: (signal: AbortSignal, say: (message: string) => void) => Promise<T>,
  cancel?: string,
): Thenable<T> {
  // VS Code takes the label of the button here, though its types only know a boolean; a version that doesn't shows "Cancel".
  const cancellable = (cancel ?? true) as boolean;
  const options = { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable };
  return vscode.window.withProgress(options, (progress, cancelled) => {
    const abort = new AbortController();
    cancelled.onCancellationRequested(() => abort.abort());
    return run(abort.signal, (message) => progress.report({ message: withoutLinks(message) }));
  });
}

/** Says something without asking for attention. */
export function whisper(text: string): void {
  vscode.window.setStatusBarMessage(text, 4000);
}

export async function copy(text: string, what: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  whisper(vscode.l10n.t("Copied {0}.", what));
}
