/** A debug client for tests: starts `assistant-flow dap` and validates every message over stdio. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { program } from "../cli/cli";
import { ProtocolSchema } from "./protocol-schema";

const schema = new ProtocolSchema();

/** Only a limit for hangs; no test waits this long. */
const PATIENCE_MS = 30_000;

const running = new Set<ChildProcess>();

/** Ends processes that a failed test left running. */
export function endAll(): void {
  for (const each of running) each.kill();
}

export class DebugClient {
  readonly events: DebugProtocol.Event[] = [];
  readonly problems: string[] = [];
  #seq = 0;
  #rest = Buffer.alloc(0);
  #stderr = "";
  /** Events that were already awaited. */
  #seen = 0;
  readonly #waiting = new Map<number, (response: DebugProtocol.Response) => void>();
  #notify: () => void = () => undefined;

  private constructor(readonly process: ChildProcess) {
    running.add(process);
    process.once("exit", () => {
      running.delete(process);
      this.#notify();
    });
    process.stdout?.on("data", (data: Buffer) => this.#read(data));
    process.stderr?.on("data", (data: Buffer) => {
      this.#stderr += String(data);
    });
  }

  static start(cwd: string): DebugClient {
    return new DebugClient(spawn(process.execPath, [...program, "dap"], { cwd }));
  }

  /** Runs to the first stop, or to the end. */
  static async launch(
    cwd: string,
    configuration: object,
    before: (client: DebugClient) => Promise<void> = async () => undefined,
  ): Promise<DebugClient> {
    const client = DebugClient.start(cwd);
    await client.initialize();
    const launched = client.request("launch", configuration);
    await client.event("initialized");
    await before(client);
    await launched;
    await client.request("configurationDone");
    return client;
  }

  initialize(more: object = {}): Promise<DebugProtocol.Capabilities> {
    return this.request("initialize", { adapterID: "assistant-flow", ...more });
  }

  async request<Body = unknown>(command: string, args?: object): Promise<Body> {
    const response = await this.ask(command, args);
    assert.ok(response.success, `${command}: ${response.message}`);
    return response.body as Body;
  }

  ask(command: string, args?: object): Promise<DebugProtocol.Response> {
    const seq = ++this.#seq;
    const message = { seq, type: "request", command, ...(args ? { arguments: args } : {}) };
    if (command !== "launch" && !command.startsWith("assistantFlow.")) this.problems.push(...schema.problems(message));
    const json = JSON.stringify(message);
    this.process.stdin?.write(`Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
    return new Promise((resolve) => this.#waiting.set(seq, resolve));
  }

  /** The next event of a kind that wasn't awaited yet. */
  async event<Body = Record<string, never>>(name: string): Promise<Body> {
    for (;;) {
      const index = this.events.findIndex((each, at) => at >= this.#seen && each.event === name);
      if (index >= 0) {
        this.#seen = index + 1;
        return this.events[index]?.body as Body;
      }
      if (this.process.exitCode !== null) throw new Error(`The adapter is gone: ${this.#stderr}`);
      await new Promise<void>((resolve, reject) => {
        const seen = () => this.events.map((each) => each.event).join(", ");
        const late = setTimeout(() => reject(new Error(`No event "${name}" came; there were ${seen()}.`)), PATIENCE_MS);
        this.#notify = () => {
          clearTimeout(late);
          resolve();
        };
      });
    }
  }

  stopped(): Promise<DebugProtocol.StoppedEvent["body"]> {
    return this.event("stopped");
  }

  /** A request that moves the run, and the next stop. */
  async go(command: string, args: object = { threadId: 1 }): Promise<DebugProtocol.StoppedEvent["body"]> {
    await this.request(command, args);
    return this.stopped();
  }

  async stack(): Promise<DebugProtocol.StackFrame[]> {
    return (await this.request<DebugProtocol.StackTraceResponse["body"]>("stackTrace", { threadId: 1 })).stackFrames;
  }

  async at(): Promise<string> {
    return (await this.stack()).map(({ name, line }) => `${name.replace(/ \(.*/, "")}:${line}`).join(" < ");
  }

  async scope(name: string, frameId = 1): Promise<DebugProtocol.Variable[]> {
    const { scopes } = await this.request<DebugProtocol.ScopesResponse["body"]>("scopes", { frameId });
    const variablesReference = scopes.find((scope) => scope.name === name)?.variablesReference;
    return (await this.request<DebugProtocol.VariablesResponse["body"]>("variables", { variablesReference })).variables;
  }

  async evaluate(expression: string, context = "watch"): Promise<string> {
    const args = { expression, context, ...(context === "repl" ? {} : { frameId: 1 }) };
    return (await this.request<DebugProtocol.EvaluateResponse["body"]>("evaluate", args)).result;
  }

  /** Everything that was printed, or only what has one category. */
  output(category?: "stdout" | "stderr"): string {
    return this.events
      .map(({ event, body }) =>
        event === "output" && (category === undefined || body.category === category) ? body.output : "",
      )
      .join("");
  }

  async end(): Promise<void> {
    const exit = once(this.process, "exit");
    await this.request("disconnect", {});
    const [code] = (await exit) as [number];
    assert.equal(code, 0, this.#stderr);
    assert.equal(this.#stderr, "");
    assert.equal(this.#rest.length, 0, "Something else than messages was printed.");
    assert.deepEqual(this.problems, []);
  }

  #read(data: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(this.#rest.toString("latin1", 0, 60));
      if (!head) return;
      const start = head[0].length;
      const end = start + Number(head[1]);
      if (this.#rest.length < end) return;
      const message = JSON.parse(this.#rest.toString("utf8", start, end)) as DebugProtocol.ProtocolMessage;
      this.#rest = this.#rest.subarray(end);
      this.problems.push(...schema.problems(message));
      if (message.type === "event") this.events.push(message as DebugProtocol.Event);
      else {
        const response = message as DebugProtocol.Response;
        this.#waiting.get(response.request_seq)?.(response);
        this.#waiting.delete(response.request_seq);
      }
      this.#notify();
    }
  }
}
