import type { ClientCapabilities, Connection } from "vscode-languageserver";
import type { KnownTools } from "../flow/tools";
import type { Companion } from "./companions/companion-files";
import type { ClientCommand, ConnectionInfo, InitializationOptions } from "./messages";
import type { Converter, TextConverter } from "./protocol/to-protocol";
import type { Settings } from "./settings";
import type { OpenFile, Workspace } from "./workspace/workspace";

/** What every part of the server may use. The parts themselves are in `Server` (server-parts.ts). */
export interface ServerContext {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly options: InitializationOptions;
  readonly settings: Settings;
  /** The settings of a file, which a folder may override. */
  settingsFor(uri: string): Promise<Settings>;
  /** The platforms that the client is connected to now. */
  connected(): ConnectionInfo;
  readonly client: ClientCapabilities;
  /** Commands that the client supports. */
  readonly commands: readonly ClientCommand[];
  /** The negotiated position encoding. */
  readonly encoding: string;
  converter(file: OpenFile): Converter;
  /** The tools of a flow, from the live revision and then from the snapshot; undefined if neither is known. */
  toolsFor(uri: string): KnownTools | undefined;
  /**
   * Answers a request about an open file by its kind: a flow, or a test or policy file. Returns `nothing` if the file
   * isn't open, or if its kind has no handler.
   */
  answer<FlowResult, CompanionResult = Promise<Awaited<FlowResult>>>(
    params: { readonly textDocument: { readonly uri: string } },
    nothing: FlowResult,
    flow: (file: OpenFile, converter: Converter) => FlowResult,
    companion?: (file: Companion, converter: TextConverter) => CompanionResult,
  ): FlowResult | CompanionResult;
}
