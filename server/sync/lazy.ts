/** The sync service, loaded when there is something for it to do. What is told before that waits in order. */
import { topText } from "../../flow";
import type { Server } from "../server";
import { noSync, type SyncService } from "../sync-service";
import type { PlatformSync } from "./service";

export interface LazySync extends SyncService {
  /** Loads the service if it is not there yet. */
  ready(): Promise<PlatformSync>;
  /** The service if it is there. */
  readonly loaded: PlatformSync | undefined;
}

export function lazySync(server: () => Server): LazySync {
  let loaded: PlatformSync | undefined;
  let loading: Promise<PlatformSync> | undefined;
  const waiting: ((service: SyncService) => void)[] = [];
  const listeners: ((uri: string) => void)[] = [];
  const load = async () => {
    const { PlatformSync } = await import("./service");
    loaded = new PlatformSync(server());
    for (const listener of listeners) loaded.onFindings(listener);
    for (const tell of waiting.splice(0)) tell(loaded);
    return loaded;
  };
  const ready = () => {
    loading ??= load();
    return loading;
  };
  const tell = (what: (service: SyncService) => void) => {
    if (loaded) what(loaded);
    else waiting.push(what);
  };
  return {
    ready,
    get loaded() {
      return loaded;
    },
    opened: (file) => {
      tell((service) => service.opened(file));
      // First the file's own diagnostics, then this.
      if (topText(file.document, "revision")) setTimeout(ready, 50);
    },
    changed: (file, edits) => tell((service) => service.changed(file, edits)),
    saved: (file) => {
      tell((service) => service.saved(file));
      if (topText(file.document, "revision")) void ready();
    },
    closed: (uri) => tell((service) => service.closed(uri)),
    changedOutside: (uri) => tell((service) => service.changedOutside(uri)),
    findings: (uri) => (loaded ?? noSync).findings(uri),
    fix: (file, problem) => (loaded ?? noSync).fix(file, problem),
    base: (uri) => (loaded ?? noSync).base(uri),
    onFindings: (listener) => {
      listeners.push(listener);
      loaded?.onFindings(listener);
    },
    dispose: async () => {
      await loading;
      await loaded?.dispose();
    },
  };
}
