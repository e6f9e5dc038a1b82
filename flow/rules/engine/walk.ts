/** The known fields of a block, each with its entry in the field tables. */
import { type Block, isNode } from "../../document";
import { edgeFields, type Field, nodeType, nodeTypes, outputFields, topFields, variableFields } from "../../fields";
import { keyText, type MapValue, type Pair, type ScalarValue, type Value } from "../../values";

/** A map of fields: a node, an edge, a variable, a component output. */
export class Element {
  constructor(
    readonly kind: "node" | "edge" | "variable" | "output",
    readonly map: MapValue | undefined,
    /** The known fields; undefined for a node of unknown type. */
    readonly known: FieldTable | undefined,
    private readonly block: Block,
    /** The index of an edge or an output in its list. */
    readonly index: number,
  ) {}

  /** The element's name in messages. */
  get title(): string {
    const { key } = this.block;
    if (this.kind === "variable") return `variable "${key}"`;
    if (this.kind === "output") return `component output ${this.index + 1}`;
    if (this.kind === "edge") return `edge ${this.index + 1} of node "${key}"`;
    const type = isNode(this.block) ? this.block.type : undefined;
    return type === undefined ? `node "${key}"` : `${type} node "${key}"`;
  }
}

/** The elements of a block: a node comes before its edges. */
export function elementsOf(block: Block): readonly Element[] {
  if (block !== lastBlock) {
    lastElements = readElements(block);
    lastBlock = block;
  }
  return lastElements;
}

// Caches the last block, because the rules run one after the other on the same block.
let lastBlock: Block | undefined;
let lastElements: readonly Element[] = [];

function readElements(block: Block): Element[] {
  const map = block.value?.kind === "map" ? block.value : undefined;
  if (block.section === "context_variables") return [new Element("variable", map, variableTable, block, 0)];
  if (isNode(block)) {
    const { edges } = block;
    const elements = new Array<Element>(edges.length + 1);
    const type = nodeType(block.type);
    elements[0] = new Element("node", map, type && nodeTables.get(type), block, 0);
    for (let index = 0; index < edges.length; index++)
      elements[index + 1] = new Element("edge", edges[index]?.value, edgeTable, block, index);
    return elements;
  }
  if (block.key !== "component_outputs" || block.value?.kind !== "list") return [];
  return block.value.items.map(
    (item, index) => new Element("output", item.kind === "map" ? item : undefined, outputTable, block, index),
  );
}

/** An indexed list of fields. The lists are those of fields.ts, so each is indexed once. */
class FieldTable {
  readonly byName: ReadonlyMap<string, Field>;
  readonly required: readonly Field[];

  constructor(readonly fields: readonly Field[]) {
    this.byName = new Map(fields.map((field) => [field.name, field]));
    this.required = fields.filter((field) => field.required);
  }
}

const topTable = new FieldTable(topFields);
const variableTable = new FieldTable(variableFields);
const edgeTable = new FieldTable(edgeFields);
const outputTable = new FieldTable(outputFields);
const nodeTables = new Map(nodeTypes.map((type) => [type, new FieldTable(type.fields)]));

/** Visits every known field written in a block, including the block itself if it's a top-level key. */
export function eachField(block: Block, visit: (field: Field, value: Value | undefined) => void): void {
  if (block.section === "top") {
    const field = topTable.byName.get(block.key);
    if (field) visit(field, block.value);
  }
  const elements = elementsOf(block);
  for (let number = 0; number < elements.length; number++) {
    const { known, map } = elements[number] as Element;
    if (!known || !map) continue;
    for (let index = 0; index < map.pairs.length; index++) {
      const pair = map.pairs[index] as Pair;
      const field = known.byName.get(keyText(pair));
      if (field) visit(field, pair.value);
    }
  }
}

/** Visits every scalar value in a block, with the path of keys to it. */
export function eachScalar(block: Block, visit: (scalar: ScalarValue, path: readonly string[]) => void): void {
  const path: string[] = block.section === "top" ? [block.key] : [];
  const walk = (value: Value | undefined) => {
    if (value?.kind === "scalar") visit(value, path);
    else if (value?.kind === "list") for (const item of value.items) walk(item);
    else if (value)
      for (const pair of value.pairs) {
        path.push(keyText(pair));
        walk(pair.value);
        path.pop();
      }
  };
  walk(block.value);
}

export const textKinds: ReadonlySet<Field["kind"]> = new Set(["text", "long-text", "node-id", "variable-name"]);

/** The start of a value, so that a finding about a whole map doesn't underline all its lines. */
export function shortPlace(block: Block, value: Value): { start: number; end: number } {
  const text = block.text.slice(value.span.start, value.span.end);
  const line = /^[^\r\n]*/.exec(text)?.[0].trimEnd().length ?? 0;
  return { start: value.span.start, end: value.span.start + line };
}
