/** The names of a flow's nodes and variables inside another flow. */
export interface Names {
  readonly prefix: string;
  readonly variable: (name: string) => string;
}

/** The interface of a component's node to its flow: the edges in and out, and the variables passed. */
import { onlyVariable, TEMPLATES } from "../grammar";
import { anything, anyValue } from "../run/possible";
import type { Passage, Program, RunNode, Way } from "../run/program";
import { domainIn } from "./domain";

type Assigned = readonly unknown[] | { readonly copy: string } | undefined;

const UNSET: readonly unknown[] = [undefined];
const SOMETHING: readonly unknown[] = [anyValue];

export class Handover {
  readonly names: Names;
  readonly #inputs: ReadonlyMap<string, unknown>;
  /** Inner variables that equal outer ones: passed in unchanged, and never set inside. */
  readonly #same = new Map<string, string>();

  constructor(
    /** The component's node under its name in the search, and as in its own flow. */
    private readonly node: RunNode,
    own: RunNode,
    private readonly part: Program,
    private readonly around: (variable: string) => string,
    domains: Map<string, readonly unknown[]>,
  ) {
    const { inputs } = own;
    const isGiven = typeof inputs === "object" && inputs !== null && !Array.isArray(inputs);
    this.#inputs = new Map(isGiven ? Object.entries(inputs) : []);
    const set = new Set(
      [...part.nodes.values()].flatMap(({ variable, saves }) => [variable, ...saves.map((each) => each.variable)]),
    );
    for (const [name, value] of this.#inputs) {
      const handed = typeof value === "string" ? onlyVariable(value) : undefined;
      if (handed !== undefined && !set.has(name)) this.#same.set(name, around(handed));
    }
    const prefix = `${node.id}/`;
    this.names = { prefix, variable: (name) => this.#same.get(name) ?? prefix + name };
    for (const name of this.#own()) {
      const given = this.#given(name);
      const values = Array.isArray(given) ? given : [];
      domains.set(this.names.variable(name), [...new Set([...domainIn(part, name), ...values])]);
    }
  }

  /** From the component's node to the entry inside; or away from it, on an event that it failed. */
  into(entry: RunNode): Way {
    const onEvents = this.node.edges.filter(({ isOnEvent }) => isOnEvent);
    const to = this.names.prefix + entry.id;
    const enter: Passage = { to, condition: undefined, isOnEvent: false, on: undefined };
    const assigns = new Map(this.#own().map((name) => [this.names.variable(name), this.#given(name)]));
    return { passages: [enter, ...onEvents], assigns };
  }

  /** From an end inside along the edges of the component's node, with its outputs saved. Inner facts are forgotten. */
  back(): Way {
    const assigns = new Map<string, Assigned>(this.#own().map((name) => [this.names.variable(name), undefined]));
    const outputs = new Map(this.part.outputs.map(({ name, value }) => [name, value]));
    for (const { variable, path } of this.node.saves) assigns.set(variable, this.#saved(outputs, path));
    return { passages: this.node.edges.filter(({ isOnEvent }) => !isOnEvent), assigns };
  }

  /** The variables that the inner flow tests, passes on, or returns. */
  #own(): string[] {
    const found = new Set<string>();
    for (const node of this.part.nodes.values()) {
      for (const name of node.asks) found.add(name);
      if (node.type === "component") for (const name of templatesIn(node.inputs)) found.add(name);
    }
    for (const { value } of this.part.outputs) for (const name of templatesIn(value)) found.add(name);
    return [...found].filter((name) => !this.#same.has(name));
  }

  #given(name: string): Assigned {
    return this.#inputs.has(name) ? assigned(this.#inputs.get(name), this.around) : UNSET;
  }

  #saved(outputs: ReadonlyMap<string, unknown>, path: readonly (string | number)[] | undefined): Assigned {
    if (!path) return UNSET;
    const [name, ...rest] = path;
    if (name === undefined) return SOMETHING;
    if (typeof name === "number" || !outputs.has(name)) return UNSET;
    const value = outputs.get(name);
    return rest.length === 0 ? assigned(value, this.names.variable) : anything;
  }
}

/** The value of a variable that gets data with its templates filled in. */
function assigned(data: unknown, nameOf: (variable: string) => string): Assigned {
  if (data === null || data === undefined) return UNSET;
  if (typeof data === "object") return SOMETHING;
  if (typeof data !== "string") return [data];
  const name = onlyVariable(data);
  if (name !== undefined) return { copy: nameOf(name) };
  return templatesIn(data).length > 0 ? SOMETHING : [data];
}

function templatesIn(data: unknown): string[] {
  return [...JSON.stringify(data ?? null).matchAll(TEMPLATES)].flatMap((match) => match[1] ?? []);
}
