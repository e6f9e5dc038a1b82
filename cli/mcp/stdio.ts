/**
 * A transport for the protocol on standard input and output. The library's own transport stops at a line that is too
 * long; this one responds with an error and continues. It also escapes invisible characters in all output.
 */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { Lines, visible, visibleData } from "../../text";

/** Far more than a script of 10,000 steps needs. */
const MAX_LINE = 10_000_000;

/** Fields that a client compares exactly with what it sent. */
const KEPT = new Set(["id", "progressToken"]);

export class StdioTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onerror?: NonNullable<Transport["onerror"]>;
  onclose?: NonNullable<Transport["onclose"]>;

  async start(): Promise<void> {
    const tooLong = (start: string, end: string) =>
      this.#refuse(ErrorCode.InvalidRequest, "The message is longer than 10 MB.", idIn(start, end));
    const lines = new Lines({ line: (line) => this.#receive(line), tooLong }, MAX_LINE);
    process.stdin.on("data", (chunk: Buffer) => lines.push(chunk));
    process.stdin.on("error", (error) => this.onerror?.(error));
    // The client has exited; the end of the input reports that.
    process.stdout.on("error", (error) => this.onerror?.(error));
  }

  async close(): Promise<void> {
    process.stdin.pause();
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  #receive(line: string): void {
    if (line.trim() === "") return;
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch {
      this.#refuse(ErrorCode.ParseError, "The message isn't valid JSON.", null);
      return;
    }
    const { data, success } = JSONRPCMessageSchema.safeParse(parsed);
    if (success) this.onmessage?.(data);
    else this.#refuse(ErrorCode.InvalidRequest, "The message isn't a valid JSON-RPC 2.0 message.", idOf(parsed));
  }

  #refuse(code: ErrorCode, message: string, id: string | number | null): void {
    this.onerror?.(new Error(message));
    void this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #write(message: object): Promise<void> {
    const text = JSON.stringify(visibleData(message, (field) => KEPT.has(field)));
    // Exact fields are still escaped as JSON.
    return new Promise((resolve) => {
      if (process.stdout.write(`${visible(text)}\n`)) resolve();
      else process.stdout.once("drain", resolve);
    });
  }
}

function idOf(message: unknown): string | number | null {
  const { id } = (typeof message === "object" && message !== null ? message : {}) as { id?: unknown };
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Finds the ID of a request that was too long to keep: clients write it first or last. */
function idIn(start: string, end: string): number | null {
  const [, id] =
    /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*(\d{1,15})\s*,/.exec(start) ??
    /,\s*"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(end) ??
    [];
  return id === undefined ? null : Number(id);
}
