/** The nodes of a program by number, and where their edges lead: names are looked up once for all who search the flow. */
import { type Passage, type Program, passagesOf, type RunNode } from "./program";

export class NumberedNodes {
  readonly nodes: RunNode[];
  readonly #numbers = new Map<string, number>();
  readonly #targets: (readonly number[] | undefined)[];

  constructor({ nodes }: Program) {
    this.nodes = [...nodes.values()];
    this.#targets = new Array(this.nodes.length).fill(undefined);
    for (let number = 0; number < this.nodes.length; number++)
      this.#numbers.set((this.nodes[number] as RunNode).id, number);
  }

  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** The numbers of where the passages out of a node lead, -1 where there is no such node. */
  targetsOf(number: number): readonly number[] {
    let targets = this.#targets[number];
    if (!targets) {
      targets = this.#find(number);
      this.#targets[number] = targets;
    }
    return targets;
  }

  #find(number: number): readonly number[] {
    const passages = passagesOf(this.nodes[number] as RunNode);
    // Many edges lead to the node behind their own, which is found without looking its name up.
    const behind = this.nodes[number + 1]?.id;
    const targets: number[] = [];
    for (let index = 0; index < passages.length; index++) {
      const { to } = passages[index] as Passage;
      targets.push(to === behind ? number + 1 : (this.#numbers.get(to) ?? -1));
    }
    return targets;
  }

  /** Takes over nodes that were edited, under the ids they had, and gives them by number. */
  replace(edited: readonly RunNode[]): Map<number, RunNode> {
    const byNumber = new Map<number, RunNode>();
    for (const node of edited) {
      const number = this.#numbers.get(node.id) as number;
      this.nodes[number] = node;
      this.#targets[number] = undefined;
      byNumber.set(number, node);
    }
    return byNumber;
  }
}
