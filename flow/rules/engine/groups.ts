/**
 * Groups of nodes that share a key, updated incrementally from the nodes that were added and removed. Grouping all nodes
 * again after each edit is 30 lines shorter, but an edit of words in 2,000 nodes then takes 0.36 instead of 0.08 ms
 * without findings.
 */
import { addTo } from "../../collections";
import type { NodeBlock } from "../../document";
import { IncrementalMap } from "../../incremental-map";
import type { BlockFinding, Rule } from "./rule";

/** The findings about nodes of groups. */
export type GroupFindings = ReadonlyMap<unknown, readonly BlockFinding[]>;

export class Groups {
  readonly #nodes = new IncrementalMap<NodeBlock, true>(() => true);
  readonly #members = new Map<number, NodeBlock[]>();
  /** The rule's findings about each group of several nodes. */
  readonly #findings = new Map<number, GroupFindings>();
  #found: GroupFindings = new Map();

  constructor(readonly rule: Rule) {}

  /** The findings by node: the same lists while their group stays the same. `order` sorts nodes as in the file. */
  update(nodes: readonly NodeBlock[], order: (node: NodeBlock) => number): GroupFindings {
    const { left, came, moved } = this.#nodes.update(nodes);
    const changed = new Set(moved ? this.#findings.keys() : []);
    for (const node of left) {
      const key = this.rule.groupBy?.(node);
      const members = key === undefined ? undefined : this.#members.get(key);
      if (key === undefined || !members) continue;
      members.splice(members.indexOf(node), 1);
      changed.add(key);
    }
    for (const node of came) {
      const key = this.rule.groupBy?.(node);
      if (key === undefined) continue;
      addTo(this.#members, key, node);
      changed.add(key);
    }
    let isSame = true;
    for (const key of changed) {
      const members = this.#members.get(key) ?? [];
      if (members.length === 0) this.#members.delete(key);
      const wasShared = this.#findings.delete(key);
      if (members.length > 1) this.#findings.set(key, this.#check(members, order));
      if (wasShared || members.length > 1) isSame = false;
    }
    if (!isSame) this.#found = new Map([...this.#findings.values()].flatMap((findings) => [...findings]));
    return this.#found;
  }

  #check(members: readonly NodeBlock[], order: (node: NodeBlock) => number): GroupFindings {
    const found = new Map<NodeBlock, BlockFinding[]>();
    const sorted = members.map((node) => ({ node, at: order(node) })).sort((a, b) => a.at - b.at);
    this.rule.checkGroup?.(
      sorted.map(({ node }) => node),
      (node, finding) => addTo(found, node, finding),
    );
    return found;
  }
}
