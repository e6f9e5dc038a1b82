/** Asks a person whether a plan may be sent. A yes holds for the plan that was shown, and for where it was to go. */
import { FlowDocument, graphOf, type Plan } from "../../flow";
import { type Question, removesMany, type SyncSession } from "../../sync";
import { t } from "../../text";
import type { Server } from "../context";
import { ask, ConfirmRequest, type SendQuestion } from "../messages";
import { Converter } from "../protocol/to-protocol";
import { planView } from "./plan-view";
import type { Reporter } from "./reporter";
import type { SyncedFile } from "./synced-file";

export class Questions {
  constructor(
    private readonly server: Server,
    private readonly reporter: Reporter,
    /** The sync that a file has now. */
    private readonly syncOf: (uri: string) => SyncSession | undefined,
  ) {}

  /**
   * Asks for the engine. A question cannot be taken back from the screen: a yes to one that is no longer asked is a wish
   * to send the file. Where an answer is still waited for, what would be sent now is asked about once more.
   */
  async confirm(sync: SyncSession, flow: SyncedFile, question: Question, signal: AbortSignal): Promise<boolean> {
    const yes = await this.#ask(sync, flow, question.reason, question.plan);
    if (!signal.aborted) return yes;
    const { state } = sync.status;
    const waits = state.kind === "pending" && ["asking", "declined", "autosaved"].includes(state.reason);
    if (yes && waits) await sync.push();
    return false;
  }

  /** Where every save is asked about. If the plan became another one meanwhile, that one is asked about. */
  async askToPush(sync: SyncSession, flow: SyncedFile): Promise<void> {
    const wanted = sync.plan;
    if (!wanted || wanted.ops.length === 0 || sync.status.state.kind !== "pending") return;
    if (!(await this.#ask(sync, flow, "save", wanted))) return;
    if (sync.plan && sameOps(sync.plan, wanted)) await sync.push();
    else await this.askToPush(sync, flow);
  }

  /** Takes a yes for what it was given to: not for another platform or revision that the file went to meanwhile. */
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
    const yes = this.server.options.clientTransport
      ? await ask(this.server.connection, ConfirmRequest, question)
      : await this.reporter.confirm(question);
    if (!yes || this.syncOf(uri) === sync) return yes;
    this.reporter.say(t("Nothing was pushed: the connection or the file's link has changed since you were asked."));
    return false;
  }
}

function sameOps(a: Plan, b: Plan): boolean {
  const text = ({ ops }: Plan) => JSON.stringify(ops.map(({ op }) => op));
  return text(a) === text(b);
}
