/** Converts positions in messages of the server to those of VS Code. */
import * as vscode from "vscode";
import type { TextRange } from "../../server/messages";

export function rangeOf({ start, end }: TextRange): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Returns an empty range, so that typing replaces nothing. */
export function startOf({ start }: TextRange): vscode.Range {
  return rangeOf({ start, end: start });
}
