import type { ClientCapabilities, Connection } from "vscode-languageserver";
import type { CompanionService } from "./companions/companion-service";
import type { Diagnostics } from "./diagnostics/diagnostics";
import type { ClientCommand, InitializationOptions } from "./messages";
import type { Converter } from "./protocol/to-protocol";
import type { Settings } from "./settings";
import type { LazySync } from "./sync/lazy";
import type { OpenFile, Workspace } from "./workspace/workspace";

/** What a handler may ask of the server. */
export interface Server {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly diagnostics: Diagnostics;
  readonly sync: LazySync;
  /** Test and policy files. */
  readonly companions: CompanionService;
  readonly options: InitializationOptions;
  readonly settings: Settings;
  /** The settings of a file, where a folder has its own. */
  settingsFor(uri: string): Promise<Settings>;
  /** The platform's address, where the client holds the connection. */
  address(): string | undefined;
  readonly client: ClientCapabilities;
  /** Commands the client can carry out. */
  readonly commands: readonly ClientCommand[];
  /** The unit of columns the client and the server agreed on. */
  readonly encoding: string;
  converter(file: OpenFile): Converter;
  /** Answers a request about an open file; a file that is not open gets the empty answer. */
  answer<Result>(
    params: { readonly textDocument: { readonly uri: string } },
    nothing: Result,
    handle: (file: OpenFile, converter: Converter) => Result,
  ): Result;
}
