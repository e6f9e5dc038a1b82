/**
 * What is said to the person in a notification or a dialog. VS Code turns `[words](address)` in a message into a link, and
 * a link may run a command; much of what is said here was written by others, so nothing in it becomes a link.
 */
import * as vscode from "vscode";
import { withoutLinks } from "../../text";

type Say = <Choice extends string>(text: string, ...choices: Choice[]) => Thenable<Choice | undefined>;

export const inform: Say = (text, ...choices) => vscode.window.showInformationMessage(withoutLinks(text), ...choices);

export const warn: Say = (text, ...choices) => vscode.window.showWarningMessage(withoutLinks(text), ...choices);

export const complain: Say = (text, ...choices) => vscode.window.showErrorMessage(withoutLinks(text), ...choices);

/**
 * Says something until it is no longer true: returns what withdraws it. Only progress can be taken back from the screen,
 * and it has no buttons.
 */
export function sayWhileTrue(text: string): () => void {
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
  /** The first is what Enter does. */
  readonly choices: readonly Choice[];
  /** The last button, and what Escape does: undefined then. */
  readonly close: string;
  readonly warns?: boolean;
}

export async function present<Choice extends string>(dialog: Dialog<Choice>): Promise<Choice | undefined> {
  const { text, detail, choices, close, warns = false } = dialog;
  const buttons = [...choices.map((title) => ({ title })), { title: close, isCloseAffordance: true }];
  const say = warns ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const picked = await say(text, { modal: true, detail }, ...buttons);
  return choices.find((title) => title === picked?.title);
}

/** A question that must be answered before anything else; undefined for none of the choices. */
export function confirm<Choice extends string>(
  question: string,
  detail: string,
  ...choices: Choice[]
): Thenable<Choice | undefined> {
  return vscode.window.showWarningMessage(question, { modal: true, detail }, ...choices);
}
