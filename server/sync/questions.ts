/** Asks the user to confirm a plan. A confirmation is valid for the plan and the target that were shown. */
import { FlowDocument, graphOf, type Plan } from "../../flow";
import { type Question, removesMany, type SyncSession } from "../../sync";
import { t } from "../../text";
import type { ServerContext } from "../context";
import type { SendQuestion } from "../messages";
import { Converter } from "../protocol/to-protocol";
import { planView } from "./plan-view";
import type { Reporter } from "./reporter";
import type { SyncedFile } from "./synced-file";

export class Questions {
  constructor(
    private readonly server: ServerContext,
    private readonly reporter: Reporter,
    /** The current session of a file. */
    private readonly syncOf: (uri: string) => SyncSession | undefined,
  ) {}

  /**
   * Asks on behalf of a session. A question may stay on the screen after it was superseded, so a late "yes" requests a
   * push. If the session still waits for an answer, the question is asked again for the current plan.
   */
  async confirm(sync: SyncSession, flow: SyncedFile, question: Question, signal: AbortSignal): Promise<boolean> {
    const yes = await this.#ask(sync, flow, question.reason, question.plan);
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
    if (!(await this.#ask(sync, flow, "save", wanted))) return;
    if (sync.plan && sameOps(sync.plan, wanted)) await sync.push();
    else await this.askToPush(sync, flow);
  }

  /** Accepts a "yes" only for the platform and revision it was given for; the file may name others by now. */
  async #ask(
    sync: SyncSession,
    { uri, saved }: SyncedFile,
    reason: SendQuestion["reason"],
    wanted: Plan,
  ): Promise<boolean> {
    const document = this.server.workspace.get(uri)?.document ?? FlowDocument.read(saved);
    const from = sync.remote?.graph ?? graphOf(FlowDocument.read(""));
    const { connection: address, assistant, revision } = sync.identity;
    const question: SendQuestion = {
      uri,
      reason,
      plan: planView(wanted, new Converter(uri, document, this.server.encoding), from),
      to: { address, assistant, revision },
      removesNodes: wanted.summary.removedNodes.length > 0,
      removesMany: removesMany(wanted),
    };
    const yes = await this.reporter.confirm(question, sync.closed);
    if (!yes || this.syncOf(uri) === sync) return yes;
    this.reporter.showMessage(
      t("Nothing was pushed: the connection or the file's link has changed since you were asked."),
    );
    return false;
  }
}

function sameOps(a: Plan, b: Plan): boolean {
  const text = ({ ops }: Plan) => JSON.stringify(ops.map(({ op }) => op));
  return text(a) === text(b);
}
