/** The blocks of a file, and how they're made from parsed values. */
import { type NodeModel, NodeReading, readVariable, type VariableModel } from "../model";
import type { Span } from "../text";
import { endOf, type ScalarValue, scalarText, startOf, type Value } from "../values";

export type Section = "top" | "nodes" | "context_variables";

export interface Block {
  readonly section: Section;
  readonly key: string;
  readonly keySpan: Span;
  /** For `nodes` and `context_variables` written as maps: an empty map, because its pairs are blocks themselves. */
  readonly value: Value | undefined;
  /**
   * From the key to the line of the next block, child or sibling; comments above a block belong to the block before it.
   * A block whose text and meaning don't change stays the same object.
   */
  readonly text: string;
  /** Part of it couldn't be read, so missing parts aren't known to be missing. */
  readonly isBroken: boolean;
}

export interface NodeBlock extends Block, NodeModel {
  readonly section: "nodes";
}

export interface VariableBlock extends Block, VariableModel {
  readonly section: "context_variables";
}

export function isNode(block: Block): block is NodeBlock {
  return block.section === "nodes";
}

export function isVariable(block: Block): block is VariableBlock {
  return block.section === "context_variables";
}

export function makeBlock(
  section: Section,
  key: ScalarValue,
  value: Value | undefined,
  text: string,
  isBroken: boolean,
): Block {
  const name = scalarText(key);
  if (section === "nodes") return new NodeRecord(name, startOf(key), endOf(key), value, text, isBroken);
  const keySpan = key.span;
  if (section === "top") return { section, key: name, keySpan, value, text, isBroken };
  const model = readVariable(name, value);
  return { section, key: name, keySpan, value, text, isBroken, ...model } as VariableBlock;
}

class NodeRecord extends NodeReading implements NodeBlock {
  readonly section = "nodes";

  constructor(
    readonly key: string,
    private readonly keyStart: number,
    private readonly keyEnd: number,
    value: Value | undefined,
    readonly text: string,
    readonly isBroken: boolean,
  ) {
    super(key, value, text);
  }

  get keySpan(): Span {
    return { start: this.keyStart, end: this.keyEnd };
  }
}

/** Blocks removed by an edit, for reuse if the new text yields equal ones. */
export class BlockPool {
  readonly #byText = new Map<string, Block[]>();

  constructor(blocks: readonly Block[]) {
    for (const block of blocks) {
      const same = this.#byText.get(block.text);
      if (same) same.push(block);
      else this.#byText.set(block.text, [block]);
    }
  }

  /** An equal block from the pool, or else the given one. */
  take(block: Block): Block {
    const candidates = this.#byText.get(block.text);
    const index = candidates?.findIndex((other) => sameData(block, other)) ?? -1;
    return candidates && index >= 0 ? (candidates.splice(index, 1)[0] as Block) : block;
  }
}

/** Equality of plain data: values, spans, maps of fields. */
function sameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (a instanceof Map) return b instanceof Map && sameData([...a], [...b]);
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => sameData((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}
