/**
 * The notification for pending rejections: counts down the undo period, shows sending progress and the result, and
 * closes automatically.
 */
import * as vscode from "vscode";
import { type OpenProgress, openProgress } from "../../ui/notice";
import { plural } from "../../ui/words";
import type { Batch } from "./queue";

/** How long the result stays visible. */
const LINGER_MS = 1500;

export class Countdown {
  readonly #progress: OpenProgress;
  readonly #clock: NodeJS.Timeout;

  /** `isResumed`: the rejections are from a previous session. */
  constructor(
    private readonly batch: Batch,
    undo: () => unknown,
    isResumed = false,
  ) {
    const name = nameOf(batch);
    const title = isResumed
      ? vscode.l10n.t("From a previous session: rejecting {0}", name)
      : vscode.l10n.t("Rejecting {0}", name);
    this.#progress = openProgress(title, vscode.l10n.t("Undo"), undo);
    const whole = Math.max(1, Math.ceil((batch.due - Date.now()) / 1000));
    const tick = (increment: number) => {
      const left = Math.ceil((batch.due - Date.now()) / 1000);
      if (left > 0) this.#progress.report(vscode.l10n.t("{0} s left to undo", left), increment);
    };
    tick(0);
    this.#clock = setInterval(() => tick(100 / whole), 1000);
  }

  sending(done: number): void {
    clearInterval(this.#clock);
    const { length } = this.batch.rejections;
    this.#progress.report(length === 1 ? vscode.l10n.t("sending…") : vscode.l10n.t("{0} of {1}", done + 1, length));
  }

  /** Closes without a result, after an undo or a failure, which is reported separately. */
  close(): void {
    clearInterval(this.#clock);
    this.#progress.close();
  }

  rejected(): void {
    clearInterval(this.#clock);
    this.#progress.report(vscode.l10n.t("Rejected"), 100);
    setTimeout(this.#progress.close, LINGER_MS);
  }
}

export function nameOf({ rejections }: Pick<Batch, "rejections">): string {
  const [first] = rejections;
  return rejections.length === 1
    ? `"${first?.label}"`
    : plural(rejections.length, vscode.l10n.t("review"), vscode.l10n.t("reviews"));
}
