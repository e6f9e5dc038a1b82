import type { ClientCapabilities, Connection } from "vscode-languageserver";
import type { CompanionService } from "./companions/companion-service";
import type { Diagnostics } from "./diagnostics/diagnostics";
import type { ClientCommand, InitializationOptions } from "./messages";
import type { Converter } from "./protocol/to-protocol";
import type { Settings } from "./settings";
import type { LazySync } from "./sync/lazy";
import type { OpenFile, Workspace } from "./workspace/workspace";

/** The parts of the server that request handlers use. */
export interface Server {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly diagnostics: Diagnostics;
  readonly sync: LazySync;
  /** Test and policy files. */
  readonly companions: CompanionService;
  readonly options: InitializationOptions;
  readonly settings: Settings;
  /** The settings of a file, which a folder may override. */
  settingsFor(uri: string): Promise<Settings>;
  /** The platform's URL, if the client has a connection. */
  address(): string | undefined;
  readonly client: ClientCapabilities;
  /** Commands that the client supports. */
  readonly commands: readonly ClientCommand[];
  /** The negotiated position encoding. */
  readonly encoding: string;
  converter(file: OpenFile): Converter;
  /** Answers a request about an open file; for any other file it returns `nothing`. */
  answer<Result>(
    params: { readonly textDocument: { readonly uri: string } },
    nothing: Result,
    handle: (file: OpenFile, converter: Converter) => Result,
  ): Result;
}
