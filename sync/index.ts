/** The face of `sync/`: how a saved flow becomes the platform's truth. Other folders import only from here. */
export * from "./claims";
export { type Cause, type Confirm, type Expects, type Question, removesMany } from "./consent";
export * from "./flow-text";
export type * from "./host";
export { type InFlight, type Known, lastAgreed, type OverwriteRisk, waitsToBeSent } from "./journal";
export * from "./last-findings";
export { lookOnly } from "./look-only";
export { FolderStorage, fileNamed, nodeEnvironment, systemClock } from "./node-world";
export { platformRemote } from "./platform-remote";
export { graphOfRevision } from "./revision-graph";
export * from "./runner";
export * from "./sentences";
export * from "./state";
export { turns } from "./turns";
export type * from "./world";
