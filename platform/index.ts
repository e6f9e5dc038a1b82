/** The entry point of `platform/`: the wire contract and the client. */
export { isUuid } from "../flow/grammar";
export * from "./client";
export {
  addressProblem,
  type Connection,
  connectionFromEnvironment,
  keyProblem,
  keysIn,
  shownAddress,
  withoutKeys,
} from "./connection";
export * from "./contract";
export { PlatformError, type PlatformErrorKind, safeText } from "./errors";
export * from "./fetch-transport";
export type { HostMessage, HostQuestion, HostReply } from "./hosted-messages";
export { keepOrigin, NewOrigin } from "./key-origins";
export { type Backoff, backoff } from "./retry";
export { type RunningSandbox, readLastSandbox, readRunningSandbox, runningSandboxFile } from "./running-sandbox";
export { redact, Secret } from "./secret";
export { stateDirectory } from "./state-directory";
export * from "./transport";
