/**
 * A flow with its components inlined, for path searches. The nodes of a component have the names that a run gives them
 * (`part/node`), and variables of their own. Entering the component's node leads to the entry inside, and an end inside
 * continues with the edges of the component's node.
 */
import { getOrCreate } from "../collections";
import type { Condition } from "../run/conditions";
import { type FlowOf, MAX_COMPONENT_DEPTH } from "../run/machine";
import type { Program, RunEdge, RunNode, Way } from "../run/program";
import type { Spending } from "../run/work";
import { unreadIn } from "../unread";
import { Handover, type Names } from "./handover";

export interface Inlined {
  readonly program: Program;
  /** Component nodes whose flow isn't known: each is assumed to do anything. */
  readonly unseen: readonly Unseen[];
  /** The flow found for each component ID. */
  readonly parts: ReadonlyMap<string, Program | undefined>;
}

/** A component node whose flow isn't inlined. */
export interface Unseen {
  readonly id: string;
  /** It has no component ID, no flow has its ID, the flow has syntax errors or no entry, is recursive, or is too large. */
  readonly why: "unnamed" | "missing" | "unread" | "no-entry" | "recursive" | "large";
}

/** Nested components can multiply nodes; those beyond this limit aren't inlined. */
const MAX_NODES = 50_000;

/** The work of creating and searching a component's node, in search steps. */
const WORK_OF_NODE = 100;

export function withComponents(program: Program, flowOf: FlowOf, work?: Spending): Inlined {
  for (const node of program.nodes.values()) if (isComponent(node)) return new Inliner(flowOf, work).inline(program);
  return { program, unseen: [], parts: new Map() };
}

class Inliner {
  readonly #nodes = new Map<string, RunNode>();
  readonly #unseen: Unseen[] = [];
  readonly #parts = new Map<string, Program | undefined>();
  readonly #domains = new Map<string, readonly unknown[]>();
  readonly #ways = new Map<string, Way>();

  constructor(
    private readonly flowOf: FlowOf,
    private readonly work: Spending | undefined,
  ) {}

  inline(program: Program): Inlined {
    this.#add(program, { prefix: "", variable: (name) => name }, [program], undefined);
    return {
      program: { ...program, nodes: this.#nodes, domains: this.#domains, ways: this.#ways },
      unseen: this.#unseen,
      parts: this.#parts,
    };
  }

  /** Adds the nodes of a flow under their names, then those of its components. Its ends lead on by `back`. */
  #add(program: Program, names: Names, around: readonly Program[], back: Way | undefined): void {
    const isOutermost = around.length === 1;
    if (!isOutermost) this.work?.spend(WORK_OF_NODE * program.nodes.size);
    // Their number is known before they're created.
    else this.work?.expect(WORK_OF_NODE * (sizeOf(program, this.flowOf) - program.nodes.size));
    const conditions = new Map<Condition, Condition>();
    const later: (() => void)[] = [];
    for (const node of program.nodes.values()) {
      const named = isOutermost ? node : new InnerNode(node, names, conditions, program);
      const part = isComponent(node) ? this.#partOf(node, named.id, around) : undefined;
      this.#nodes.set(named.id, named);
      if (part?.entry) {
        const handover = new Handover(named, node, part, names.variable, this.#domains);
        this.#ways.set(named.id, handover.into(part.entry));
        later.push(() => this.#add(part, handover.names, [...around, part], handover.back()));
      } else if (back && node.type === "end") this.#ways.set(named.id, back);
    }
    for (const each of later) each();
  }

  #partOf(node: RunNode, id: string, around: readonly Program[]): Program | undefined {
    const { calls } = node;
    const part = calls === undefined ? undefined : this.flowOf(calls);
    if (calls !== undefined) this.#parts.set(calls, part);
    const why = this.#whyNot(calls, part, around);
    if (why === undefined) return part;
    this.#unseen.push({ id, why });
    return undefined;
  }

  #whyNot(calls: string | undefined, part: Program | undefined, around: readonly Program[]): Unseen["why"] | undefined {
    if (calls === undefined) return "unnamed";
    if (!part) return "missing";
    if (unreadIn(part.document)) return "unread";
    if (!part.entry) return "no-entry";
    if (around.includes(part)) return "recursive";
    if (around.length > MAX_COMPONENT_DEPTH) return "large";
    return this.#nodes.size + part.nodes.size > MAX_NODES ? "large" : undefined;
  }
}

/** The approximate number of nodes of a flow including its components. */
function sizeOf(program: Program, flowOf: FlowOf, known = new Map<Program, number>(), depth = 0): number {
  const found = known.get(program);
  if (found !== undefined) return found;
  // A recursive component isn't inlined again.
  known.set(program, 0);
  let size = program.nodes.size;
  if (depth <= MAX_COMPONENT_DEPTH)
    for (const node of program.nodes.values()) {
      const part = isComponent(node) && node.calls !== undefined ? flowOf(node.calls) : undefined;
      if (part) size += sizeOf(part, flowOf, known, depth + 1);
    }
  known.set(program, size);
  return size;
}

function isComponent({ type }: RunNode): boolean {
  return type === "component";
}

/** A node of a component under its names in the whole flow. */
class InnerNode implements RunNode {
  readonly id: string;
  /** An end of a component doesn't end the conversation. */
  readonly type: string | undefined;
  readonly edges: readonly RunEdge[];

  constructor(
    private readonly node: RunNode,
    private readonly names: Names,
    conditions: Map<Condition, Condition>,
    readonly home: Program,
  ) {
    const { prefix, variable } = names;
    this.id = prefix + node.id;
    this.type = node.type === "end" ? undefined : node.type;
    this.edges = node.edges.map(({ id, from, to, model, condition, when, label, on, isOnEvent }) => ({
      id: prefix + id,
      from: prefix + from,
      to: prefix + to,
      model,
      condition: condition && renamed(condition, conditions, variable),
      when,
      label,
      on,
      isOnEvent,
    }));
  }

  get block(): RunNode["block"] {
    return this.node.block;
  }

  get asks(): readonly string[] {
    return this.node.asks.map(this.names.variable);
  }

  get reads(): RunNode["reads"] {
    return this.node.reads.map(({ variable, span }) => ({ variable: this.names.variable(variable), span }));
  }

  get variable(): string | undefined {
    return this.node.variable === undefined ? undefined : this.names.variable(this.node.variable);
  }

  get calls(): string | undefined {
    return this.node.calls;
  }

  get inputs(): unknown {
    return this.node.inputs;
  }

  get saves(): RunNode["saves"] {
    return this.node.saves.map(({ variable, path }) => ({ variable: this.names.variable(variable), path }));
  }

  get sets(): readonly string[] {
    return this.node.sets.map(this.names.variable);
  }
}

/** Equal conditions stay one object, because facts are cached for each. */
function renamed(condition: Condition, known: Map<Condition, Condition>, nameOf: Names["variable"]): Condition {
  return getOrCreate(known, condition, () => renamedIn(condition, nameOf));
}

function renamedIn(condition: Condition, nameOf: (name: string) => string): Condition {
  switch (condition.kind) {
    case "prose":
      return condition;
    case "clause":
      return { ...condition, variable: nameOf(condition.variable) };
    case "not":
      return { ...condition, part: renamedIn(condition.part, nameOf) };
    default:
      return { ...condition, parts: condition.parts.map((part) => renamedIn(part, nameOf)) };
  }
}
