/**
 * The subject of a finding whose span doesn't determine it, from the most certain hint: its IDs, then what its fix
 * would change, then the names it quotes, then the section that its rule is about.
 */
import type { FlowDocument } from "../document";
import { findTemplate } from "../grammar";
import type { ElementRef } from "../graph/graph";
import type { GraphOp } from "../graph/ops";
import { locate } from "../locate";
import type { Span } from "../text";
import { pairOf, textOf } from "../values";
import type { Anchor, PlatformFinding } from "./finding";
import { readOps } from "./fix-text";

export interface Subject {
  readonly anchor: Exclude<Anchor, "span" | "excerpt" | "file">;
  /** The range of its name, and all of it. */
  readonly name: Span;
  readonly span: Span;
  readonly element?: ElementRef;
}

export function subjectOf(document: FlowDocument, finding: PlatformFinding): Subject | undefined {
  const at = (anchor: Subject["anchor"], element: ElementRef | undefined): Subject | undefined => {
    const place = element && locate(document, element);
    return place && { anchor, element, ...place };
  };
  return (
    at("edge", finding.edge_id ? findEdge(document, finding.edge_id, finding.node_id) : undefined) ??
    at("node", finding.node_id ? { kind: "node", id: finding.node_id } : undefined) ??
    first(readOps(finding.suggested_fix?.trim() ?? "") ?? [], (op) => at("named", elementOfOp(document, op))) ??
    first(quotedNames(finding.message ?? ""), (name) =>
      first(elementsCalled(document, name, finding.rule_id ?? ""), (element) => at("named", element)),
    ) ??
    first(quotedNames(finding.message ?? ""), (name) => readingOf(document, name)) ??
    first(sectionsOf(finding), (key) => at("section", { kind: "top", key }))
  );
}

export function findEdge(document: FlowDocument, id: string, from?: string): ElementRef | undefined {
  const home = from === undefined ? undefined : document.node(from);
  for (const block of home ? [home, ...document.nodes] : document.nodes)
    if (block.edges.some((edge) => edge.id === id)) return { kind: "edge", node: block.id, id };
  return undefined;
}

/** Fixes aren't validated before this, so a part may be missing. */
function elementOfOp(document: FlowDocument, op: GraphOp): ElementRef | undefined {
  switch (op.op) {
    case "upsert_node":
      return { kind: "node", id: op.node?.id };
    case "remove_node":
    case "update_node_fields":
      return { kind: "node", id: op.node_id };
    case "add_edge":
      return { kind: "node", id: op.edge?.source };
    case "remove_edge":
      return findEdge(document, op.edge_id);
    case "upsert_context_variable":
      return { kind: "variable", name: op.variable?.name };
    case "remove_context_variable":
      return { kind: "variable", name: op.name };
    case "set_entry_node":
      return { kind: "top", key: "entry" };
    case "set_persona":
      return { kind: "top", key: "persona" };
    case "set_component_outputs":
      return { kind: "top", key: "component_outputs" };
    default:
      return undefined; // An unknown kind of operation.
  }
}

/** A name in quotes of any kind, or in the braces of a template. Only for `matchAll`. */
const QUOTED_NAMES = /[“"'`‘«]([\w-]+)[”"'`’»]|\{\{\s*([\w-]+)\s*\}\}/g;

export function quotedNames(message: string): string[] {
  return [...message.matchAll(QUOTED_NAMES)].map(([, a, b]) => (a ?? b) as string);
}

/** Elements with a name; for a rule about variables or outputs, only those. */
function elementsCalled(document: FlowDocument, name: string, rule: string): ElementRef[] {
  const node: ElementRef = { kind: "node", id: name };
  const variable: ElementRef = { kind: "variable", name };
  const list = document.top("component_outputs")?.value;
  const index =
    list?.kind === "list" ? list.items.findLastIndex((item) => textOf(pairOf(item, "name")?.value) === name) : -1;
  const output: ElementRef = { kind: "output", index };
  if (/output/i.test(rule)) return [output, variable, node];
  return /variable/i.test(rule) ? [variable, node, output] : [node, variable, output];
}

/** Where an undeclared name is read: `{{name}}`. */
function readingOf(document: FlowDocument, name: string): Subject | undefined {
  const span = findTemplate(document.text, name);
  return span ? { anchor: "named", name: span, span } : undefined;
}

/** The sections of a flow file by the words that rules and categories use for them, the most specific first. */
const sections: readonly (readonly [word: RegExp, key: string])[] = [
  [/entry|start/i, "entry"],
  [/persona/i, "persona"],
  [/output/i, "component_outputs"],
  [/variable/i, "context_variables"],
  [/node|edge|path|loop|graph|flow|structure|entry|start/i, "nodes"],
];

function sectionsOf({ rule_id = "", category = "" }: PlatformFinding): string[] {
  const words = `${rule_id} ${category}`;
  return sections.filter(([word]) => word.test(words)).map(([, key]) => key);
}

function first<T, U>(list: readonly T[], find: (item: T) => U | undefined): U | undefined {
  for (const item of list) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
