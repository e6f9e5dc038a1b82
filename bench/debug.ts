/**
 * The debugger inside an editor: from launch to the first stop in a warm process, and steps through a flow of 10,000
 * nodes, with all the requests an editor sends at each stop. `npm run bench:debug`
 */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { FlowDebugSession } from "../debug";
import { machine, showTime, type Time, timeAt, timer } from "./measure";

const LIMITS = { firstStop: 300, step: 20 };

/** A chain that visits every node; every tenth node has a condition. */
function chainOf(nodes: number): string {
  const lines = ["entry: n0", "context_variables:", "  plan: {type: string, enum_values: [basic, plus]}", "nodes:"];
  for (let n = 0; n < nodes - 1; n++) {
    lines.push(`  n${n}:`, "    type: message", `    instructions: Tell the caller about number ${n}.`, "    edges:");
    if (n % 10 === 0) lines.push(`      - {to: n0, when: "{{plan}} is plus"}`);
    lines.push(`      - {to: n${n + 1}}`);
  }
  return `${[...lines, `  n${nodes - 1}: {type: end}`].join("\n")}\n`;
}

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

  async stopAfter(act: () => Promise<unknown>): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      this.#stopped = resolve;
    });
    await act();
    await stopped;
    await this.look();
  }

  /** The requests VS Code sends at every stop. */
  async look(): Promise<void> {
    await this.request("threads");
    await this.request("stackTrace", { threadId: 1 });
    const { scopes } = await this.request<DebugProtocol.ScopesResponse["body"]>("scopes", { frameId: 1 });
    for (const { variablesReference } of scopes.slice(0, 2)) await this.request("variables", { variablesReference });
    await this.request("evaluate", { expression: "{{plan}} is known", frameId: 1, context: "watch" });
  }

  async launch(): Promise<void> {
    await this.stopAfter(async () => {
      await this.request("initialize", { adapterID: "bench" });
      const program = "/bench.flow.yaml";
      await this.request("setBreakpoints", { source: { path: program }, breakpoints: [{ line: 20 }] });
      await this.request("launch", { program, stopOnEntry: true });
      await this.request("configurationDone");
    });
  }
}

async function timed(work: () => Promise<unknown>): Promise<Time> {
  const time = timer();
  await work();
  return time();
}

async function main(): Promise<void> {
  let failed = false;
  for (const nodes of [50, 2000, 10_000]) {
    const text = chainOf(nodes);
    const starts: Time[] = [];
    for (let round = 0; round < 8; round++) starts.push(await timed(() => new Inline(text).launch()));
    const warm = timeAt(starts.slice(1), 0.5);
    const session = new Inline(text);
    await session.launch();
    const forward: Time[] = [];
    const back: Time[] = [];
    const steps = Math.min(2000, nodes - 2);
    for (let step = 0; step < steps; step++)
      forward.push(await timed(() => session.stopAfter(() => session.request("next", { threadId: 1 }))));
    for (let step = 0; step < steps; step++)
      back.push(await timed(() => session.stopAfter(() => session.request("stepBack", { threadId: 1 }))));
    const [on, off] = [timeAt(forward, 0.95), timeAt(back, 0.95)];
    const steps95 = `step p95 ${showTime(on)}, step back p95 ${showTime(off)}`;
    console.log(`${nodes} nodes: launch to first stop ${showTime(warm)}, ${steps95}`);
    // A launch parses the text, so its time grows with the text; a step's doesn't.
    const isSlow = nodes <= 2000 && warm.processor > LIMITS.firstStop;
    failed ||= isSlow || Math.max(on.processor, off.processor) > LIMITS.step;
  }
  console.log(`${machine()}; limits: first stop ${LIMITS.firstStop} ms, step p95 ${LIMITS.step} ms`);
  if (failed) process.exitCode = 1;
}

void main();
