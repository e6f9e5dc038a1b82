/**
 * The flows that are followed and the factory of their sessions: one for each file, revision and platform. Files are
 * known by their address in one spelling (`keyOf`).
 */
import { fileNameIn } from "../../flow";
import { type GraphResult, PlatformClient, stateDirectory } from "../../platform";
import {
  type Cause,
  fileGone,
  fileNamed,
  findingsKeeper,
  graphOfFindings,
  type Identity,
  type Known,
  lastFindings,
  linkOf,
  nodeEnvironment,
  notConnected,
  platformRemote,
  RevisionOwners,
  type Status,
  SyncSession,
  type Target,
  turns,
} from "../../sync";
import { t } from "../../text";
import { inBackground } from "../background";
import type { Server } from "../context";
import { keyOf, pathOf } from "../protocol/uris";
import { readFlowFile, stampOf } from "../workspace/files";
import { mergeIntoFile } from "./into-file";
import type { Presenter } from "./presenter";
import type { Questions } from "./questions";
import { SyncedFile } from "./synced-file";
import { clientLink, environmentLink, type PlatformLink } from "./transport";

export class Sessions {
  readonly stateDir: string;
  /** What happens to files is told to their sessions in the order in which it happens. */
  readonly inTurn = turns();
  readonly #flows = new Map<string, SyncedFile>();
  readonly #claims: RevisionOwners;
  /** Earlier names of files, by the present one: what was agreed to for a file goes with it where its move was seen. */
  readonly #moves = new Map<string, readonly string[]>();
  #line: PlatformLink | undefined;

  constructor(
    private readonly server: Server,
    private readonly presenter: Presenter,
    private readonly questions: Questions,
  ) {
    this.stateDir = server.options.stateDir ?? stateDirectory(process.env);
    this.#line = server.options.clientTransport
      ? clientLink(server.connection, server.address())
      : environmentLink(process.env);
    this.#claims = new RevisionOwners({
      open: (key, identity) => this.#open(key, identity),
      showState: (key, state) => this.#show(key, { state, risks: [] }),
      nameOf: fileNameIn,
    });
  }

  /** The way to the platform, where there is a connection. */
  get platformLink(): PlatformLink | undefined {
    return this.#line;
  }

  get all(): readonly SyncedFile[] {
    return [...this.#flows.values()];
  }

  flowOf(uri: string): SyncedFile | undefined {
    return this.#flows.get(keyOf(uri));
  }

  sessionOf(uri: string): SyncSession | undefined {
    return this.#claims.syncOf(keyOf(uri));
  }

  /** The flow of a file, from now on followed. */
  follow(uri: string): SyncedFile {
    const known = this.flowOf(uri);
    if (known) return known;
    const flow = new SyncedFile(uri, () => this.server.workspace.get(uri)?.document);
    this.#flows.set(keyOf(uri), flow);
    return flow;
  }

  /** Whether a followed file names this flow. */
  isNamed(identity: Identity): boolean {
    return this.#claims.filesOf(identity).length > 0;
  }

  moved(from: string, to: string): void {
    const earlier = this.#moves.get(keyOf(from)) ?? [];
    this.#moves.delete(keyOf(from));
    this.#moves.set(keyOf(to), [nameOf(from), ...earlier]);
  }

  /** The client may have another connection now. True: it leads to the same platform as before. */
  connect(): boolean {
    const address = this.server.address();
    const same = this.#line?.address === address;
    this.#line = clientLink(this.server.connection, address);
    return same;
  }

  /** Tells the claims what a file names, and its session what it says. */
  async link(flow: SyncedFile, cause: Cause): Promise<SyncSession | undefined> {
    const key = keyOf(flow.uri);
    const { saved } = flow;
    const link = linkOf(flow.read(saved));
    const address = this.#line?.address;
    if (link) await this.#meet(flow.uri, link.revision);
    else this.#take(flow, undefined);
    const identity = link && address ? { connection: address, ...link } : undefined;
    if (identity) await this.#freshenOthers(identity, key);
    await this.#claims.claim(key, identity);
    if (link && !address)
      this.#show(key, { state: { kind: "unlinked", reason: "no-connection", message: notConnected() }, risks: [] });
    const session = this.#claims.syncOf(key);
    session?.attend(this.#isOpen(key));
    flow.waitsToBeTold = false;
    session?.save(this.#target(flow, saved), cause, flow.savedBehind);
    flow.savedBehind = false;
    return session;
  }

  /** Where saves are not sent by themselves, nothing else is either. */
  async causeFor(uri: string, cause: Cause): Promise<Cause> {
    return (await this.server.settingsFor(uri)).sync.onSave === "on" ? cause : "manual";
  }

  /** The file may have been changed or removed by something else than its editor. */
  async readAgain(uri: string): Promise<void> {
    const flow = this.flowOf(uri);
    if (!flow) return;
    const before = flow.saved;
    const text = await readFlowFile(uri);
    // What was saved while the disk was read is newer.
    if (flow.saved !== before) return;
    if (text === undefined) return this.forget(flow);
    if (text === flow.saved) return;
    flow.saved = text;
    const open = this.server.workspace.get(uri)?.document.text;
    flow.isBehind = open !== undefined && open !== text;
    flow.savedBehind = false;
    flow.outside = await stampOf(uri);
    this.presenter.findingsChanged(flow);
    await this.link(flow, await this.causeFor(uri, "outside"));
  }

  /** Before something is sent: whether the file on disk still is what its session was told. No watcher is needed for it. */
  async #refresh(flow: SyncedFile): Promise<void> {
    const stamp = await stampOf(flow.uri);
    if (stamp === undefined || stamp === flow.seenOnDisk) return;
    const { saved } = flow;
    const text = await readFlowFile(flow.uri);
    // A text that its own editor has open was written by it, and the notice of that save is on its way.
    const open = this.server.workspace.get(flow.uri)?.document.text;
    if (text === flow.saved) flow.seenOnDisk = stamp;
    else if (text !== undefined && text !== open && flow.saved === saved)
      await this.inTurn(() => this.readAgain(flow.uri));
  }

  /** The file is gone; what is on the platform stays. */
  async forget(flow: SyncedFile): Promise<void> {
    const key = keyOf(flow.uri);
    this.#show(key, { state: { kind: "unlinked", message: fileGone() }, risks: [] });
    this.#flows.delete(key);
    await this.#claims.remove(key);
  }

  close(): Promise<void> {
    return this.#claims.close();
  }

  #isOpen(key: string): boolean {
    return this.server.workspace.get(key) !== undefined;
  }

  #target(flow: SyncedFile, text: string): Target {
    return flow.target(text, this.server.settings.rules);
  }

  #show(key: string, status: Status): void {
    const flow = this.#flows.get(key);
    if (flow) this.presenter.show(flow, status);
  }

  /** A file that was renamed or deleted has no say any more; its editor tells late, or not at all. */
  async #freshenOthers(identity: Identity, key: string): Promise<void> {
    for (const other of this.#claims.filesOf(identity)) {
      const flow = other === key ? undefined : this.#flows.get(other);
      if (!flow) continue;
      // A file that is closed, and in no folder of the workspace, has none either.
      if (!this.#isOpen(other) && !this.server.workspace.isInside(other)) await this.forget(flow);
      else if (!this.#isOpen(other)) await this.readAgain(other);
      else if (pathOf(other) !== undefined && (await readFlowFile(other)) === undefined) await this.forget(flow);
    }
  }

  /** Takes in the files on disk that name the same revision. */
  async #meet(uri: string, revision: string): Promise<void> {
    for (const other of this.server.workspace.naming(revision, uri)) {
      if (this.flowOf(other.uri) || this.server.workspace.get(other.uri)) continue;
      this.follow(other.uri);
      await this.readAgain(other.uri);
    }
  }

  /** Makes a session. */
  #open(key: string, identity: Identity): SyncSession {
    const line = this.#line as PlatformLink;
    const client = new PlatformClient(line.transport, {
      log: (text) => this.server.connection.console.log(text),
      // A longer wait that the platform asks for is the session's, which says so.
      retry: { patienceMs: 5_000 },
    });
    const world = nodeEnvironment(platformRemote(client, identity), this.stateDir);
    const flow = this.#flows.get(key) as SyncedFile;
    inBackground(this.server, this.#restore(flow, identity));
    const keep = findingsKeeper(this.stateDir, identity);
    const session = new SyncSession(
      identity,
      world,
      {
        files: () => [nameOf(flow.uri), ...(this.#moves.get(key) ?? [])],
        mergeIntoFile: async (merge) => {
          const text = await mergeIntoFile(this.server, flow, merge);
          return text === undefined ? undefined : this.#target(flow, text);
        },
        refresh: () => this.#refresh(flow),
        confirm: (question, signal) => this.questions.confirm(session, flow, question, signal),
        statusChanged: (status) => this.#show(key, status),
        failed: (error) => inBackground(this.server, Promise.reject(error)),
        answered: (result) => {
          this.#take(flow, result, session.remote);
          inBackground(this.server, keep(result));
        },
      },
      this.server.options.label ?? t("a language server"),
    );
    session.attend(this.#isOpen(key));
    session.save(this.#target(flow, flow.saved), "open");
    return session;
  }

  /** Another flow, or the same one after a restart: what the platform last said of it. */
  async #restore(flow: SyncedFile, identity: Identity): Promise<void> {
    this.#take(flow, undefined);
    const kept = await lastFindings(this.stateDir, identity);
    const about = kept && (await graphOfFindings(this.stateDir, kept));
    if (!kept || flow.result) return;
    const { of: _, version: graph_version, findings, ...counts } = kept;
    this.#take(flow, { ...counts, graph_version, validation: { findings: [...findings] } } as GraphResult, about);
  }

  #take(flow: SyncedFile, result: GraphResult | undefined, about?: Known): void {
    if (flow.take(result, about)) this.presenter.findingsChanged(flow);
  }
}

/** What consent goes by: the file itself, or the address of what is not on this disk. */
function nameOf(uri: string): string {
  const path = pathOf(uri);
  return path === undefined ? uri : fileNamed(path);
}
