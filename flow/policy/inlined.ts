/**
 * A flow with the flows of its components in it, for those who search its paths. The nodes of a component are there under the
 * names a run gives them (`part/node`), with variables of their own. Entering the component's node leads to the entry inside, and
 * an end inside leads on by the edges of the component's node.
 */
import type { Condition } from "../run/conditions";
import { type FlowOf, MAX_COMPONENT_DEPTH } from "../run/machine";
import type { Program, RunEdge, RunNode, Way } from "../run/program";
import type { Spending } from "../run/work";
import { unreadIn } from "../unread";
import { Handover } from "./handover";

export interface Inlined {
  readonly program: Program;
  /** Nodes of components that nothing is known of: each counts as able to do anything. */
  readonly unseen: readonly Unseen[];
  /** What was found under each name that component nodes have. */
  readonly parts: ReadonlyMap<string, Program | undefined>;
  /** Edited nodes of a component's flow as they are called here, wherever the component is. */
  readonly inside: (name: string, nodes: readonly RunNode[], home: Program) => readonly RunNode[];
}

/** A node of a component whose flow isn't looked into. */
export interface Unseen {
  readonly id: string;
  /** It names no component, no flow has its ID, the flow can't be read in full, has no entry, has it inside, or is too large. */
  readonly why: "unnamed" | "missing" | "unread" | "no-entry" | "recursive" | "large";
}

/** Components inside components can make many nodes out of few; those beyond this many aren't looked into. */
const MAX_NODES = 50_000;

/** What a node of a component is worth in steps of a search: it is made, kept and gone through. */
const WORK_OF_NODE = 100;

export function withComponents(program: Program, flowOf: FlowOf, work?: Spending): Inlined {
  let isPlain = true;
  program.nodes.forEach((node) => {
    if (isComponent(node)) isPlain = false;
  });
  if (isPlain) return { program, unseen: [], parts: new Map(), inside: () => [] };
  return new Inliner(flowOf, work).inline(program);
}

class Inliner {
  readonly #nodes = new Map<string, RunNode>();
  readonly #unseen: Unseen[] = [];
  readonly #parts = new Map<string, Program | undefined>();
  readonly #domains = new Map<string, readonly unknown[]>();
  /** How the nodes of each component are called, each time it is there. */
  readonly #copies: Copy[] = [];

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
      inside: (name, nodes, home) =>
        this.#copies
          .filter((copy) => copy.name === name)
          .flatMap(({ names, conditions }) => nodes.map((node) => new InnerNode(node, names, conditions, home))),
    };
  }

  /** Adds the nodes of a flow under their names; those of its components behind them. */
  #add(program: Program, names: Names, around: readonly Program[], back: Back | undefined): void {
    const isOutermost = around.length === 1;
    if (!isOutermost) this.work?.spend(WORK_OF_NODE * program.nodes.size);
    // How many there will be is known before they are made.
    else this.work?.expect(WORK_OF_NODE * (sizeOf(program, this.flowOf) - program.nodes.size));
    const conditions = new Map<Condition, Condition>();
    if (back) this.#copies.push({ name: back.name, names, conditions });
    const later: (() => void)[] = [];
    for (const node of program.nodes.values()) {
      const named = isOutermost ? node : new InnerNode(node, names, conditions, program);
      const part = isComponent(node) ? this.#partOf(node, named.id, around) : undefined;
      if (part?.entry) {
        const handover = new Handover(named, node, part, names.variable, this.#domains);
        const { entry } = part;
        this.#nodes.set(named.id, new SearchedNode(named, handover.into(entry), named.asks));
        later.push(() =>
          this.#add(part, handover.names, [...around, part], {
            way: handover.back(),
            asks: named.asks,
            name: node.calls as string,
          }),
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

/** How an end leads out of a component, and what the conditions there ask about. */
interface Back {
  readonly way: Way;
  readonly asks: readonly string[];
  /** What the component's node calls. */
  readonly name: string;
}

interface Copy {
  readonly name: string;
  readonly names: Names;
  readonly conditions: Map<Condition, Condition>;
}

/** About how many nodes a flow has with those of its components. */
function sizeOf(program: Program, flowOf: FlowOf, known = new Map<Program, number>(), depth = 0): number {
  const found = known.get(program);
  if (found !== undefined) return found;
  // One that is inside itself isn't put in again.
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

/** How the nodes and variables of a flow are called where it is a part of another. */
export interface Names {
  readonly prefix: string;
  readonly variable: (name: string) => string;
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

  /** Equal conditions stay one object: what is known where they hold is kept for each. */
  #renamed(condition: Condition): Condition {
    let renamed = this.conditions.get(condition);
    if (!renamed) {
      renamed = renamedIn(condition, this.names.variable);
      this.conditions.set(condition, renamed);
    }
    return renamed;
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

/** A node whose own edges aren't what is followed. The end of a component is no end of the conversation. */
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

  /** What conditions behind its passages ask about, and what is copied there. */
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
