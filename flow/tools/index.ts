/** What the flow language knows about the tools of a revision. */
export {
  MAX_COMPARED,
  type ToolDefinition,
  type ToolDefinitions,
  type ToolInput,
  type ToolOutput,
  toolName,
  toolsOfRevision,
} from "./definition";
export { type DeclaredVariable, isTypeMismatch } from "./input-type";
export { KnownTools, mergedDefinitions } from "./known-tools";
export { isMapped } from "./response-path";
export {
  readSnapshot,
  type Snapshot,
  type SnapshotTool,
  snapshotOf,
  snapshotText,
  snapshotTool,
  unreadableSnapshot,
} from "./snapshot";
