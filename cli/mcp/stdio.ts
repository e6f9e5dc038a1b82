/**
 * The protocol's messages as lines on standard input and output. The library's own transport ends at a line that is too long, and
 * lets out whatever it is given; this one answers such a line with an error and goes on, and is the one way out: nothing
 * unseen passes it.
 */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { Lines, visible, visibleData } from "../../text";

/** What a script of ten thousand steps needs, many times over. */
const MAX_LINE = 10_000_000;

/** What a client compares to the letter with what it sent. */
const KEPT = new Set(["id", "progressToken"]);

export class StdioTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onerror?: NonNullable<Transport["onerror"]>;
  onclose?: NonNullable<Transport["onclose"]>;

  constructor(
    private readonly input: NodeJS.ReadableStream = process.stdin,
    private readonly output: NodeJS.WritableStream = process.stdout,
  ) {}

  async start(): Promise<void> {
    const tooLong = (start: string, end: string) =>
      this.#refuse(ErrorCode.InvalidRequest, "The message is longer than 10 MB.", idIn(start, end));
    const lines = new Lines({ line: (line) => this.#receive(line), tooLong }, MAX_LINE);
    this.input.on("data", (chunk: Buffer) => lines.push(chunk));
    this.input.on("error", (error) => this.onerror?.(error));
    // A client that is gone reads no answers; its end is told by the input.
    this.output.on("error", (error) => this.onerror?.(error));
  }

  async close(): Promise<void> {
    this.input.pause();
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  #receive(line: string): void {
    if (line.trim() === "") return;
    let said: unknown;
    try {
      said = JSON.parse(line);
    } catch {
      this.#refuse(ErrorCode.ParseError, "The message isn't JSON.", null);
      return;
    }
    const { data, success } = JSONRPCMessageSchema.safeParse(said);
    if (success) this.onmessage?.(data);
    else this.#refuse(ErrorCode.InvalidRequest, "The message isn't one of JSON-RPC 2.0.", idOf(said));
  }

  #refuse(code: ErrorCode, message: string, id: string | number | null): void {
    this.onerror?.(new Error(message));
    void this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #write(message: object): Promise<void> {
    const text = JSON.stringify(visibleData(message, (field) => KEPT.has(field)));
    // What is kept to the letter is escaped as JSON escapes it.
    return new Promise((resolve) => {
      if (this.output.write(`${visible(text)}\n`)) resolve();
      else this.output.once("drain", resolve);
    });
  }
}

function idOf(message: unknown): string | number | null {
  const { id } = (typeof message === "object" && message !== null ? message : {}) as { id?: unknown };
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** The ID of a request of which only the two ends were kept: clients write it first or last. */
function idIn(start: string, end: string): number | null {
  const [, id] =
    /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*(\d{1,15})\s*,/.exec(start) ??
    /,\s*"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(end) ??
    [];
  return id === undefined ? null : Number(id);
}
