/**
 * Shows notifications and dialogs. VS Code turns `[text](target)` in a message into a link that may run a command, and
 * messages contain text from files and from the platform, so links are neutralized here.
 */
import * as vscode from "vscode";
import { PlatformError } from "../../platform";
import { withoutLinks } from "../../text";

type Say = <Choice extends string>(text: string, ...choices: Choice[]) => Thenable<Choice | undefined>;

export const inform: Say = (text, ...choices) => vscode.window.showInformationMessage(withoutLinks(text), ...choices);

export const warn: Say = (text, ...choices) => vscode.window.showWarningMessage(withoutLinks(text), ...choices);

export const showError: Say = (text, ...choices) => vscode.window.showErrorMessage(withoutLinks(text), ...choices);

/** A progress notification that is shown until it is closed. */
export interface OpenProgress {
  report(message?: string, increment?: number): void;
  close(): void;
}

/** `button` is the label of its button; without one, it has none. `links` are shown after the text. */
export function openProgress(
  text: string,
  button: string | undefined,
  pressed: () => unknown,
  links = "",
): OpenProgress {
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  let shown: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  /** What was reported before VS Code shows the notification. */
  let waiting: { message?: string; increment: number } | undefined;
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: [withoutLinks(text), links].filter(Boolean).join(" "),
    // VS Code accepts a label for the button since 1.95, although its types only allow a boolean. Others show "Cancel".
    ...(button === undefined ? {} : { cancellable: button as unknown as boolean }),
  };
  void vscode.window.withProgress(options, (progress, cancelled) => {
    shown = progress;
    if (waiting) progress.report(waiting);
    cancelled.onCancellationRequested(pressed);
    return closed;
  });
  return {
    report(message, increment = 0) {
      if (shown) shown.report({ message, increment });
      else waiting = { message, increment: increment + (waiting?.increment ?? 0) };
    },
    close,
  };
}

export interface StandingNotice {
  /** Resolves to undefined when the notice is withdrawn. */
  readonly choice: Promise<string | undefined>;
  withdraw(): void;
}

const CHOOSE = "assistantFlow.chooseInNotice";
const standing = new Map<number, (index: number) => void>();
let lastNotice = 0;

/**
 * Shows a message until a choice is made or it is withdrawn. Uses progress, since VS Code can't withdraw any other
 * notification. Progress has one button, for the first choice, so the other choices are links.
 */
export function showUntilWithdrawn(text: string, ...choices: string[]): StandingNotice {
  const id = ++lastNotice;
  const [button, ...others] = choices;
  const links = others.map((choice, at) => `[${choice}](command:${CHOOSE}?${encodeURIComponent(`[${id},${at + 1}]`)})`);
  let settle: (choice: string | undefined) => void = () => undefined;
  const choice = new Promise<string | undefined>((resolve) => {
    settle = resolve;
  });
  standing.set(id, (index) => settle(choices[index]));
  const progress = openProgress(text, button, () => settle(button), links.join(" · "));
  // Nothing is in progress while the user decides.
  if (button !== undefined) progress.report();
  void choice.then(() => {
    standing.delete(id);
    progress.close();
  });
  return { choice, withdraw: () => settle(undefined) };
}

/** Registers the command that the links of `showUntilWithdrawn` run. */
export function registerNotices(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.commands.registerCommand(CHOOSE, (id: number, index: number) => standing.get(id)?.(index)),
  );
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

/** Runs commands. A rejection by the platform is shown to the user; any other error is a bug and is rethrown. */
export function onCommand<Args extends unknown[]>(
  context: vscode.ExtensionContext,
  name: string,
  run: (...args: Args) => unknown,
): void {
  context.subscriptions.push(
    vscode.commands.registerCommand(`assistantFlow.${name}`, async (...args: unknown[]) => {
      try {
        return await run(...(args as Args));
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        if (error.kind !== "cancelled") void showError(error.message);
      }
    }),
  );
}

/** Runs work with a progress notification. `cancel` is the label of its button; false if the work can't be cancelled. */
export function withNotice<T>(
  title: string,
  run: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
  cancel: string | boolean = true,
): Thenable<T> {
  // VS Code accepts a label for the button, although its types only allow a boolean. Older versions show "Cancel".
  const cancellable = cancel as boolean;
  const options = { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable };
  return vscode.window.withProgress(options, (progress, cancelled) => {
    const abort = new AbortController();
    cancelled.onCancellationRequested(() => abort.abort());
    return run(abort.signal, (message) => progress.report({ message: withoutLinks(message) }));
  });
}

/** Shows a message in the status bar. */
export function showStatus(text: string): void {
  vscode.window.setStatusBarMessage(text, 4000);
}

export async function copy(text: string, what: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  showStatus(vscode.l10n.t("Copied {0}.", what));
}
