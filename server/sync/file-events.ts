/** Passes file events on to sync sessions. */
import { Projects } from "../../files/suite";
import type { TextEdit } from "../../flow";
import { lastAgreed, type SyncSession, waitsToBeSent } from "../../sync";
import { inBackground } from "../background";
import type { ServerContext } from "../context";
import { isBelow, keyOf, pathOf } from "../protocol/uris";
import type { Settings } from "../settings";
import { type FileFacts, readFlowFile, stampOf } from "../workspace/files";
import type { OpenFile } from "../workspace/workspace";
import { Delays } from "./delays";
import { placeOf } from "./environments";
import type { Presenter } from "./presenter";
import type { Questions } from "./questions";
import type { Reporter } from "./reporter";
import type { Sessions } from "./sessions";
import type { SyncedFile } from "./synced-file";

/** How long to wait for didSave before treating a disk change as external. */
const EDITOR_FIRST_MS = 500;

/** How often the file is seen with a text of the editor before its save counts as failed: editors don't report that. */
const FAILED_AFTER = 6;

/** The origin of a save: the user, or the editor after a delay or when it lost focus. */
export type SavedBy = "person" | "editor";

export type FileEvent =
  /** `file` was opened; its text is what is on disk. */
  | { readonly kind: "opened"; readonly file: OpenFile }
  /** Sent before the edits are applied. */
  | { readonly kind: "edited"; readonly file: OpenFile; readonly edits: readonly TextEdit[] }
  /** The editor is about to write its text. */
  | { readonly kind: "saving"; readonly file: OpenFile }
  | { readonly kind: "saved"; readonly file: OpenFile; readonly by: SavedBy; readonly text: string }
  | { readonly kind: "closed"; readonly uri: string }
  /** Another program changed the file on disk. */
  | { readonly kind: "changedOutside"; readonly uri: string }
  /** The editor renamed or moved the file. */
  | { readonly kind: "moved"; readonly from: string; readonly to: string }
  /** A folder was removed from the workspace. */
  | { readonly kind: "folderRemoved"; readonly folder: string };

export class FileEvents {
  readonly #outside = new Delays(EDITOR_FIRST_MS);
  readonly #handlers: { readonly [Kind in FileEvent["kind"]]: (event: Extract<FileEvent, { kind: Kind }>) => void } = {
    opened: ({ file }) => this.#opened(file),
    edited: ({ file, edits }) => this.#edited(file, edits),
    saving: ({ file }) => this.#saving(file),
    saved: ({ file, by, text }) => this.#saved(file, by, text),
    closed: ({ uri }) => this.#closed(uri),
    changedOutside: ({ uri }) => this.#changedOutside(uri),
    moved: ({ from, to }) => this.sessions.moved(from, to),
    folderRemoved: ({ folder }) => this.#folderRemoved(folder),
  };

  constructor(
    private readonly server: ServerContext,
    private readonly sessions: Sessions,
    private readonly presenter: Presenter,
    private readonly questions: Questions,
    private readonly reporter: Reporter,
  ) {
    server.workspace.onFile((uri, file) => this.#seenOnDisk(uri, file?.facts));
  }

  handle(event: FileEvent): void {
    const handler = this.#handlers[event.kind] as (event: FileEvent) => void;
    handler(event);
  }

  #opened(file: OpenFile): void {
    if (file.uri.startsWith("untitled:")) return;
    const flow = this.sessions.follow(file.uri);
    flow.saved = file.document.text;
    inBackground(this.server, this.#onOpen(file.uri, flow));
  }

  #edited(file: OpenFile, edits: readonly TextEdit[]): void {
    const flow = this.sessions.flowOf(file.uri);
    flow?.edited(edits);
    if (flow) this.presenter.schedulePlanSize(flow);
  }

  #saving(file: OpenFile): void {
    this.sessions.flowOf(file.uri)?.willSave(file.document.text);
  }

  #saved(file: OpenFile, by: SavedBy, text: string): void {
    const flow = this.sessions.follow(file.uri);
    flow.didSave(text);
    // The saved text decides which findings still apply.
    if (flow.result?.validation?.findings?.length) this.presenter.findingsChanged(flow);
    flow.savedBehind ||= flow.isBehind;
    flow.isBehind = false;
    const saved = flow.savesMerge ? "merge" : by === "person" ? "save" : "autosave";
    inBackground(this.server, this.#onSave(file.uri, flow, saved));
  }

  #closed(uri: string): void {
    const flow = this.sessions.flowOf(uri);
    if (!flow) return;
    flow.closed();
    this.sessions.closed(uri);
    // Another window or the command line may sync it now.
    this.sessions.sessionOf(uri)?.attend(false);
    // A file that isn't on disk can't be synced once it is closed. A file outside the workspace whose revision belongs
    // to another file isn't needed either.
    const isIdle = !this.sessions.sessionOf(uri) && !this.server.workspace.isInside(uri);
    if (pathOf(uri) === undefined || isIdle) inBackground(this.server, this.sessions.forget(flow));
  }

  #changedOutside(uri: string): void {
    if (this.sessions.flowOf(uri)) return void this.#checkDiskLater(uri, undefined);
    // The file of an open editor was deleted and is there again, for example after two branch switches.
    const open = this.server.workspace.get(uri);
    if (open) inBackground(this.server, this.#backAgain(open));
  }

  async #backAgain(file: OpenFile): Promise<void> {
    if ((await readFlowFile(file.uri)) !== undefined && !this.sessions.flowOf(file.uri)) this.#opened(file);
  }

  #folderRemoved(folder: string): void {
    const { workspace } = this.server;
    const isGone = ({ uri }: SyncedFile) => isBelow(uri, folder) && !workspace.isInside(uri) && !workspace.get(uri);
    const forgetAll = async () => {
      for (const flow of this.sessions.all.filter(isGone)) await this.sessions.forget(flow);
    };
    inBackground(this.server, this.sessions.inTurn(forgetAll));
  }

  /** Sends changes that were saved before a restart and couldn't be sent, even if their file isn't opened again. */
  async resume(): Promise<void> {
    const projects = new Projects(this.server.workspace.scope());
    for (const { facts } of [...this.server.workspace.closedFiles()]) {
      const { uri } = facts;
      const [assistant, revision] = [facts.assistant?.trim(), facts.revision?.trim()];
      if (this.sessions.flowOf(uri)) continue;
      const own = assistant && revision ? { assistant, revision } : undefined;
      const { environment: wanted } = this.server.connected();
      const { link, environment, environments } = await placeOf(uri, own, projects, wanted);
      const platform = this.sessions.linkTo(environment);
      if (!link || !platform || !("address" in platform) || !platform.address) continue;
      const identity = { connection: platform.address, ...link };
      if (!(await waitsToBeSent(this.sessions.state, identity))) {
        const agreed = this.server.options.clientTransport
          ? await lastAgreed(this.sessions.state, identity)
          : undefined;
        const text = agreed && (await readFlowFile(uri));
        if (agreed && text !== undefined && !this.sessions.flowOf(uri))
          this.presenter.showUnopened(uri, text, agreed, { environment, environments });
        continue;
      }
      await this.sessions.inTurn(async () => {
        const text = await readFlowFile(uri);
        if (text === undefined || this.sessions.flowOf(uri)) return;
        const flow = this.sessions.follow(uri);
        flow.saved = text;
        await this.sessions.link(flow, await this.sessions.causeFor(uri, "open"));
      });
    }
  }

  dispose(): void {
    this.#outside.end();
  }

  /** A file that wasn't synced so far may name a revision that belongs to another. */
  #seenOnDisk(uri: string, facts: FileFacts | undefined): void {
    const assistant = facts?.assistant?.trim().toLowerCase();
    const revision = facts?.revision?.trim().toLowerCase();
    const connection = this.sessions.platformLink?.address;
    if (!assistant || !revision || !connection || this.sessions.flowOf(uri)) return;
    if (!this.sessions.isNamed({ connection, assistant, revision })) return;
    this.sessions.follow(uri);
    inBackground(
      this.server,
      this.sessions.inTurn(() => this.sessions.readAgain(uri)),
    );
  }

  /** Opening a file sends nothing, unless a save was queued; but the plan of a push is computed. */
  async #onOpen(uri: string, flow: SyncedFile): Promise<void> {
    const session = await this.sessions.inTurn(async () => {
      const opened = flow.saved;
      const onDisk = await readFlowFile(uri);
      // An editor may open a file with the unsaved text of its last session.
      if (onDisk !== undefined && flow.saved === opened) flow.saved = onDisk;
      return this.sessions.link(flow, await this.sessions.causeFor(uri, "open"));
    });
    await session?.look();
  }

  async #onSave(uri: string, flow: SyncedFile, saved: "save" | "autosave" | "merge"): Promise<void> {
    const { session, onSave } = await this.sessions.inTurn(async () => {
      await flow.readWritten(() => readFlowFile(uri));
      const { onSave, onAutoSave } = (await this.server.settingsFor(uri)).sync;
      if (saved === "autosave" && onAutoSave === "off") return this.#onAutosave(uri, flow, onSave);
      if (!this.server.options.clientTransport) this.#pushBySaving(flow);
      // The save that was treated as an external change, because didSave was late.
      if (flow.outside !== undefined && flow.outside === (await stampOf(uri))) this.sessions.sessionOf(uri)?.endPause();
      const cause = saved === "autosave" ? "save" : saved;
      return { session: await this.sessions.link(flow, onSave === "on" ? cause : "manual"), onSave };
    });
    if (!session || onSave !== "ask") return;
    await session.look();
    await this.questions.askToPush(session, flow);
  }

  /** An auto-save waits for the user. A push that is running continues with the text it started with. */
  async #onAutosave(
    uri: string,
    flow: SyncedFile,
    onSave: Settings["sync"]["onSave"],
  ): Promise<{ session?: SyncSession; onSave?: string }> {
    const session = this.sessions.sessionOf(uri);
    if (session?.status.state.kind !== "syncing") {
      await this.sessions.link(flow, onSave === "on" ? "autosave" : "manual");
      return {};
    }
    const text = flow.saved;
    flow.hasDeferredAutosave = true;
    const later = async () => {
      await session.settled();
      // Otherwise a later save or push has passed it on.
      if (flow.hasDeferredAutosave && flow.saved === text) await this.#onSave(uri, flow, "autosave");
    };
    inBackground(this.server, later());
    return {};
  }

  /** Editors without our client have no other way to push: a save also revokes a "no" and asks again after a pause. */
  #pushBySaving(flow: SyncedFile): void {
    const { state } = flow.status;
    this.reporter.saved(flow.uri);
    if (state.kind === "pending" && (state.reason === "declined" || state.reason === "cancelled"))
      this.sessions.sessionOf(flow.uri)?.askAgain();
  }

  /**
   * The file watcher may report an editor's save first; a change counts as external only if seen twice, or if the save
   * that may have made it isn't reported.
   */
  #checkDiskLater(uri: string, seen: { readonly text: string | undefined; readonly times: number } | undefined): void {
    const check = async () => {
      const text = await readFlowFile(uri);
      const flow = this.sessions.flowOf(uri);
      if (flow?.saved === text) return;
      const times = seen && seen.text === text ? seen.times + 1 : 1;
      const isOwn = text !== undefined && flow?.isOwn(text);
      if (times < (isOwn ? FAILED_AFTER : 2)) this.#checkDiskLater(uri, { text, times });
      else await this.sessions.inTurn(() => this.sessions.readAgain(uri));
    };
    this.#outside.start(keyOf(uri), () => inBackground(this.server, check()));
  }
}
