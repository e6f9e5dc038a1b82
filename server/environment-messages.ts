/** Messages about connections and the environments of a project file. */
import type { ConnectionInfo, EnvironmentView, Message } from "./messages";

/** Client to server: the connections, the chosen environment or the project file (`projectChanged`) changed. */
export const ConnectionChanged: Message<ConnectionInfo & { readonly projectChanged?: true }, void> = {
  method: "assistantFlow/connection",
};

/** Client to server: reads every environment of a flow, as it is on disk; an empty list if no project file lists it. */
export const EnvironmentStatesRequest: Message<{ readonly uri: string }, readonly EnvironmentState[]> = {
  method: "assistantFlow/environmentStates",
};

export interface EnvironmentState extends EnvironmentView {
  /** Whether the flow is synced with it in this window. */
  readonly isCurrent: boolean;
  readonly state: "in-step" | "ahead" | "behind" | "diverged" | "unknown";
  readonly operations: number;
  /** Why the state is unknown. */
  readonly reason?: string;
}

/** Client to server: the versions of a flow that were pushed or seen from this computer, newest first. */
export const VersionsRequest: Message<{ readonly uri: string }, SeenVersions> = {
  method: "assistantFlow/versions",
};

export interface SeenVersions {
  readonly versions: readonly SeenVersionView[];
  /** Why versions may be missing. */
  readonly problem?: string;
}

export interface SeenVersionView {
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly by: "push" | "platform";
  readonly version: number;
  readonly operations: number;
  /** The hash of the content. */
  readonly graph: string;
  readonly environment?: string;
}

/**
 * Client to server: the open text with the content of a version (the hash of its content), or with what the environment
 * has now. Null if that isn't known.
 */
export const VersionTextRequest: Message<
  { readonly uri: string; readonly environment?: string; readonly version?: string },
  string | null
> = { method: "assistantFlow/versionText" };

/** Client to server: for each flow, the assistants and revisions that the project file lists it with, in lower case. */
export const ListedIdsRequest: Message<{ readonly uris: readonly string[] }, readonly (readonly string[])[]> = {
  method: "assistantFlow/listedIds",
};
