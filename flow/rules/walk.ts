/** The fields of an entry that the editor knows, each with its place in the table of fields. */
import type { Entry, NodeEntry } from "../document";
import { edgeFields, type Field, nodeType, outputFields, topFields, variableFields } from "../fields";
import type { Span } from "../text";
import { keyText, type MapValue, makePair, makeScalar, type Pair, type ScalarValue, type Value } from "../values";

export interface KnownField {
  readonly field: Field;
  readonly pair: Pair;
  readonly within: Block;
}

/** A map of fields: a node, an edge, a variable, a component output. */
export interface Block {
  readonly kind: "node" | "edge" | "variable" | "output";
  readonly map: MapValue | undefined;
  /** What belongs here; undefined for a node whose type the editor does not know. */
  readonly known: readonly Field[] | undefined;
  /** How a person would call it; made only where something is to be said. */
  title(): string;
}

export function isNode(entry: Entry): entry is NodeEntry {
  return entry.section === "nodes";
}

export function blocksOf(entry: Entry): Block[] {
  if (entry !== lastBlocksEntry) {
    lastBlocks = readBlocks(entry);
    lastBlocksEntry = entry;
  }
  return lastBlocks;
}

function readBlocks(entry: Entry): Block[] {
  const map = entry.value?.kind === "map" ? entry.value : undefined;
  if (entry.section === "context_variables")
    return [{ kind: "variable", map, known: variableFields, title: () => `the variable "${entry.key}"` }];
  if (entry.section === "top") {
    if (entry.key !== "component_outputs" || entry.value?.kind !== "list") return [];
    return entry.value.items.map((item, index) => ({
      kind: "output",
      map: item.kind === "map" ? item : undefined,
      known: outputFields,
      title: () => `component output ${index + 1}`,
    }));
  }
  const { edges, id, type } = entry as NodeEntry;
  const title = () => (type === undefined ? `the node "${id}"` : `the ${type} node "${id}"`);
  return [
    { kind: "node", map, known: nodeType(type)?.fields, title },
    ...edges.map(
      (edge): Block => ({
        kind: "edge",
        map: edge.value,
        known: edgeFields,
        title: () => `edge ${edge.index + 1} of the node "${id}"`,
      }),
    ),
  ];
}

const tables = new Map<readonly Field[], ReadonlyMap<string, Field>>();

/** The fields of a list by name. The lists are those of fields.ts, so each is indexed once. */
export function fieldsByName(fields: readonly Field[]): ReadonlyMap<string, Field> {
  let table = tables.get(fields);
  if (!table) {
    table = new Map(fields.map((field) => [field.name, field]));
    tables.set(fields, table);
  }
  return table;
}

/** Every known field of an entry that is written, the entry itself included where it is a top-level key. */
export function knownFields(entry: Entry): KnownField[] {
  if (entry === lastEntry) return lastFields;
  const found: KnownField[] = [];
  if (entry.section === "top") {
    const field = topFields.find((each) => each.name === entry.key);
    if (field) {
      const key = makeScalar(entry.key, "plain", entry.keySpan.start, entry.keySpan.end);
      const pair = makePair(key, entry.value, entry.value?.span.end ?? entry.keySpan.end);
      found.push({ field, pair, within: { kind: "node", map: undefined, known: topFields, title: () => "the file" } });
    }
  }
  for (const block of blocksOf(entry)) {
    if (!block.known || !block.map) continue;
    const table = fieldsByName(block.known);
    for (const pair of block.map.pairs) {
      const field = table.get(keyText(pair));
      if (field) found.push({ field, pair, within: block });
    }
  }
  lastEntry = entry;
  lastFields = found;
  return found;
}

// The rules ask one after the other about the same entry.
let lastEntry: Entry | undefined;
let lastFields: KnownField[] = [];
let lastBlocksEntry: Entry | undefined;
let lastBlocks: Block[] = [];

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
