/** Measures a language server process over stdio, and its peak memory. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import {
  createProtocolConnection,
  type DocumentDiagnosticReport,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
  type WorkspaceDiagnosticReport,
} from "vscode-languageserver-protocol/node";
import { lastAtMost } from "../flow/text";
import { placesIn } from "./flows";

export interface Place {
  readonly line: number;
  readonly character: number;
}

export class MeasuredServer {
  #version = 1;
  #lineStarts: readonly number[] = [];
  #published: (() => void) | undefined;
  /** The result ID of the last diagnostics, if they are pulled. */
  #resultId: string | undefined;
  #pulls = false;
  /** The client's diagnostics, by code. */
  codes: readonly string[] = [];
  /** When the last bytes arrived, which excludes the client's own processing. */
  #arrived = 0;

  private constructor(
    readonly process: ChildProcess,
    readonly connection: ProtocolConnection,
    /** From the start of the process to the response to `initialize`. */
    readonly startMs: number,
    readonly uri: string,
  ) {}

  /** `ipc` opens a channel for messages outside of the protocol. */
  static async start(
    node: string,
    args: readonly string[],
    settings: unknown,
    {
      ipc = false,
      folder,
      env,
      uri = "file:///bench/large.flow.yaml",
    }: { ipc?: boolean; folder?: string; env?: NodeJS.ProcessEnv; uri?: string } = {},
  ): Promise<MeasuredServer> {
    const begun = performance.now();
    const child = spawn(node, args, {
      stdio: ["pipe", "pipe", "ignore", ...(ipc ? ["ipc" as const] : [])],
      env: env ?? process.env,
    });
    let server: MeasuredServer | undefined;
    // Before the connection, so that the time is taken before the bytes are parsed.
    child.stdout?.on("data", () => {
      if (server) server.#arrived = performance.now();
    });
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout as NodeJS.ReadableStream),
      new StreamMessageWriter(child.stdin as NodeJS.WritableStream),
    );
    connection.onRequest("workspace/configuration", ({ items }: { items: { section?: string }[] }) =>
      items.map(({ section }) => (settings as Record<string, unknown>)[section ?? ""] ?? null),
    );
    connection.onRequest("client/registerCapability", () => null);
    connection.onRequest("workspace/semanticTokens/refresh", () => null);
    connection.onUnhandledNotification(() => {});
    connection.listen();
    const { capabilities } = await connection.sendRequest<InitializeResult>("initialize", {
      processId: process.pid,
      rootUri: folder ?? null,
      capabilities: {
        workspace: { didChangeWatchedFiles: { dynamicRegistration: true } },
        textDocument: {
          publishDiagnostics: { relatedInformation: true },
          diagnostic: {},
          synchronization: {},
          completion: {},
          hover: {},
          documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        },
      },
    });
    server = new MeasuredServer(child, connection, performance.now() - begun, uri);
    server.#pulls = capabilities.diagnosticProvider !== undefined;
    connection.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }: PublishDiagnosticsParams) => {
      if (uri !== server?.uri) return;
      server.codes = diagnostics.map(({ code }) => String(code));
      server.#published?.();
    });
    await connection.sendNotification("initialized", {});
    await connection.sendNotification("workspace/didChangeConfiguration", { settings });
    return server;
  }

  /**
   * The diagnostics after a change: pulled if the server supports it, since it sends nothing if they are unchanged;
   * otherwise awaited.
   */
  async #diagnosticsAfter(send: () => Promise<void>): Promise<void> {
    const published = new Promise<void>((resolve) => {
      this.#published = resolve;
    });
    await send();
    if (!this.#pulls) return published;
    const report = await this.connection.sendRequest<DocumentDiagnosticReport>("textDocument/diagnostic", {
      textDocument: { uri: this.uri },
      ...(this.#resultId === undefined ? {} : { previousResultId: this.#resultId }),
    });
    this.#resultId = report.resultId;
    if (report.kind === "full") this.codes = report.items.map(({ code }) => String(code));
  }

  /** Time from opening a file to its first diagnostics. */
  async open(text: string): Promise<number> {
    this.#lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    const textDocument = { uri: this.uri, languageId: "yaml", version: this.#version, text };
    const begun = performance.now();
    await this.#diagnosticsAfter(() => this.connection.sendNotification("textDocument/didOpen", { textDocument }));
    return this.#arrived - begun;
  }

  /** The position of an offset; edits never change the number of lines. */
  placeOf(offset: number): Place {
    // By search, because a garbage-producing client would disturb the measurement.
    const line = lastAtMost(this.#lineStarts, offset);
    return { line, character: offset - (this.#lineStarts[line] as number) };
  }

  /** Replaces some characters of one line. */
  change(at: Place, length: number, text: string): Promise<void> {
    const end = { line: at.line, character: at.character + length };
    return this.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: this.uri, version: ++this.#version },
      contentChanges: [{ range: { start: at, end }, text }],
    });
  }

  /** Time from an edit to the diagnostics that follow it. */
  async edit(at: Place, length: number, text: string): Promise<number> {
    const begun = performance.now();
    await this.#diagnosticsAfter(() => this.change(at, length, text));
    return this.#arrived - begun;
  }

  async ask(method: string, params: object): Promise<number> {
    const begun = performance.now();
    await this.connection.sendRequest(`textDocument/${method}`, { textDocument: { uri: this.uri }, ...params });
    return this.#arrived - begun;
  }

  /** The number of files on disk with diagnostics, once all are known. */
  async checkedFiles(): Promise<number> {
    const report = await this.connection.sendRequest<WorkspaceDiagnosticReport>("workspace/diagnostic", {
      previousResultIds: [],
    });
    return report.items.length;
  }

  /** The largest memory of the process in MB; NaN where the system doesn't report it. */
  peakMemory(): number {
    const file = `/proc/${this.process.pid}/status`;
    return existsSync(file) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, "utf8"))?.[1]) / 1024 : Number.NaN;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    const patience = setTimeout(() => this.process.kill("SIGKILL"), 3000);
    // A killed server doesn't respond, so a caller would wait forever.
    await Promise.race([this.connection.sendRequest("shutdown").catch(() => undefined), ended]);
    await Promise.race([this.connection.sendNotification("exit").catch(() => undefined), ended]);
    await ended;
    clearTimeout(patience);
    this.connection.dispose();
  }
}

/** Repeatable edits of one character, each time at another node: of its instructions, and of an edge's target. */
export function editsOf(server: MeasuredServer, text: string, nodes: number) {
  const placesOf = (round: number) => placesIn(text, 2 + ((round * 37) % (nodes - 4)));
  const targetAt = (round: number) => server.placeOf(placesOf(round).target);
  const wordsAt = (round: number) => server.placeOf(placesOf(round).words);
  const letter = (round: number) => "wW"[round % 2] as string;
  // A different digit at each visit of the same node.
  const digit = (round: number) => String((round + Math.floor((round * 37) / (nodes - 4))) % 10);
  return {
    targetAt,
    words: (round: number) => server.edit(wordsAt(round), 1, letter(round)),
    edge: (round: number) => server.edit(targetAt(round), 1, digit(round)),
    /** Edits instructions without waiting for diagnostics. */
    sendWords: (round: number) => server.change(wordsAt(round), 1, letter(round)),
  };
}
