/** Connects the graph to the flow's text: reveals elements, finds the element at the cursor, and applies edits. */
import * as vscode from "vscode";
import type { GraphEdit, GraphElement, TextPosition } from "../../server/messages";
import { ask, ElementAtRequest, GraphEditRequest, PlaceOfRequest } from "../../server/messages";
import type { Server } from "../server";
import { warn } from "../ui/notice";
import { rangeOf } from "../ui/ranges";
import { columnOf, warnIfReadOnly } from "../ui/workspace-files";
import type { ToGraphPage } from "./messages";

/** A cursor move this soon after an edit is part of typing. */
const TYPING_MS = 300;

export class GraphText {
  /** Ignores cursor moves that the graph caused. */
  readonly #ownMoves = new SelectionEchoFilter();
  /**
   * Tokens of the newest move in each direction. A response to an older one is dropped, since it would revert newer
   * moves.
   */
  #latestReveal = {};
  #latestCursorMove = {};
  #isEditing = false;
  #editedAt = 0;

  constructor(
    private readonly server: Server,
    private readonly panel: vscode.WebviewPanel,
    private readonly uri: () => vscode.Uri | undefined,
  ) {}

  /** Runs undo or redo in the text editor, then returns the focus to the graph. */
  async run(command: "undo" | "redo"): Promise<void> {
    const uri = this.uri();
    if (!uri) return;
    const editor = await vscode.window.showTextDocument(uri, {
      viewColumn: columnOf(uri) ?? vscode.ViewColumn.One,
      preview: false,
    });
    this.#isEditing = true;
    await vscode.commands.executeCommand(command);
    this.#isEditing = false;
    // The graph shouldn't follow this cursor move.
    this.#ownMoves.expect(editor.selection.active);
    this.focusPage();
  }

  /** Keeps the keyboard focus in the webview, so that keys such as undo work there. */
  focusPage(): void {
    this.panel.reveal();
    void this.panel.webview.postMessage({ type: "focus" } satisfies ToGraphPage);
  }

  async save(): Promise<void> {
    const uri = this.uri();
    const document = uri && (await vscode.workspace.openTextDocument(uri));
    if (document?.isDirty) await document.save();
    // As in the editor, saving after an autosave pushes.
    else if (document) await vscode.commands.executeCommand("assistantFlow.pushAutosaved", document.uri);
  }

  async reveal(element: GraphElement, preserveFocus: boolean): Promise<void> {
    const uri = this.uri();
    const mine = {};
    this.#latestReveal = mine;
    const place = uri && (await ask(this.server, PlaceOfRequest, { uri: uri.toString(), element }));
    if (!uri || !place || this.#latestReveal !== mine) return;
    const range = rangeOf(place);
    const viewColumn = columnOf(uri) ?? vscode.ViewColumn.One;
    // If the text is in the graph's own group, don't cover the graph with it unless the user opens it.
    if (preserveFocus && viewColumn === this.panel.viewColumn) return;
    this.#ownMoves.expect(range.start);
    const editor = await vscode.window.showTextDocument(uri, { viewColumn, preserveFocus, preview: false });
    if (this.#latestReveal !== mine) return;
    editor.selection = new vscode.Selection(range.start, range.start);
    // From the first column: revealing the end of a long line scrolls sideways, and cuts off the keys.
    const lines = new vscode.Range(range.start.line, 0, range.end.line, 0);
    editor.revealRange(lines, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** Notes an edit, so that the cursor moves it causes count as typing. */
  edited(): void {
    this.#editedAt = Date.now();
  }

  /**
   * Returns the element at the cursor. Undefined if the cursor is in another editor, the graph moved it, or it moved
   * again.
   */
  async elementAtCursor({
    textEditor,
    selections,
  }: Pick<vscode.TextEditorSelectionChangeEvent, "textEditor" | "selections">): Promise<
    { readonly element: GraphElement | undefined; readonly isTyping: boolean } | undefined
  > {
    const uri = this.uri()?.toString();
    const cursor = selections[0]?.active;
    if (!cursor || uri === undefined || textEditor.document.uri.toString() !== uri) return undefined;
    if (this.#isEditing || this.#ownMoves.isEcho(cursor)) return undefined;
    const reveal = this.#latestReveal;
    const mine = {};
    this.#latestCursorMove = mine;
    const position = { line: cursor.line, character: cursor.character };
    const isTyping = Date.now() - this.#editedAt < TYPING_MS;
    const element = (await ask(this.server, ElementAtRequest, { uri, position })) ?? undefined;
    return this.#latestCursorMove === mine && this.#latestReveal === reveal ? { element, isTyping } : undefined;
  }

  /** Applies an edit of the graph to the text, as one undo step. False if it failed, which the user has been told. */
  async apply(edit: GraphEdit): Promise<boolean> {
    const uri = this.uri();
    if (!uri || warnIfReadOnly(uri)) return false;
    const result = await ask(this.server, GraphEditRequest, { uri: uri.toString(), edit });
    if ("problem" in result) {
      void warn(result.problem);
      return false;
    }
    const change = (await this.#renamedEverywhere(uri, edit)) ?? new vscode.WorkspaceEdit();
    if (change.size === 0) for (const { range, newText } of result.edits) change.replace(uri, rangeOf(range), newText);
    // The user may have typed since the server computed the edits.
    const { version } = await vscode.workspace.openTextDocument(uri);
    this.#isEditing = true;
    const isApplied = version === result.version && (await vscode.workspace.applyEdit(change, { isRefactoring: true }));
    this.#isEditing = false;
    if (!isApplied) void warn(vscode.l10n.t("The file changed, so the edit wasn't applied. Try again."));
    return isApplied;
  }

  /** The same edit as Rename Symbol makes in the text: tests and policies that name the node change, too. */
  async #renamedEverywhere(uri: vscode.Uri, edit: GraphEdit): Promise<vscode.WorkspaceEdit | undefined> {
    if (edit.kind !== "rename") return undefined;
    const element = { kind: "node", id: edit.id } as const;
    const place = await ask(this.server, PlaceOfRequest, { uri: uri.toString(), element });
    if (!place) return undefined;
    const { start } = rangeOf(place);
    return vscode.commands.executeCommand("vscode.executeDocumentRenameProvider", uri, start, edit.name);
  }
}

/**
 * Selection events arrive late and one by one, after the graph has moved the cursor again (once per arrow key). So all
 * of these positions are remembered, not only the last.
 */
export class SelectionEchoFilter {
  #places: TextPosition[] = [];

  expect(place: TextPosition): void {
    this.#places.push(place);
  }

  /** Whether the graph put the cursor here. Otherwise the user did, and the remembered positions are cleared. */
  isEcho({ line, character }: TextPosition): boolean {
    const at = this.#places.findIndex((place) => place.line === line && place.character === character);
    // Keeps the position itself, because the editor may report it twice: when it becomes active and when the cursor
    // moves.
    this.#places = at < 0 ? [] : this.#places.slice(at);
    return at >= 0;
  }
}
