/** Finds the node at the cursor in an editor that shows the flow; for an edge, its source node. */
import * as vscode from "vscode";
import { ask, ElementAtRequest } from "../server/messages";
import type { Server } from "./server";

export async function nodeAtCursor(uri: vscode.Uri, server: Server): Promise<string | undefined> {
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const position = editor?.selection.active;
  const element = position && (await ask(server, ElementAtRequest, { uri: uri.toString(), position }));
  return element?.kind === "edge" ? element.node : element?.id;
}
