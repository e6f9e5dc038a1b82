/** The entries a file is made of, and how they come from what was read. */
import { type NodeModel, NodeReading, readVariable, type VariableModel } from "../model";
import type { Span } from "../text";
import { endOf, type ScalarValue, scalarText, startOf, type Value } from "../values";

export type Section = "top" | "nodes" | "context_variables";

export interface Block {
  readonly section: Section;
  readonly key: string;
  readonly keySpan: Span;
  /** For `nodes` and `context_variables` written as maps: a map without pairs, since its pairs are entries of their own. */
  readonly value: Value | undefined;
  /**
   * From the key to the line of the next entry, be it a child or a sibling; comments above an entry belong to the
   * entry before it. An entry whose text and meaning an edit leaves alone stays the same object.
   */
  readonly text: string;
  /** Part of it could not be read: what it lacks is not known to be missing. */
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

/** Entries that an edit took away, to be used again where the same comes out of the new text. */
export class BlockPool {
  readonly #byText = new Map<string, Block[]>();

  constructor(blocks: readonly Block[]) {
    for (const block of blocks) {
      const same = this.#byText.get(block.text);
      if (same) same.push(block);
      else this.#byText.set(block.text, [block]);
    }
  }

  /** The entry that says the same in the same words, or else the given one. */
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
