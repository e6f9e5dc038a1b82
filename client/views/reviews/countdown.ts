/**
 * The notification for pending rejections: counts down the undo period, shows sending progress and the result, and
 * closes automatically.
 */
import * as vscode from "vscode";
import { withoutLinks } from "../../../text";
import { plural } from "../../ui/words";
import type { Batch } from "./queue";

/** How long the result stays visible. */
const LINGER_MS = 1500;

export class Countdown {
  #report: (message: string, increment?: number) => void = () => undefined;
  #close: () => void = () => undefined;
  readonly #clock: NodeJS.Timeout;

  /** `before` is a prefix, such as "From a previous session". */
  constructor(
    private readonly batch: Batch,
    undo: () => unknown,
    before = "",
  ) {
    const title = `${before}${before ? "rejecting" : vscode.l10n.t("Rejecting")} ${nameOf(batch)}`;
    // VS Code accepts a label for the button, although its types only allow a boolean.
    const cancellable = vscode.l10n.t("Undo") as unknown as boolean;
    const options = { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable };
    void vscode.window.withProgress(options, (progress, cancelled) => {
      this.#report = (message, increment = 0) => progress.report({ message, increment });
      cancelled.onCancellationRequested(undo);
      return new Promise<void>((resolve) => {
        this.#close = resolve;
      });
    });
    const whole = Math.max(1, Math.ceil((batch.due - Date.now()) / 1000));
    const tick = (increment: number) => {
      const left = Math.ceil((batch.due - Date.now()) / 1000);
      if (left > 0) this.#report(vscode.l10n.t("{0} s left to undo", left), increment);
    };
    tick(0);
    this.#clock = setInterval(() => tick(100 / whole), 1000);
  }

  sending(done: number): void {
    clearInterval(this.#clock);
    const { length } = this.batch.rejections;
    this.#report(length === 1 ? vscode.l10n.t("sending…") : vscode.l10n.t("{0} of {1}", done + 1, length));
  }

  /** Closes without a result, after an undo or a failure, which is reported separately. */
  close(): void {
    clearInterval(this.#clock);
    this.#close();
  }

  rejected(): void {
    clearInterval(this.#clock);
    this.#report(vscode.l10n.t("Rejected"), 100);
    setTimeout(this.#close, LINGER_MS);
  }
}

export function nameOf({ rejections }: Pick<Batch, "rejections">): string {
  const [first] = rejections;
  return rejections.length === 1
    ? `"${first?.label}"`
    : plural(rejections.length, vscode.l10n.t("review"), vscode.l10n.t("reviews"));
}
