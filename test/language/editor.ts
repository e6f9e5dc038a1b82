/**
 * An editor with our client, as far as sync can tell: it makes the server's requests to the platform, applies its
 * edits, saves, answers its questions, and records the states it receives. Each part can be made to fail.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { CodeAction, Diagnostic, TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { FlowDocument } from "../../flow";
import {
  fetchTransport,
  type HttpRequest,
  type HttpResponse,
  PlatformClient,
  Secret,
  type Transport,
  TransportError,
} from "../../platform";
import type { Sandbox } from "../../sandbox";
import type { FlowSyncState, SendQuestion } from "../../server/messages";
import { Client, inTime } from "./client";

interface Sent {
  readonly address: string;
  readonly request: HttpRequest;
  readonly anyConnection?: true;
}

export class Editor {
  /** The origins that requests were meant for. */
  readonly sentTo = new Set<string>();
  readonly states: FlowSyncState[] = [];
  readonly asked: SendQuestion[] = [];
  /** How many times the server requested a refresh of code lenses. */
  lensRefreshes = 0;
  /** The answer to the following questions. */
  agrees: boolean | Promise<boolean> = true;
  /** The questions that the server withdrew. */
  readonly withdrawn: SendQuestion[] = [];
  /** Whether it saves the server's edits automatically before it confirms them. */
  autosavesEdits = false;
  /** Replaces the network for the requests that it answers. */
  intercept: (request: HttpRequest) => HttpResponse | TransportError | undefined = () => undefined;
  /** Changes what the platform answered. */
  answered: (response: HttpResponse) => HttpResponse = (response) => response;
  client!: Client;
  /** Other connections, by URL. */
  readonly others = new Map<string, Transport>();
  #heard: () => void = () => undefined;
  #transport: Transport;
  readonly #open = new Map<string, { text: string; version: number }>();
  #waiting: { match: (state: FlowSyncState) => boolean; resolve: (state: FlowSyncState) => void }[] = [];

  private constructor(
    readonly sandbox: Sandbox,
    readonly folder: string,
    private readonly settings: unknown,
  ) {
    this.#transport = transportOf(sandbox, sandbox.apiKey);
  }
  /** The translations for the server. */
  words: Readonly<Record<string, string>> | undefined;
  /** Another program instead of the server (see `Client`). */
  #program: readonly string[] | undefined;

  static async start(
    sandbox: Sandbox,
    settings: unknown = {},
    words?: Record<string, string>,
    program?: readonly string[],
  ): Promise<Editor> {
    const editor = new Editor(sandbox, await mkdtemp(path.join(tmpdir(), "aflow-editor-")), settings);
    editor.words = words;
    editor.#program = program;
    await editor.restart();
    return editor;
  }

  /** Another user's connection to the platform. */
  get platform(): PlatformClient {
    return new PlatformClient(transportOf(this.sandbox, this.sandbox.apiKey));
  }

  async useKey(key: string): Promise<void> {
    this.#transport = transportOf(this.sandbox, key);
    await this.connected();
  }

  /** Changes the state of the connection and notifies the server. */
  connected(address: string | undefined = this.sandbox.baseUrl, more: object = {}): Promise<void> {
    return this.client.connection.sendNotification("assistantFlow/connection", { address, ...more });
  }

  /** Starts or restarts the server. The files stay as they are on disk; none is open. */
  async restart(): Promise<void> {
    await this.client?.stop();
    await this.#start();
  }

  /** Kills the server, whatever it is doing, and starts it again. */
  async crash(): Promise<void> {
    const { process: server, connection } = this.client;
    const gone = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGKILL");
    await gone;
    connection.dispose();
    await this.#start();
  }

  async #start(): Promise<void> {
    this.#open.clear();
    this.states.length = 0;
    this.client = await Client.start({
      ...(this.#program ? { program: this.#program } : {}),
      capabilities: {
        workspace: {
          applyEdit: true,
          configuration: true,
          workspaceFolders: true,
          codeLens: { refreshSupport: true },
        },
        textDocument: {
          codeAction: {
            codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", "source"] } },
            resolveSupport: { properties: ["edit"] },
          },
          hover: { contentFormat: ["markdown"] },
        },
      },
      settings: this.settings,
      folders: [pathToFileURL(this.folder).href],
      initialize: {
        initializationOptions: {
          clientTransport: true,
          stateDir: path.join(this.folder, ".state"),
          address: this.sandbox.baseUrl,
          label: "the test",
          commands: ["assistantFlow.showAdvice", "assistantFlow.applyFix", "assistantFlow.restoreAssistant"],
          ...(this.words ? { words: this.words } : {}),
        },
      },
    });
    const { connection } = this.client;
    connection.onRequest("assistantFlow/send", async ({ address, request, anyConnection }: Sent): Promise<unknown> => {
      this.sentTo.add(address);
      const instead = this.intercept(request);
      if (instead instanceof TransportError) return { failure: instead.failure, message: instead.message };
      try {
        const transport = (anyConnection ? this.others.get(address) : undefined) ?? this.#transport;
        return { response: instead ?? this.answered(await transport.send(request)) };
      } catch (error) {
        // Like the extension: an error on the way is an answer, too.
        if (error instanceof TransportError) return { failure: error.failure, message: error.message };
        throw error;
      }
    });
    connection.onRequest("assistantFlow/confirm", async (question: SendQuestion, token): Promise<unknown> => {
      this.asked.push(question);
      token.onCancellationRequested(() => this.withdrawn.push(question));
      this.#heard();
      return this.agrees;
    });
    connection.onRequest("assistantFlow/save", async ({ uri }: { uri: string }): Promise<unknown> => {
      // Like VS Code: doesn't save an unchanged file.
      if (!this.autosavesEdits) await this.#save(uri);
      return true;
    });
    connection.onRequest("workspace/applyEdit", async ({ edit }: { edit: WorkspaceEdit }) => {
      await this.apply(edit);
      if (this.autosavesEdits) for (const uri of Object.keys(edit.changes ?? {})) await this.#autosave(uri, 2);
      return { applied: true };
    });
    connection.onRequest("workspace/codeLens/refresh", () => {
      this.lensRefreshes++;
      return null;
    });
    connection.onNotification("assistantFlow/syncState", (state: FlowSyncState) => {
      this.states.push(state);
      const due = this.#waiting.filter(({ match }) => match(state));
      this.#waiting = this.#waiting.filter((each) => !due.includes(each));
      for (const { resolve } of due) resolve(state);
    });
  }

  async stop(): Promise<void> {
    await this.client.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  uri(name: string): string {
    return pathToFileURL(path.join(this.folder, name)).href;
  }

  text(name: string): string {
    return this.#open.get(this.uri(name))?.text ?? "";
  }

  onDisk(name: string): Promise<string> {
    return readFile(path.join(this.folder, name), "utf8");
  }

  /** Writes a file without the editor's knowledge. */
  write(name: string, text: string): Promise<void> {
    return writeFile(path.join(this.folder, name), text);
  }

  async watched(name: string): Promise<void> {
    const changes = [{ uri: this.uri(name), type: 2 }];
    await this.client.connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
  }

  async open(name: string, text: string): Promise<void> {
    this.#open.set(this.uri(name), { text, version: 1 });
    await this.client.open(this.uri(name), text);
  }

  async close(name: string): Promise<void> {
    this.#open.delete(this.uri(name));
    await this.client.close(this.uri(name));
  }

  async type(name: string, text: string): Promise<void> {
    const open = this.#open.get(this.uri(name)) as { text: string; version: number };
    open.text = text;
    await this.client.change(this.uri(name), ++open.version, [{ text }]);
  }

  async save(name: string, text = this.text(name)): Promise<void> {
    if (text !== this.text(name)) await this.type(name, text);
    await this.#save(this.uri(name));
  }

  /** Autosave: after a delay (2), or because the editor lost the focus (3). */
  async autosave(name: string, text: string, reason: 2 | 3 = 2): Promise<void> {
    await this.type(name, text);
    await this.#autosave(this.uri(name), reason);
  }

  async #autosave(uri: string, reason: 2 | 3): Promise<void> {
    await this.client.connection.sendNotification("textDocument/willSave", { textDocument: { uri }, reason });
    await this.#save(uri);
  }

  async #save(uri: string): Promise<void> {
    await writeFile(new URL(uri), this.#open.get(uri)?.text ?? "");
    await this.client.connection.sendNotification("textDocument/didSave", { textDocument: { uri } });
  }

  async apply(edit: WorkspaceEdit): Promise<void> {
    for (const [uri, edits] of Object.entries(edit.changes ?? {})) {
      const open = this.#open.get(uri) as { text: string; version: number };
      open.text = edited(open.text, edits);
      await this.client.change(uri, ++open.version, [{ text: open.text }]);
    }
  }

  /** The next state of this kind that the server reports from now on. */
  next(
    kind: FlowSyncState["kind"],
    match: (state: FlowSyncState) => boolean = () => true,
    ms?: number,
  ): Promise<FlowSyncState> {
    return inTime(
      new Promise((resolve) => this.#waiting.push({ match: (state) => state.kind === kind && match(state), resolve })),
      () => `a state "${kind}"; the last ones were ${JSON.stringify(this.states.slice(-6), withoutPlans)}`,
      ms,
    );
  }

  /** The next question from the server from now on. */
  nextQuestion(): Promise<void> {
    const question = new Promise<void>((resolve) => {
      this.#heard = resolve;
    });
    return inTime(question, () => "a question");
  }

  act(name: string, action: string): Promise<FlowSyncState> {
    return this.client.request("assistantFlow/sync", { uri: this.uri(name), action });
  }

  /** The platform's findings for the open text, as soon as they match. */
  async findings(name: string, match: (found: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]> {
    return ofPlatform(await this.client.showing(this.uri(name), (found) => match(ofPlatform(found))));
  }

  /** The hover at the start of a finding. */
  async hover(name: string, { range }: Diagnostic): Promise<string> {
    const params = { textDocument: { uri: this.uri(name) }, position: range.start };
    const shown = await this.client.request<{ contents: { value: string } } | null>("textDocument/hover", params);
    return shown?.contents.value ?? "";
  }

  async fixes(name: string, diagnostic: Diagnostic): Promise<CodeAction[]> {
    return this.client.request("textDocument/codeAction", {
      textDocument: { uri: this.uri(name) },
      range: diagnostic.range,
      context: { diagnostics: [diagnostic], only: ["quickfix"] },
    });
  }
}

export function ofPlatform(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ source }) => source === "platform");
}

function transportOf(sandbox: Sandbox, apiKey: string): Transport {
  const { baseUrl, workflowBaseUrl } = sandbox;
  return fetchTransport({ baseUrl, workflowBaseUrl, key: new Secret(apiKey) });
}

function edited(text: string, edits: readonly TextEdit[]): string {
  const document = FlowDocument.read(text);
  let result = text;
  for (const { range, newText } of [...edits].sort(
    (a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character,
  ))
    result = result.slice(0, document.offsetAt(range.start)) + newText + result.slice(document.offsetAt(range.end));
  return result;
}

function withoutPlans(key: string, value: unknown): unknown {
  return key === "plan" || key === "incoming" ? undefined : value;
}
