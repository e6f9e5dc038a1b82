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
  let isPlain = true;
  program.nodes.forEach((node) => {
    if (isComponent(node)) isPlain = false;
  });
  if (isPlain) return { program, unseen: [], parts: new Map() };
  return new Inliner(flowOf, work).inline(program);
}

class Inliner {
  readonly #nodes = new Map<string, RunNode>();
  readonly #unseen: Unseen[] = [];
  readonly #parts = new Map<string, Program | undefined>();
  readonly #domains = new Map<string, readonly unknown[]>();

  constructor(
    private readonly flowOf: FlowOf,
    private readonly work: Spending | undefined,
  ) {}

  inline(program: Program): Inlined {
    this.#add(program, { prefix: "", variable: (name) => name }, [program], undefined);
    const { document, valuesOf, outputs } = program;
    const entry = program.entry && this.#nodes.get(program.entry.id);
    return {
      program: { document, valuesOf, outputs, entry, nodes: this.#nodes, domains: this.#domains },
      unseen: this.#unseen,
      parts: this.#parts,
    };
  }

  /** Adds the nodes of a flow under their names, then those of its components. */
  #add(program: Program, names: Names, around: readonly Program[], back: Back | undefined): void {
    const isOutermost = around.length === 1;
    if (!isOutermost) this.work?.spend(WORK_OF_NODE * program.nodes.size);
    // Their number is known before they're created.
    else this.work?.expect(WORK_OF_NODE * (sizeOf(program, this.flowOf) - program.nodes.size));
    const conditions = new Map<Condition, Condition>();
    const later: (() => void)[] = [];
    for (const node of program.nodes.values()) {
      const named = isOutermost ? node : new InnerNode(node, names, conditions, program);
      const part = isComponent(node) ? this.#partOf(node, named.id, around) : undefined;
      if (part?.entry) {
        const handover = new Handover(named, node, part, names.variable, this.#domains);
        const { entry } = part;
        this.#nodes.set(named.id, new SearchedNode(named, handover.into(entry), named.asks));
        later.push(() =>
          this.#add(part, handover.names, [...around, part], { way: handover.back(), asks: named.asks }),
        );
      } else if (back && node.type === "end")
        this.#nodes.set(named.id, new SearchedNode(named, back.way, back.asks, true));
      else this.#nodes.set(named.id, named);
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

/** How an end leaves a component, and what the conditions there test. */
interface Back {
  readonly way: Way;
  readonly asks: readonly string[];
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

class InnerNode implements RunNode {
  readonly id: string;
  #edges: readonly RunEdge[] | undefined;

  constructor(
    private readonly node: RunNode,
    private readonly names: Names,
    private readonly conditions: Map<Condition, Condition>,
    readonly home: Program,
  ) {
    this.id = names.prefix + node.id;
  }

  get type(): string | undefined {
    return this.node.type;
  }

  get block(): RunNode["block"] {
    return this.node.block;
  }

  get edges(): readonly RunEdge[] {
    const { prefix } = this.names;
    this.#edges ??= this.node.edges.map((edge) => ({
      id: prefix + edge.id,
      from: prefix + edge.from,
      to: prefix + edge.to,
      model: edge.model,
      condition: edge.condition && this.#renamed(edge.condition),
      when: edge.when,
      label: edge.label,
      on: edge.on,
      isOnEvent: edge.isOnEvent,
    }));
    return this.#edges;
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

  /** Equal conditions stay one object, because facts are cached for each. */
  #renamed(condition: Condition): Condition {
    return getOrCreate(this.conditions, condition, () => renamedIn(condition, this.names.variable));
  }
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

/** A node with other passages than its own edges. The end of a component doesn't end the conversation. */
class SearchedNode implements RunNode {
  readonly id: string;
  readonly type: string | undefined;
  readonly home?: Program;

  constructor(
    private readonly node: RunNode,
    readonly way: Way,
    private readonly asked: readonly string[],
    isReturn = false,
  ) {
    this.id = node.id;
    this.type = isReturn ? undefined : node.type;
    if (node.home) this.home = node.home;
  }

  get block(): RunNode["block"] {
    return this.node.block;
  }

  get edges(): readonly RunEdge[] {
    return this.node.edges;
  }

  /** The variables that conditions after its passages test, and those that are copied there. */
  get asks(): readonly string[] {
    const copied = [...this.way.assigns.values()].flatMap((each) => (each && "copy" in each ? each.copy : []));
    return [...new Set([...this.asked, ...copied])];
  }

  get reads(): RunNode["reads"] {
    return this.node.reads;
  }

  get variable(): string | undefined {
    return undefined;
  }

  get calls(): string | undefined {
    return this.node.calls;
  }

  get inputs(): unknown {
    return this.node.inputs;
  }

  get saves(): RunNode["saves"] {
    return this.node.saves;
  }

  get sets(): readonly string[] {
    return this.node.sets;
  }
}
