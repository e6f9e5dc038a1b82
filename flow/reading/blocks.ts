/** The blocks of a file, and how they're made from parsed values. */
import { addTo } from "../collections";
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

/** Removed blocks or pieces by text, for reuse if the new text yields equal ones. */
export class Pool<Item extends { readonly text: string }> {
  readonly #byText = new Map<string, Item[]>();

  constructor(items: readonly Item[]) {
    for (const item of items) addTo(this.#byText, item.text, item);
  }

  /** An item with this text that fits; each is returned once. */
  take(text: () => string, fits: (item: Item) => boolean): Item | undefined {
    const same = this.#byText.size === 0 ? undefined : this.#byText.get(text());
    const index = same?.findIndex(fits) ?? -1;
    return same && index >= 0 ? same.splice(index, 1)[0] : undefined;
  }

  /** The items that weren't taken. */
  get left(): Item[] {
    return [...this.#byText.values()].flat();
  }
}

/** Equality of plain data: values, spans, maps of fields. */
export function sameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (a instanceof Map) return b instanceof Map && sameData([...a], [...b]);
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => sameData((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}
