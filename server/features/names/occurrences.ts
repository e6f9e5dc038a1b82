/** The names in a flow: which one is at a position, and all its occurrences. */
import {
  type Block,
  contains,
  type FlowDocument,
  isNode,
  isVariable,
  pairOf,
  type Span,
  textOf,
  topRefs,
  topText,
} from "../../../flow";
import { crossReferences } from "./cross-references";

/** A name with references that can be renamed. */
export interface FlowName {
  readonly kind: "node" | "variable" | "output";
  readonly name: string;
}

export interface Occurrence {
  /** The name itself, without quotes or braces. */
  readonly span: Span;
  readonly role: "definition" | "read" | "write";
  /** An alias (`*name`): the text is at its anchor. */
  readonly alias?: boolean;
}

/** The name at an offset; the end of a name counts, since the cursor is there after typing it. */
export function nameAt(document: FlowDocument, offset: number): (FlowName & { readonly span: Span }) | undefined {
  const block = document.blockAt(offset);
  if (!block) return undefined;
  const at = offset - document.startOf(block);
  const found = (kind: FlowName["kind"], name: string, span: Span) => ({
    kind,
    name,
    span: bare(document, document.absolute(block, span)),
  });
  if (contains(block.keySpan, at)) {
    if (isNode(block)) return found("node", block.id, block.keySpan);
    if (isVariable(block)) return found("variable", block.name, block.keySpan);
  }
  if (isNode(block)) {
    for (const edge of block.edges)
      if (edge.to !== undefined && edge.toSpan && contains(edge.toSpan, at)) return found("node", edge.to, edge.toSpan);
    for (const ref of block.refs) if (contains(ref.span, at)) return found("variable", ref.name, ref.span);
    return undefined;
  }
  if (block.key === "entry" && block.value?.kind === "scalar" && contains(block.value.span, at)) {
    const name = topText(document, "entry");
    return name === undefined ? undefined : found("node", name, block.value.span);
  }
  for (const [name, span] of block.key === "component_outputs" ? outputNames(block) : [])
    if (contains(span, at)) return found("output", name, span);
  for (const { block: home, ref } of topRefs(document))
    if (home === block && contains(ref.span, at)) return found("variable", ref.name, ref.span);
  return undefined;
}

/** All occurrences of a name in the document, in file order. */
export function occurrencesOf(document: FlowDocument, name: FlowName): Occurrence[] {
  const found: Occurrence[] = [];
  const aliases = new Set<number>();
  const add = (block: Block, span: Span, role: Occurrence["role"]) => {
    // One alias may contain the name several times, for example one for a whole list of edges.
    const alias = /^\*[^\s,[\]{}]+/.exec(block.text.slice(span.start, span.end))?.[0];
    if (alias !== undefined) {
      const start = document.startOf(block) + span.start;
      if (!aliases.has(start)) found.push({ span: { start, end: start + alias.length }, role, alias: true });
      aliases.add(start);
      return;
    }
    // The range of the name is inside the quotes, if there are any.
    const quoted = /["']/.test(block.text[span.start] ?? "") ? 1 : 0;
    if (span.end - span.start !== name.name.length + 2 * quoted) return;
    if (!block.text.startsWith(name.name, span.start + quoted)) return;
    const start = document.startOf(block) + span.start + quoted;
    found.push({ span: { start, end: start + name.name.length }, role });
  };
  const references = crossReferences(document);
  if (name.kind === "node") {
    for (const block of document.nodes) if (block.id === name.name) add(block, block.keySpan, "definition");
    const block = document.top("entry");
    if (block?.value && topText(document, "entry") === name.name) add(block, block.value.span, "read");
    for (const { block, edge } of references.incoming(name.name)) if (edge.toSpan) add(block, edge.toSpan, "read");
  } else if (name.kind === "output") {
    const block = document.top("component_outputs");
    for (const [output, span] of block ? outputNames(block) : [])
      if (block && output === name.name) add(block, span, "definition");
  } else {
    for (const block of document.variables) if (block.name === name.name) add(block, block.keySpan, "definition");
    for (const { block, ref } of references.uses(name.name))
      add(block, ref.span, ref.kind === "template" ? "read" : "write");
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** Whether the name is declared. */
export function isDefined(document: FlowDocument, name: FlowName): boolean {
  if (name.kind === "node") return document.node(name.name) !== undefined;
  if (name.kind === "variable") return document.variable(name.name) !== undefined;
  return occurrencesOf(document, name).length > 0;
}

/** The names of the outputs in a `component_outputs` block. */
function outputNames(block: Block): [string, Span][] {
  if (block.value?.kind !== "list") return [];
  return block.value.items.flatMap((item): [string, Span][] => {
    const value = pairOf(item, "name")?.value;
    const name = textOf(value);
    return value && name !== undefined ? [[name, value.span]] : [];
  });
}

/** The range inside the quotes, if the text is quoted. */
export function bare(document: FlowDocument, span: Span): Span {
  const text = document.slice(span);
  const quote = text[0];
  return (quote === '"' || quote === "'") && text.length >= 2 && text.endsWith(quote)
    ? { start: span.start + 1, end: span.end - 1 }
    : span;
}
