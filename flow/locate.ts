/** Finds the current place of an element in a document. */
import type { FlowDocument } from "./document";
import type { ElementRef } from "./graph/graph";
import type { Span } from "./text";
import { pairOf, type Value } from "./values";

export interface Place {
  /** The whole element. */
  readonly span: Span;
  /** The element's name: the key, the target of an edge, the value of a field. */
  readonly name: Span;
}

export function locate(document: FlowDocument, ref: ElementRef): Place | undefined {
  switch (ref.kind) {
    case "top": {
      const block = document.top(ref.key);
      if (!block) return undefined;
      const end = block.value?.span.end ?? block.keySpan.end;
      return place(
        document.startOf(block),
        { start: 0, end },
        block.value?.kind === "scalar" ? block.value.span : block.keySpan,
      );
    }
    case "node":
    case "variable": {
      const block = ref.kind === "node" ? document.node(ref.id) : document.variable(ref.name);
      if (!block) return undefined;
      const field = ref.field === undefined ? undefined : fieldPlace(document.startOf(block), block.value, ref.field);
      return (
        field ??
        place(document.startOf(block), { start: 0, end: block.value?.span.end ?? block.keySpan.end }, block.keySpan)
      );
    }
    case "edge": {
      const block = document.node(ref.node);
      const edge = block?.edges.find((candidate) => candidate.id === ref.id);
      if (!block || !edge) return undefined;
      const start = document.startOf(block);
      const field = ref.field === undefined ? undefined : fieldPlace(start, edge.value, ref.field);
      return field ?? place(start, edge.span, edge.toSpan ?? edge.span);
    }
    case "output": {
      const block = document.top("component_outputs");
      const item = block?.value?.kind === "list" ? block.value.items[ref.index] : undefined;
      if (!block || !item) return undefined;
      const start = document.startOf(block);
      const field = ref.field === undefined ? undefined : fieldPlace(start, item, ref.field);
      return field ?? place(start, item.span, pairOf(item, "name")?.value?.span ?? item.span);
    }
  }
}

function fieldPlace(start: number, value: Value | undefined, field: string): Place | undefined {
  const pair = pairOf(value, field);
  return pair && place(start, pair.span, pair.value?.span ?? pair.key.span);
}

function place(start: number, span: Span, name: Span): Place {
  return {
    span: { start: start + span.start, end: start + span.end },
    name: { start: start + name.start, end: start + name.end },
  };
}
