/** Groups of nodes that share a key, and a rule's findings in them. Only groups whose nodes changed are checked again. */
import type { NodeBlock } from "../../document";
import { IncrementalMap } from "../../incremental-map";
import type { BlockFinding, Rule } from "./rule";

export class Groups {
  readonly #nodes = new IncrementalMap<NodeBlock, true>(() => true);
  readonly #members = new Map<number, Set<NodeBlock>>();
  readonly #found = new Map<NodeBlock, BlockFinding[]>();

  constructor(readonly rule: Rule) {}

  /** The findings by node: the same lists while their groups stay the same. `order` sorts nodes as in the file. */
  update(
    nodes: readonly NodeBlock[],
    order: (node: NodeBlock) => number,
  ): ReadonlyMap<NodeBlock, readonly BlockFinding[]> {
    const { left, came, moved } = this.#nodes.update(nodes);
    const changed = new Set<number>(moved ? this.#members.keys() : []);
    for (const node of left) {
      this.#found.delete(node);
      const key = this.rule.groupBy?.(node);
      if (key === undefined) continue;
      this.#members.get(key)?.delete(node);
      changed.add(key);
    }
    for (const node of came) {
      const key = this.rule.groupBy?.(node);
      if (key === undefined) continue;
      const members = this.#members.get(key);
      if (members) members.add(node);
      else this.#members.set(key, new Set([node]));
      changed.add(key);
    }
    for (const key of changed) this.#check(key, order);
    return this.#found;
  }

  #check(key: number, order: (node: NodeBlock) => number): void {
    const members = [...(this.#members.get(key) ?? [])];
    if (members.length === 0) this.#members.delete(key);
    for (const node of members) this.#found.delete(node);
    if (members.length < 2) return;
    members.sort((a, b) => order(a) - order(b));
    this.rule.checkGroup?.(members, (node, finding) => {
      const findings = this.#found.get(node);
      if (findings) findings.push(finding);
      else this.#found.set(node, [finding]);
    });
  }
}
