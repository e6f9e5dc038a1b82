/**
 * Three environments with disjoint IDs, one flow file, and the real commands, driven by one seed. Platforms run in this
 * process. A crash leaves the disk as it is at that moment. Values are unique (`u7` by the user, `c3` by another user),
 * so that any graph shows whose changes it has.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { FlowDocument, type Graph, graphOf, resolveNames, sameGraph } from "../../../flow";
import type { HttpRequest } from "../../../platform";
import { generator } from "../../support/random";
import { cli } from "../cli/cli";
import { MindedPlatform } from "../sync/mixed/platform";

export interface Tally {
  commands: number;
  pushes: number;
  pulls: number;
  promotions: number;
  refused: number;
  conflicts: number;
  crashes: number;
  states: Record<string, number>;
}

/** Bugs to plant, to verify that the laws detect them. */
export interface Bugs {
  /** Changes the project file. */
  readonly project?: (text: string) => string;
  /** Changes the variables of commands. */
  readonly variables?: (env: Record<string, string>) => Record<string, string>;
  /** Changes what a command sends. */
  readonly body?: (body: string, to: Environment, all: readonly Environment[]) => string;
  /** Runs after a command, before the laws are checked. */
  readonly done?: (command: string, to: Environment, all: readonly Environment[]) => void;
  /** Changes the file after a command. */
  readonly file?: (text: string) => string;
  /** Changes the state that is shown. */
  readonly state?: (state: string | undefined) => string | undefined;
}

const NAMES = ["dev", "staging", "production"] as const;
const FLOW = "flows/billing.flow.yaml";
const PROTECTED = "production";

/** A UUID that belongs to one environment. */
const idIn = (environment: number, what: number) =>
  `${environment + 1}0000000-0000-4000-8000-${String(what).padStart(12, "0")}`;

const START = `# A flow for three platforms.
entry: greet
nodes:
  greet:
    type: message
    instructions: base1 # note 1
    edges: [{to: find}]
  find:
    type: tool
    tool: $look_up # note 2
    instructions: base2
    edges:
      - {to: done}
      - {to: hand_over, on: error}
  hand_over:
    type: transfer
    destination: $front_desk # note 3
    instructions: base3
  done: {type: end, instructions: base4}
`;

export class Environment {
  readonly platform: MindedPlatform;
  readonly key: string;
  readonly names: ReadonlyMap<string, string>;
  readonly ids: readonly string[];
  /** The last common graph of the file and the platform; undefined if unknown. */
  agreed: Graph | "never" | undefined = "never";
  wasSynced = false;
  /** Batches that were sent by commands. */
  batches = 0;
  /** Every value that it ever had. */
  readonly had = new Set<string>();

  constructor(
    readonly name: string,
    index: number,
    start: (names: ReadonlyMap<string, string>) => Graph,
    random: () => number,
  ) {
    this.key = `sk_${name}_0123456789abcdef`;
    this.ids = [1, 2, 3].map((what) => idIn(index, what));
    this.names = new Map([
      ["look_up", this.ids[2] as string],
      ["front_desk", `+1555010${index}`],
    ]);
    const world = { random, now: () => 0, at: () => undefined };
    this.platform = new MindedPlatform(world, start(this.names), new Set(), "409", () => this.note());
    this.note();
  }

  get url(): string {
    return `https://${this.name}.example.com`;
  }

  note(): void {
    for (const value of valuesIn(this.platform.graph)) this.had.add(value);
  }
}

/** The unique values in a graph or a text. */
function valuesIn(where: Graph | string): string[] {
  const text = typeof where === "string" ? where : JSON.stringify([...where.nodes.values()]);
  return text.match(/\b[uc]\d+\b/g) ?? [];
}

export async function simulate(seed: number, tally: Tally, bugs: Bugs = {}): Promise<void> {
  const run = new Simulation(seed, tally, bugs);
  const original = globalThis.fetch;
  globalThis.fetch = ((url: URL, init: RequestInit) => run.fetch(url, init)) as typeof fetch;
  try {
    await run.run();
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new Error(`seed ${seed}: ${reason}\n  ${run.trace.slice(-30).join("\n  ")}`);
  } finally {
    globalThis.fetch = original;
    run.end();
  }
}

class Simulation {
  readonly trace: string[] = [];
  readonly #random: () => number;
  readonly #environments: readonly Environment[];
  #folder: string;
  #values = 0;
  /** Other users' values that the user has seen in the file or in a conflict. */
  readonly #seen = new Set<string>();
  /** Requests until the crash of the current command. */
  #crashIn = Number.POSITIVE_INFINITY;
  /** The disk at the moment of the crash. */
  #wreck: string | undefined;

  constructor(
    seed: number,
    readonly tally: Tally,
    readonly bugs: Bugs,
  ) {
    this.#random = generator(seed);
    const written = graphOf(FlowDocument.read(START));
    const start = (names: ReadonlyMap<string, string>) => resolveNames(written, names);
    this.#environments = NAMES.map((name, index) => new Environment(name, index, start, this.#random));
    this.#folder = mkdtempSync(path.join(tmpdir(), "aflow-environments-"));
    mkdirSync(path.join(this.#folder, "flows"));
    this.#write(START);
    const project = this.#project();
    writeFileSync(path.join(this.#folder, "assistant-flow.project.yaml"), bugs.project?.(project) ?? project);
  }

  end(): void {
    for (const folder of [this.#folder, this.#wreck]) if (folder) rmSync(folder, { recursive: true, force: true });
  }

  async run(): Promise<void> {
    const steps = 6 + this.#number(10);
    for (let step = 0; step < steps; step++) await this.#step();
    for (const environment of this.#environments) await this.#checkState(environment);
  }

  async #step(): Promise<void> {
    const environment = this.#pick(this.#environments);
    const roll = this.#random();
    if (roll < 0.22) this.#edit();
    else if (roll < 0.36) this.#colleague(environment);
    else if (roll < 0.55) await this.#command("push", environment, "--allow-first-push", "--allow-removals");
    else if (roll < 0.68) await this.#pull(environment);
    else if (roll < 0.9) await this.#promote();
    else await this.#checkState(environment);
  }

  #edit(): void {
    const text = this.#text();
    for (const value of valuesIn(text)) this.#seen.add(value);
    const value = this.#unique("u");
    const places = [...text.matchAll(/instructions: (\w+)/g)];
    const at = this.#pick(places);
    const roll = this.#random();
    let next = `${text.slice(0, at.index)}instructions: ${value}${text.slice(at.index + at[0].length)}`;
    if (roll < 0.2)
      next = `${text.trimEnd()}\n  x${value}:\n    type: tool\n    tool: $look_up\n    instructions: ${value}\n    edges: [{to: done}, {to: done, on: error}]\n`;
    // A mistake: the ID of some environment instead of the name. It is undone some time later.
    else if (roll < 0.3) next = text.replace("tool: $look_up", `tool: ${this.#pick(this.#environments).ids[2]}`);
    else if (roll < 0.5) for (const { ids } of this.#environments) next = next.replaceAll(ids[2] as string, "$look_up");
    this.trace.push(`edit ${value}`);
    this.#write(next);
  }

  #colleague(environment: Environment): void {
    const { platform } = environment;
    const value = this.#unique("c");
    const node = this.#pick([...platform.graph.nodes.values()]);
    const nodes = new Map(platform.graph.nodes).set(node.id, { ...node, instructions: value });
    if (this.#random() < 0.2)
      nodes.set(`y${value}`, {
        id: `y${value}`,
        type: "tool",
        tool: environment.names.get("look_up") as string,
        instructions: value,
      });
    this.trace.push(`colleague ${value} on ${environment.name}`);
    platform.put({ ...platform.graph, nodes });
    environment.note();
  }

  async #pull(environment: Environment): Promise<void> {
    const before = this.#text();
    const code = await this.#command("pull", environment);
    if (code !== 4) return;
    this.tally.conflicts++;
    if (this.#text() !== before && this.#wreck === undefined) throw new Error("a conflict changed the file");
    // The conflict was shown, so both sides have been seen.
    for (const value of [...valuesIn(environment.platform.graph), ...valuesIn(before)]) this.#seen.add(value);
    if (this.#random() < 0.7) await this.#command("pull", environment, "--take", this.#pick(["ours", "theirs"]));
  }

  async #promote(): Promise<void> {
    const [from, to] = this.#pick([
      [0, 1],
      [1, 2],
      [0, 2],
      [1, 0],
    ] as const).map((index) => this.#environments[index] as Environment) as [Environment, Environment];
    const code = await this.#command("promote", to, "--from", from.name, "--yes");
    if (code !== 0) return;
    this.tally.promotions++;
    const { batches } = to;
    const again = await this.#command("promote", to, "--from", from.name, "--yes");
    if (again === 0 && to.batches > batches) throw new Error(`the second promotion sent something to ${to.name}`);
    if (again !== 0 && !this.#crashed) throw new Error(`the second promotion ended with ${again}`);
  }

  #crashed = false;

  /** Runs a command, and checks what it may have changed. */
  async #command(name: "push" | "pull" | "promote", environment: Environment, ...flags: string[]): Promise<number> {
    const text = this.#text();
    const before = this.#environments.map(({ platform }) => ({ graph: platform.graph, version: platform.version }));
    for (const value of valuesIn(text)) this.#seen.add(value);
    // The flag, or --yes after the plan, confirms that a first push replaces the platform's content.
    if (name !== "pull" && !environment.wasSynced)
      for (const value of valuesIn(environment.platform.graph)) this.#seen.add(value);
    this.#crashed = false;
    this.#crashIn = this.#random() < 0.1 ? 1 + this.#number(5) : Number.POSITIVE_INFINITY;
    const args =
      name === "promote"
        ? [name, "--to", environment.name, ...flags, FLOW]
        : [name, FLOW, "--env", environment.name, ...flags];
    const { code, out, err } = await this.#cli(args);
    this.#crashed = this.#wreck !== undefined;
    this.#restart();
    if (this.bugs.file) this.#write(this.bugs.file(this.#text()));
    this.bugs.done?.(name, environment, this.#environments);
    this.tally.commands++;
    this.trace.push(
      `${args.join(" ")} → ${this.#crashed ? "crash" : code} ${(out + err).split("\n").slice(-3).join(" ")}`,
    );
    if (name !== "promote") this.tally[name === "push" ? "pushes" : "pulls"]++;
    this.#checkNothingLost(name, environment, flags, text, before);
    if (this.#crashed) environment.agreed = undefined;
    else if (code === 0) {
      environment.agreed = environment.platform.graph;
      environment.wasSynced = true;
    } else if (code !== 1) environment.agreed = undefined;
    if (name === "push" && environment.name === PROTECTED && !this.#crashed) {
      if (code === 0) throw new Error("a protected environment accepted a push");
      this.tally.refused++;
    }
    return code;
  }

  #checkNothingLost(
    name: string,
    environment: Environment,
    flags: readonly string[],
    text: string,
    before: readonly { readonly graph: Graph; readonly version: number }[],
  ): void {
    const after = this.#text();
    for (const [index, each] of this.#environments.entries()) {
      const { graph, version } = before[index] as (typeof before)[number];
      const isTarget = each === environment && name !== "pull";
      if (each.platform.version !== version && !isTarget) throw new Error(`${name} changed ${each.name}`);
      if (each.platform.version !== version && each.name === PROTECTED && name !== "promote")
        throw new Error("a protected environment changed without a promotion");
      const left = new Set(valuesIn(each.platform.graph));
      for (const value of valuesIn(graph))
        if (!left.has(value) && !this.#seen.has(value))
          throw new Error(`${value} was overwritten unseen on ${each.name}`);
    }
    const kept = new Set(valuesIn(after));
    if (!flags.includes("theirs"))
      for (const value of valuesIn(text))
        if (!kept.has(value) && !environment.had.has(value)) throw new Error(`the file lost ${value}`);
    for (const note of ["# A flow for three platforms.", "# note 1", "# note 2", "# note 3"])
      if (!after.includes(note)) throw new Error(`the file lost its comment "${note}"`);
    if (text.includes("tool: $look_up # note 2") && !/tool: \$look_up # note 2/.test(after) && name !== "pull")
      throw new Error("the file lost a name");
  }

  /** The state that `drift` shows is the true one. */
  async #checkState(environment: Environment): Promise<void> {
    this.#crashIn = Number.POSITIVE_INFINITY;
    const { code, out, err } = await this.#cli(["drift", FLOW, "--env", environment.name, "--format", "json"]);
    const shown = JSON.parse(out || "{}").environments?.[0]?.files?.[0]?.state as string | undefined;
    const state = this.bugs.state ? this.bugs.state(shown) : shown;
    const own = resolveNames(graphOf(FlowDocument.read(this.#text())), environment.names);
    const theirs = environment.platform.graph;
    const { agreed } = environment;
    this.trace.push(`drift ${environment.name} → ${code} ${state} ${err}`);
    this.tally.states[state ?? "none"] = (this.tally.states[state ?? "none"] ?? 0) + 1;
    const isSame = sameGraph(own, theirs);
    if (isSame !== (state === "in-step"))
      throw new Error(`${environment.name} is ${isSame ? "" : "not "}in step, but shown as ${state}`);
    if (code !== (isSame ? 0 : 2)) throw new Error(`drift ended with ${code}`);
    if (isSame || agreed === undefined) return;
    const isOurs = agreed === "never" || !sameGraph(own, agreed);
    const isTheirs = agreed === "never" || !sameGraph(theirs, agreed);
    const truth = isOurs && isTheirs ? "diverged" : isOurs ? "ahead" : "behind";
    if (state !== truth) throw new Error(`${environment.name} is ${truth}, but shown as ${state}`);
  }

  async #cli(args: readonly string[]) {
    const keys = this.#environments.map(({ name, key }) => [`ASSISTANT_FLOW_API_KEY_${name.toUpperCase()}`, key]);
    const env = { ...Object.fromEntries(keys), ASSISTANT_FLOW_STATE_DIR: path.join(this.#folder, ".state") };
    const result = await cli(args, { cwd: this.#folder, env: this.bugs.variables?.(env) ?? env });
    if (this.#violation !== undefined) throw new Error(this.#violation);
    return result;
  }

  /** The network: every request is checked before its platform answers. */
  async fetch(url: URL, init: RequestInit): Promise<Response> {
    const environment = this.#environments.find((each) => each.url === url.origin);
    // An error here would look like one of the network, so a violation is reported after the command.
    if (!environment) {
      this.#violation ??= `a request to ${url.origin}`;
      return new Response("{}", { status: 401 });
    }
    const sent = typeof init.body === "string" ? init.body : "";
    const body = this.bugs.body?.(sent, environment, this.#environments) ?? sent;
    if ((init.headers as Record<string, string>)["x-api-key"] !== environment.key)
      this.#violation ??= `${environment.name} got another key`;
    for (const other of this.#environments)
      if (other !== environment)
        for (const id of [...other.ids, other.key])
          if (`${url.pathname} ${body}`.includes(id))
            this.#violation ??= `${other.name}'s ${id} was sent to ${environment.name}`;
    if (this.#wreck !== undefined) return new Response("{}", { status: 401 });
    const isCrash = --this.#crashIn <= 0;
    const isLost = isCrash && this.#random() < 0.5;
    if (isLost) this.#crash();
    const request = { method: init.method, body: body ? JSON.parse(body) : undefined } as HttpRequest;
    if (request.method === "POST") environment.batches++;
    const answer = environment.platform.answer(request);
    if (isCrash && !isLost) this.#crash();
    if (isCrash) return new Response("{}", { status: 401 });
    return new Response(answer.body as string, { status: answer.status, headers: answer.headers });
  }

  #violation: string | undefined;

  /** Copies the disk. What the command still writes is gone. */
  #crash(): void {
    this.tally.crashes++;
    this.#wreck = mkdtempSync(path.join(tmpdir(), "aflow-environments-"));
    cpSync(this.#folder, this.#wreck, { recursive: true });
  }

  #restart(): void {
    if (this.#wreck === undefined) return;
    rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = this.#wreck;
    this.#wreck = undefined;
    // The locks of a process that has ended expire.
    for (const name of readdirSync(this.#folder, { recursive: true }) as string[])
      if (/lock/.test(name)) rmSync(path.join(this.#folder, name), { recursive: true, force: true });
  }

  #project(): string {
    const parts = this.#environments.map(
      ({ name, url, ids, names }) => `  ${name}:
    url: ${url}
${name === PROTECTED ? "    protected: true\n" : ""}    flows:
      ${FLOW}: {assistant: ${ids[0]}, revision: ${ids[1]}}
    names: {look_up: ${names.get("look_up")}, front_desk: "${names.get("front_desk")}"}
`,
    );
    return `default: dev\nenvironments:\n${parts.join("")}`;
  }

  #text(): string {
    return readFileSync(path.join(this.#folder, FLOW), "utf8");
  }

  #write(text: string): void {
    writeFileSync(path.join(this.#folder, FLOW), text);
  }

  #unique(by: "u" | "c"): string {
    return `${by}${++this.#values}`;
  }

  #number(below: number): number {
    return Math.floor(this.#random() * below);
  }

  #pick<Each>(all: readonly Each[]): Each {
    return all[this.#number(all.length)] as Each;
  }
}
