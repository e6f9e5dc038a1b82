/** Asks the user to confirm a plan. A confirmation is valid for the plan and the target that were shown. */
import { FlowDocument, graphOf, type Plan } from "../../flow";
import { type Question, removesMany, type SyncSession } from "../../sync";
import { sha256 } from "../../system";
import { t } from "../../text";
import type { ServerContext } from "../context";
import type { PlanView, SendQuestion } from "../messages";
import { Converter } from "../protocol/to-protocol";
import { planView } from "./plan-view";
import type { Reporter } from "./reporter";
import type { SyncedFile } from "./synced-file";

/** What a push changes and why it is asked about. */
type AboutPush = Omit<SendQuestion, "uri" | "plan">;

export class Questions {
  /** The fingerprints of questions that were answered where their plan is shown, until they are asked. */
  readonly #answered = new Map<SyncSession, string>();

  constructor(
    private readonly server: ServerContext,
    private readonly reporter: Reporter,
    /** The current session of a file. */
    private readonly syncOf: (uri: string) => SyncSession | undefined,
  ) {}

  /** The question that a push of this plan asks first. */
  before(sync: SyncSession, wanted: Plan): PlanView["asks"] {
    const isConfirmed = sync.base !== undefined && sync.status.isConfirmed;
    if (wanted.ops.length === 0 || (isConfirmed && !removesMany(wanted))) return undefined;
    const about = aboutPush(sync, isConfirmed ? "removes-many" : "first-push", wanted);
    return { ...about, fingerprint: fingerprintOf(about, wanted) };
  }

  /** Pushes for the user. `answered`: the question that isn't asked again, unless it has changed since. */
  async push(sync: SyncSession, answered: string | undefined): Promise<void> {
    if (answered !== undefined) this.#answered.set(sync, answered);
    await sync.push().finally(() => this.#answered.delete(sync));
  }

  /**
   * Asks on behalf of a session. A question may stay on the screen after it was superseded, so a late "yes" requests a
   * push. If the session still waits for an answer, the question is asked again for the current plan.
   */
  async confirm(sync: SyncSession, flow: SyncedFile, question: Question, signal: AbortSignal): Promise<boolean> {
    const answered = this.#answered.get(sync);
    this.#answered.delete(sync);
    const about = aboutPush(sync, question.reason, question.plan);
    if (answered !== undefined && answered === fingerprintOf(about, question.plan)) return true;
    const yes = await this.#ask(sync, flow, about, question.plan);
    if (!signal.aborted) return yes;
    const { state } = sync.status;
    const waits = state.kind === "pending" && ["asking", "declined", "autosaved"].includes(state.reason);
    if (yes && waits) await sync.push();
    return false;
  }

  /** For the setting that asks before every save. If the plan changes in the meantime, asks again. */
  async askToPush(sync: SyncSession, flow: SyncedFile): Promise<void> {
    const wanted = sync.plan;
    if (!wanted || wanted.ops.length === 0 || sync.status.state.kind !== "pending") return;
    if (!(await this.#ask(sync, flow, aboutPush(sync, "save", wanted), wanted))) return;
    if (sync.plan && textOf(sync.plan) === textOf(wanted)) await sync.push();
    else await this.askToPush(sync, flow);
  }

  /** Accepts a "yes" only for the platform and revision it was given for; the file may name others by now. */
  async #ask(sync: SyncSession, { uri, saved }: SyncedFile, about: AboutPush, wanted: Plan): Promise<boolean> {
    const document = this.server.workspace.get(uri)?.document ?? FlowDocument.read(saved);
    const from = sync.remote?.graph ?? graphOf(FlowDocument.read(""));
    const shown = planView(wanted, new Converter(uri, document, this.server.encoding), from);
    const yes = await this.reporter.confirm({ uri, ...about, plan: shown }, sync.closed);
    if (!yes || this.syncOf(uri) === sync) return yes;
    this.reporter.showMessage(
      t("Nothing was pushed: the connection or the file's link has changed since you were asked."),
    );
    return false;
  }
}

function aboutPush({ identity }: SyncSession, reason: AboutPush["reason"], wanted: Plan): AboutPush {
  const { connection: address, assistant, revision } = identity;
  return {
    reason,
    to: { address, assistant, revision },
    removesNodes: wanted.summary.removedNodes.length > 0,
    removesMany: removesMany(wanted),
  };
}

function fingerprintOf(about: AboutPush, wanted: Plan): string {
  return sha256(JSON.stringify([about, textOf(wanted)]));
}

function textOf({ ops }: Plan): string {
  return JSON.stringify(ops.map(({ op }) => op));
}
