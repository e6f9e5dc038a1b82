/**
 * Who saves a flow: a person, or VS Code by itself. VS Code says of an autosave that it is one; but of "Save All" before
 * debugging, a task or a commit it says what it says of Ctrl+S. A person's save is of the flow in front, and of it alone.
 */
import * as vscode from "vscode";
import type { ActiveFlow } from "./active-flow";

/** So long a save may take; one that failed is not told of, and must not count for ever. */
const LONGEST_MS = 3000;

export class Saves implements vscode.Disposable {
  /** Since when files are being saved, not by a timer nor for a lost focus. */
  readonly #saving = new Map<string, number>();
  readonly #savedTogether = new Set<string>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(private readonly front: ActiveFlow) {
    this.#subscriptions = [
      vscode.workspace.onWillSaveTextDocument((event) => this.#begins(event)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#saving.delete(uri.toString())),
    ];
  }

  /** The event as the server is to see it: a save that no person has meant counts as VS Code's own. */
  meant(event: vscode.TextDocumentWillSaveEvent): vscode.TextDocumentWillSaveEvent {
    return this.#isInFront(event.document) ? event : byItself(event);
  }

  /** Whether other files were saved at the same time, which is known only once it is over. */
  wasAmongOthers({ uri }: vscode.TextDocument): boolean {
    return this.#savedTogether.delete(uri.toString());
  }

  /**
   * Saves the flow in front, as Ctrl+S does. VS Code joins an autosave that is under way and then reports that one alone; where it
   * reports no save by the user, `report` is called.
   */
  async save(report: (document: vscode.TextDocument) => Promise<void>): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    let isReported = false;
    const listening = vscode.workspace.onWillSaveTextDocument((event) => {
      isReported ||= event.document === document && event.reason === vscode.TextDocumentSaveReason.Manual;
    });
    try {
      await vscode.commands.executeCommand("workbench.action.files.save");
    } finally {
      listening.dispose();
    }
    // An untitled flow was saved as another document, and what is still dirty wasn't saved.
    const isSaved = document && !document.isUntitled && !document.isDirty;
    if (isSaved && !isReported) await report(document);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #begins({ document, reason }: vscode.TextDocumentWillSaveEvent): void {
    const uri = document.uri.toString();
    this.#savedTogether.delete(uri);
    if (reason !== vscode.TextDocumentSaveReason.Manual) return;
    const now = Date.now();
    for (const [other, since] of this.#saving) if (now - since > LONGEST_MS) this.#saving.delete(other);
    this.#saving.delete(uri);
    if (this.#saving.size > 0) for (const each of [uri, ...this.#saving.keys()]) this.#savedTogether.add(each);
    this.#saving.set(uri, now);
  }

  #isInFront({ uri }: vscode.TextDocument): boolean {
    return this.front.uri?.toString() === uri.toString();
  }
}

export function byItself({ document }: { document: vscode.TextDocument }): vscode.TextDocumentWillSaveEvent {
  const reason = vscode.TextDocumentSaveReason.AfterDelay;
  // The server is only told: nobody waits for anything.
  return { document, reason, waitUntil: () => undefined };
}
