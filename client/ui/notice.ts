/**
 * Shows notifications and dialogs. VS Code turns `[text](target)` in a message into a link that may run a command, and
 * messages contain text from files and from the platform, so links are neutralized here.
 */
import * as vscode from "vscode";
import { withoutLinks } from "../../text";

type Say = <Choice extends string>(text: string, ...choices: Choice[]) => Thenable<Choice | undefined>;

export const inform: Say = (text, ...choices) => vscode.window.showInformationMessage(withoutLinks(text), ...choices);

export const warn: Say = (text, ...choices) => vscode.window.showWarningMessage(withoutLinks(text), ...choices);

export const showError: Say = (text, ...choices) => vscode.window.showErrorMessage(withoutLinks(text), ...choices);

/**
 * Shows a message until the returned function is called. Uses progress, since VS Code can't withdraw any other
 * notification; progress has no buttons.
 */
export function showUntilWithdrawn(text: string): () => void {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const location = vscode.ProgressLocation.Notification;
  void vscode.window.withProgress({ location, title: withoutLinks(text) }, () => ended);
  return end;
}

interface Dialog<Choice extends string> {
  readonly text: string;
  readonly detail: string;
  /** The first one is the default for Enter. */
  readonly choices: readonly Choice[];
  /** The last button, also chosen by Escape; the result is undefined. */
  readonly close: string;
  readonly warns?: boolean;
}

export async function present<Choice extends string>(dialog: Dialog<Choice>): Promise<Choice | undefined> {
  const { text, detail, choices, close, warns = false } = dialog;
  const buttons = [...choices.map((title) => ({ title })), { title: close, isCloseAffordance: true }];
  const show = warns ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const picked = await show(text, { modal: true, detail }, ...buttons);
  return choices.find((title) => title === picked?.title);
}

/** Shows a modal question; undefined if the user makes no choice. */
export function confirm<Choice extends string>(
  question: string,
  detail: string,
  ...choices: Choice[]
): Thenable<Choice | undefined> {
  return vscode.window.showWarningMessage(question, { modal: true, detail }, ...choices);
}
