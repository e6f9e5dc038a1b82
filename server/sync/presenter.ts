/** Publishes the state of synced flows: states to the editor, findings and notes to the diagnostics. */
import { batchProblem, FlowDocument, graphOf, MAX_OPS_PER_BATCH, type Problem, plan, resolveNames } from "../../flow";
import { type Known, notPushed, type Status, type SyncSession, type SyncState } from "../../sync";
import type { ServerContext } from "../context";
import { type FlowSyncState, SyncStateChanged } from "../messages";
import { Converter } from "../protocol/to-protocol";
import { keyOf } from "../protocol/uris";
import { Delays } from "./delays";
import type { Placement } from "./environments";
import { notKeptProblems, refusalProblems } from "./push-problems";
import type { Reporter } from "./reporter";
import { stateView } from "./state-view";
import type { SyncedFile } from "./synced-file";

/** The pause in typing before the size of the plan is computed, which takes time for a large flow. */
const TYPING_PAUSE_MS = 400;

export class Presenter {
  readonly #listeners: ((uri: string) => void)[] = [];
  readonly #planSizeDelays = new Delays(TYPING_PAUSE_MS);

  constructor(
    private readonly server: ServerContext,
    private readonly reporter: Reporter,
    /** The current session of a file. */
    private readonly sessionOf: (uri: string) => SyncSession | undefined,
  ) {}

  /** Calls back when the findings or notes of a file changed. */
  onFindings(listener: (uri: string) => void): void {
    this.#listeners.push(listener);
  }

  findingsChanged(flow: SyncedFile): void {
    for (const listener of this.#listeners) listener(flow.uri);
  }

  /** The platform was seen to block on rules, or not to, which messages of problems say. */
  rulesLearned(codes: readonly string[]): void {
    const { workspace } = this.server;
    const [open] = workspace.openFiles;
    const closed = [...workspace.closedFiles()].filter(({ diagnostics }) =>
      codes.some((code) => diagnostics.includes(`"code":"${code}"`)),
    );
    const uris = [...(open ? [open.uri] : []), ...closed.map(({ facts }) => facts.uri)];
    for (const listener of this.#listeners) for (const uri of uris) listener(uri);
  }

  /** What the platform found in a file, rejected, or doesn't keep. */
  findings(flow: SyncedFile): readonly Problem[] {
    const { document } = this.server.workspace.get(flow.uri) ?? this.#converter(flow);
    const refusals = refusalProblems(flow.status.state, document);
    const notKept = notKeptProblems(this.sessionOf(flow.uri)?.notKept ?? [], document);
    const found = flow.problems;
    return [...refusals, ...notKept, ...found, ...flow.compileMessages.problems(found, document)];
  }

  /** The platform said something else about the revision: compile result, tools, name. */
  revisionChanged(flow: SyncedFile): void {
    this.findingsChanged(flow);
    if (this.server.options.clientTransport) this.#send(this.stateOf(flow));
  }

  /** A note if a save would send many batches. */
  notes(document: FlowDocument, flow: SyncedFile | undefined): readonly Problem[] {
    const note = batchProblem(document, flow?.operations ?? 0, this.server.settings.rules);
    return note ? [note] : [];
  }

  show(flow: SyncedFile, status: Status): void {
    const refusalIn = ({ state }: Status) =>
      state.kind === "blocked" || (state.kind === "pending" && state.ignored) ? state : "";
    const notKept = JSON.stringify(this.sessionOf(flow.uri)?.notKept ?? []);
    const changed = refusalIn(flow.status) !== refusalIn(status) || notKept !== flow.notKept;
    flow.notKept = notKept;
    flow.status = status;
    if (changed) this.findingsChanged(flow);
    if (status.state.kind !== "syncing") this.schedulePlanSize(flow);
    const state = this.stateOf(flow);
    if (this.server.options.clientTransport) this.#send(state);
    else this.reporter.report(state);
  }

  /** The state of a flow that isn't open, from its last sync; makes no request. */
  showUnopened(uri: string, text: string, agreed: Known, place: Pick<Placement, "environment" | "environments">): void {
    const { environment } = place;
    const document = FlowDocument.read(text);
    const graph = environment ? resolveNames(graphOf(document), environment.names) : graphOf(document);
    const { ops, summary } = plan(agreed.graph, graph);
    const state: SyncState =
      ops.length === 0
        ? { kind: "synced", version: agreed.version }
        : { kind: "pending", reason: "manual", message: notPushed(summary.text) };
    this.#send(
      stateView({ state, risks: [], hasBase: true }, new Converter(uri, document, this.server.encoding), [], place),
    );
  }

  stateOf(flow: SyncedFile): FlowSyncState {
    const remote = this.sessionOf(flow.uri)?.remote?.graph;
    return stateView(flow.status, this.#converter(flow), this.findings(flow), flow, remote);
  }

  /** Computes how many operations a save would send, and updates the note if the number of batches changes. */
  schedulePlanSize(flow: SyncedFile): void {
    this.#planSizeDelays.start(keyOf(flow.uri), () => {
      const document = this.server.workspace.get(flow.uri)?.document;
      const graph = document && flow.graphOf(document);
      const from = graph && this.sessionOf(flow.uri)?.remoteFor(graph);
      const { ops } = (graph && from && plan(from, graph)) ?? { ops: [] };
      const batches = (operations: number) => Math.ceil(operations / MAX_OPS_PER_BATCH);
      const changed = batches(ops.length) !== batches(flow.operations);
      flow.operations = ops.length;
      if (changed) this.findingsChanged(flow);
    });
  }

  dispose(): void {
    this.#planSizeDelays.end();
  }

  #send(state: FlowSyncState): void {
    void this.server.connection.sendNotification(SyncStateChanged.method, state);
  }

  #converter(flow: SyncedFile): Converter {
    const file = this.server.workspace.get(flow.uri);
    return file
      ? this.server.converter(file)
      : new Converter(flow.uri, FlowDocument.read(flow.saved), this.server.encoding);
  }
}
