/** A language client for tests: starts the real server as a process and speaks the real protocol with it over stdio. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  type ClientCapabilities,
  createProtocolConnection,
  type Diagnostic,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";

/** The arguments of Node for the server. A test run has built it; a test file that is run alone uses the sources. */
export const serverProgram: readonly string[] = process.env.ASSISTANT_FLOW_BUILT
  ? ["dist/server.js"]
  : ["--import", "tsx", "server/main.ts"];

export interface StartOptions {
  readonly capabilities?: ClientCapabilities;
  readonly folders?: readonly string[];
  /** The answer to `workspace/configuration` for `assistantFlow`; a function gets the file that it is for. */
  readonly settings?: unknown;
  /** Cancels any progress as soon as it is shown. */
  readonly stopsProgress?: boolean;
  /** Additional parts of the initialize request. */
  readonly initialize?: Readonly<Record<string, unknown>>;
  /** The program and its arguments, if not the server itself. */
  readonly program?: readonly string[];
}

export class Client {
  readonly published: PublishDiagnosticsParams[] = [];
  #waiting: { match: (params: PublishDiagnosticsParams) => boolean; resolve: (p: PublishDiagnosticsParams) => void }[] =
    [];
  readonly stderr: string[] = [];
  /** The values sent under progress tokens, and when the first token ended. */
  readonly progress: { kind: string; cancellable?: boolean }[] = [];
  readonly progressEnded: Promise<void>;
  #endProgress!: () => void;
  server!: InitializeResult;
  settings: unknown;

  private constructor(
    readonly process: ChildProcess,
    readonly connection: ProtocolConnection,
  ) {
    this.progressEnded = new Promise((resolve) => {
      this.#endProgress = resolve;
    });
  }

  static async start(options: StartOptions = {}): Promise<Client> {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    const program = options.program ? ["--import", "tsx", ...options.program] : [...serverProgram, "--stdio"];
    const child = spawn(process.execPath, program, { cwd: root });
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const client = new Client(child, connection);
    client.settings = options.settings;
    child.stderr.on("data", (chunk) => client.stderr.push(String(chunk)));
    connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) =>
      client.#publish(params),
    );
    connection.onRequest("workspace/configuration", ({ items }: { items: { scopeUri?: string }[] }) =>
      Promise.all(
        items.map(async ({ scopeUri }) => {
          const { settings } = client;
          return (typeof settings === "function" ? await settings(scopeUri) : settings) ?? null;
        }),
      ),
    );
    connection.onNotification("$/progress", ({ value }: { value: Client["progress"][number] }) => {
      client.progress.push(value);
      if (value.kind === "end") client.#endProgress();
    });
    connection.onRequest("client/registerCapability", () => null);
    connection.onRequest("window/workDoneProgress/create", ({ token }: { token: string }) => {
      if (options.stopsProgress)
        setImmediate(() => connection.sendNotification("window/workDoneProgress/cancel", { token }));
      return null;
    });
    connection.listen();
    client.server = await connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities: options.capabilities ?? {},
      workspaceFolders: options.folders?.map((uri) => ({ uri, name: uri })) ?? null,
      ...options.initialize,
    });
    await connection.sendNotification("initialized", {});
    return client;
  }

  open(uri: string, text: string, version = 1): Promise<void> {
    return this.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "assistant-flow", version, text },
    });
  }

  change(uri: string, version: number, changes: readonly unknown[]): Promise<void> {
    return this.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: changes,
    });
  }

  close(uri: string): Promise<void> {
    return this.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
  }

  /** Sends settings like clients that don't answer `workspace/configuration`. */
  configure(settings: unknown): Promise<void> {
    return this.connection.sendNotification("workspace/didChangeConfiguration", { settings });
  }

  request<Result>(method: string, params: unknown): Promise<Result> {
    return this.connection.sendRequest(method, params);
  }

  /** The diagnostics pushed for a version of a file, already received or awaited. */
  async diagnostics(uri: string, version: number): Promise<Diagnostic[]> {
    return (await this.nextPublish((params) => params.uri === uri && params.version === version)).diagnostics;
  }

  /** The diagnostics of a file, as soon as they match. */
  async showing(uri: string, fits: (found: Diagnostic[]) => boolean): Promise<Diagnostic[]> {
    const now = this.published.findLast((params) => params.uri === uri);
    if (now && fits(now.diagnostics)) return now.diagnostics;
    const seen = this.published.length;
    const match = (params: PublishDiagnosticsParams) => params.uri === uri && fits(params.diagnostics);
    return (await this.nextPublish((params) => this.published.indexOf(params) >= seen && match(params))).diagnostics;
  }

  nextPublish(match: (params: PublishDiagnosticsParams) => boolean): Promise<PublishDiagnosticsParams> {
    const there = this.published.findLast(match);
    if (there) return Promise.resolve(there);
    return inTime(
      new Promise((resolve) => this.#waiting.push({ match, resolve })),
      () => `diagnostics; last published: ${JSON.stringify(this.published.at(-1))}`,
    );
  }

  async stop(): Promise<number | null> {
    await this.connection.sendRequest("shutdown");
    const exited = new Promise<number | null>((resolve) => this.process.once("exit", resolve));
    await this.connection.sendNotification("exit");
    const code = await exited;
    this.connection.dispose();
    return code;
  }

  #publish(params: PublishDiagnosticsParams): void {
    this.published.push(params);
    this.#waiting = this.#waiting.filter(({ match, resolve }) => {
      if (!match(params)) return true;
      resolve(params);
      return false;
    });
  }
}

/** If a test times out, reports what it waits for and ends its processes before the runner cancels it. */
export function inTime<T>(promise: Promise<T>, what: () => string, ms = 60_000): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${ms / 1000} s in vain for ${what()}`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
