/** Asks before a push: the questions, their choices, and remembered answers. */
import { l10n } from "vscode";
import type { FlowSyncState, SendQuestion } from "../../server/messages";
import { pushQuestion } from "../../sync/sentences";

/** The workspace storage for answers. */
interface Memory {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

/**
 * Shows a question; undefined if it was closed without a choice. `onPage` is the question where the file's name and the
 * changes are already shown.
 */
type Show = (question: string, choices: readonly string[], onPage: string) => PromiseLike<string | undefined>;

/**
 * Asks once. Only a first push can be allowed permanently, and only for this file, revision, and platform. Pushing to
 * another platform, or deleting many nodes, is always confirmed.
 */
export async function askToSend(question: SendQuestion, name: string, memory: Memory, show: Show): Promise<boolean> {
  const isRepeatable = question.reason === "first-push" && !question.removesMany;
  const agreed = agreementTo(question);
  if (isRepeatable && memory.get<boolean>(agreed)) return true;
  const choices = isRepeatable ? [PUSH, ALWAYS_PUSH] : [PUSH];
  const always = l10n.t('"{0}" skips this question for this file and revision from now on.', ALWAYS_PUSH);
  const [text, onPage] = [asks(question, question.plan.summary), asks(question)].map((each) =>
    isRepeatable ? `${each} ${always}` : each,
  ) as [string, string];
  const answer = await show(`${name}: ${text}`, [...choices, NOT_NOW], onPage);
  if (answer === ALWAYS_PUSH) await memory.update(agreed, true);
  return answer !== undefined && choices.includes(answer);
}

/** Whether a plan and a question about it no longer matter. */
export function isSettled(kind: FlowSyncState["kind"] | undefined): boolean {
  return kind === "synced" || kind === "unlinked" || kind === "conflict";
}

/** Whether a question was superseded. After an autosave, the state offers *Push*, which asks about the current plan. */
export function endsQuestion({ kind, reason }: Pick<FlowSyncState, "kind" | "reason">): boolean {
  return isSettled(kind) || reason === "autosaved";
}

interface OpenQuestion {
  readonly text?: string;
  readonly choices: readonly string[];
  answer(choice: string | undefined): void;
}

/**
 * Open questions by file. A notification disappears after a few seconds, before the user has read a plan, so the same
 * choices are offered in the sync menu and on the plan page until one is made.
 */
export class OpenQuestions {
  readonly #open = new Map<string, OpenQuestion>();

  constructor(private readonly changed: () => void) {}

  choicesFor(uri: string): readonly string[] {
    return this.#open.get(uri)?.choices ?? [];
  }

  textFor(uri: string): string | undefined {
    return this.#open.get(uri)?.text;
  }

  answer(uri: string, choice: string): void {
    this.#open.get(uri)?.answer(choice);
  }

  /** Ends a question without an answer. */
  withdraw(uri: string): void {
    const question = this.#open.get(uri);
    this.#open.delete(uri);
    question?.answer(undefined);
  }

  /** Waits for the first answer, from the notification or elsewhere. Undefined if a newer question replaces this one. */
  async wait(
    uri: string,
    choices: readonly string[],
    notification: PromiseLike<string | undefined>,
    text?: string,
  ): Promise<string | undefined> {
    let mine: OpenQuestion | undefined;
    this.#open.get(uri)?.answer(undefined);
    const elsewhere = new Promise<string | undefined>((resolve) => {
      mine = { choices, answer: resolve, ...(text === undefined ? {} : { text }) };
      this.#open.set(uri, mine);
    });
    this.changed();
    try {
      return await Promise.race([notification, elsewhere]);
    } finally {
      // A newer question about the file may have replaced this one.
      if (this.#open.get(uri) === mine) this.#open.delete(uri);
      this.changed();
    }
  }
}

export const NOT_NOW = l10n.t("Not Now");
const PUSH = l10n.t("Push");
const ALWAYS_PUSH = l10n.t("Always Push This File");

function agreementTo({ uri, to: { address, assistant, revision } }: SendQuestion): string {
  return `agreed:${JSON.stringify([address, assistant, revision, uri])}`;
}

/** The question before a push, without its choices. `changes` are left out where they are already shown. */
export function asks(
  { reason, removesNodes, removesMany, to }: Omit<SendQuestion, "uri" | "plan">,
  changes?: string,
): string {
  return pushQuestion({ isFirst: reason === "first-push", removesNodes, removesMany }, to.address, changes);
}
