/**
 * The language client turns a long list of problems into VS Code's own in slices. Where its request is cancelled on the way,
 * it takes what it has so far for the whole list: the rest would stay unseen, because the server says of the same list, when
 * asked again, that nothing has changed.
 */
import * as vscode from "vscode";

/** What `ask` gives, unless it was cancelled meanwhile: the client asks again then. */
export async function discardIfCancelled<Report>(
  ask: () => vscode.ProviderResult<Report>,
  token: vscode.CancellationToken,
): Promise<Report | null | undefined> {
  const report = await ask();
  if (token.isCancellationRequested) throw new vscode.CancellationError();
  return report;
}
