/** Connections and environments in messages between the extension and the server. */

/** The platforms that the client can send requests to. */
export interface ConnectionInfo {
  /** The URL of the active connection; without it, only flows with an environment are synced. */
  readonly address?: string;
  /** The URLs of all connections with a key. An environment uses the connection with its URL. */
  readonly addresses?: readonly string[];
  /** The environment that the user chose, instead of the project file's default. */
  readonly environment?: string;
}

/** An environment of a project file. */
export interface EnvironmentView {
  readonly name: string;
  /** The URLs; undefined if the project file has none that can be used. */
  readonly url?: string;
  readonly callingUrl?: string;
  readonly isProtected: boolean;
}
