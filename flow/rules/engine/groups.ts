/**
 * Groups of nodes that share a key, updated incrementally from the nodes that were added and removed. Grouping all nodes
 * again after each edit is 70 lines shorter, but an edit of words in 2,000 nodes then takes 0.47 instead of 0.22 ms with
 * many findings, and 0.36 instead of 0.08 ms without.
 */
import type { NodeBlock } from "../../document";
import { IncrementalMap } from "../../incremental-map";
import type { BlockFinding, Rule } from "./rule";

export class Groups {
  readonly #nodes = new IncrementalMap<NodeBlock, true>(() => true);
  /** The only node with a key, or all of them. */
  readonly #members = new Map<number, NodeBlock | Set<NodeBlock>>();
  /** Groups of several nodes with the rule's findings; undefined if the rule has to run again. */
  readonly #shared = new Map<Set<NodeBlock>, ReadonlyMap<NodeBlock, readonly BlockFinding[]> | undefined>();
  #found: ReadonlyMap<NodeBlock, readonly BlockFinding[]> = new Map();

  constructor(readonly rule: Rule) {}

  /** The findings by node: the same lists while their nodes stay the same. `order` sorts nodes as in the file. */
  update(
    nodes: readonly NodeBlock[],
    order: (node: NodeBlock) => number,
  ): ReadonlyMap<NodeBlock, readonly BlockFinding[]> {
    const { left, came, moved } = this.#nodes.update(nodes);
    for (const node of left) this.#leave(node);
    for (const node of came) this.#come(node);
    if (moved) for (const group of this.#shared.keys()) this.#shared.set(group, undefined);
    let isSame = true;
    for (const [group, known] of this.#shared) {
      if (known) continue;
      isSame = false;
      this.#shared.set(group, this.#ask(group, order));
    }
    if (isSame && !this.#lost) return this.#found;
    this.#lost = false;
    const found = new Map<NodeBlock, readonly BlockFinding[]>();
    for (const known of this.#shared.values()) for (const [node, findings] of known ?? []) found.set(node, findings);
    this.#found = found;
    return found;
  }

  /** Whether a group has disappeared. */
  #lost = false;

  #ask(group: ReadonlySet<NodeBlock>, order: (node: NodeBlock) => number): Map<NodeBlock, BlockFinding[]> {
    const found = new Map<NodeBlock, BlockFinding[]>();
    const members = [...group].map((node) => ({ node, at: order(node) })).sort((a, b) => a.at - b.at);
    this.rule.checkGroup?.(
      members.map(({ node }) => node),
      (node, finding) => {
        const findings = found.get(node);
        if (findings) findings.push(finding);
        else found.set(node, [finding]);
      },
    );
    return found;
  }

  #come(node: NodeBlock): void {
    const key = this.rule.groupBy?.(node);
    if (key === undefined) return;
    const members = this.#members.get(key);
    if (members === undefined) this.#members.set(key, node);
    else if (members instanceof Set) {
      members.add(node);
      this.#shared.set(members, undefined);
    } else {
      const group = new Set([members, node]);
      this.#members.set(key, group);
      this.#shared.set(group, undefined);
    }
  }

  #leave(node: NodeBlock): void {
    const key = this.rule.groupBy?.(node);
    const members = key === undefined ? undefined : this.#members.get(key);
    if (key === undefined || members === undefined) return;
    if (!(members instanceof Set)) {
      this.#members.delete(key);
      return;
    }
    members.delete(node);
    const [last] = members;
    if (members.size > 1 || last === undefined) {
      this.#shared.set(members, undefined);
      return;
    }
    this.#members.set(key, last);
    this.#shared.delete(members);
    this.#lost = true;
  }
}
