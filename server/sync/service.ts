/**
 * Sync in the language server: one FlowSync for each file that names a revision, told of opens and saves, asked through
 * messages. Files are known by their address in one spelling (`keyOf`).
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  applyEdits,
  applyGraph,
  checkDocument,
  FileFindings,
  FlowDocument,
  type Graph,
  graphOf,
  locate,
  opAtLoc,
  type Plan,
  type PlatformFinding,
  type Problem,
  plan,
  type SuggestedFix,
  sourceSpanOf,
  suggestedFix,
  type TextEdit,
  withoutDoubles,
} from "../../flow";
import { type GraphResult, PlatformClient, PlatformError } from "../../platform";
import {
  Claims,
  FlowSync,
  graphOfVersion,
  type Identity,
  keepFindings,
  linkOf,
  mergeText,
  newFlowText,
  nodeWorld,
  platformRemote,
  type Question,
  type Status,
  type SyncState,
  stateDirectory,
  stateText,
  type Target,
  targetOf,
} from "../../sync";
import {
  ask,
  ConfirmRequest,
  type FlowSyncState,
  type PlanView,
  SaveRequest,
  type SyncAction,
  SyncStateChanged,
} from "../messages";
import type { Server } from "../server";
import type { SyncService } from "../sync-service";
import { Converter } from "../to-protocol";
import { keyOf } from "../uris";
import type { OpenFile } from "../workspace";
import { planView } from "./plan-view";
import { Reporter } from "./reporter";
import { clientTransport, environmentLine, type Line } from "./transport";

/** What is known of one flow file. */
interface Flow {
  readonly uri: string;
  /** The text on disk as far as we know: what was opened or saved last. */
  saved: string;
  /** The edits made to the open text since then, batch by batch. */
  since: (readonly TextEdit[])[];
  readonly findings: FileFindings;
  /** The platform's no to an operation, shown where the operation comes from. */
  refusals: readonly Problem[];
  state: SyncState;
  status: Status | undefined;
  result: GraphResult | undefined;
}

export class PlatformSync implements SyncService {
  readonly #flows = new Map<string, Flow>();
  readonly #listeners: ((uri: string) => void)[] = [];
  readonly #stateDir: string;
  readonly #reporter: Reporter;
  readonly #claims: Claims;
  #line: Line | undefined;

  constructor(private readonly server: Server) {
    this.#stateDir = stateDirectory(server.options.stateDir, process.env);
    this.#reporter = new Reporter(server, (uri) => void this.act(uri, "cancel"));
    this.#line = server.options.clientTransport
      ? { transport: clientTransport(server.connection), address: server.address() }
      : environmentLine(process.env);
    this.#claims = new Claims({
      open: (key, identity) => this.#open(key, identity),
      showState: (key, state) => this.#show(key, { state, risks: [] }),
    });
  }

  // What happens to files

  opened(file: OpenFile): void {
    const flow = this.#flow(file.uri);
    flow.saved = file.document.text;
    flow.since = [];
    // Nothing is sent because a file was opened; but what a push would do is worked out.
    void this.#link(file.uri, file.document, "manual").then((sync) => sync?.look());
  }

  changed(file: OpenFile, edits: readonly TextEdit[]): void {
    const flow = this.#flows.get(keyOf(file.uri));
    flow?.since.push(edits);
    flow?.findings.edit(edits);
  }

  saved(file: OpenFile): void {
    const flow = this.#flow(file.uri);
    flow.saved = file.document.text;
    flow.since = [];
    void this.#onSave(file);
  }

  closed(uri: string): void {
    const flow = this.#flows.get(keyOf(uri));
    // The text that was never saved is gone; the sync goes on with what is on disk.
    if (flow) flow.since = [];
  }

  changedOutside(uri: string): void {
    if (!this.server.workspace.get(uri)) void this.#readAgain(uri);
  }

  /** The connection in use is another one, or works again. */
  async connectionChanged(): Promise<void> {
    if (!this.server.options.clientTransport) return;
    const address = this.server.address();
    const same = this.#line?.address === address;
    this.#line = { transport: clientTransport(this.server.connection), address };
    for (const flow of this.#flows.values()) {
      const sync = this.#claims.syncOf(keyOf(flow.uri));
      if (same) sync?.retryNow();
      else {
        flow.findings.clear();
        const document = this.server.workspace.get(flow.uri)?.document ?? FlowDocument.read(flow.saved);
        await (await this.#link(flow.uri, document, "manual"))?.look();
      }
    }
  }

  async dispose(): Promise<void> {
    this.#reporter.dispose();
    await this.#claims.close();
  }

  // What is asked

  findings(uri: string): readonly Problem[] {
    const flow = this.#flows.get(keyOf(uri));
    if (!flow) return [];
    const file = this.server.workspace.get(uri);
    const findings = flow.findings.problems();
    if (!file || findings.length === 0) return [...flow.refusals, ...findings];
    return [...flow.refusals, ...withoutDoubles(findings, this.server.diagnostics.problems(file), file.document)];
  }

  fix(file: OpenFile, problem: Problem): SuggestedFix | undefined {
    const placed = this.#flows.get(keyOf(file.uri))?.findings.placed(problem);
    return (
      placed && suggestedFix(file.document, placed, (document) => checkDocument(document, this.server.settings.rules))
    );
  }

  base(uri: string): Graph | undefined {
    return this.#claims.syncOf(keyOf(uri))?.base?.graph;
  }

  onFindings(listener: (uri: string) => void): void {
    this.#listeners.push(listener);
  }

  states(): FlowSyncState[] {
    return [...this.#flows.values()].map((flow) => this.#stateOf(flow));
  }

  async act(uri: string, action: SyncAction): Promise<FlowSyncState | null> {
    const flow = this.#flows.get(keyOf(uri));
    const sync = this.#claims.syncOf(keyOf(uri));
    if (!flow) return null;
    if (action === "push") await sync?.push();
    else if (action === "pull") await sync?.pull();
    else if (action === "look") await sync?.look();
    else if (action === "cancel") sync?.cancel();
    else await sync?.acknowledgeRisks();
    return this.#stateOf(flow);
  }

  async resolve(uri: string, choices: Readonly<Record<string, "ours" | "theirs">>): Promise<FlowSyncState | null> {
    const flow = this.#flows.get(keyOf(uri));
    await this.#claims.syncOf(keyOf(uri))?.resolve(new Map(Object.entries(choices)));
    return flow ? this.#stateOf(flow) : null;
  }

  /** What a save of the text as it is now would send. */
  plan(file: OpenFile): PlanView | null {
    const from = this.#claims.syncOf(keyOf(file.uri))?.remote?.graph;
    if (!from) return null;
    const { document } = file;
    return this.#planView(
      file.uri,
      document,
      from,
      plan(from, graphOf(document), { spanOf: (id) => sourceSpanOf(document, id) }),
    );
  }

  /** The open text, changed only where the other graph differs, so that a diff shows just that. */
  otherText(file: OpenFile, which: "base" | "remote" | "merged"): string | null {
    const sync = this.#claims.syncOf(keyOf(file.uri));
    const graph = which === "base" ? sync?.base?.graph : sync?.remote?.graph;
    return graph ? applyEdits(file.document.text, applyGraph(file.document, graph)) : null;
  }

  async newFlow(revision: string, assistant: string | undefined): Promise<{ text: string } | { problem: string }> {
    if (!this.#line?.address) return { problem: "There is no connection to a platform. Add one first." };
    try {
      const answer = await new PlatformClient(this.#line.transport).getWorkflowRevision(revision);
      const graph = graphOfVersion(answer, answer.graph_version ?? 0);
      if (!graph)
        return { problem: "The platform does not show the graph of this revision (yet). Try again in a moment." };
      return { text: newFlowText(revision, assistant, graph) };
    } catch (error) {
      if (error instanceof PlatformError) return { problem: error.message };
      throw error;
    }
  }

  // Inside

  #flow(uri: string): Flow {
    const key = keyOf(uri);
    const known = this.#flows.get(key);
    if (known) return known;
    const state: SyncState = { kind: "unlinked", message: "Nothing was compared with the platform yet." };
    const flow: Flow = {
      uri,
      saved: "",
      since: [],
      findings: new FileFindings(),
      refusals: [],
      state,
      status: undefined,
      result: undefined,
    };
    this.#flows.set(key, flow);
    return flow;
  }

  /** Tells the claims what a file names, and its sync what it says. */
  async #link(
    uri: string,
    document: FlowDocument,
    cause: "save" | "outside" | "manual",
  ): Promise<FlowSync | undefined> {
    const key = keyOf(uri);
    const link = linkOf(document);
    const address = this.#line?.address;
    const identity = link && address ? { connection: address, ...link } : undefined;
    await this.#claims.claim(key, identity);
    if (link && !address)
      this.#show(key, { state: { kind: "unlinked", message: "There is no connection to a platform." }, risks: [] });
    const sync = this.#claims.syncOf(key);
    sync?.save(this.#target(document), cause);
    return sync;
  }

  #target(document: FlowDocument): Target {
    const problems = checkDocument(document, this.server.settings.rules);
    return targetOf(document.text, problems.filter((problem) => problem.severity === "error").length);
  }

  async #onSave(file: OpenFile): Promise<void> {
    const onSave = (await this.server.settingsFor(file.uri)).sync.onSave;
    const sync = await this.#link(file.uri, file.document, onSave === "on" ? "save" : "manual");
    if (!sync || onSave !== "ask") return;
    await sync.look();
    const wanted = sync.plan;
    if (!wanted || wanted.ops.length === 0 || sync.status.state.kind !== "pending") return;
    if (await this.#confirm(file.uri, "save", wanted)) await sync.push();
  }

  async #readAgain(uri: string): Promise<void> {
    const flow = this.#flows.get(keyOf(uri));
    if (!flow) return;
    try {
      const text = await readFile(fileURLToPath(uri), "utf8");
      if (text === flow.saved) return;
      flow.saved = text;
      await this.#link(uri, FlowDocument.read(text), "outside");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      // The file is gone; what is on the platform stays.
      this.#flows.delete(keyOf(uri));
      await this.#claims.remove(keyOf(uri));
    }
  }

  #open(key: string, identity: Identity): FlowSync {
    const line = this.#line as Line;
    const client = new PlatformClient(line.transport, { log: (text) => this.server.connection.console.log(text) });
    const world = nodeWorld(platformRemote(client, identity), this.#stateDir);
    const flow = this.#flows.get(key) as Flow;
    return new FlowSync(
      identity,
      world,
      {
        mergeIntoFile: (merge) => this.#mergeIntoFile(flow, merge),
        confirm: (question) => this.#confirm(flow.uri, question.reason, question.plan),
        statusChanged: (status) => this.#show(key, status),
        answered: (result) => this.#answered(flow, identity, result),
      },
      this.server.options.label ?? "a language server",
    );
  }

  #answered(flow: Flow, identity: Identity, result: GraphResult): void {
    flow.result = result;
    // For the command line, which has no memory of its own. Without them it only says less.
    keepFindings(this.#stateDir, identity, result).catch((error: Error) =>
      this.server.connection.console.warn(`The platform's findings could not be kept: ${error.message}`),
    );
    const findings = (result.validation?.findings ?? []) as readonly PlatformFinding[];
    flow.findings.set(findings, flow.saved, flow.since);
    flow.refusals = [];
    this.#tell(flow);
  }

  #show(key: string, status: Status): void {
    const flow = this.#flows.get(key);
    if (!flow) return;
    flow.status = status;
    flow.state = status.state;
    const before = flow.refusals.length;
    flow.refusals = this.#refusals(flow);
    if (before + flow.refusals.length > 0) this.#tell(flow);
    const state = this.#stateOf(flow);
    if (this.server.options.clientTransport)
      void this.server.connection.sendNotification(SyncStateChanged.method, state);
    else this.#reporter.report(state);
    this.#reporter.progress(state);
  }

  /** A 422 on the lines that made the operations it speaks of. */
  #refusals(flow: Flow): Problem[] {
    const { state } = flow;
    if (state.kind !== "blocked" || !state.refusal) return [];
    const document = this.server.workspace.get(flow.uri)?.document ?? FlowDocument.read(flow.saved);
    const { detail, batch, message } = state.refusal;
    const problems = detail.flatMap(({ loc, msg }): Problem[] => {
      const found = opAtLoc(loc, batch);
      const place = found && locate(document, found.at);
      if (!place) return [];
      return [
        { code: "platform-refused", severity: "error", message: `The platform refused this: ${msg}`, span: place.name },
      ];
    });
    const whole: Problem = { code: "platform-refused", severity: "error", message, span: { start: 0, end: 0 } };
    return problems.length > 0 ? problems : [whole];
  }

  #tell(flow: Flow): void {
    for (const listener of this.#listeners) listener(flow.uri);
  }

  #stateOf(flow: Flow): FlowSyncState {
    const { state, result, status } = flow;
    const converter = this.#converter(flow);
    const problems = [...this.findings(flow.uri)];
    const count = (severity: string) => problems.filter((problem) => problem.severity === severity).length;
    return {
      uri: flow.uri,
      kind: state.kind,
      text: stateText(state),
      message: "message" in state ? state.message : "",
      ...("reason" in state ? { reason: state.reason } : {}),
      ...("version" in state ? { version: state.version } : {}),
      ...(state.kind === "syncing" ? { batch: state.batch, batches: state.batches } : {}),
      conflicts:
        state.kind !== "conflict"
          ? []
          : state.conflicts.map(({ key, message, base, ours, theirs, at }) => {
              const place = locate(converter.document, at);
              const range = place ? { range: converter.range(place.name) } : {};
              return { key, message, base: shown(base), ours: shown(ours), theirs: shown(theirs), ...range };
            }),
      risks: status?.risks.length ?? 0,
      errors: count("error"),
      warnings: count("warning"),
      ...(result?.blocking_error_count === undefined ? {} : { blockingErrors: result.blocking_error_count }),
      ...(result?.workflow_enabled === undefined ? {} : { workflowEnabled: result.workflow_enabled }),
    };
  }

  #converter(flow: Flow): Converter {
    const file = this.server.workspace.get(flow.uri);
    return file
      ? this.server.converter(file)
      : new Converter(flow.uri, FlowDocument.read(flow.saved), this.server.encoding);
  }

  #planView(uri: string, document: FlowDocument, from: Graph, wanted: Plan): PlanView {
    const known = { node: (id: string) => from.nodes.has(id), variable: (name: string) => from.variables.has(name) };
    return planView(wanted, document, new Converter(uri, document, this.server.encoding), known);
  }

  async #confirm(uri: string, reason: Question["reason"] | "save", wanted: Plan): Promise<boolean> {
    const flow = this.#flow(uri);
    const document = this.server.workspace.get(uri)?.document ?? FlowDocument.read(flow.saved);
    const from = this.#claims.syncOf(keyOf(uri))?.remote?.graph ?? graphOf(FlowDocument.read(""));
    const view = this.#planView(uri, document, from, wanted);
    if (this.server.options.clientTransport)
      return ask(this.server.connection, ConfirmRequest, { uri, reason, plan: view });
    return this.#reporter.confirm(uri, reason, view);
  }

  async #mergeIntoFile(flow: Flow, merge: (current: Graph) => Graph | undefined): Promise<Target | undefined> {
    const file = this.server.workspace.get(flow.uri);
    if (!file) return this.#mergeOnDisk(flow, merge);
    const clean = flow.since.length === 0 || file.document.text === flow.saved;
    const edits = mergeText(file.document.text, merge);
    if (!edits) return undefined;
    const protocol = this.server.converter(file).edits(edits);
    const { applied } = await this.server.connection.workspace.applyEdit({
      label: "Take in the platform's changes",
      edit: this.server.client.workspace?.workspaceEdit?.documentChanges
        ? { documentChanges: [{ textDocument: { uri: file.uri, version: file.version }, edits: protocol }] }
        : { changes: { [file.uri]: protocol } },
    });
    // Somebody's unsaved words are in there: the person saves, not we.
    if (!applied || !clean || !this.server.options.clientTransport) return undefined;
    if (!(await ask(this.server.connection, SaveRequest, { uri: file.uri }))) return undefined;
    return this.#target(file.document);
  }

  async #mergeOnDisk(flow: Flow, merge: (current: Graph) => Graph | undefined): Promise<Target | undefined> {
    const path = fileURLToPath(flow.uri);
    const text = await readFile(path, "utf8");
    const edits = mergeText(text, merge);
    if (!edits) return undefined;
    const merged = applyEdits(text, edits);
    const beside = `${path}.${process.pid}.tmp`;
    await writeFile(beside, merged);
    await rename(beside, path);
    flow.saved = merged;
    return this.#target(FlowDocument.read(merged));
  }
}

function shown(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
