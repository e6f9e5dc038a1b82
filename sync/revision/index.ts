/** What a revision says beside its graph, and how a compile is waited for. */
export { newestKept } from "./kept-files";
export { lastRevision, RevisionKeeper, type RevisionRecord } from "./record";
export { type CompileWatch, type WatchEnd, watchCompile } from "./watch";
