/** The text behind the picture: where it is shown, what of it the cursor stands on, and what the picture changes in it. */
import * as vscode from "vscode";
import {
  ask,
  ElementAtRequest,
  type GraphEdit,
  GraphEditRequest,
  type GraphElement,
  PlaceOfRequest,
} from "../../server/messages";
import type { Server } from "../server";
import { warn } from "../ui/notice";
import type { ToGraphPage } from "./messages";
import { SelectionEchoFilter } from "./selection-echo-filter";

/** A cursor that moves so soon after the text changed moved with it. */
const TYPING_MS = 300;

export class GraphText {
  /** Where the picture put the editor's cursor, so that the cursor does not move the picture in turn. */
  readonly #led = new SelectionEchoFilter();
  /** The newest move of each side. What an answer comes too late for is left out: it would take back what was done since. */
  #leading = {};
  #following = {};
  #isEditing = false;
  #editedAt = 0;

  constructor(
    private readonly server: Server,
    private readonly panel: vscode.WebviewPanel,
    private readonly uri: () => vscode.Uri | undefined,
  ) {}

  /** What is undone is the text, so it is undone there; the focus comes back to where the key was pressed. */
  async run(command: "undo" | "redo"): Promise<void> {
    const uri = this.uri();
    if (!uri) return;
    const editor = await vscode.window.showTextDocument(uri, { viewColumn: columnOf(uri), preview: false });
    this.#isEditing = true;
    await vscode.commands.executeCommand(command);
    this.#isEditing = false;
    // Where that left the cursor the picture is not led to.
    this.#led.to(editor.selection.active);
    this.focusPage();
  }

  /** The keys, undo among them, are to go on in the page. */
  focusPage(): void {
    this.panel.reveal();
    void this.panel.webview.postMessage({ type: "focus" } satisfies ToGraphPage);
  }

  async save(): Promise<void> {
    const uri = this.uri();
    const document = uri && (await vscode.workspace.openTextDocument(uri));
    if (document?.isDirty) await document.save();
    // As in the editor, where a save after an autosave is a save.
    else if (document) await vscode.commands.executeCommand("assistantFlow.pushAutosaved", document.uri);
  }

  async reveal(element: GraphElement, preserveFocus: boolean): Promise<void> {
    const uri = this.uri();
    const mine = {};
    this.#leading = mine;
    const place = uri && (await ask(this.server, PlaceOfRequest, { uri: uri.toString(), element }));
    if (!uri || !place || this.#leading !== mine) return;
    const range = new vscode.Range(place.start.line, place.start.character, place.end.line, place.end.character);
    const viewColumn = columnOf(uri);
    // The text behind the picture, in one group with it, comes in front only when it is to be opened.
    if (preserveFocus && viewColumn === this.panel.viewColumn) return;
    this.#led.to(range.start);
    const editor = await vscode.window.showTextDocument(uri, { viewColumn, preserveFocus, preview: false });
    if (this.#leading !== mine) return;
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** The text changed. A cursor that moves with it was not put there to look at something. */
  edited(): void {
    this.#editedAt = Date.now();
  }

  /** What the cursor of the flow's editor stands on. Undefined: it is another editor's, the picture put it there, or it is over. */
  async elementAtCursor({
    textEditor,
    selections,
  }: Pick<vscode.TextEditorSelectionChangeEvent, "textEditor" | "selections">): Promise<
    { readonly element: GraphElement | undefined; readonly isTyping: boolean } | undefined
  > {
    const uri = this.uri()?.toString();
    const cursor = selections[0]?.active;
    if (!cursor || uri === undefined || textEditor.document.uri.toString() !== uri) return undefined;
    if (this.#isEditing || this.#led.isAt(cursor)) return undefined;
    const leading = this.#leading;
    const mine = {};
    this.#following = mine;
    const position = { line: cursor.line, character: cursor.character };
    const isTyping = Date.now() - this.#editedAt < TYPING_MS;
    const element = (await ask(this.server, ElementAtRequest, { uri, position })) ?? undefined;
    return this.#following === mine && this.#leading === leading ? { element, isTyping } : undefined;
  }

  /** Makes an edit of the picture one of the text, taken back by one undo. False: it was not made, and why was said. */
  async apply(edit: GraphEdit): Promise<boolean> {
    const uri = this.uri();
    if (!uri) return false;
    const result = await ask(this.server, GraphEditRequest, { uri: uri.toString(), edit });
    if ("problem" in result) {
      void warn(result.problem);
      return false;
    }
    const change = new vscode.WorkspaceEdit();
    for (const { range, newText } of result.edits)
      change.replace(
        uri,
        new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character),
        newText,
      );
    this.#isEditing = true;
    const isApplied = await vscode.workspace.applyEdit(change);
    this.#isEditing = false;
    if (!isApplied) void warn(vscode.l10n.t("The file changed, so the edit was not applied. Try again."));
    return isApplied;
  }
}

/** Where the text is shown, or is to be. */
function columnOf(uri: vscode.Uri): vscode.ViewColumn {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  return shown?.viewColumn ?? vscode.ViewColumn.One;
}
