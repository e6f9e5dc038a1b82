/** When a plan goes out by itself, when it waits, and when a person is asked. */
import type { Graph, Plan } from "../flow";
import { fingerprint, type JournalRecord } from "./journal/journal";
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
 * Why a target is told: a person saved it; its editor saved it by itself; we merged the platform's changes into it and
 * saved that; something else changed the file, such as a switch of branches; the file was opened; or it shall only be known.
 */
export type Cause = "save" | "autosave" | "merge" | "outside" | "open" | "manual";

export interface Question {
  readonly reason: "first-push" | "removes-many";
  readonly plan: Plan;
}

/** Asks a person; the plan is in sight. The signal says that the question is no longer asked. */
export type Confirm = (question: Question, signal: AbortSignal) => Promise<boolean>;

/** Whether a plan, onto this version, is the one that was shown before the push. */
export type Expects = (plan: Plan, version: number | undefined) => boolean;

/** Whether a plan takes away so large a share of the nodes that it asks first, whatever was agreed to before. */
export function removesMany({ summary }: Plan): boolean {
  return summary.removedShare > 1 / 5;
}

export class Consent {
  #cause: Cause = "open";
  #cancelled = false;
  /** Nodes whose removal a person has agreed to. */
  #agreed = new Set<string>();
  /** The question that was answered with no. */
  #declined: string | undefined;
  #asking = new AbortController();

  constructor(
    private readonly confirm: Confirm,
    private readonly expects: Expects = () => true,
  ) {}

  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** A new target makes every question about the old one idle. A pause ends by a push, not by the next save. */
  targetChanged(cause: Cause, changed: boolean): void {
    this.withdraw();
    if (changed) this.#cancelled = false;
    // Merged text is wanted as much as the text it was merged into.
    const now = cause !== "merge" ? cause : this.#cause === "autosave" ? "autosave" : "save";
    if (this.#cause !== "outside" || now === "manual") this.#cause = now;
  }

  /** A person wants it sent. A question that is open somewhere out of sight is asked once more. */
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

  /** File and platform agree: what was said of the last plan is not said of the next. */
  forget(): void {
    this.endPause();
    this.#agreed.clear();
    this.#declined = undefined;
  }

  /** Whether what is told now may go out by itself one day; else it is not kept for that. */
  get isWanted(): boolean {
    return this.#cause === "save";
  }

  /** Whether somebody wants this graph on the platform: then the file may be merged into, and looking may go by a batch. */
  wants(graph: Graph, record: JournalRecord): boolean {
    if (this.#cancelled) return false;
    if (this.#cause === "save") return true;
    return this.#cause !== "manual" && record.wanted !== undefined && record.wanted === fingerprint(graph);
  }

  /** The reason why a plan is not sent by itself, if there is one. */
  blockedReason(wanted: Plan, graph: Graph, record: JournalRecord): SyncState | undefined {
    const what = wanted.summary.text;
    if (this.#cancelled) return pending("cancelled", stopped(), wanted);
    // What a person saved before, and could not be sent, is wanted however the file came to say it again.
    if (this.wants(graph, record)) this.#cause = "save";
    if (this.#cause === "save") {
      const isExpected = this.expects(wanted, (record.remote ?? record.base)?.version);
      return isExpected ? undefined : pending("declined", changedSincePlan(), wanted);
    }
    if (this.#cause === "autosave") return pending("autosaved", savedNotPushed(what), wanted);
    return this.#cause === "outside"
      ? pending("paused", changedOutside(what), wanted)
      : pending("manual", notPushed(what), wanted);
  }

  /**
   * Asks where a plan needs a yes, once: a no holds for as long as the question would be the same. "agreed" is a yes that
   * a person gave just now. Undefined: the question became idle before it was answered.
   */
  async ask(
    wanted: Plan,
    confirmed: boolean,
    show: (state: SyncState) => void,
  ): Promise<"yes" | "agreed" | SyncState | undefined> {
    const { removedNodes, text } = wanted.summary;
    const many = removesMany(wanted) && removedNodes.some((id) => !this.#agreed.has(id));
    const asks = !confirmed || many;
    if (asks) {
      const reason = confirmed ? "removes-many" : "first-push";
      const question = confirmed ? removedNodes.join(" ") : reason;
      const message = confirmed ? removesNodes(removedNodes.length) : firstPush(text);
      const declined = pending("declined", message, wanted);
      if (this.#declined === question) return declined;
      show(pending("asking", message, wanted));
      const yes = await this.#prompt({ reason, plan: wanted });
      if (yes === undefined) return undefined;
      this.#declined = yes ? undefined : question;
      if (!yes) return declined;
    }
    for (const id of removedNodes) this.#agreed.add(id);
    return asks ? "agreed" : "yes";
  }

  #prompt(question: Question): Promise<boolean | undefined> {
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const idle = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
    return Promise.race([this.confirm(question, signal), idle]);
  }
}
