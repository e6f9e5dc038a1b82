/**
 * The language server: what it says it can do, the text it keeps, and who answers which request. Handlers are tiny: take
 * the file, call one function of features/, convert, return.
 */
import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
} from "vscode-languageserver";
import { Diagnostics } from "./diagnostics";
import { registerEditing } from "./editing";
import { registerReading } from "./reading";
import { defaultSettings, readSettings, type Settings } from "./settings";
import { noSync, type SyncService } from "./sync-service";
import { Converter, editBatches } from "./to-protocol";
import { type OpenFile, Workspace } from "./workspace";

/** What a handler may ask of the server. */
export interface Server {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly diagnostics: Diagnostics;
  readonly sync: SyncService;
  readonly settings: Settings;
  readonly client: ClientCapabilities;
  /** The unit of columns the client and the server agreed on. */
  readonly encoding: string;
  /** Answers a request about an open file; a file that is not open gets the empty answer. */
  answer<Result>(
    params: { readonly textDocument: { readonly uri: string } },
    nothing: Result,
    handle: (file: OpenFile, converter: Converter) => Result,
  ): Result;
}

export function serve(connection: Connection, sync: SyncService = noSync): void {
  const workspace = new Workspace();
  let client: ClientCapabilities = {};
  let encoding = "utf-16";
  let settings = defaultSettings;
  let folders: string[] = [];
  const diagnostics = new Diagnostics(
    connection,
    workspace,
    sync,
    () => settings,
    () => encoding,
    () => client.textDocument?.diagnostic === undefined,
  );
  const server: Server = {
    connection,
    workspace,
    diagnostics,
    sync,
    get settings() {
      return settings;
    },
    get client() {
      return client;
    },
    get encoding() {
      return encoding;
    },
    answer(params, nothing, handle) {
      const file = workspace.get(params.textDocument.uri);
      return file ? handle(file, new Converter(file.uri, file.document, encoding)) : nothing;
    },
  };

  connection.onInitialize((params: InitializeParams): InitializeResult => {
    client = params.capabilities;
    const encodings = client.general?.positionEncodings ?? [];
    encoding = encodings.find((offered) => ["utf-16", "utf-8", "utf-32"].includes(offered)) ?? "utf-16";
    folders = params.workspaceFolders?.map((folder) => folder.uri) ?? (params.rootUri ? [params.rootUri] : []);
    workspace.folders = folders;
    return {
      serverInfo: { name: "assistant-flow" },
      capabilities: {
        positionEncoding: encoding,
        textDocumentSync: {
          openClose: true,
          change: TextDocumentSyncKind.Incremental,
          save: { includeText: false },
        },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
        ...registerReading(server),
        ...registerEditing(server),
      },
    };
  });

  connection.onInitialized(async () => {
    if (client.workspace?.didChangeConfiguration?.dynamicRegistration)
      void connection.client.register(DidChangeConfigurationNotification.type, { section: "assistantFlow" });
    if (client.workspace?.didChangeWatchedFiles?.dynamicRegistration)
      void connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [{ globPattern: "**/*.flow.{yaml,yml}" }],
      });
    await loadSettings();
  });

  async function loadSettings(sent?: unknown): Promise<void> {
    const pulled = client.workspace?.configuration
      ? await connection.workspace.getConfiguration("assistantFlow")
      : (sent as { assistantFlow?: unknown } | undefined)?.assistantFlow;
    settings = readSettings(pulled);
    diagnostics.allChanged();
  }

  connection.onDidChangeConfiguration(({ settings: sent }) => loadSettings(sent));

  connection.onDidOpenTextDocument(({ textDocument: { uri, version, text } }) => {
    diagnostics.changed(workspace.open(uri, version, text));
  });

  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    const file = workspace.get(uri);
    if (!file) return;
    for (const batch of editBatches(contentChanges, new Converter(uri, file.document, encoding)))
      file.document.edit(batch);
    file.version = version;
    diagnostics.changed(file);
  });

  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
    const file = workspace.get(uri);
    if (file) sync.saved(file.uri, file.document.text);
  });

  connection.onDidCloseTextDocument(async ({ textDocument: { uri } }) => {
    sync.closed(uri);
    diagnostics.cleared(uri);
    await workspace.close(uri);
  });

  sync.onFindings((uri) => {
    const file = workspace.get(uri);
    if (file) diagnostics.changed(file);
  });
  connection.onShutdown(() => sync.dispose());
  connection.listen();
}
