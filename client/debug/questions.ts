/**
 * Asks the questions of a run: a quick pick for a choice, an input box for a value, both for the result of a tool. When
 * VS Code reveals a stop, it moves the focus to the editor. A question that opened before that would lose the focus,
 * and the user's input would go into the flow. So a question opens after its stop was revealed, and stays open after
 * the answer until the run stops again.
 */
import * as vscode from "vscode";
import type { RunPlace } from "../../debug/messages";
import { showError } from "../ui/notice";

type Question = NonNullable<RunPlace["asks"]>;

/** How long to wait for VS Code to reveal a stop. It may fail to open the file. */
const REVEAL_MS = 15_000;

interface Row extends vscode.QuickPickItem {
  /** The answer as a console command; undefined if another input asks for the rest. */
  readonly answer: string | undefined;
}

/** Sends an answer to the run. Rejects with a message for the user if the answer doesn't fit. */
export type SendAnswer = (answer: string) => Promise<void>;

export class Questions implements vscode.Disposable {
  #input: vscode.QuickInput | undefined;
  #isAnswered = false;
  /** Set by `askAtStop`, until the position of its stop is reported. */
  #isNext = false;
  readonly #stops = new vscode.EventEmitter<void>();

  /** Asks the question of a stop that VS Code is about to reveal, unless the run moves on before that. */
  async askAtStop(session: vscode.DebugSession, question: Question, send: SendAnswer): Promise<void> {
    this.#isNext = true;
    this.#stops.fire();
    if (await this.#isRevealed(session)) this.ask(question, send);
  }

  /** The user may close the question to look around; then nothing is sent. */
  ask(question: Question, send: SendAnswer): void {
    if (question.kind === "choice") this.#askChoice(question, send);
    else if (question.kind === "value") this.#askValue(question, send);
    else this.#askCall(question, send);
  }

  /** Called at every stop: closes an answered question, unless this stop asks one too. */
  arrived({ asks }: RunPlace): void {
    if (this.#isNext) this.#isNext = false;
    else if (this.#isAnswered || !asks) this.close();
  }

  close(): void {
    this.#stops.fire();
    this.#isNext = false;
    this.#input?.hide();
  }

  dispose(): void {
    this.close();
    this.#stops.dispose();
  }

  #askChoice({ title, choices }: Question, send: SendAnswer): void {
    const rows = choices.map(({ id, words, to, isDefault }) => ({
      label: isDefault ? vscode.l10n.t("otherwise: {0}", words) : words,
      description: `→ ${to}`,
      answer: `take ${id}`,
    }));
    this.#pick(title, vscode.l10n.t("Select the edge that is taken"), rows, send);
  }

  #askValue({ title, variable = "", values }: Question, send: SendAnswer): void {
    const givesUp = `give ${variable} null`;
    if (values.length > 0) {
      const rows = values.map((value) => ({ label: value, answer: `give ${variable} ${JSON.stringify(value)}` }));
      const last = { label: vscode.l10n.t("The caller gives up"), answer: givesUp };
      this.#pick(title, vscode.l10n.t("Select a value for {0}", variable), [...rows, last], send);
      return;
    }
    const prompt = vscode.l10n.t("Value of {0}. Leave empty if the caller gives up.", variable);
    this.#type(title, prompt, "", (typed) => send(typed.trim() === "" ? givesUp : `give ${variable} ${typed}`));
  }

  #askCall({ title, answer = "{}", events }: Question, send: SendAnswer): void {
    const rows: Row[] = [
      { label: vscode.l10n.t("Return…"), description: answer, answer: undefined },
      ...events.map((event) => ({
        label: vscode.l10n.t("Fail: {0}", event),
        answer: event === "error" ? "fail error" : `event ${event}`,
      })),
    ];
    this.#pick(title, vscode.l10n.t("Select the result"), rows, send, (typed) =>
      this.#type(title, vscode.l10n.t("Answer as JSON or YAML"), typed || answer, (value) => send(`return ${value}`)),
    );
  }

  /** `askRest` gets what the user typed if it matches no row. */
  #pick(
    title: string,
    placeholder: string,
    items: readonly Row[],
    send: SendAnswer,
    askRest?: (typed: string) => void,
  ): void {
    const pick = vscode.window.createQuickPick<Row>();
    Object.assign(pick, { title, placeholder, items });
    pick.onDidAccept(async () => {
      const row = pick.selectedItems[0];
      if (pick.busy) return;
      if (!row) return askRest?.(pick.value);
      if (row.answer === undefined) return askRest?.("");
      await this.#answer(pick, row.answer, send).catch((error: Error) => {
        pick.hide();
        void showError(error.message);
      });
    });
    this.#show(pick);
  }

  #type(title: string, prompt: string, value: string, send: SendAnswer): void {
    const box = vscode.window.createInputBox();
    Object.assign(box, { title, prompt, value });
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidAccept(async () => {
      if (box.busy) return;
      await this.#answer(box, box.value, send).catch((error: Error) => {
        box.validationMessage = error.message;
      });
    });
    this.#show(box);
  }

  async #answer(input: vscode.QuickInput, answer: string, send: SendAnswer): Promise<void> {
    input.busy = true;
    this.#isAnswered = true;
    try {
      await send(answer);
    } catch (error) {
      input.busy = false;
      this.#isAnswered = false;
      throw error;
    }
  }

  /** Replaces the open question. VS Code hides the previous one without returning the focus in between. */
  #show(input: vscode.QuickInput): void {
    input.ignoreFocusOut = true;
    input.onDidHide(() => {
      if (this.#input === input) this.#input = undefined;
      input.dispose();
    });
    this.#input = input;
    this.#isAnswered = false;
    input.show();
  }

  /** False if the run stopped again, or ended, before this stop was revealed. */
  async #isRevealed(session: vscode.DebugSession): Promise<boolean> {
    const focused = vscode.debug.activeStackItem;
    // VS Code doesn't take the focus away from another session, so nothing will be revealed.
    if (focused && focused.session.id !== session.id) return true;
    const subscriptions: vscode.Disposable[] = [];
    try {
      return await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(true), REVEAL_MS);
        subscriptions.push(
          { dispose: () => clearTimeout(timer) },
          this.#stops.event(() => resolve(false)),
          // VS Code reports the frame after its source has the focus.
          vscode.debug.onDidChangeActiveStackItem((item) => {
            if (item instanceof vscode.DebugStackFrame && item.session.id === session.id) resolve(true);
          }),
        );
      });
    } finally {
      for (const subscription of subscriptions) subscription.dispose();
    }
  }
}
