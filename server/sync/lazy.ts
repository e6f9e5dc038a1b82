/**
 * The sync service for the rest of the server. Its code is loaded with the first file that names a revision, so a
 * server that only edits never loads it. Language features never wait for it.
 */
import { Projects } from "../../files/suite";
import { type Problem, topText } from "../../flow";
import { type BlockingRules, NOTHING_LEARNED } from "../../flow/findings";
import { notLinked } from "../../sync/sentences";
import { t } from "../../text";
import type { ServerContext } from "../context";
import { type FlowSyncState, SyncStateChanged } from "../messages";
import { pathOf } from "../protocol/uris";
import type { OpenFile } from "../workspace/workspace";
import type { FileEvent } from "./file-events";
import type { PlatformSync } from "./service";

/** Delays loading, so a newly opened file's diagnostics come first. */
const LOAD_AFTER_MS = 50;

export class LazySync {
  #loaded: PlatformSync | undefined;
  #loading: Promise<PlatformSync> | undefined;
  /** Saves that happened while the service was loading. */
  readonly #queue: FileEvent[] = [];
  readonly #listeners: ((uri: string) => void)[] = [];

  constructor(private readonly server: () => ServerContext) {}

  /** The service, if it is loaded. */
  get loaded(): PlatformSync | undefined {
    return this.#loaded;
  }

  /** Loads the service if necessary. */
  ready(): Promise<PlatformSync> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Passes an event on. Opening or saving a linked flow loads the service; the work continues in the background. */
  notify(event: FileEvent): void {
    if (this.#loaded) {
      this.#loaded.notify(event);
      return;
    }
    if (event.kind !== "opened" && event.kind !== "saved") return;
    const path = pathOf(event.file.uri);
    if (topText(event.file.document, "revision")) this.#startFor(event);
    else if (path !== undefined)
      void new Projects(this.server().workspace.scope()).of(path).then(
        (project) => {
          if (project) this.#startFor(event);
          else this.#showUnlinked(event.file);
        },
        // The service reports that the project file can't be read.
        () => this.#startFor(event),
      );
  }

  /** Without a link there is nothing to load, but the status bar shows the state as for any other flow. */
  #showUnlinked({ uri, document }: OpenFile): void {
    const { options, connection } = this.server();
    // With syntax errors, it isn't known whether there is a link.
    if (this.#loading || !options.clientTransport || document.problems.length > 0) return;
    const nothing = { conflicts: [], risks: 0, errors: 0, warnings: 0 };
    const state: FlowSyncState = { uri, kind: "unlinked", text: t("unlinked"), message: notLinked(), ...nothing };
    void connection.sendNotification(SyncStateChanged.method, state);
  }

  #startFor(event: FileEvent): void {
    // A loaded service has been notified of all open files.
    if (this.#loaded) {
      if (event.kind === "saved") this.#loaded.notify(event);
    } else if (event.kind === "opened") setTimeout(() => this.#start(), LOAD_AFTER_MS);
    else {
      this.#queue.push(event);
      this.#start();
    }
  }

  /** The workspace was read: sends queued changes of files that aren't open. */
  resume(): void {
    const files = [...this.server().workspace.closedFiles()];
    if (files.some(({ facts }) => facts.revision)) this.#start((sync) => sync.resume());
  }

  /** The platform's findings in the file, at their positions in the current text. */
  findings(uri: string): readonly Problem[] {
    return this.#loaded?.findings(uri) ?? [];
  }

  /** What the platform of a file blocks on. */
  blocking(uri: string): BlockingRules {
    return this.#loaded?.blocking(uri) ?? NOTHING_LEARNED;
  }

  /** Problems known only from the plan of a push, listed among the rules' own. */
  notes(file: OpenFile): readonly Problem[] {
    return this.#loaded?.notes(file) ?? [];
  }

  onFindings(listener: (uri: string) => void): void {
    this.#listeners.push(listener);
    this.#loaded?.onFindings(listener);
  }

  async dispose(): Promise<void> {
    await this.#loading?.catch(() => undefined);
    await this.#loaded?.dispose();
  }

  async #load(): Promise<PlatformSync> {
    const { PlatformSync } = await import("./service");
    const loaded = new PlatformSync(this.server());
    this.#loaded = loaded;
    for (const listener of this.#listeners) loaded.onFindings(listener);
    for (const file of this.server().workspace.openFiles) loaded.notify({ kind: "opened", file });
    for (const event of this.#queue.splice(0)) loaded.notify(event);
    return loaded;
  }

  #start(then: (sync: PlatformSync) => unknown = () => {}): void {
    this.ready()
      .then(then)
      .catch((error: Error) => this.server().connection.console.error(`No sync: ${error.message}`));
  }
}
