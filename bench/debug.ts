/**
 * Processor times of the debugger inside an editor: from launch to the first stop in a warm process, and steps through a chain of nodes,
 * with all the requests an editor sends at each stop.
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { FlowDebugSession } from "../debug";
import { chainOf } from "./flows";
import { processorNow, type Row, timesOf } from "./measure";

class Inline {
  readonly #session: FlowDebugSession;
  readonly #waiting = new Map<number, (message: DebugProtocol.Response) => void>();
  #stopped: () => void = () => undefined;
  #seq = 0;

  constructor(text: string) {
    this.#session = new FlowDebugSession({
      cwd: "/",
      textOf: async (file) => (file.endsWith("bench.flow.yaml") ? text : undefined),
      watch: () => ({ dispose: () => undefined }),
      toolsFor: async () => undefined,
    });
    this.#session.onDidSendMessage((sent) => {
      const message = sent as DebugProtocol.Response & DebugProtocol.Event;
      if (message.type === "response") this.#waiting.get(message.request_seq)?.(message);
      else if (message.event === "stopped") this.#stopped();
    });
  }

  request<Body>(command: string, args: object = {}): Promise<Body> {
    const seq = ++this.#seq;
    const answer = new Promise<Body>((resolve, reject) =>
      this.#waiting.set(seq, (response) =>
        response.success ? resolve(response.body as Body) : reject(response.message),
      ),
    );
    this.#session.handleMessage({ seq, type: "request", command, arguments: args } as DebugProtocol.Request);
    return answer;
  }

  /** Waits for the stop after these requests, and sends what VS Code sends at every stop. */
  async stopAfter(...requests: readonly [command: string, args?: object][]): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      this.#stopped = resolve;
    });
    for (const [command, args] of requests) await this.request(command, args);
    await stopped;
    await this.request("threads");
    await this.request("stackTrace", { threadId: 1 });
    const { scopes } = await this.request<DebugProtocol.ScopesResponse["body"]>("scopes", { frameId: 1 });
    for (const { variablesReference } of scopes.slice(0, 2)) await this.request("variables", { variablesReference });
    await this.request("evaluate", { expression: "{{plan}} is known", frameId: 1, context: "watch" });
  }

  launch(): Promise<void> {
    const program = "/bench.flow.yaml";
    return this.stopAfter(
      ["initialize", { adapterID: "bench" }],
      ["setBreakpoints", { source: { path: program }, breakpoints: [{ line: 20 }] }],
      ["launch", { program, stopOnEntry: true }],
      ["configurationDone"],
    );
  }
}

export async function run(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const nodes of [50, 2000, 10_000]) {
    const text = chainOf(nodes);
    const launches = await timesOf(7, () => new Inline(text).launch(), 1, processorNow);
    rows.push({ what: `${nodes} nodes, launch to first stop`, times: launches, limit: 300 });
    const session = new Inline(text);
    await session.launch();
    for (const command of ["next", "stepBack"]) {
      const step = () => session.stopAfter([command, { threadId: 1 }]);
      const steps = await timesOf(Math.min(2000, nodes - 2), step, 0, processorNow);
      rows.push({ what: `${nodes} nodes, ${command}`, times: steps, limit: 20, share: 0.95 });
    }
  }
  return rows;
}
