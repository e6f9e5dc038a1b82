/**
 * Sync in the language server: one FlowSync for each file that names a revision, told of opens and saves, asked through
 * messages. Files are known by their address in one spelling (`keyOf`).
 */
import {
  applyEdits,
  applyGraph,
  batchProblem,
  checkDocument,
  FlowDocument,
  type Graph,
  graphOf,
  MAX_OPS_PER_BATCH,
  type Problem,
  plan,
  type SuggestedFix,
  sourceSpanOf,
  suggestedFix,
  type TextEdit,
} from "../../flow";
import { type GraphResult, PlatformClient, PlatformError, stateDirectory } from "../../platform";
import {
  type Cause,
  Claims,
  FlowSync,
  FolderStorage,
  fileNamed,
  findingsKeeper,
  graphOfRevision,
  type Identity,
  type Known,
  lastAgreed,
  lastFindings,
  linkOf,
  newFlowText,
  nodeWorld,
  platformRemote,
  type Status,
  type SyncState,
  type Target,
  turns,
  waitsToBeSent,
} from "../../sync";
import { type FileFacts, readFlowFile, stampOf } from "../files";
import { type FlowSyncState, type PlanView, type SyncAction, SyncStateChanged } from "../messages";
import type { Server } from "../server";
import type { Settings } from "../settings";
import type { SavedBy, SyncService } from "../sync-service";
import { Converter } from "../to-protocol";
import { keyOf, pathOf } from "../uris";
import type { OpenFile } from "../workspace";
import { Delays } from "./delays";
import { FollowedFlow } from "./followed-flow";
import { type Merging, mergeIntoFile } from "./into-file";
import { notKeptProblems } from "./not-kept";
import { planView } from "./plan-view";
import { Questions } from "./questions";
import { refusalProblems } from "./refusal";
import { Reporter } from "./reporter";
import { stateView } from "./state-view";
import { clientLine, environmentLine, type Line } from "./transport";

/** A save is told by the editor and by whoever watches the disk; so long the editor's word is waited for. */
const EDITOR_FIRST_MS = 500;

/** So long nothing is typed before it is worked out how much a save would send: for a large flow that is not nothing. */
const TYPING_PAUSE_MS = 400;

export class PlatformSync implements SyncService {
  readonly #flows = new Map<string, FollowedFlow>();
  readonly #listeners: ((uri: string) => void)[] = [];
  readonly #stateDir: string;
  readonly #reporter: Reporter;
  readonly #questions: Questions;
  readonly #claims: Claims;
  /** What happens to files is told to their syncs in the order in which it happens. */
  readonly #inTurn = turns();
  readonly #outside = new Delays(EDITOR_FIRST_MS);
  readonly #weighing = new Delays(TYPING_PAUSE_MS);
  /** Earlier names of files, by the present one: what was agreed to for a file goes with it where its move was seen. */
  readonly #moves = new Map<string, readonly string[]>();
  #line: Line | undefined;

  constructor(private readonly server: Server) {
    this.#stateDir = server.options.stateDir ?? stateDirectory(process.env);
    this.#reporter = new Reporter(server, this);
    this.#questions = new Questions(server, this.#reporter, (uri) => this.#claims.syncOf(keyOf(uri)));
    this.#line = server.options.clientTransport
      ? clientLine(server.connection, server.address())
      : environmentLine(process.env);
    this.#claims = new Claims({
      open: (key, identity) => this.#open(key, identity),
      showState: (key, state) => this.#show(key, { state, risks: [] }),
      nameOf: (key) => decodeURIComponent(key.slice(key.lastIndexOf("/") + 1)),
    });
    server.workspace.onFile((uri, file) => this.#seenOnDisk(uri, file?.facts));
  }

  // What happens to files

  opened(file: OpenFile): void {
    if (file.uri.startsWith("untitled:")) return;
    const flow = this.#flow(file.uri);
    flow.saved = file.document.text;
    this.#background(this.#onOpen(file.uri, flow));
  }

  changed(file: OpenFile, edits: readonly TextEdit[]): void {
    const flow = this.#flows.get(keyOf(file.uri));
    flow?.edited(edits);
    if (flow) this.#weighSoon(flow);
  }

  saved(file: OpenFile, by: SavedBy, text = file.document.text): void {
    const flow = this.#flow(file.uri);
    flow.saved = text;
    this.#background(this.#onSave(file.uri, flow, flow.savesMerge ? "merge" : by === "person" ? "save" : "autosave"));
  }

  closed(uri: string): void {
    const flow = this.#flows.get(keyOf(uri));
    if (!flow) return;
    flow.closed();
    // Others may sync it now: another window, or the command line.
    this.#claims.syncOf(keyOf(uri))?.attend(false);
    // What is not on this disk cannot be followed once it is closed.
    if (pathOf(uri) === undefined) this.#background(this.#forget(flow));
  }

  changedOutside(uri: string): void {
    const key = keyOf(uri);
    if (!this.#flows.has(key)) return;
    this.#lookLater(uri, undefined);
  }

  moved(from: string, to: string): void {
    const earlier = this.#moves.get(keyOf(from)) ?? [];
    this.#moves.delete(keyOf(from));
    this.#moves.set(keyOf(to), [nameOf(from), ...earlier]);
  }

  left(uri: string): void {
    const flow = this.#flows.get(keyOf(uri));
    if (flow && !this.#isOpen(keyOf(uri))) this.#background(this.#inTurn(() => this.#forget(flow)));
  }

  /** What was saved before a restart and could not be sent goes out by itself, though nobody opens its file again. */
  async resume(): Promise<void> {
    const connection = this.#line?.address;
    if (!connection) return;
    const storage = new FolderStorage(this.#stateDir);
    for (const { facts } of [...this.server.workspace.closedFiles()]) {
      const [assistant, revision] = [facts.assistant?.trim(), facts.revision?.trim()];
      if (!assistant || !revision || this.#flows.has(keyOf(facts.uri))) continue;
      const identity = { connection, assistant, revision };
      if (!(await waitsToBeSent(storage, identity))) {
        await this.#showUnopened(facts.uri, await lastAgreed(storage, identity));
        continue;
      }
      await this.#inTurn(async () => {
        const text = await readFlowFile(facts.uri);
        if (text === undefined || this.#flows.has(keyOf(facts.uri))) return;
        const flow = this.#flow(facts.uri);
        flow.saved = text;
        await this.#link(flow, await this.#cause(facts.uri, "open"));
      });
    }
  }

  /** Where a flow stands that nobody has opened, by what was last seen: no request is made for it. */
  async #showUnopened(uri: string, agreed: Known | undefined): Promise<void> {
    const text = agreed && this.server.options.clientTransport ? await readFlowFile(uri) : undefined;
    if (!agreed || text === undefined || this.#flows.has(keyOf(uri))) return;
    const document = FlowDocument.read(text);
    const { ops, summary } = plan(agreed.graph, graphOf(document));
    const state: SyncState =
      ops.length === 0
        ? { kind: "synced", version: agreed.version }
        : { kind: "pending", reason: "manual", message: `Not pushed: ${summary.text}.` };
    const view = stateView({ state, risks: [] }, new Converter(uri, document, this.server.encoding), [], undefined);
    void this.server.connection.sendNotification(SyncStateChanged.method, view);
  }

  /** The connection in use is another one, or works again. */
  async connectionChanged(): Promise<void> {
    if (!this.server.options.clientTransport) return;
    const address = this.server.address();
    const same = this.#line?.address === address;
    this.#line = clientLine(this.server.connection, address);
    for (const flow of this.#flows.values()) {
      const sync = this.#claims.syncOf(keyOf(flow.uri));
      if (same) sync?.retryNow();
      else await (await this.#inTurn(() => this.#link(flow, "open")))?.look();
    }
    if (!same) await this.resume();
  }

  async dispose(): Promise<void> {
    this.#reporter.dispose();
    this.#outside.end();
    this.#weighing.end();
    await this.#claims.close();
  }

  // What is asked

  findings(uri: string): readonly Problem[] {
    const flow = this.#flows.get(keyOf(uri));
    if (!flow) return [];
    const file = this.server.workspace.get(uri);
    const { document } = file ?? this.#converter(flow);
    const refusals = refusalProblems(flow.status.state, document);
    const notKept = notKeptProblems(this.#claims.syncOf(keyOf(uri))?.notKept ?? [], document);
    return [...refusals, ...notKept, ...flow.findings.problems()];
  }

  notes(file: OpenFile): readonly Problem[] {
    const { operations = 0 } = this.#flows.get(keyOf(file.uri)) ?? {};
    const note = batchProblem(file.document, operations, this.server.settings.rules);
    return note ? [note] : [];
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

  async act(uri: string, action: SyncAction): Promise<FlowSyncState | null> {
    if (action !== "cancel") await this.#allTold();
    const flow = this.#flows.get(keyOf(uri));
    const sync = this.#claims.syncOf(keyOf(uri));
    if (!flow) return null;
    // What an autosave left for the end of a push that is under way is part of this one.
    if (action === "push" && flow.waitsToBeTold) await this.#inTurn(() => this.#link(flow, "save"));
    if (action === "push") await sync?.push();
    else if (action === "pull") await sync?.pull();
    else if (action === "look") await sync?.look();
    else if (action === "glance") await sync?.look();
    else if (action === "cancel") sync?.cancel();
    else await sync?.acknowledgeRisks();
    return this.#stateView(flow);
  }

  async resolve(uri: string, choices: Readonly<Record<string, "ours" | "theirs">>): Promise<FlowSyncState | null> {
    await this.#allTold();
    const flow = this.#flows.get(keyOf(uri));
    await this.#claims.syncOf(keyOf(uri))?.resolve(new Map(Object.entries(choices)));
    return flow ? this.#stateView(flow) : null;
  }

  /** What a save of the text as it is now would send. */
  plan(file: OpenFile): PlanView | null {
    const { document } = file;
    const graph = graphOf(document);
    const from = this.#claims.syncOf(keyOf(file.uri))?.remoteFor(graph);
    if (!from) return null;
    const wanted = plan(from, graph, { spanOf: (id) => sourceSpanOf(document, id) });
    return planView(wanted, this.server.converter(file), from);
  }

  /** The open text, changed only where the other graph differs, so that a diff shows just that. */
  otherText(file: OpenFile, which: "base" | "remote" | "journal"): string | null {
    const sync = this.#claims.syncOf(keyOf(file.uri));
    if (which === "journal") return sync?.journalText ?? null;
    // Before the first push nothing was agreed on: what differs from the platform is what is not pushed.
    const graph = which === "base" ? (sync?.base ?? sync?.remote)?.graph : sync?.remote?.graph;
    return graph ? applyEdits(file.document.text, applyGraph(file.document, graph)) : null;
  }

  async newFlow(revision: string, assistant: string | undefined): Promise<{ text: string } | { problem: string }> {
    if (!this.#line?.address) return { problem: "There is no connection to a platform. Add one first." };
    try {
      const graph = await graphOfRevision(new PlatformClient(this.#line.transport), revision, assistant);
      if (!graph)
        return { problem: "The platform does not show the graph of this revision (yet). Try again in a moment." };
      return { text: newFlowText(revision, assistant, graph) };
    } catch (error) {
      if (error instanceof PlatformError) return { problem: error.message };
      throw error;
    }
  }

  // Inside

  /** What happened to files before a wish is known to their syncs: a push sends what was saved just now. */
  #allTold(): Promise<void> {
    return this.#inTurn(async () => {});
  }

  #flow(uri: string): FollowedFlow {
    const key = keyOf(uri);
    const known = this.#flows.get(key);
    if (known) return known;
    const flow = new FollowedFlow(uri, () => this.server.workspace.get(uri)?.document);
    this.#flows.set(key, flow);
    return flow;
  }

  #isOpen(key: string): boolean {
    return this.server.workspace.get(key) !== undefined;
  }

  /** Work that nobody waits for: what goes wrong in it is said in the log. */
  #background(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.server.connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
  }

  /** Tells the claims what a file names, and its sync what it says. */
  async #link(flow: FollowedFlow, cause: Cause): Promise<FlowSync | undefined> {
    const key = keyOf(flow.uri);
    const { saved } = flow;
    const link = linkOf(flow.read(saved));
    const address = this.#line?.address;
    if (link) await this.#meet(flow.uri, link.revision);
    else this.#take(flow, undefined, true);
    const identity = link && address ? { connection: address, ...link } : undefined;
    if (identity) await this.#freshenOthers(identity, key);
    await this.#claims.claim(key, identity);
    if (link && !address)
      this.#show(key, { state: { kind: "unlinked", message: "There is no connection to a platform." }, risks: [] });
    const sync = this.#claims.syncOf(key);
    sync?.attend(this.#isOpen(key));
    flow.waitsToBeTold = false;
    sync?.save(this.#target(flow, saved), cause);
    return sync;
  }

  /** A file that was renamed or deleted has no say any more; its editor tells late, or not at all. */
  async #freshenOthers(identity: Identity, key: string): Promise<void> {
    for (const other of this.#claims.filesOf(identity)) {
      const flow = other === key ? undefined : this.#flows.get(other);
      if (!flow) continue;
      if (!this.#isOpen(other)) await this.#readAgain(other);
      else if (pathOf(other) !== undefined && (await readFlowFile(other)) === undefined) await this.#forget(flow);
    }
  }

  /** Takes in the files on disk that name the same revision. */
  async #meet(uri: string, revision: string): Promise<void> {
    for (const other of this.server.workspace.naming(revision, uri)) {
      if (this.#flows.has(keyOf(other.uri)) || this.server.workspace.get(other.uri)) continue;
      this.#flow(other.uri);
      await this.#readAgain(other.uri);
    }
  }

  /** A file that was not followed so far may name a revision that another one has. */
  #seenOnDisk(uri: string, facts: FileFacts | undefined): void {
    const assistant = facts?.assistant?.trim().toLowerCase();
    const revision = facts?.revision?.trim().toLowerCase();
    const connection = this.#line?.address;
    if (!assistant || !revision || !connection || this.#flows.has(keyOf(uri))) return;
    if (this.#claims.filesOf({ connection, assistant, revision }).length === 0) return;
    this.#flow(uri);
    this.#background(this.#inTurn(() => this.#readAgain(uri)));
  }

  #target(flow: FollowedFlow, text: string): Target {
    return flow.target(text, this.server.settings.rules);
  }

  /** Nothing is sent because a file was opened, unless its save was waiting; but what a push would do is worked out. */
  async #onOpen(uri: string, flow: FollowedFlow): Promise<void> {
    const sync = await this.#inTurn(async () => {
      const opened = flow.saved;
      const onDisk = await readFlowFile(uri);
      // An editor may open a file with the unsaved text of its last session.
      if (onDisk !== undefined && flow.saved === opened) flow.saved = onDisk;
      return this.#link(flow, await this.#cause(uri, "open"));
    });
    await sync?.look();
  }

  async #onSave(uri: string, flow: FollowedFlow, saved: "save" | "autosave" | "merge"): Promise<void> {
    const { sync, onSave } = await this.#inTurn(async () => {
      const { onSave, onAutoSave } = (await this.server.settingsFor(uri)).sync;
      if (saved === "autosave" && onAutoSave === "off") return this.#onAutosave(uri, flow, onSave);
      if (!this.server.options.clientTransport) this.#pushBySaving(flow);
      // The very write that was taken for a change from outside: its editor was slow to tell.
      if (flow.outside !== undefined && flow.outside === (await stampOf(uri)))
        this.#claims.syncOf(keyOf(uri))?.endPause();
      const cause = saved === "autosave" ? "save" : saved;
      return { sync: await this.#link(flow, onSave === "on" ? cause : "manual"), onSave };
    });
    if (!sync || onSave !== "ask") return;
    await sync.look();
    await this.#questions.askToPush(sync, flow);
  }

  /** What an editor saves by itself waits for a person. A push that is under way ends with what it began with. */
  async #onAutosave(
    uri: string,
    flow: FollowedFlow,
    onSave: Settings["sync"]["onSave"],
  ): Promise<{ sync?: FlowSync; onSave?: string }> {
    const sync = this.#claims.syncOf(keyOf(uri));
    if (sync?.status.state.kind !== "syncing") {
      await this.#link(flow, onSave === "on" ? "autosave" : "manual");
      return {};
    }
    const text = flow.saved;
    flow.waitsToBeTold = true;
    const later = async () => {
      await sync.settled();
      // What was saved or pushed meanwhile was told by that.
      if (flow.waitsToBeTold && flow.saved === text) await this.#onSave(uri, flow, "autosave");
    };
    this.#background(later());
    return {};
  }

  /** Where there is no other way to say it, a save also takes back a no, and asks again what a pause keeps. */
  #pushBySaving(flow: FollowedFlow): void {
    const { state } = flow.status;
    this.#reporter.saved(flow.uri);
    if (state.kind === "pending" && (state.reason === "declined" || state.reason === "cancelled"))
      this.#claims.syncOf(keyOf(flow.uri))?.askAgain();
  }

  /** Where saves are not sent by themselves, nothing else is either. */
  async #cause(uri: string, cause: Cause): Promise<Cause> {
    return (await this.server.settingsFor(uri)).sync.onSave === "on" ? cause : "manual";
  }

  /** Whoever watches the disk tells of an editor's save, too, and may be quicker: what is seen twice is not one. */
  #lookLater(uri: string, seen: { readonly text: string | undefined } | undefined): void {
    const key = keyOf(uri);
    const look = async () => {
      const text = await readFlowFile(uri);
      const isNews = this.#flows.get(key)?.saved !== text;
      if (isNews && !(seen && seen.text === text)) this.#lookLater(uri, { text });
      else if (isNews) await this.#inTurn(() => this.#readAgain(uri));
    };
    this.#outside.start(key, () => this.#background(look()));
  }

  /** The file may have been changed or removed by something else than its editor. */
  async #readAgain(uri: string): Promise<void> {
    const flow = this.#flows.get(keyOf(uri));
    if (!flow) return;
    const before = flow.saved;
    const text = await readFlowFile(uri);
    // What was saved while the disk was read is newer.
    if (flow.saved !== before) return;
    if (text === undefined) return this.#forget(flow);
    if (text === flow.saved) return;
    flow.saved = text;
    flow.outside = await stampOf(uri);
    if (!this.#isOpen(keyOf(uri))) this.#tell(flow);
    await this.#link(flow, await this.#cause(uri, "outside"));
  }

  /** The file is gone; what is on the platform stays. */
  async #forget(flow: FollowedFlow): Promise<void> {
    const key = keyOf(flow.uri);
    this.#show(key, { state: { kind: "unlinked", message: "The file is not there any more." }, risks: [] });
    this.#flows.delete(key);
    await this.#claims.remove(key);
  }

  #open(key: string, identity: Identity): FlowSync {
    const line = this.#line as Line;
    const client = new PlatformClient(line.transport, {
      log: (text) => this.server.connection.console.log(text),
      // A longer wait that the platform asks for is the session's, which says so.
      retry: { patienceMs: 5_000 },
    });
    const world = nodeWorld(platformRemote(client, identity), this.#stateDir);
    const flow = this.#flows.get(key) as FollowedFlow;
    this.#background(this.#restore(flow, identity));
    const keep = findingsKeeper(this.#stateDir, identity);
    const sync = new FlowSync(
      identity,
      world,
      {
        files: () => [nameOf(flow.uri), ...(this.#moves.get(key) ?? [])],
        mergeIntoFile: (merge) => this.#mergeIntoFile(flow, merge),
        confirm: (question, signal) => this.#questions.confirm(sync, flow, question, signal),
        statusChanged: (status) => this.#show(key, status),
        failed: (error) => this.#background(Promise.reject(error)),
        answered: (result) => {
          this.#take(flow, result, true);
          this.#background(keep(result));
        },
      },
      this.server.options.label ?? "a language server",
    );
    sync.attend(this.#isOpen(key));
    sync.save(this.#target(flow, flow.saved), "open");
    return sync;
  }

  /** Another flow, or the same one after a restart: what the platform last said of it. */
  async #restore(flow: FollowedFlow, identity: Identity): Promise<void> {
    this.#take(flow, undefined, true);
    const kept = await lastFindings(this.#stateDir, identity);
    if (!kept || flow.result) return;
    const { of: _, version: graph_version, findings, ...counts } = kept;
    this.#take(flow, { ...counts, graph_version, validation: { findings: [...findings] } } as GraphResult, false);
  }

  #take(flow: FollowedFlow, result: GraphResult | undefined, isFresh: boolean): void {
    if (flow.take(result, isFresh)) this.#tell(flow);
  }

  #show(key: string, status: Status): void {
    const flow = this.#flows.get(key);
    if (!flow) return;
    const said = (each: Status) => (each.state.kind === "blocked" ? each.state : "");
    const notKept = JSON.stringify(this.#claims.syncOf(key)?.notKept ?? []);
    const changed = said(flow.status) !== said(status) || notKept !== flow.notKept;
    flow.notKept = notKept;
    flow.status = status;
    if (changed) this.#tell(flow);
    if (status.state.kind !== "syncing") this.#weighSoon(flow);
    const state = this.#stateView(flow);
    if (this.server.options.clientTransport)
      void this.server.connection.sendNotification(SyncStateChanged.method, state);
    else this.#reporter.report(state);
  }

  /** Works out how many operations a save would send, and says so where it is about more batches than before, or fewer. */
  #weighSoon(flow: FollowedFlow): void {
    const key = keyOf(flow.uri);
    this.#weighing.start(key, () => {
      const document = this.server.workspace.get(flow.uri)?.document;
      const graph = document && graphOf(document);
      const from = graph && this.#claims.syncOf(key)?.remoteFor(graph);
      const { ops } = (graph && from && plan(from, graph)) ?? { ops: [] };
      const batches = (operations: number) => Math.ceil(operations / MAX_OPS_PER_BATCH);
      const changed = batches(ops.length) !== batches(flow.operations);
      flow.operations = ops.length;
      if (changed) this.#tell(flow);
    });
  }

  #tell(flow: FollowedFlow): void {
    for (const listener of this.#listeners) listener(flow.uri);
  }

  #stateView(flow: FollowedFlow): FlowSyncState {
    return stateView(flow.status, this.#converter(flow), this.findings(flow.uri), flow.result);
  }

  #converter(flow: FollowedFlow): Converter {
    const file = this.server.workspace.get(flow.uri);
    return file
      ? this.server.converter(file)
      : new Converter(flow.uri, FlowDocument.read(flow.saved), this.server.encoding);
  }

  async #mergeIntoFile(flow: FollowedFlow, merge: Merging): Promise<Target | undefined> {
    const text = await mergeIntoFile(this.server, flow, merge);
    return text === undefined ? undefined : this.#target(flow, text);
  }
}

/** What consent goes by: the file itself, or the address of what is not on this disk. */
function nameOf(uri: string): string {
  const path = pathOf(uri);
  return path === undefined ? uri : fileNamed(path);
}
