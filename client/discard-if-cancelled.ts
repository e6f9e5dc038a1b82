/**
 * Works around the language client, which converts long diagnostic reports in slices. If its request is cancelled
 * halfway, it keeps the converted part as the whole report, and the next request answers "unchanged", so the rest would
 * never be shown.
 */
import * as vscode from "vscode";

/** Returns the report of `ask`. Throws if it was cancelled meanwhile, so that the client requests it again. */
export async function discardIfCancelled<Report>(
  ask: () => vscode.ProviderResult<Report>,
  token: vscode.CancellationToken,
): Promise<Report | null | undefined> {
  const report = await ask();
  if (token.isCancellationRequested) throw new vscode.CancellationError();
  return report;
}
