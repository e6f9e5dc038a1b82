/**
 * Runs the bundled MCP server as a child process, started on the first call. It gets no API key, so it can't make
 * platform requests; tools that need the platform use the language server.
 */

import { l10n } from "vscode";
import { reasonOf } from "../../files";
import { withoutKeys } from "../../platform";
import { type ChildProcessByStdio, type Readable, spawn, type Writable } from "../../system";
import { Lines } from "../../text";

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly isError?: boolean };
  readonly error?: { readonly message?: string };
}

type Waiting = { resolve(message: Message): void; reject(error: Error): void };

export class ToolServer {
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #ready: Promise<unknown> = Promise.resolve();
  #next = 1;

  constructor(
    private readonly cli: string,
    /** The folders that a server may read, asked for when it starts. */
    private readonly roots: () => readonly string[],
  ) {}

  /** Rejects with a message for the user if the server fails or the call is cancelled. */
  async call(name: string, input: unknown, signal?: AbortSignal): Promise<ToolAnswer> {
    this.#start();
    await this.#ready;
    const { result, error } = await this.#ask("tools/call", { name, arguments: input }, signal);
    if (!result) throw new Error(error?.message ?? l10n.t("The tool returned no result."));
    return { text: result.content?.[0]?.text ?? "", isError: result.isError === true };
  }

  dispose(): void {
    this.#child?.kill();
    this.#ended(l10n.t("The tools were stopped."));
  }

  #start(): void {
    if (this.#child) return;
    const { ASSISTANT_FLOW_BASE_URL: _address, ...env } = withoutKeys(process.env);
    const args = [this.cli, "mcp", ...this.roots().flatMap((root) => ["--root", root])];
    // Inside desktop VS Code the extension host is Electron: this makes it behave as Node.
    const child = spawn(process.execPath, args, {
      env: { ...env, ELECTRON_RUN_AS_NODE: "1" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#child = child;
    const gone = (why: string) => {
      if (this.#child === child) this.#ended(why);
    };
    child.once("error", (error) => gone(l10n.t("The tools couldn't be started: {0}", reasonOf(error))));
    child.once("exit", (code) => gone(l10n.t("The tools ended (exit code {0}). Try again.", String(code))));
    child.stdin.on("error", () => undefined); // The `exit` event reports the failure.
    const lines = new Lines({ line: (line) => this.#receive(line) });
    child.stdout.on("data", (chunk: Buffer) => lines.push(chunk));
    const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "vscode", version: "1" } };
    this.#ready = this.#ask("initialize", client).then(() => this.#send({ method: "notifications/initialized" }));
    // The callers report the failure; this only prevents an unhandled rejection.
    this.#ready.catch(() => undefined);
  }

  #ask(method: string, params: unknown, signal?: AbortSignal): Promise<Message> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const stop = () => {
        if (!this.#waiting.delete(id)) return;
        this.#send({ method: "notifications/cancelled", params: { requestId: id } });
        reject(new Error(l10n.t("Cancelled.")));
      };
      if (signal?.aborted) return stop();
      signal?.addEventListener("abort", stop, { once: true });
      this.#send({ id, method, params });
    });
  }

  #send(message: object): void {
    this.#child?.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #receive(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      // A server that sends invalid JSON can't be used any more. The next call starts another one.
      this.#child?.kill();
      this.#ended(l10n.t("The tools returned an invalid response. Try again."));
      return;
    }
    const waiting = message.id === undefined ? undefined : this.#waiting.get(message.id);
    if (message.id === undefined || !waiting) return;
    this.#waiting.delete(message.id);
    waiting.resolve(message);
  }

  #ended(why: string): void {
    this.#child = undefined;
    for (const { reject } of this.#waiting.values()) reject(new Error(why));
    this.#waiting.clear();
  }
}
