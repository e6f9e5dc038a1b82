/** Decides whether a plan is sent automatically, waits, or needs confirmation. */
import type { Graph, Plan } from "../flow";
import type { Clock } from "./environment";
import { fingerprint } from "./journal/journal";
import type { JournalRecord } from "./journal/record";
import {
  changedOutside,
  changedSincePlan,
  firstPush,
  notPushed,
  removesNodes,
  savedNotPushed,
  stopped,
} from "./sentences";
import { pending, type SyncState } from "./state";

/**
 * Why there is a new target: saved by the user; auto-saved by the editor; merged with platform changes and saved;
 * changed outside the editor, for example by switching branches; opened; or `manual`, pushed only on request.
 */
export type Cause = "save" | "autosave" | "merge" | "outside" | "open" | "manual";

export interface Question {
  readonly reason: "first-push" | "removes-many";
  readonly plan: Plan;
}

/** Asks the user to confirm; the plan is visible. The signal aborts when the question is obsolete. */
export type Confirm = (question: Question, signal: AbortSignal) => Promise<boolean>;

/** Whether a plan, based on this version, is the one that was shown before the push. */
export type Expects = (plan: Plan, version: number | undefined) => boolean;

/** An answer that comes so quickly was given by a program. */
const AT_ONCE_MS = 200;

/** Whether a plan removes a share of the nodes that always needs confirmation. */
export function removesMany({ summary }: Plan): boolean {
  return summary.removedShare > 1 / 5;
}

export class Consent {
  #cause: Cause = "open";
  #cancelled = false;
  /** Nodes whose removal the user has confirmed. */
  #agreed = new Set<string>();
  /** The question that the user declined. */
  #declined: string | undefined;
  #asking = new AbortController();

  constructor(
    private readonly confirm: Confirm,
    private readonly clock: Pick<Clock, "now">,
    private readonly expects: Expects = () => true,
  ) {}

  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** A new target makes open questions obsolete. A pause ends with a push, not with the next save. */
  targetChanged(cause: Cause, changed: boolean): void {
    this.withdraw();
    if (changed) this.#cancelled = false;
    // A merge result inherits the cause of the text it was merged into.
    const now = cause !== "merge" ? cause : this.#cause === "autosave" ? "autosave" : "save";
    if (this.#cause !== "outside" || now === "manual") this.#cause = now;
  }

  /** The user asked to push. A question that is still open is asked again. */
  allow(): void {
    this.withdraw();
    this.#cause = "save";
    this.#cancelled = false;
    this.#declined = undefined;
  }

  endPause(): void {
    if (this.#cause === "outside") this.#cause = "save";
  }

  cancel(): void {
    this.#cancelled = true;
  }

  withdraw(): void {
    this.#asking.abort("no longer asked");
  }

  /** File and platform agree, so decisions about the last plan don't apply to the next. */
  forget(): void {
    this.endPause();
    this.#agreed.clear();
    this.#declined = undefined;
  }

  /** Whether the current target may be sent automatically later; otherwise it isn't recorded. */
  get isWanted(): boolean {
    return this.#cause === "save";
  }

  /**
   * Whether the user wants this graph on the platform, so the file may be merged into and an empty batch may be sent to
   * read.
   */
  wants(graph: Graph, record: JournalRecord): boolean {
    if (this.#cancelled) return false;
    if (this.#cause === "save") return true;
    return this.#cause !== "manual" && record.wanted !== undefined && record.wanted === fingerprint(graph);
  }

  /** The reason why a plan isn't sent automatically, or undefined. */
  blockedReason(wanted: Plan, graph: Graph, record: JournalRecord): SyncState | undefined {
    if (this.#cancelled) return pending("cancelled", stopped(), wanted);
    // A graph that the user saved before and that couldn't be sent is still wanted, however the file got it back.
    if (this.wants(graph, record)) this.#cause = "save";
    if (this.#cause === "save") {
      const isExpected = this.expects(wanted, (record.remote ?? record.base)?.version);
      return isExpected ? undefined : pending("declined", changedSincePlan(), wanted);
    }
    return this.unsent(wanted);
  }

  /** The state of changes that the user hasn't asked to push. */
  unsent(wanted: Plan): SyncState {
    const what = wanted.summary.text;
    if (this.#cause === "autosave") return pending("autosaved", savedNotPushed(what), wanted);
    return this.#cause === "outside"
      ? pending("paused", changedOutside(what), wanted)
      : pending("manual", notPushed(what), wanted);
  }

  /**
   * Asks for confirmation if a plan needs it. Remembers a "no" until the question changes. "agreed": the user confirmed, and
   * took time for it; a flag of a command answers at once ("yes"). Undefined if superseded.
   */
  async ask(
    wanted: Plan,
    confirmed: boolean,
    show: (state: SyncState) => void,
  ): Promise<"yes" | "agreed" | SyncState | undefined> {
    const { removedNodes, text } = wanted.summary;
    const many = removesMany(wanted) && removedNodes.some((id) => !this.#agreed.has(id));
    const asks = !confirmed || many;
    let hasTakenTime = false;
    if (asks) {
      const reason = confirmed ? "removes-many" : "first-push";
      const question = confirmed ? removedNodes.join(" ") : reason;
      const message = confirmed ? removesNodes(removedNodes.length) : firstPush(text);
      const declined = pending("declined", notPushed(text), wanted);
      if (this.#declined === question) return declined;
      show(pending("asking", message, wanted));
      const asked = this.clock.now();
      const yes = await this.#prompt({ reason, plan: wanted });
      if (yes === undefined) return undefined;
      this.#declined = yes ? undefined : question;
      if (!yes) return declined;
      hasTakenTime = this.clock.now() - asked >= AT_ONCE_MS;
    }
    for (const id of removedNodes) this.#agreed.add(id);
    return hasTakenTime ? "agreed" : "yes";
  }

  #prompt(question: Question): Promise<boolean | undefined> {
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const idle = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
    return Promise.race([this.confirm(question, signal), idle]);
  }
}
