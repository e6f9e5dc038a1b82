/**
 * Tells saves by the user from automatic ones. VS Code marks autosaves, but "Save All" before debugging, a task, or a
 * commit looks like Ctrl+S. Only a save of the active flow counts as the user's: by our command, or of no other file at
 * the same time.
 */
import * as vscode from "vscode";
import type { ActiveFlow } from "./active-flow";

/** The longest a save may take. VS Code doesn't report failed saves, so older entries are dropped. */
const MAX_SAVE_MS = 3000;

export class Saves implements vscode.Disposable {
  /** Start times of manual saves in progress. */
  readonly #saving = new Map<string, number>();
  readonly #savedTogether = new Set<string>();
  /** The document that the user is saving by our command, whatever other saves are in progress. */
  #byUser: vscode.TextDocument | undefined;
  readonly #subscriptions: vscode.Disposable[];

  constructor(private readonly activeFlow: ActiveFlow) {
    this.#subscriptions = [
      vscode.workspace.onWillSaveTextDocument((event) => this.#onWillSave(event)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#saving.delete(uri.toString())),
    ];
  }

  /** Returns the event for the server: a save of any flow but the active one counts as automatic. */
  forServer(event: vscode.TextDocumentWillSaveEvent): vscode.TextDocumentWillSaveEvent {
    return this.activeFlow.uri?.toString() === event.document.uri.toString() ? event : asAutosave(event);
  }

  /** Whether other files were saved at the same time, which is known only after the save. */
  wasSavedWithOthers({ uri }: vscode.TextDocument): boolean {
    return this.#savedTogether.delete(uri.toString());
  }

  /**
   * Saves the active flow like Ctrl+S. VS Code reports nothing if the file is saved already, and during an autosave it
   * joins that save and reports only the autosave; `report` is then called for the user's save.
   */
  async save(report: (document: vscode.TextDocument) => Promise<void>, withoutFormatting = false): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    let isReported = false;
    const listening = vscode.workspace.onWillSaveTextDocument((event) => {
      isReported ||= event.document === document && event.reason === vscode.TextDocumentSaveReason.Manual;
    });
    this.#byUser = document;
    try {
      await vscode.commands.executeCommand(
        `workbench.action.files.save${withoutFormatting ? "WithoutFormatting" : ""}`,
      );
    } finally {
      listening.dispose();
      if (this.#byUser === document) this.#byUser = undefined;
    }
    // The command may return while an autosave is still writing the file.
    if (document?.isDirty && !document.isUntitled && !isReported) await nextSave(document);
    // An untitled flow was saved as another document, and a dirty one wasn't saved.
    const isSaved = document && !document.isUntitled && !document.isDirty;
    if (isSaved && !isReported) await report(document);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #onWillSave({ document, reason }: vscode.TextDocumentWillSaveEvent): void {
    const uri = document.uri.toString();
    this.#savedTogether.delete(uri);
    if (reason !== vscode.TextDocumentSaveReason.Manual || document === this.#byUser) return;
    const now = Date.now();
    for (const [other, since] of this.#saving) if (now - since > MAX_SAVE_MS) this.#saving.delete(other);
    this.#saving.delete(uri);
    if (this.#saving.size > 0) for (const each of [uri, ...this.#saving.keys()]) this.#savedTogether.add(each);
    this.#saving.set(uri, now);
  }
}

/** Resolves when the document is saved, or after `MAX_SAVE_MS`. */
function nextSave(document: vscode.TextDocument): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      listening.dispose();
      clearTimeout(timer);
      resolve();
    };
    const listening = vscode.workspace.onDidSaveTextDocument((saved) => {
      if (saved === document) end();
    });
    const timer = setTimeout(end, MAX_SAVE_MS);
  });
}

export function asAutosave({ document }: { document: vscode.TextDocument }): vscode.TextDocumentWillSaveEvent {
  const reason = vscode.TextDocumentSaveReason.AfterDelay;
  // The event is only forwarded to the server, so there is nothing to wait for.
  return { document, reason, waitUntil: () => undefined };
}
