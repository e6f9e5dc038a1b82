/** Blocks by key, for each section. If a key is repeated, file order decides. */
import type { Block, Section } from "./blocks";

export class BlockIndex {
  readonly #byKey: Record<Section, Map<string, Block | Block[]>> = {
    top: new Map(),
    nodes: new Map(),
    context_variables: new Map(),
  };
  readonly #repeated = new Set<Block[]>();

  add(block: Block): void {
    const byKey = this.#byKey[block.section];
    const known = byKey.get(block.key);
    if (known === undefined) byKey.set(block.key, block);
    else if (Array.isArray(known)) known.push(block);
    else {
      const all = [known, block];
      byKey.set(block.key, all);
      this.#repeated.add(all);
    }
  }

  remove(block: Block): void {
    const byKey = this.#byKey[block.section];
    const known = byKey.get(block.key);
    if (known === block) byKey.delete(block.key);
    else if (Array.isArray(known)) {
      known.splice(known.indexOf(block), 1);
      if (known.length > 1) return;
      this.#repeated.delete(known);
      byKey.set(block.key, known[0] as Block);
    }
  }

  first(section: Section, key: string, order: (block: Block) => number): Block | undefined {
    const known = this.#byKey[section].get(key);
    if (!Array.isArray(known)) return known;
    return known.reduce((first, block) => (order(block) < order(first) ? block : first));
  }

  /** The blocks of each repeated key, in file order. */
  repeated(order: (block: Block) => number): Block[][] {
    return [...this.#repeated].map((blocks) => [...blocks].sort((a, b) => order(a) - order(b)));
  }
}
