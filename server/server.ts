/**
 * The language server: its capabilities, its documents, and its request handlers. Handlers are small: get the file,
 * call one function of features/, convert the result.
 */

import {
  type ClientCapabilities,
  CodeLensRefreshRequest,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeResult,
  TextDocumentSaveReason,
  TextDocumentSyncKind,
  WatchKind,
} from "vscode-languageserver";
import { isFlowFile, POLICY_FILE, PROJECT_FILE, TOOLS_FILE } from "../flow";
import { setTranslations, t } from "../text";
import { inBackground } from "./background";
import { companionKind } from "./companions/companion-files";
import { CompanionRequests } from "./companions/companion-requests";
import { CompanionService } from "./companions/companion-service";
import { Diagnostics } from "./diagnostics/diagnostics";
import { type ClientCommand, type ConnectionInfo, type InitializationOptions, StatusRequest } from "./messages";
import { registerRefusal } from "./protocol/lifecycle";
import { Converter, editBatches, TextConverter } from "./protocol/to-protocol";
import { anyFile, isSavable, keyOf } from "./protocol/uris";
import { registerEditRequests } from "./requests/edit-requests";
import { registerGraphRequests } from "./requests/graph-requests";
import { registerReadRequests } from "./requests/read-requests";
import { registerTestRequests } from "./requests/test-requests";
import { registerWorkspaceRequests } from "./requests/workspace-requests";
import { setInstalled } from "./rule-pages";
import type { Server } from "./server-parts";
import { defaultSettings, readSettings } from "./settings";
import { StatusRecorder } from "./status";
import { LazySync } from "./sync/lazy";
import { registerSync } from "./sync/requests";
import { DigestReader } from "./workspace/digest-reader";
import { isDeleted } from "./workspace/files";
import { type OpenFile, Workspace } from "./workspace/workspace";

export function serve(connection: Connection): void {
  registerRefusal(connection);
  const status = new StatusRecorder(connection);
  const reader = new DigestReader((uri) => ({
    rules: settings.rules,
    encoding,
    related: showsRelated(),
    checks: settings.diagnostics.workspace,
    policies: companions.policies.digestPolicies(uri),
    tools: companions.tools.textFor(uri),
    project: companions.projects.textFor(uri),
  }));
  const workspace = new Workspace(reader);
  let options: InitializationOptions = {};
  let connected: ConnectionInfo = {};
  const sync = new LazySync(() => server);
  let client: ClientCapabilities = {};
  let commands: readonly ClientCommand[] = [];
  let encoding = "utf-16";
  let settings = defaultSettings;
  const showsRelated = () => client.textDocument?.publishDiagnostics?.relatedInformation === true;
  const diagnostics = new Diagnostics({
    connection,
    workspace,
    sync,
    settings: () => settings,
    encoding: () => encoding,
    pushes: () => client.textDocument?.diagnostic === undefined,
    canRefresh: () => client.workspace?.diagnostics?.refreshSupport === true,
    showsRelated,
    policies: (uri, document) => companions.policies.problems(uri, document, settings.rules),
    tools: (uri) => server.toolsFor(uri),
    environments: (uri) => companions.projects.environmentsOf(uri),
  });
  const companions = new CompanionService(workspace, {
    connection,
    flowDiagnostics: diagnostics,
    liveTools: (flow) => sync.loaded?.revision(flow)?.tools,
    encoding: () => encoding,
    pushes: () => client.textDocument?.diagnostic === undefined,
    showsRelated,
    refresh() {
      if (client.workspace?.diagnostics?.refreshSupport)
        inBackground({ connection }, connection.languages.diagnostics.refresh());
      refreshLensesAndHints();
    },
  });
  const converter = (file: OpenFile) => new Converter(file.uri, file.document, encoding);
  const server: Server = {
    connection,
    workspace,
    diagnostics,
    sync,
    companions,
    companionRequests: new CompanionRequests(() => server, companions),
    get options() {
      return options;
    },
    connected: () => connected,
    settingsFor: async (uri) =>
      client.workspace?.configuration
        ? readSettings(await connection.workspace.getConfiguration({ scopeUri: uri, section: "assistantFlow" }))
        : settings,
    get settings() {
      return settings;
    },
    get client() {
      return client;
    },
    get commands() {
      return commands;
    },
    get encoding() {
      return encoding;
    },
    converter,
    toolsFor: (uri) => companions.tools.toolsFor(uri),
    answer({ textDocument: { uri } }, nothing, flow, companion) {
      const file = workspace.get(uri);
      if (file) return flow(file, converter(file));
      const other = companion && companions.files.get(uri);
      return other ? companion(other, new TextConverter(other.uri, other.document, encoding)) : nothing;
    },
  };

  connection.onInitialize((params): InitializeResult => {
    client = params.capabilities;
    options = (params.initializationOptions ?? {}) as InitializationOptions;
    setTranslations(options.words);
    if (options.installed !== undefined) setInstalled(options.installed);
    // Without our client, the environment is chosen like the connection: by a variable.
    const chosen = options.clientTransport ? undefined : process.env.ASSISTANT_FLOW_ENV;
    connected = chosen ? { environment: chosen, ...options } : options;
    commands = Array.isArray(options.commands) ? options.commands : [];
    const encodings = client.general?.positionEncodings ?? [];
    encoding = encodings.find((offered) => ["utf-8", "utf-16", "utf-32"].includes(offered)) ?? "utf-16";
    const root = params.rootUri ? [params.rootUri] : [];
    workspace.folders = params.workspaceFolders?.map((folder) => folder.uri) ?? root;
    return {
      serverInfo: { name: "assistant-flow" },
      capabilities: {
        positionEncoding: encoding,
        textDocumentSync: {
          openClose: true,
          change: TextDocumentSyncKind.Incremental,
          willSave: true,
          save: { includeText: false },
        },
        workspace: {
          workspaceFolders: { supported: true, changeNotifications: true },
          fileOperations: {
            willRename: { filters: anyFile },
            didRename: { filters: anyFile },
            didDelete: { filters: anyFile },
          },
        },
        ...registerReadRequests(server),
        ...registerWorkspaceRequests(server),
        ...registerEditRequests(server),
        ...registerGraphRequests(server),
      },
    };
  });

  connection.onInitialized(async () => {
    if (client.workspace?.didChangeConfiguration?.dynamicRegistration)
      inBackground(
        { connection },
        connection.client.register(DidChangeConfigurationNotification.type, { section: "assistantFlow" }),
      );
    if (client.workspace?.didChangeWatchedFiles?.dynamicRegistration)
      inBackground(
        { connection },
        connection.client.register(DidChangeWatchedFilesNotification.type, {
          // Deleting a folder sends no events for the files in it.
          watchers: [
            { globPattern: "**/*.{flow,flowtest}.{yaml,yml}" },
            { globPattern: `**/${POLICY_FILE}` },
            { globPattern: `**/${TOOLS_FILE}` },
            { globPattern: `**/${PROJECT_FILE}` },
            { globPattern: "**/*", kind: WatchKind.Delete },
          ],
        }),
      );
    if (client.workspace?.workspaceFolders)
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = new Set(removed.map((folder) => folder.uri));
        const kept = workspace.folders.filter((folder) => !gone.has(folder));
        workspace.folders = [...kept, ...added.map((folder) => folder.uri)];
        workspace.dropOutside();
        for (const folder of gone) sync.notify({ kind: "folderRemoved", folder });
        return companions.updateNearest().then(readWorkspace);
      });
    if (client.workspace?.configuration) await loadSettings();
    if (await companions.updateNearest()) diagnostics.allChanged();
    await readWorkspace();
    sync.resume();
  });

  /** A policy file, a project file or tool definitions on disk changed: the flows they apply to are checked again. */
  async function nearestChanged(uri: string): Promise<void> {
    if (!(await companions.rereadNearest(uri))) return;
    diagnostics.allChanged();
    companions.diagnostics.allChanged();
    refreshLensesAndHints();
    workspace.forget();
    await readWorkspace();
  }

  /** Reads the flow files on disk, for other files and for their own diagnostics. */
  async function readWorkspace(): Promise<void> {
    if (workspace.folders.length === 0) return;
    const progress = client.window?.workDoneProgress ? await connection.window.createWorkDoneProgress() : undefined;
    let shown = false;
    await workspace.update((done, total) => {
      if (!shown) progress?.begin(t("Checking flows"), 0, undefined, true);
      shown = true;
      progress?.report(Math.round((100 * done) / total), `${done} of ${total}`);
      return !progress?.token.isCancellationRequested;
    });
    if (shown) progress?.done();
  }

  async function loadSettings(sent?: unknown): Promise<void> {
    const pulled = client.workspace?.configuration
      ? await connection.workspace.getConfiguration("assistantFlow")
      : (sent as { assistantFlow?: unknown } | undefined)?.assistantFlow;
    const before = JSON.stringify([settings.rules, settings.diagnostics]);
    settings = readSettings(pulled);
    if (before === JSON.stringify([settings.rules, settings.diagnostics])) return;
    diagnostics.allChanged();
    workspace.forget();
  }

  /** Lenses show findings and hints show tools, but clients refresh them only when the text changes. */
  function refreshLensesAndHints(): void {
    if (client.workspace?.codeLens?.refreshSupport)
      inBackground({ connection }, connection.sendRequest(CodeLensRefreshRequest.type));
    if (client.workspace?.inlayHint?.refreshSupport)
      inBackground({ connection }, connection.languages.inlayHint.refresh());
  }

  connection.onDidChangeConfiguration(async ({ settings: sent }) => {
    await loadSettings(sent);
    refreshLensesAndHints();
    await readWorkspace();
  });

  connection.onDidChangeWatchedFiles(async ({ changes }) => {
    for (const { uri } of changes) {
      await companions.noteDeleted(uri);
      if (companions.isNearest(uri)) await nearestChanged(uri);
      else if (isFlowFile(uri)) {
        await workspace.reread(uri);
        await noteDeleted(uri);
        sync.notify({ kind: "changedOutside", uri });
      } else await rereadBelow(uri);
    }
  });

  async function noteDeleted(uri: string): Promise<void> {
    if (workspace.get(uri)) diagnostics.setDeleted(uri, await isDeleted(uri));
  }

  /** A folder was moved or deleted: updates its files. */
  async function rereadBelow(folder: string): Promise<void> {
    for (const uri of workspace.knownBelow(folder)) {
      await workspace.reread(uri);
      await noteDeleted(uri);
      sync.notify({ kind: "changedOutside", uri });
    }
  }

  connection.workspace.onDidDeleteFiles(async ({ files }) => {
    for (const { uri } of files) {
      await companions.noteDeleted(uri);
      if (isFlowFile(uri)) {
        await workspace.reread(uri);
        await noteDeleted(uri);
      } else await rereadBelow(uri);
    }
  });

  connection.workspace.onDidRenameFiles(async ({ files }) => {
    const moved = files.flatMap(({ oldUri, newUri }): [string, string][] => {
      if (isFlowFile(newUri)) return [[oldUri, newUri]];
      // A folder: each file in it has moved with it.
      const inNew = (uri: string) => keyOf(newUri) + uri.slice(keyOf(oldUri).length);
      return workspace.knownBelow(oldUri).map((uri) => [uri, inNew(uri)]);
    });
    for (const [from, to] of moved) sync.notify({ kind: "moved", from, to });
    // Not every editor watches files.
    for (const { oldUri } of files) await companions.noteDeleted(oldUri);
    for (const uri of moved.flat()) await workspace.reread(uri);
  });

  connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) => {
    const kind = companionKind(uri, languageId);
    if (kind) {
      companions.diagnostics.changed(companions.files.open(uri, kind, version, text));
      if (kind !== "test") diagnostics.othersChanged();
      return;
    }
    // Editors that don't know our language ID send us every YAML file.
    if (languageId !== "assistant-flow" && !isFlowFile(uri)) return;
    const file = workspace.open(uri, version, text);
    diagnostics.changed(file);
    companions.diagnostics.allChanged();
    for (const { disk } of companions.nearest)
      void disk.lookAbove(uri).then((found) => found && diagnostics.allChanged());
    if (isSavable(uri)) sync.notify({ kind: "opened", file });
  });

  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    workspace.typed();
    const companion = companions.files.get(uri);
    if (companion) {
      const { document } = companion;
      for (const batch of editBatches(contentChanges, new TextConverter(uri, document, encoding))) document.edit(batch);
      companion.version = version;
      companion.isDeleted = false;
      if (companion.kind !== "test") diagnostics.othersChanged();
      return companions.diagnostics.changed(companion);
    }
    const file = workspace.get(uri);
    if (!file) return;
    for (const batch of editBatches(contentChanges, converter(file))) {
      sync.notify({ kind: "edited", file, edits: batch });
      file.document.edit(batch);
    }
    file.version = version;
    diagnostics.setDeleted(uri, false);
    diagnostics.changed(file);
    if (companions.components.has(file.document)) diagnostics.othersChanged();
    companions.diagnostics.allChanged();
  });

  /** Files that the editor is about to auto-save. If an editor doesn't report this, every save counts as the user's. */
  const savedByEditor = new Set<string>();

  connection.onWillSaveTextDocument(({ textDocument: { uri }, reason }) => {
    if (reason === TextDocumentSaveReason.AfterDelay || reason === TextDocumentSaveReason.FocusOut)
      savedByEditor.add(keyOf(uri));
    else savedByEditor.delete(keyOf(uri));
    const file = workspace.get(uri);
    if (file) sync.notify({ kind: "saving", file });
  });

  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
    if (companions.isNearest(uri)) return nearestChanged(uri);
    const file = workspace.get(uri);
    const by = savedByEditor.delete(keyOf(uri)) ? "editor" : "person";
    if (file) sync.notify({ kind: "saved", file, by, text: file.document.text });
    if (file && companions.components.has(file.document)) companions.components.changed(uri);
  });

  connection.onDidCloseTextDocument(async ({ textDocument: { uri } }) => {
    if (companions.files.close(uri)) {
      companions.diagnostics.cleared(uri);
      diagnostics.closedChanged();
      // Its draft may be discarded; clients that pull request nothing then.
      if (companions.isNearest(uri)) diagnostics.allChanged();
      return;
    }
    sync.notify({ kind: "closed", uri });
    diagnostics.cleared(uri);
    const closed = workspace.get(uri);
    await workspace.close(uri);
    if (closed && companions.components.has(closed.document)) companions.components.changed(uri);
  });

  sync.onFindings((uri) => {
    if (workspace.get(uri)) {
      diagnostics.allChanged();
      refreshLensesAndHints();
    } else if (workspace.closed(uri)) void workspace.reread(uri);
  });
  const tests = registerTestRequests(server);
  connection.onRequest(StatusRequest.method, () =>
    status.report({
      open: [...workspace.openFiles].length,
      closed: [...workspace.closedFiles()].length,
      testsAndPolicies: [...companions.files.openFiles].length,
    }),
  );
  connection.onShutdown(async () => {
    await tests.dispose();
    await reader.dispose();
    await sync.dispose();
  });
  registerSync(server, sync, (next) => {
    connected = next;
  });
  connection.listen();
}
