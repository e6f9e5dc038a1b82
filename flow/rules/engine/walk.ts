/** The fields of an entry that the editor knows, each with its place in the table of fields. */
import type { Entry, NodeEntry } from "../../document";
import { edgeFields, type Field, nodeType, nodeTypes, outputFields, topFields, variableFields } from "../../fields";
import type { Span } from "../../text";
import { keyText, type MapValue, type Pair, type ScalarValue, type Value } from "../../values";

/** A map of fields: a node, an edge, a variable, a component output. */
export class Element {
  constructor(
    readonly kind: "node" | "edge" | "variable" | "output",
    readonly map: MapValue | undefined,
    /** What belongs here; undefined for a node whose type the editor does not know. */
    readonly known: FieldTable | undefined,
    private readonly entry: Entry,
    /** The place of an edge or an output in its list. */
    readonly index: number,
  ) {}

  /** How a person would call it. */
  get title(): string {
    const { key } = this.entry;
    if (this.kind === "variable") return `the variable "${key}"`;
    if (this.kind === "output") return `component output ${this.index + 1}`;
    if (this.kind === "edge") return `edge ${this.index + 1} of the node "${key}"`;
    const type = isNode(this.entry) ? this.entry.type : undefined;
    return type === undefined ? `the node "${key}"` : `the ${type} node "${key}"`;
  }
}

export function isNode(entry: Entry): entry is NodeEntry {
  return entry.section === "nodes";
}

/** The elements of an entry: a node comes before its edges. */
export function elementsOf(entry: Entry): readonly Element[] {
  if (entry !== lastEntry) {
    lastElements = readElements(entry);
    lastEntry = entry;
  }
  return lastElements;
}

// The rules ask one after the other about the same entry.
let lastEntry: Entry | undefined;
let lastElements: readonly Element[] = [];

function readElements(entry: Entry): Element[] {
  const map = entry.value?.kind === "map" ? entry.value : undefined;
  if (entry.section === "context_variables") return [new Element("variable", map, variableTable, entry, 0)];
  if (isNode(entry)) {
    const { edges } = entry;
    const elements = new Array<Element>(edges.length + 1);
    const type = nodeType(entry.type);
    elements[0] = new Element("node", map, type && nodeTables.get(type), entry, 0);
    for (let index = 0; index < edges.length; index++)
      elements[index + 1] = new Element("edge", edges[index]?.value, edgeTable, entry, index);
    return elements;
  }
  if (entry.key !== "component_outputs" || entry.value?.kind !== "list") return [];
  return entry.value.items.map(
    (item, index) => new Element("output", item.kind === "map" ? item : undefined, outputTable, entry, index),
  );
}

/** A list of fields as rules ask for it. The lists are those of fields.ts, so each is indexed once. */
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

/** Visits every known field of an entry that is written, the entry itself included where it is a top-level key. */
export function eachField(entry: Entry, visit: (field: Field, value: Value | undefined) => void): void {
  if (entry.section === "top") {
    const field = topTable.byName.get(entry.key);
    if (field) visit(field, entry.value);
  }
  const elements = elementsOf(entry);
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

/** Every scalar below an entry with the keys that lead to it; keys themselves are left out. */
export function eachScalar(entry: Entry, visit: (scalar: ScalarValue, path: readonly string[]) => void): void {
  const path: string[] = entry.section === "top" ? [entry.key] : [];
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
  walk(entry.value);
}

/** A place without the line breaks that block values may have behind them. */
export function trimmed(entry: Entry, span: Span): Span {
  return { start: span.start, end: span.start + entry.text.slice(span.start, span.end).trimEnd().length };
}

export const textKinds: ReadonlySet<Field["kind"]> = new Set(["text", "long-text", "node-id", "variable-name"]);

/** A place of the first characters of a value, so that a finding about a whole map does not paint all its lines. */
export function shortPlace(entry: Entry, value: Value): { start: number; end: number } {
  const text = entry.text.slice(value.span.start, value.span.end);
  const line = /^[^\r\n]*/.exec(text)?.[0].trimEnd().length ?? 0;
  return { start: value.span.start, end: value.span.start + line };
}
