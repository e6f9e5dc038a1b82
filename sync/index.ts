/** Public interface of `sync/`, which syncs saved flow files with the platform. Other folders import only from here. */

export { type Cause, type Confirm, type Expects, type Question, removesMany } from "./consent";
export { type Drift, type DriftState, driftOf, lookAt } from "./drift";
export type * from "./environment";
export * from "./flow-text";
export type * from "./host";
export { blockingKeeper, blockingRules, type Compared } from "./journal/blocking-rules";
export { History, type HistoryEntry, type SeenVersion } from "./journal/history";
export { lastAgreed, waitsToBeSent } from "./journal/journal";
export * from "./journal/last-findings";
export type { InFlight, Known, OverwriteRisk } from "./journal/record";
export { environmentRemote } from "./remote/environment-remote";
export { lookOnly } from "./remote/look-only";
export { isProbe } from "./remote/observe";
export { platformRemote } from "./remote/platform-remote";
export { graphOfRevision } from "./remote/revision-graph";
export { lastRevision, RevisionKeeper, type RevisionRecord } from "./revision/record";
export { readCompile, watchCompile } from "./revision/watch";
export * from "./revision-owners";
export * from "./sentences";
export * from "./session";
export * from "./state";
export { fileNamed, systemClock, systemEnvironment } from "./system-environment";
