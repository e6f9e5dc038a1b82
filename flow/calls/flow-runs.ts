/** Facts about a flow that the exploration of its runs needs, computed once. */
import { addTo, getOrCreate } from "../collections";
import { TEMPLATES } from "../grammar";
import type { FlowOf } from "../run/machine";
import type { Program, RunNode } from "../run/program";
import { Worth } from "../test/generate/candidates";
import type { TracedCall } from "./call";

/** What tracing needs to know about a flow, the same for all calls. */
export class FlowRuns {
  readonly worth: Worth;
  /** The variables that nodes of the outermost flow set. */
  readonly settable: ReadonlySet<string>;
  /** The declared variables that no node sets: they have their value from the start. */
  readonly given: readonly string[];
  /** The variables of the outermost flow that components set. */
  readonly returned: readonly string[];
  readonly #reach = new Map<Program, Reach>();

  constructor(
    readonly program: Program,
    readonly flowOf: FlowOf,
  ) {
    this.worth = new Worth(program, flowOf);
    const nodes = [...program.nodes.values()];
    this.settable = new Set(nodes.flatMap(({ sets }) => sets));
    this.given = program.document.variables.map(({ name }) => name).filter((name) => !this.settable.has(name));
    const components = nodes.filter(({ type }) => type === "component");
    this.returned = [...new Set(components.flatMap(({ sets }) => sets))];
  }

  reach(program: Program): Reach {
    return getOrCreate(this.#reach, program, () => new Reach(program));
  }

  /** Whether a condition may read a variable after a node of the outermost flow set it. */
  isReadAfter(variable: string, { asks, edges }: RunNode): boolean {
    if (asks.includes(variable)) return true;
    const { nodes } = this.program;
    return edges.some(({ to }) => {
      const target = nodes.get(to);
      return target !== undefined && this.worth.in(this.program).liveAt(target).has(variable);
    });
  }

  /** Calls with the same key have the same runs: their values differ only where no condition of the flow can tell. */
  keyOf({ variables, ending }: Pick<TracedCall, "variables" | "ending">): string {
    if (!variables) return ending;
    const parts = [...this.settable, ...this.given].map((name) => {
      const value = variables.get(name);
      if (value === undefined) return "";
      if (this.reach(this.program).isHandedOver(name)) return JSON.stringify(value) ?? "";
      return this.worth.in(this.program).kindOf(name, value);
    });
    return [ending, ...parts].join("\u0000");
  }
}

/** Which nodes can still set a variable, and which variables a flow exchanges with components. */
class Reach {
  readonly #setters = new Map<string, Set<string>>();
  readonly #handedOver: ReadonlySet<string>;

  constructor(program: Program) {
    const outputs = [...JSON.stringify(program.outputs).matchAll(TEMPLATES)].map(([, name = ""]) => name);
    const inputs = [...program.nodes.values()].flatMap(({ type, reads }) => (type === "component" ? reads : []));
    this.#handedOver = new Set([...outputs, ...inputs.map(({ variable }) => variable)]);
    const before = new Map<string, string[]>();
    for (const node of program.nodes.values()) for (const { to } of node.edges) addTo(before, to, node.id);
    for (const node of program.nodes.values())
      for (const variable of node.sets) {
        const ids = this.#setters.get(variable) ?? new Set<string>();
        this.#setters.set(variable, ids);
        const open = [node.id];
        for (let each = open.pop(); each !== undefined; each = open.pop()) {
          if (ids.has(each)) continue;
          ids.add(each);
          for (const id of before.get(each) ?? []) open.push(id);
        }
      }
  }

  /** Whether a variable may be set again after a node set it. */
  isSetAfter(variable: string, node: RunNode): boolean {
    const setters = this.#setters.get(variable);
    return setters !== undefined && node.edges.some(({ to }) => setters.has(to));
  }

  /** Whether another flow may read the variable: one that this flow runs, or one that runs this flow. */
  isHandedOver(variable: string): boolean {
    return this.#handedOver.has(variable);
  }

  isSetFrom(variable: string, { id }: RunNode): boolean {
    return this.#setters.get(variable)?.has(id) ?? false;
  }
}
