/**
 * Runs the language server, restarts it after a crash, and makes its platform requests, since only the
 * extension has the API key.
 */
import * as vscode from "vscode";
import type {
  BaseLanguageClient,
  CloseHandlerResult,
  LanguageClientOptions,
  Location,
  Position,
} from "vscode-languageclient";
import { answerBy } from "../platform";
import { type InitializationOptions, type Message, SendRequest } from "../server/messages";
import { hasProcesses } from "../system";
import type { ActiveFlow } from "./active-flow";
import type { Session } from "./connections";
import { discardIfCancelled } from "./discard-if-cancelled";
import { loadProtocol } from "./parts";
import { canBeSaved, withoutFixLinks } from "./read-only";
import { asAutosave, Saves } from "./saves";
import { LateServer, type Server } from "./server";
import { onCommand, showError, warn } from "./ui/notice";

type LanguageClient = BaseLanguageClient;
type Library = Pick<typeof import("./protocol"), "CloseAction" | "ErrorAction"> & {
  createClient(context: vscode.ExtensionContext, options: LanguageClientOptions): LanguageClient;
};

export function registerLanguageClient(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  session: Session,
  activeFlow: ActiveFlow,
): Server {
  const server = new LateServer();
  const saves = new Saves(activeFlow);
  const client = new Promise((resolve) => setImmediate(resolve))
    .then(() => loadProtocol())
    .then((library) => startClient(library, server, context, log, session, saves));
  client.catch((error: unknown) => notStarted(error, log));
  context.subscriptions.push(
    saves,
    // A client that failed to start has already been reported.
    { dispose: () => void client.then((each) => each.dispose()).catch(() => undefined) },
  );
  onCommand(context, "restartServer", async () => restarted(await client, log));
  onCommand(context, "showLog", () => log.show());
  onCommand(context, "save", (options?: { readonly withoutFormatting?: boolean }) =>
    saves.save(async (document) => reportSave(await client, document), options?.withoutFormatting),
  );
  onCommand(context, "showReferences", async (uri: string, position: Position, places: Location[]) => {
    const { protocol2CodeConverter: converter } = await client;
    return vscode.commands.executeCommand(
      "editor.action.showReferences",
      vscode.Uri.parse(uri),
      converter.asPosition(position),
      places.map((place) => converter.asLocation(place)),
    );
  });
  return server;
}

function notStarted(error: unknown, log: vscode.LogOutputChannel, again?: () => Promise<void>): void {
  log.error("The language server didn't start.", error instanceof Error ? error : String(error));
  const message = vscode.l10n.t(
    "The Assistant Flow language server didn't start. Syntax highlighting still works; diagnostics don't.",
  );
  offerLog(log, showError, message, again);
}

/** Shows a message that offers the log and, if possible, a restart. */
function offerLog(
  log: vscode.LogOutputChannel,
  show: typeof warn,
  message: string,
  restart?: () => Promise<void>,
): void {
  void show(message, ...(restart ? [vscode.l10n.t("Restart")] : []), vscode.l10n.t("Show Log")).then((choice) => {
    if (choice === vscode.l10n.t("Show Log")) log.show();
    if (choice === vscode.l10n.t("Restart")) return restart?.();
  });
}

async function restarted(client: LanguageClient, log: vscode.LogOutputChannel): Promise<void> {
  log.info("Restarting the language server.");
  await client.stop();
  await client.start();
}

/** Reports a save by the user that VS Code sent no event for. */
async function reportSave(client: LanguageClient, document: vscode.TextDocument): Promise<void> {
  const { code2ProtocolConverter: converter } = client;
  const reason = vscode.TextDocumentSaveReason.Manual;
  const event = { document, reason, waitUntil: () => undefined };
  await client.sendNotification("textDocument/willSave", converter.asWillSaveTextDocumentParams(event));
  await client.sendNotification("textDocument/didSave", converter.asSaveTextDocumentParams(document));
}

function startClient(
  library: Library,
  late: LateServer,
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  session: Session,
  saves: Saves,
): LanguageClient {
  const { ErrorAction } = library;
  // A function, because a restarted server needs the current connection.
  const initializationOptions = (): InitializationOptions => ({
    clientTransport: true,
    toolDocuments: true,
    label: vscode.l10n.t('the window "{0}"', vscode.workspace.name ?? vscode.l10n.t("without a folder")),
    commands: [
      "editor.action.triggerSuggest",
      "assistantFlow.openPreview",
      "assistantFlow.showReferences",
      "assistantFlow.playPath",
      "assistantFlow.createTest",
      "assistantFlow.debugTest",
      "assistantFlow.showAdvice",
      "assistantFlow.applyFix",
      "assistantFlow.plan",
      "assistantFlow.restoreAssistant",
    ],
    ...(hasProcesses ? {} : { installed: context.extensionUri.toString() }),
    ...session.info,
    ...(vscode.l10n.bundle ? { words: vscode.l10n.bundle } : {}),
  });
  const crashes = new Crashes(library, log, () => restarted(client, log));
  const options: LanguageClientOptions = {
    // Excludes our read-only documents (client/sync/texts.ts): they would claim the same revision as their file.
    documentSelector: [...schemes()].flatMap((scheme) =>
      ["assistant-flow", "assistant-flow-test", "assistant-flow-policies", "assistant-flow-project"].map(
        (language) => ({ language, scheme }),
      ),
    ),
    initializationOptions,
    diagnosticCollectionProvider: new ForeignLanguageFilter(context.subscriptions),
    // The only command that links in the server's Markdown may run.
    markdown: { isTrusted: { enabledCommands: ["assistantFlow.applyFix"] } },
    middleware: {
      provideDiagnostics: (document, previousResultId, token, next) =>
        discardIfCancelled(() => next(document, previousResultId, token), token),
      // An edit that can't be saved isn't offered.
      provideCodeActions: async (document, range, context, token, next) => {
        if (!(await canBeSaved(document.uri))) return [];
        const { only } = context;
        if (!range.isEmpty || only?.value !== vscode.CodeActionKind.QuickFix.value)
          return next(document, range, context, token);
        // Without a fix at the cursor, VS Code requests the fixes of the line's problems and preselects the first one. If
        // all actions are requested, suppressions have a kind of their own, so they aren't among these fixes.
        const all = await next(document, range, { ...context, only: undefined }, token);
        return all?.filter(
          (action) => action instanceof vscode.CodeAction && action.kind && only.contains(action.kind),
        );
      },
      provideHover: async (document, position, token, next) => {
        const hover = await next(document, position, token);
        return (await canBeSaved(document.uri)) ? hover : withoutFixLinks(hover);
      },
      willSave: (event, next) => next(saves.forServer(event)),
      didSave: async (document, next) => {
        const { code2ProtocolConverter: converter } = client;
        if (saves.wasSavedWithOthers(document))
          await client.sendNotification(
            "textDocument/willSave",
            converter.asWillSaveTextDocumentParams(asAutosave({ document })),
          );
        return next(document);
      },
    },
    outputChannel: log,
    traceOutputChannel: log,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => crashes.closed(),
    },
  };
  const client = library.createClient(context, options);
  answer(client, SendRequest, ({ address, request, timeoutMs, anyConnection }, signal) => {
    const transport = anyConnection ? session.transportToAny(address) : session.transportTo(address);
    return answerBy(transport, request, { signal, timeoutMs });
  });
  late.setServer(client as unknown as Server);
  client.start().catch((error: unknown) => notStarted(error, log, () => restarted(client, log)));
  return client;
}

/** A workspace may be in any file system. */
function schemes(): ReadonlySet<string> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const common = ["file", "untitled", "vscode-vfs", "vscode-remote", "vscode-userdata", "vscode-test-web"];
  return new Set([...common, ...folders.map(({ uri }) => uri.scheme)]);
}

/** Registers a typed handler for a server request. */
function answer<Params, Result>(
  client: LanguageClient,
  message: Message<Params, Result>,
  handle: (params: Params, signal: AbortSignal) => Promise<Result>,
): void {
  client.onRequest(message.method, (params: Params, cancelled: vscode.CancellationToken): Promise<unknown> => {
    const aborter = new AbortController();
    cancelled.onCancellationRequested(() => aborter.abort());
    return handle(params, aborter.signal);
  });
}

/** Restarts the server when it crashes. After too many crashes, asks the user instead. */
class Crashes {
  #times: number[] = [];

  constructor(
    private readonly library: Library,
    private readonly log: vscode.LogOutputChannel,
    private readonly restart: () => Promise<void>,
  ) {}

  closed(): CloseHandlerResult {
    const now = Date.now();
    this.#times = [...this.#times.filter((time) => now - time < 180_000), now];
    if (this.#times.length > 4) {
      this.#times = [];
      this.log.error("The language server stopped five times in three minutes.");
      const message = vscode.l10n.t("The Assistant Flow language server keeps crashing and wasn't restarted.");
      offerLog(this.log, showError, message, this.restart);
      return { action: this.library.CloseAction.DoNotRestart, handled: true };
    }
    this.log.warn("The language server stopped unexpectedly and is being restarted.");
    const message = vscode.l10n.t("The Assistant Flow language server crashed and was restarted. No edits were lost.");
    offerLog(this.log, warn, message);
    return { action: this.library.CloseAction.Restart, handled: true };
  }
}

/**
 * Hides diagnostics for flow files that are open in another language, such as plain YAML. The server checks every flow
 * file in the workspace, but that language's extension may report the same problems.
 */
/** Passed to the language client, which creates its diagnostic collections with it. */
class ForeignLanguageFilter {
  readonly #collections = new Set<vscode.DiagnosticCollection>();

  constructor(subscriptions: vscode.Disposable[]) {
    const opened = (document: vscode.TextDocument) => {
      if (isForeign(document)) for (const each of this.#collections) each.delete(document.uri);
    };
    subscriptions.push(vscode.workspace.onDidOpenTextDocument(opened));
  }

  create(name: string | undefined): vscode.DiagnosticCollection {
    const collection = vscode.languages.createDiagnosticCollection(name);
    this.#collections.add(collection);
    const set = (uri: vscode.Uri, problems: readonly vscode.Diagnostic[]) => {
      const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
      if (open && isForeign(open)) collection.delete(uri);
      else collection.set(uri, problems);
    };
    return new Proxy(collection, {
      get(target, property) {
        if (property === "set") return set;
        const value = Reflect.get(target, property, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  dispose(collection: vscode.DiagnosticCollection): void {
    collection.dispose();
  }
}

/** Test, policy and project files have their own languages, which also belong to this extension. */
const isForeign = (document: vscode.TextDocument) => !/^assistant-flow(-|$)/.test(document.languageId);
