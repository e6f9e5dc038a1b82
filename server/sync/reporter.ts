/**
 * Reports sync through the protocol: progress while batches are sent, and messages with buttons for states that need
 * attention. Editors with our client get states by our own message and show them themselves.
 */
import {
  CancellationTokenSource,
  type MessageActionItem,
  MessageType,
  ShowMessageNotification,
} from "vscode-languageserver";
import { fileNameIn } from "../../flow";
import { t, withoutLinks } from "../../text";
import type { ServerContext } from "../context";
import { ask, ConfirmRequest, type FlowSyncState, type SendQuestion } from "../messages";
import { keyOf } from "../protocol/uris";
import { type ActionHandler, type Notice, noticesOf, questionOf } from "./notices";

type Progress = Awaited<ReturnType<ServerContext["connection"]["window"]["createWorkDoneProgress"]>>;

/** The answer if the user closed the message. */
const DISMISSED = "";

export class Reporter {
  readonly #progress = new Map<string, Promise<Progress>>();
  /** The last message by file and topic. */
  readonly #lastMessages = new Map<string, { readonly text: string; dismissed: boolean }>();

  readonly #shownOnce = new Set<string>();

  constructor(
    private readonly server: ServerContext,
    private readonly handler: ActionHandler,
  ) {}

  report(state: FlowSyncState): void {
    this.#notify(state);
    this.#show(state);
  }

  /** Shows a message without an answer, also in an editor with our client. */
  showMessage(message: string): undefined {
    void this.server.connection.sendNotification(ShowMessageNotification.type, {
      type: MessageType.Warning,
      message: withoutLinks(message),
    });
  }

  /** In such an editor a save requests a push, so dismissed messages may be shown again. */
  saved(uri: string): void {
    const about = `${keyOf(uri)} state`;
    if (this.#lastMessages.get(about)?.dismissed) this.#lastMessages.delete(about);
  }

  /** Shows a state that needs attention once, not after every save. */
  #notify(state: FlowSyncState): void {
    // While a batch is sent or a question is open, earlier messages may still apply afterwards.
    if (state.kind === "syncing" || state.reason === "asking") return;
    for (const [matter, notice] of Object.entries(noticesOf(state))) {
      const about = `${keyOf(state.uri)} ${matter}`;
      if (this.#lastMessages.get(about)?.text === notice?.text) continue;
      if (notice?.once && this.#shownOnce.has(`${about} ${notice.text}`)) continue;
      if (notice?.once) this.#shownOnce.add(`${about} ${notice.text}`);
      if (notice) void this.#notifyTopic(state.uri, about, notice);
      else this.#lastMessages.delete(about);
    }
  }

  async #notifyTopic(uri: string, about: string, { text, buttons = [], otherwise = "" }: Notice): Promise<void> {
    const last = { text, dismissed: false };
    this.#lastMessages.set(about, last);
    const titles = buttons.map(({ title }) => title);
    const answer = await this.#ask(`${fileNameIn(uri)}: ${text}`, titles, otherwise);
    last.dismissed = answer === DISMISSED;
    const chosen = buttons.find(({ title }) => title === answer);
    // Another message was shown in the meantime, so the answer is outdated.
    if (!chosen || this.#lastMessages.get(about) !== last) return;
    try {
      await chosen.press(this.handler);
    } catch (error) {
      this.server.connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }

  /** The chosen title. An editor that can't show buttons gets the message with the alternative. */
  async #ask(message: string, titles: readonly string[], otherwise: string): Promise<string | undefined> {
    if (titles.length === 0) return this.showMessage(message);
    const actions: MessageActionItem[] = titles.map((title) => ({ title }));
    try {
      return (
        (await this.server.connection.window.showWarningMessage(withoutLinks(message), ...actions))?.title ?? DISMISSED
      );
    } catch {
      // Not every editor answers this request, and its error wouldn't help the user.
      return this.showMessage(`${message} ${otherwise}`);
    }
  }

  /** Shown for chains of batches; a single batch is too fast to read. */
  #show(state: FlowSyncState): void {
    const shown = this.#progress.get(state.uri);
    if (state.kind !== "syncing" || (state.batches ?? 0) < 2) {
      this.#progress.delete(state.uri);
      void shown?.then((progress) => progress.done());
      return;
    }
    if (!this.server.client.window?.workDoneProgress) return;
    const { batch = 0, batches = 1 } = state;
    const percentage = Math.round((100 * Math.max(0, batch - 1)) / batches);
    const words = t("batch {0} of {1}", batch, batches);
    if (shown) return void shown.then((progress) => progress.report(percentage, words));
    const started = this.server.connection.window.createWorkDoneProgress().then((progress) => {
      progress.begin(t("Syncing {0}", fileNameIn(state.uri)), percentage, words, true);
      progress.token.onCancellationRequested(() => void this.handler.act(state.uri, "cancel"));
      return progress;
    });
    this.#progress.set(state.uri, started);
  }

  /** Our client withdraws the question when the session is closed, because its answer no longer counts. */
  async confirm(question: SendQuestion, closed: AbortSignal): Promise<boolean> {
    if (closed.aborted) return false;
    if (this.server.options.clientTransport) {
      const withdrawn = new CancellationTokenSource();
      const withdraw = () => withdrawn.cancel();
      closed.addEventListener("abort", withdraw);
      const asked = ask(this.server.connection, ConfirmRequest, question, withdrawn.token);
      return asked.finally(() => closed.removeEventListener("abort", withdraw));
    }
    const { text, otherwise } = questionOf(question);
    return (await this.#ask(`${fileNameIn(question.uri)}: ${text}`, ["Push", "Not Now"], otherwise)) === "Push";
  }

  dispose(): void {
    for (const progress of this.#progress.values()) void progress.then((shown) => shown.done());
    this.#progress.clear();
  }
}
