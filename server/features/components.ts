/** Component references: a component node names another flow by ID, sets its variables and reads its outputs. */
import {
  contains,
  type FlowDocument,
  keyText,
  NAME,
  type NodeBlock,
  type Span,
  textOf,
  topText,
  type Value,
} from "../../flow";
import { bare, type FlowName } from "./names/occurrences";

const ID_KEYS = ["tool", "component", "assistant", "revision"] as const;

const OUTPUT_PATH = new RegExp(String.raw`^\$\.(${NAME})`);

export interface PlatformId {
  readonly key: (typeof ID_KEYS)[number];
  readonly id: string;
  readonly span: Span;
}

/** The IDs under which other flows use this one. */
export function ownIds(document: FlowDocument): Set<string> {
  return new Set([topText(document, "assistant"), topText(document, "revision")].filter((id) => id !== undefined));
}

export function platformIdAt(document: FlowDocument, offset: number): PlatformId | undefined {
  const block = document.blockAt(offset);
  if (!block) return undefined;
  const at = offset - document.startOf(block);
  const found = (key: PlatformId["key"], value: Value | undefined) => {
    const id = textOf(value);
    if (!value || !id || !contains(value.span, at)) return undefined;
    return { key, id, span: bare(document, document.absolute(block, value.span)) };
  };
  if (block.section === "nodes") {
    const fields = (block as NodeBlock).fields;
    return found("component", fields.get("component")?.value) ?? found("tool", fields.get("tool")?.value);
  }
  if (block.key === "assistant" || block.key === "revision") return found(block.key, block.value);
  return undefined;
}

/** Every occurrence of a platform ID. */
export function platformIdPlaces(document: FlowDocument, id: string): Span[] {
  const places: Span[] = [];
  for (const key of ["assistant", "revision"] as const) {
    const block = document.top(key);
    if (block?.value && textOf(block.value) === id)
      places.push(bare(document, document.absolute(block, block.value.span)));
  }
  for (const node of document.nodes)
    for (const key of ["tool", "component"] as const) {
      const value = node.fields.get(key)?.value;
      if (value && textOf(value) === id) places.push(bare(document, document.absolute(node, value.span)));
    }
  return places;
}

/**
 * Where a file uses a name of another flow: a variable as a key of `inputs`, an output as a path (`$.name`) in `saves`.
 * `ids` are those of the other flow.
 */
export function usesOfComponent(document: FlowDocument, ids: ReadonlySet<string>, name: FlowName): Span[] {
  const places: Span[] = [];
  for (const node of document.nodes) {
    const component = textOf(node.fields.get("component")?.value);
    if (component === undefined || !ids.has(component)) continue;
    const map = node.fields.get(name.kind === "variable" ? "inputs" : "saves")?.value;
    if (map?.kind !== "map" || name.kind === "node") continue;
    for (const pair of map.pairs) {
      if (name.kind === "variable" && keyText(pair) === name.name)
        places.push(bare(document, document.absolute(node, pair.key.span)));
      if (name.kind === "output" && pair.value?.kind === "scalar") {
        const value = bare(document, document.absolute(node, pair.value.span));
        const path = OUTPUT_PATH.exec(document.slice(value));
        if (path?.[1] === name.name) places.push({ start: value.start + 2, end: value.start + 2 + name.name.length });
      }
    }
  }
  return places;
}
