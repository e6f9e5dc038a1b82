/**
 * What sync has to say, by the protocol's own means: progress while batches go out, and a message when a state needs a
 * person, with buttons for what can be done about it. Editors with our client hear of states by a message of ours
 * instead and show them their own way.
 */
import { type MessageActionItem, MessageType, ShowMessageNotification } from "vscode-languageserver";
import { fileNameIn } from "../../flow";
import { t, withoutLinks } from "../../text";
import type { Server } from "../context";
import type { FlowSyncState, SendQuestion } from "../messages";
import { keyOf } from "../protocol/uris";
import { type Doer, type Notice, noticesOf, questionOf } from "./notices";

type Progress = Awaited<ReturnType<Server["connection"]["window"]["createWorkDoneProgress"]>>;

/** The answer of a person who chose nothing. */
const DISMISSED = "";

export class Reporter {
  readonly #progress = new Map<string, Promise<Progress>>();
  /** What was said last of each file and matter. */
  readonly #said = new Map<string, { readonly text: string; dismissed: boolean }>();

  readonly #saidOnce = new Set<string>();

  constructor(
    private readonly server: Server,
    private readonly doer: Doer,
  ) {}

  report(state: FlowSyncState): void {
    this.#tell(state);
    this.#show(state);
  }

  /** Says something that needs no answer, to an editor with our client as well. */
  say(message: string): undefined {
    void this.server.connection.sendNotification(ShowMessageNotification.type, {
      type: MessageType.Warning,
      message: withoutLinks(message),
    });
  }

  /** A save is how a person of such an editor asks for a push: what was asked and not answered is asked once more. */
  saved(uri: string): void {
    const about = `${keyOf(uri)} state`;
    if (this.#said.get(about)?.dismissed) this.#said.delete(about);
  }

  /** Once when a state is reached that a person must know of; not again for every save. */
  #tell(state: FlowSyncState): void {
    // While a batch is on its way, or a question is open, what was said before may still hold when it is over.
    if (state.kind === "syncing" || state.reason === "asking") return;
    for (const [matter, notice] of Object.entries(noticesOf(state))) {
      const about = `${keyOf(state.uri)} ${matter}`;
      if (this.#said.get(about)?.text === notice?.text) continue;
      if (notice?.once && this.#saidOnce.has(`${about} ${notice.text}`)) continue;
      if (notice?.once) this.#saidOnce.add(`${about} ${notice.text}`);
      if (notice) void this.#tellOf(state.uri, about, notice);
      else this.#said.delete(about);
    }
  }

  async #tellOf(uri: string, about: string, { text, buttons = [], otherwise = "" }: Notice): Promise<void> {
    const said = { text, dismissed: false };
    this.#said.set(about, said);
    const titles = buttons.map(({ title }) => title);
    const answer = await this.#ask(`${fileNameIn(uri)}: ${text}`, titles, otherwise);
    said.dismissed = answer === DISMISSED;
    const chosen = buttons.find(({ title }) => title === answer);
    // Something else was said meanwhile: the answer is to an old question.
    if (!chosen || this.#said.get(about) !== said) return;
    try {
      await chosen.press(this.doer);
    } catch (error) {
      this.server.connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }

  /** The title that was chosen. An editor that cannot show buttons gets the message with another way instead. */
  async #ask(message: string, titles: readonly string[], otherwise: string): Promise<string | undefined> {
    if (titles.length === 0) return this.say(message);
    const actions: MessageActionItem[] = titles.map((title) => ({ title }));
    try {
      return (
        (await this.server.connection.window.showWarningMessage(withoutLinks(message), ...actions))?.title ?? DISMISSED
      );
    } catch {
      // Not every editor answers this request; what it says of it is of no use to a person.
      return this.say(`${message} ${otherwise}`);
    }
  }

  /** Shown for chains of batches; a single batch is over before anybody could read it. */
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
      progress.token.onCancellationRequested(() => void this.doer.act(state.uri, "cancel"));
      return progress;
    });
    this.#progress.set(state.uri, started);
  }

  async confirm(question: SendQuestion): Promise<boolean> {
    const { text, otherwise } = questionOf(question);
    return (await this.#ask(`${fileNameIn(question.uri)}: ${text}`, ["Push", "Not Now"], otherwise)) === "Push";
  }

  dispose(): void {
    for (const progress of this.#progress.values()) void progress.then((shown) => shown.done());
    this.#progress.clear();
  }
}
