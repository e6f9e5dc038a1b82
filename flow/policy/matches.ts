/** The nodes and edges of a flow that policies are about. Each selector is evaluated once. */
import { getOrCreate } from "../collections";
import type { Passage, Program, RunNode } from "../run/program";
import { edgesNamed } from "../test/takes";
import { nodesMatching, type Selector } from "./selector";

export class Matches {
  readonly #known = new Map<Selector, ReadonlySet<RunNode>>();

  constructor(private readonly program: Program) {}

  /** The nodes that a selector matches, without exceptions. */
  of(selector: Selector | undefined, except?: readonly string[]): ReadonlySet<RunNode> {
    if (!selector) return new Set();
    const found = getOrCreate(this.#known, selector, () => nodesMatching(selector, this.program));
    return except ? new Set([...found].filter(({ id }) => !except.includes(id))) : found;
  }

  named(ids: readonly string[] = []): RunNode[] {
    return ids.flatMap((id) => this.program.nodes.get(id) ?? []);
  }

  /** The edges that `by` names at nodes. For a component, they're taken at the ends inside. */
  edgesNamed(nodes: Iterable<RunNode>, by: string): ReadonlySet<Passage> {
    return new Set([...nodes].flatMap((node) => edgesNamed(node, by)));
  }
}
