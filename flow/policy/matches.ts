/**
 * The nodes that the selectors of policies match, by number; cached, because matching 2,000 names with a pattern that
 * has two stars takes 11 ms.
 */
import { addTo } from "../collections";
import { isAssigned, type NumberedFlow } from "../run/numbered";
import { type Passage, type Program, passagesOf, type RunNode } from "../run/program";
import { edgesNamed } from "../test/takes";
import { matcherOf, type Selector } from "./selector";

/** The edges in `by` of a policy, and their source nodes. */
export interface Leaving {
  readonly nodes: Uint8Array;
  readonly edges: ReadonlySet<Passage | undefined>;
}

export class Matches {
  readonly #known = new Map<string, Uint8Array>();
  /** The nodes by type, and by variable they set. */
  #byType: ReadonlyMap<string, readonly number[]> | undefined;
  #bySet: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(
    private readonly program: Program,
    private readonly flow: NumberedFlow,
  ) {}

  /** The nodes that a selector matches, without exceptions. */
  of(selector: Selector | undefined, except?: readonly string[]): Uint8Array {
    const found = this.#all(selector);
    if (!except) return found;
    const left = found.slice();
    for (const number of this.numbersOf(except)) left[number] = 0;
    return left;
  }

  numbersOf(ids: readonly string[] = []): readonly number[] {
    return ids.flatMap((id) => this.flow.numberOf(id) ?? []);
  }

  #all(selector: Selector | undefined): Uint8Array {
    const { nodes } = this.flow;
    const found = new Uint8Array(nodes.length);
    if (!selector) return found;
    if (selector.isEntry) {
      const number = this.flow.numberOf(this.program.entry?.id ?? "");
      if (number !== undefined) found[number] = 1;
      return found;
    }
    const key = JSON.stringify([...selector.keys].sort());
    const known = this.#known.get(key);
    if (known) return known;
    const matches = matcherOf(selector);
    const among = this.#among(selector);
    const count = among ? among.length : nodes.length;
    for (let index = 0; index < count; index++) {
      const number = among ? (among[index] as number) : index;
      found[number] = Number(matches(nodes[number] as RunNode));
    }
    this.#known.set(key, found);
    return found;
  }

  /** Candidates for a selector, if one of its keys narrows them down; undefined if any node may match. */
  #among({ keys }: Selector): readonly number[] | undefined {
    const id = keys.get("node");
    if (id !== undefined) {
      const number = this.flow.numberOf(id);
      return number === undefined ? [] : [number];
    }
    const variable = keys.get("sets");
    if (variable !== undefined) {
      this.#bySet ??= this.#setters();
      return this.#bySet.get(variable) ?? [];
    }
    const type = keys.has("tool") ? "tool" : keys.get("type");
    if (type === undefined) return undefined;
    this.#byType ??= this.#types();
    return this.#byType.get(type) ?? [];
  }

  #types(): ReadonlyMap<string, readonly number[]> {
    const { nodes } = this.flow;
    const byType = new Map<string, number[]>();
    for (let number = 0; number < nodes.length; number++) {
      const { type } = nodes[number] as RunNode;
      if (type !== undefined) addTo(byType, type, number);
    }
    return byType;
  }

  #setters(): ReadonlyMap<string, readonly number[]> {
    const { nodes, changes } = this.flow;
    const setters = new Map<string, number[]>();
    for (const [number, change] of changes.entries()) {
      // Where a component starts or ends, more variables get values than the node itself sets.
      const sets = isAssigned(change) ? (nodes[number] as RunNode).sets : change;
      for (const variable of sets) addTo(setters, variable, number);
    }
    return setters;
  }

  /** The edges that `by` names at nodes, and where they're taken: for a component, at the ends inside. */
  leaving(nodes: Uint8Array, by: string): Leaving {
    const edges = new Set<Passage>();
    for (let number = nodes.indexOf(1); number >= 0; number = nodes.indexOf(1, number + 1))
      for (const edge of edgesNamed(this.flow.nodes[number] as RunNode, by)) edges.add(edge);
    if (!this.program.ways) return { nodes, edges };
    const isLeft = (node: RunNode, number: number) =>
      nodes[number] === 1 || passagesOf(this.program, node).some((each) => edges.has(each));
    return { nodes: Uint8Array.from(this.flow.nodes, (node, number) => Number(isLeft(node, number))), edges };
  }
}
