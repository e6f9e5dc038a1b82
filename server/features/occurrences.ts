/** The names of a flow: which one stands at a place, and every place where it stands. */
import {
  contains,
  type Entry,
  type FlowDocument,
  type NodeEntry,
  pairOf,
  type Span,
  textOf,
  topText,
  type VariableEntry,
} from "../../flow";
import { crossReferences } from "./cross-references";

/** A name that can be followed, listed and renamed. */
export interface FlowName {
  readonly kind: "node" | "variable" | "output";
  readonly name: string;
}

export interface Occurrence {
  /** The name itself, without quotes or braces. */
  readonly span: Span;
  readonly role: "definition" | "read" | "write";
  /** The place is an alias (`*name`): what is written stands at its anchor. */
  readonly alias?: boolean;
}

/** The name at an offset; the end of a name counts, since that is where the cursor stands after typing it. */
export function nameAt(document: FlowDocument, offset: number): (FlowName & { readonly span: Span }) | undefined {
  const entry = document.entryAt(offset);
  if (!entry) return undefined;
  const at = offset - document.startOf(entry);
  const found = (kind: FlowName["kind"], name: string, span: Span) => ({
    kind,
    name,
    span: bare(document, document.absolute(entry, span)),
  });
  if (contains(entry.keySpan, at)) {
    if (isNode(entry)) return found("node", entry.id, entry.keySpan);
    if (isVariable(entry)) return found("variable", entry.name, entry.keySpan);
  }
  if (isNode(entry)) {
    for (const edge of entry.edges)
      if (edge.to !== undefined && edge.toSpan && contains(edge.toSpan, at)) return found("node", edge.to, edge.toSpan);
    for (const ref of entry.refs) if (contains(ref.span, at)) return found("variable", ref.name, ref.span);
    return undefined;
  }
  if (entry.key === "entry" && entry.value?.kind === "scalar" && contains(entry.value.span, at)) {
    const name = topText(document, "entry");
    return name === undefined ? undefined : found("node", name, entry.value.span);
  }
  for (const [name, span] of entry.key === "component_outputs" ? outputNames(entry) : [])
    if (contains(span, at)) return found("output", name, span);
  for (const { ref } of crossReferences(document).usesIn(entry))
    if (contains(ref.span, at)) return found("variable", ref.name, ref.span);
  return undefined;
}

/** Every place of a name in the document, in the order of the file. */
export function occurrencesOf(document: FlowDocument, name: FlowName): Occurrence[] {
  const found: Occurrence[] = [];
  const aliases = new Set<number>();
  const add = (entry: Entry, span: Span, role: Occurrence["role"]) => {
    // One alias may bring in the name several times, as one for a whole list of edges does.
    const alias = /^\*[^\s,[\]{}]+/.exec(entry.text.slice(span.start, span.end))?.[0];
    if (alias !== undefined) {
      const start = document.startOf(entry) + span.start;
      if (!aliases.has(start)) found.push({ span: { start, end: start + alias.length }, role, alias: true });
      aliases.add(start);
      return;
    }
    // The place of the name is inside the quotes, if there are any.
    const quoted = /["']/.test(entry.text[span.start] ?? "") ? 1 : 0;
    if (span.end - span.start !== name.name.length + 2 * quoted) return;
    if (!entry.text.startsWith(name.name, span.start + quoted)) return;
    const start = document.startOf(entry) + span.start + quoted;
    found.push({ span: { start, end: start + name.name.length }, role });
  };
  const references = crossReferences(document);
  if (name.kind === "node") {
    for (const entry of document.nodes) if (entry.id === name.name) add(entry, entry.keySpan, "definition");
    const entry = document.top("entry");
    if (entry?.value && topText(document, "entry") === name.name) add(entry, entry.value.span, "read");
    for (const { entry, edge } of references.incoming(name.name)) if (edge.toSpan) add(entry, edge.toSpan, "read");
  } else if (name.kind === "output") {
    const entry = document.top("component_outputs");
    for (const [output, span] of entry ? outputNames(entry) : [])
      if (entry && output === name.name) add(entry, span, "definition");
  } else {
    for (const entry of document.variables) if (entry.name === name.name) add(entry, entry.keySpan, "definition");
    for (const { entry, ref } of references.uses(name.name))
      add(entry, ref.span, ref.kind === "template" ? "read" : "write");
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

export function isNode(entry: Entry): entry is NodeEntry {
  return entry.section === "nodes";
}

export function isVariable(entry: Entry): entry is VariableEntry {
  return entry.section === "context_variables";
}

/** Whether the name is given to something. */
export function isDefined(document: FlowDocument, name: FlowName): boolean {
  if (name.kind === "node") return document.node(name.name) !== undefined;
  if (name.kind === "variable") return document.variable(name.name) !== undefined;
  return occurrencesOf(document, name).length > 0;
}

/** The names of the outputs a `component_outputs` entry lists. */
export function outputNames(entry: Entry): [string, Span][] {
  if (entry.value?.kind !== "list") return [];
  return entry.value.items.flatMap((item): [string, Span][] => {
    const value = pairOf(item, "name")?.value;
    const name = textOf(value);
    return value && name !== undefined ? [[name, value.span]] : [];
  });
}

/** The place inside the quotes, if the text there is quoted. */
export function bare(document: FlowDocument, span: Span): Span {
  const text = document.slice(span);
  const quote = text[0];
  return (quote === '"' || quote === "'") && text.length >= 2 && text.endsWith(quote)
    ? { start: span.start + 1, end: span.end - 1 }
    : span;
}
