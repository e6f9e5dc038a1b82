/** The sync service, loaded when there is something for it to do. */
import { topText } from "../../flow";
import type { Server } from "../context";
import { noSync, type SavedBy, type SyncService } from "../sync-service";
import type { OpenFile } from "../workspace/workspace";
import type { PlatformSync } from "./service";

export interface LazySync extends SyncService {
  /** Loads the service if it is not there yet. */
  ready(): Promise<PlatformSync>;
  /** The workspace was read: what its files still have to send goes out. */
  resume(): void;
  /** The service if it is there. */
  readonly loaded: PlatformSync | undefined;
}

export function lazySync(server: () => Server): LazySync {
  let loaded: PlatformSync | undefined;
  let loading: Promise<PlatformSync> | undefined;
  /** Files that were saved while it was loading, with what they said then. */
  const saved = new Map<OpenFile, { readonly by: SavedBy; readonly text: string }>();
  const listeners: ((uri: string) => void)[] = [];
  const load = async () => {
    const { PlatformSync } = await import("./service");
    loaded = new PlatformSync(server());
    for (const listener of listeners) loaded.onFindings(listener);
    for (const file of server().workspace.openFiles) loaded.opened(file);
    for (const [file, { by, text }] of saved) loaded.saved(file, by, text);
    return loaded;
  };
  const ready = () => {
    loading ??= load();
    return loading;
  };
  /** In the background; without it every language feature still works. */
  const begin = (then: (sync: PlatformSync) => unknown = () => {}) =>
    void ready()
      .then(then)
      .catch((error: Error) => server().connection.console.error(`No sync: ${error.message}`));
  return {
    ready,
    resume: () => {
      for (const { facts } of server().workspace.closedFiles())
        if (facts.revision) return begin((sync) => sync.resume());
    },
    get loaded() {
      return loaded;
    },
    opened: (file) => {
      if (loaded) loaded.opened(file);
      // First the file's own diagnostics, then this.
      else if (topText(file.document, "revision")) setTimeout(() => begin(), 50);
    },
    changed: (file, edits) => loaded?.changed(file, edits),
    saved: (file, by) => {
      if (loaded) return loaded.saved(file, by);
      if (!topText(file.document, "revision")) return;
      saved.set(file, { by, text: file.document.text });
      begin();
    },
    closed: (uri) => loaded?.closed(uri),
    changedOutside: (uri) => loaded?.changedOutside(uri),
    moved: (from, to) => loaded?.moved(from, to),
    left: (folder) => loaded?.left(folder),
    findings: (uri) => (loaded ?? noSync).findings(uri),
    notes: (file) => (loaded ?? noSync).notes(file),
    fix: (file, problem) => (loaded ?? noSync).fix(file, problem),
    base: (uri) => (loaded ?? noSync).base(uri),
    onFindings: (listener) => {
      listeners.push(listener);
      loaded?.onFindings(listener);
    },
    dispose: async () => {
      await loading?.catch(() => undefined);
      await loaded?.dispose();
    },
  };
}
