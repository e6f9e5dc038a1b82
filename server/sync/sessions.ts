/**
 * The synced files and the factory of their sessions: one for each file, revision and platform. Files are identified by
 * their normalized URI (`keyOf`).
 */
import { openState } from "../../files";
import { Projects } from "../../files/suite";
import { type FlowEnvironment, fileNameBeside } from "../../flow";
import type { BlockingRules } from "../../flow/findings";
import { type GraphResult, PlatformClient, stateDirectory } from "../../platform";
import {
  type Cause,
  fileGone,
  fileNamed,
  findingsKeeper,
  graphOfFindings,
  History,
  type Identity,
  isLinkUnreadable,
  type Known,
  lastFindings,
  linkOf,
  linkUnreadable,
  notConnected,
  platformRemote,
  RevisionOwners,
  type Status,
  SyncSession,
  type SyncState,
  systemEnvironment,
  type Target,
} from "../../sync";
import type { StateStore } from "../../system";
import { turns } from "../../system";
import { t } from "../../text";
import { inBackground } from "../background";
import type { ServerContext } from "../context";
import { keyOf, pathOf } from "../protocol/uris";
import { readFlowFile, stampOf } from "../workspace/files";
import { connectionTo, guardedRemote, type Placement, placeOf } from "./environments";
import { mergeIntoFile } from "./into-file";
import { PlatformRules } from "./platform-rules";
import type { Presenter } from "./presenter";
import type { Questions } from "./questions";
import { RecordChanges } from "./record-changes";
import { RevisionWatch } from "./revision-watch";
import { SyncedFile } from "./synced-file";
import { clientLink, environmentLink, type PlatformLink, sessionLink } from "./transport";

export class Sessions {
  readonly state: StateStore;
  /** Passes file events to sessions in the order in which they happen. */
  readonly inTurn = turns();
  readonly #flows = new Map<string, SyncedFile>();
  readonly #owners: RevisionOwners;
  /** Earlier names of files by the current one, because a confirmation stays valid when a file is moved. */
  readonly #moves = new Map<string, readonly string[]>();
  #recordings = Promise.resolve();
  readonly #watches = new Map<string, RevisionWatch>();
  readonly #recordChanges: RecordChanges;
  readonly #rules: PlatformRules;
  #link: PlatformLink | undefined;
  /** What `#link` and the links of environments are made from. */
  #connected: string | undefined;

  constructor(
    private readonly server: ServerContext,
    private readonly presenter: Presenter,
    private readonly questions: Questions,
  ) {
    const { address, addresses, environment } = server.connected();
    this.#connected = JSON.stringify([address, addresses, environment]);
    const stateDir = server.options.stateDir ?? stateDirectory(process.env);
    this.state = openState(stateDir);
    this.#link = server.options.clientTransport ? clientLink(server.connection, address) : environmentLink(process.env);
    this.#recordChanges = new RecordChanges(stateDir, (file) => {
      for (const [key, watch] of this.#watches)
        if (watch.file === file && this.#isOpen(key)) inBackground(server, watch.load());
    });
    this.#rules = new PlatformRules({
      state: this.state,
      changed: (codes) => this.presenter.rulesLearned(codes),
      run: (work) => inBackground(server, work),
    });
    this.#owners = new RevisionOwners({
      open: (key, identity) => this.#open(key, identity),
      showState: (key, state) => this.#show(key, { state, risks: [] }),
      nameOf: fileNameBeside,
    });
  }

  /** The link to the platform, if there is a connection. */
  get platformLink(): PlatformLink | undefined {
    return this.#link;
  }

  get all(): readonly SyncedFile[] {
    return [...this.#flows.values()];
  }

  flowOf(uri: string): SyncedFile | undefined {
    return this.#flows.get(keyOf(uri));
  }

  sessionOf(uri: string): SyncSession | undefined {
    return this.#owners.syncOf(keyOf(uri));
  }

  /** The synced file of a URI, created if necessary. */
  follow(uri: string): SyncedFile {
    const known = this.flowOf(uri);
    if (known) return known;
    const flow = new SyncedFile(uri, () => this.server.workspace.get(uri)?.document);
    this.#flows.set(keyOf(uri), flow);
    return flow;
  }

  /** What the platform of a file blocks on; for a file that isn't synced, the connected one. */
  blocking(uri: string): BlockingRules {
    return this.#rules.of(this.sessionOf(uri)?.identity.connection ?? this.#link?.address);
  }

  /** Whether a synced file names this revision. */
  isNamed(identity: Identity): boolean {
    return this.#owners.filesOf(identity).length > 0;
  }

  moved(from: string, to: string): void {
    const earlier = this.#moves.get(keyOf(from)) ?? [];
    this.#moves.delete(keyOf(from));
    this.#moves.set(keyOf(to), [nameOf(from), ...earlier]);
  }

  /** The client may have other connections now. True if they are to the same platforms as before. */
  connect(): boolean {
    const { address, addresses, environment } = this.server.connected();
    const now = JSON.stringify([address, addresses, environment]);
    const same = this.#connected === now;
    this.#connected = now;
    this.#link = clientLink(this.server.connection, address);
    return same;
  }

  /** The link to a flow's platform: that of its environment, or else of the active connection. */
  linkTo(environment: FlowEnvironment | undefined): PlatformLink | { readonly problem: string } | undefined {
    if (!environment) return this.#link?.address ? this.#link : undefined;
    const { addresses = [] } = this.server.connected();
    const active = this.#link?.address;
    const found = connectionTo(environment, active ? [active, ...addresses] : addresses);
    if ("problem" in found) return found;
    return this.server.options.clientTransport
      ? clientLink(this.server.connection, found.address, () => true)
      : (this.#link as PlatformLink);
  }

  /** Claims the revision that a file names, and passes the file's content to its session. */
  async link(flow: SyncedFile, cause: Cause): Promise<SyncSession | undefined> {
    const key = keyOf(flow.uri);
    const { saved } = flow;
    const { link, environment, environments, problem } = await this.#place(flow);
    flow.environment = environment;
    flow.environments = environments;
    const platform = this.linkTo(environment);
    if (link) await this.#addCompetingFiles(flow.uri, link.revision);
    else {
      this.closed(flow.uri);
      this.#watches.delete(key);
      if (flow.unlink()) this.presenter.revisionChanged(flow);
    }
    const address = platform && "address" in platform ? platform.address : undefined;
    const identity = link && address && !problem ? { connection: address, ...link } : undefined;
    if (identity) await this.#refreshCompetingFiles(identity, key);
    const isUnreadable = !link && isLinkUnreadable(flow.read(saved));
    // It was deleted or renamed in the meantime.
    if (this.#flows.get(key) !== flow) return undefined;
    await this.#owners.claim(key, identity, unlinked(link !== undefined, isUnreadable, problem, platform));
    const session = this.#owners.syncOf(key);
    session?.attend(this.#isOpen(key));
    flow.hasDeferredAutosave = false;
    session?.save(this.#target(flow, saved), environment?.isProtected ? "manual" : cause, flow.savedBehind);
    flow.savedBehind = false;
    return session;
  }

  /** If saves aren't pushed automatically, nothing else is either. */
  async causeFor(uri: string, cause: Cause): Promise<Cause> {
    return (await this.server.settingsFor(uri)).sync.onSave === "on" ? cause : "manual";
  }

  /** The file may have been changed or removed outside the editor. */
  async readAgain(uri: string): Promise<void> {
    const flow = this.flowOf(uri);
    if (!flow) return;
    const before = flow.saved;
    const text = await readFlowFile(uri);
    // The file was saved while it was read, so what was read is outdated.
    if (flow.saved !== before) return;
    if (text === undefined) return this.forget(flow);
    if (text === flow.saved) return;
    flow.changedOutside(text);
    const open = this.server.workspace.get(uri)?.document.text;
    flow.isBehind = open !== undefined && open !== text;
    flow.savedBehind = false;
    flow.outside = await stampOf(uri);
    this.presenter.findingsChanged(flow);
    await this.link(flow, await this.causeFor(uri, "outside"));
  }

  /** Checks before a push whether the file on disk is what its session was given, without relying on a watcher. */
  async #refresh(flow: SyncedFile): Promise<void> {
    const stamp = await stampOf(flow.uri);
    if (stamp === undefined || stamp === flow.seenOnDisk) return;
    const { saved } = flow;
    const text = await readFlowFile(flow.uri);
    // If an open document has this text, its editor wrote it, and didSave is on its way.
    const open = this.server.workspace.get(flow.uri)?.document.text;
    if (text === flow.saved) flow.seenOnDisk = stamp;
    else if (text !== undefined && text !== open && !flow.isOwn(text) && flow.saved === saved)
      await this.inTurn(() => this.readAgain(flow.uri));
  }

  /** The file is gone; nothing changes on the platform. */
  async forget(flow: SyncedFile): Promise<void> {
    const key = keyOf(flow.uri);
    this.#show(key, { state: { kind: "unlinked", message: fileGone() }, risks: [] });
    this.#flows.delete(key);
    await this.#owners.remove(key);
  }

  /** The last quality report of the revision that a file names. */
  qualityReport(uri: string): unknown {
    return this.#watches.get(keyOf(uri))?.qualityReport;
  }

  close(): Promise<void> {
    this.#recordChanges.stop();
    for (const watch of this.#watches.values()) watch.stop();
    return this.#owners.close();
  }

  /** The environment of a file as saved, by the project file as it is now. */
  #place(flow: SyncedFile): Promise<Placement> {
    const own = linkOf(flow.read(flow.saved));
    return placeOf(flow.uri, own, new Projects(this.server.workspace.scope()), this.server.connected().environment);
  }

  #isOpen(key: string): boolean {
    return this.server.workspace.get(key) !== undefined;
  }

  #target(flow: SyncedFile, text: string): Target {
    return flow.target(text, this.server.settings.rules, this.server.toolsFor(flow.uri));
  }

  #show(key: string, status: Status): void {
    const flow = this.#flows.get(key);
    if (flow) this.presenter.show(flow, status);
  }

  /** Re-reads competing files: rename and delete events may be late or missing. */
  async #refreshCompetingFiles(identity: Identity, key: string): Promise<void> {
    for (const other of this.#owners.filesOf(identity)) {
      const flow = other === key ? undefined : this.#flows.get(other);
      if (!flow) continue;
      // A closed file outside the workspace doesn't compete either.
      if (!this.#isOpen(other) && !this.server.workspace.isInside(other)) await this.forget(flow);
      else if (!this.#isOpen(other)) await this.readAgain(other);
      else if (pathOf(other) !== undefined && (await readFlowFile(other)) === undefined) await this.forget(flow);
    }
  }

  /** Adds the files on disk that name the same revision. */
  async #addCompetingFiles(uri: string, revision: string): Promise<void> {
    for (const other of this.server.workspace.naming(revision, uri)) {
      if (this.flowOf(other.uri) || this.server.workspace.get(other.uri)) continue;
      this.follow(other.uri);
      await this.readAgain(other.uri);
    }
  }

  /** The file was closed: nothing more is read for it. */
  closed(uri: string): void {
    this.#watches.get(keyOf(uri))?.stop();
  }

  #watchRevision(key: string, flow: SyncedFile, identity: Identity, { transport }: PlatformLink): RevisionWatch {
    this.#watches.get(key)?.stop();
    flow.revision = undefined;
    const watch = new RevisionWatch(identity, {
      client: new PlatformClient(transport, { retry: { attempts: 1 } }),
      state: this.state,
      isOpen: () => this.#isOpen(key),
      changed: (record) => {
        if (this.#watches.get(key) !== watch) return;
        this.#recordChanges.start();
        flow.revision = record;
        this.presenter.revisionChanged(flow);
      },
      failed: (error) => inBackground(this.server, Promise.reject(error)),
    });
    this.#watches.set(key, watch);
    this.#recordChanges.start();
    inBackground(this.server, watch.load());
    return watch;
  }

  #open(key: string, identity: Identity): SyncSession {
    const flow = this.#flows.get(key) as SyncedFile;
    const link = sessionLink(this.server, this.#link, identity.connection, () => flow.environment !== undefined);
    const client = new PlatformClient(link.transport, {
      log: (text) => this.server.connection.console.log(text),
      // For longer waits requested by the platform, the session waits and reports it.
      retry: { patienceMs: 5_000 },
    });
    const watch = this.#watchRevision(key, flow, identity, link);
    const platform = platformRemote(client, identity, (revision) => watch.read(revision));
    const remote = guardedRemote(
      platform,
      () => flow.environment,
      () => this.#place(flow),
    );
    const syncEnvironment = systemEnvironment(remote, this.state);
    const history = new History(syncEnvironment.storage, identity, syncEnvironment.clock);
    inBackground(this.server, this.#restore(flow, identity));
    const keep = findingsKeeper(this.state, identity);
    const session = new SyncSession(
      identity,
      syncEnvironment,
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
        seen: (version) => {
          const recording = history.record(version, flow.environment?.name, pathOf(flow.uri) ?? flow.uri);
          this.#recordings = Promise.allSettled([this.#recordings, recording]).then(() => undefined);
          inBackground(this.server, recording);
        },
        answered: (result) => {
          watch.answered(result);
          this.#take(flow, result, session.remote);
          this.#rules.learn(identity.connection, result, () => {
            const document = flow.openSaved;
            const { rules } = this.server.settings;
            return document && { document, graph: () => flow.graphOf(document), remote: session.remote, rules };
          });
          inBackground(this.server, keep(result));
        },
      },
      this.server.options.label ?? t("a language server"),
    );
    session.attend(this.#isOpen(key));
    session.save(this.#target(flow, flow.saved), "open");
    return session;
  }

  /** Resolves when every version that was seen is in its history. */
  recorded(): Promise<void> {
    return this.#recordings;
  }

  /** Restores the platform's last findings, after a restart or for another revision. */
  async #restore(flow: SyncedFile, identity: Identity): Promise<void> {
    this.#take(flow, undefined);
    const kept = await lastFindings(this.state, identity);
    const about = kept && (await graphOfFindings(this.state, kept));
    if (!kept || flow.result) return;
    const { of: _, version: graph_version, findings, ...counts } = kept;
    this.#take(flow, { ...counts, graph_version, validation: { findings: [...findings] } } as GraphResult, about);
  }

  #take(flow: SyncedFile, result: GraphResult | undefined, about?: Known): void {
    if (flow.setResult(result, about)) this.presenter.findingsChanged(flow);
  }
}

/** Why a file isn't synced; undefined if it isn't linked. */
function unlinked(
  isLinked: boolean,
  isUnreadable: boolean,
  problem: string | undefined,
  platform: PlatformLink | { readonly problem: string } | undefined,
): SyncState | undefined {
  if (problem !== undefined) return { kind: "unlinked", reason: "project", message: problem };
  if (isUnreadable) return { kind: "unlinked", reason: "unreadable", message: linkUnreadable() };
  if (!isLinked) return undefined;
  if (platform && "problem" in platform) return { kind: "unlinked", reason: "no-key", message: platform.problem };
  return { kind: "unlinked", reason: "no-connection", message: notConnected() };
}

/** The file that a confirmation is for; its URI if it isn't on disk. */
function nameOf(uri: string): string {
  const path = pathOf(uri);
  return path === undefined ? uri : fileNamed(path);
}
