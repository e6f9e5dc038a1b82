/**
 * A flow file as text that can be edited and asked. The text is a list of entries: one for each top-level key, one for
 * each key under `nodes` and `context_variables`. An entry is immutable, knows nothing of its place in the file, and all
 * places inside it are relative to its start; `startOf(entry)` says where it stands now.
 *
 * Half-typed YAML is ordinary input: reading never throws, it gives what can be read and a list of problems.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from "yaml";
import type { Graph, GraphEdge, GraphOutput } from "./graph";
import { type NodeModel, readNode, readTemplates, readVariable, type VariableModel, type VariableRef } from "./model";
import { applyEdits, type Position, type Span, type TextEdit } from "./text";
import { type Pair, pairOf, type ScalarValue, scalarText, textOf, toData, type Value } from "./values";

export type Section = "top" | "nodes" | "context_variables";

export interface Entry {
  readonly section: Section;
  readonly key: string;
  readonly keySpan: Span;
  /** For `nodes` and `context_variables` written as maps: a map without pairs, since its pairs are entries of their own. */
  readonly value: Value | undefined;
  /**
   * From the key to the start of the next entry, be it a child or a sibling; comments above an entry belong to the
   * entry before it. An entry whose text and meaning an edit leaves alone stays the same object.
   */
  readonly text: string;
}

export interface NodeEntry extends Entry, NodeModel {
  readonly section: "nodes";
}

export interface VariableEntry extends Entry, VariableModel {
  readonly section: "context_variables";
}

/** Something that could not be read. Rules (rules/) say everything else. */
export interface ReadProblem {
  readonly code: "yaml-syntax" | "duplicate-key" | "limit";
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
}

export class FlowDocument {
  #text = "";
  #lines = new LineCounter();
  #starts = new Map<Entry, number>();
  #nodes: NodeEntry[] = [];
  #variables: VariableEntry[] = [];
  #tops: Entry[] = [];
  #problems: ReadProblem[] = [];
  #shape = 0;
  #signature = "";

  private constructor() {}

  static read(text: string): FlowDocument {
    const document = new FlowDocument();
    document.#read(text);
    return document;
  }

  /** Changes the text. Edits refer to the text as it is now. */
  edit(edits: readonly TextEdit[]): void {
    this.#read(applyEdits(this.#text, edits));
  }

  get text(): string {
    return this.#text;
  }

  get length(): number {
    return this.#text.length;
  }

  get lineCount(): number {
    return this.#lines.lineStarts.length;
  }

  slice(span: Span): string {
    return this.#text.slice(span.start, span.end);
  }

  positionAt(offset: number): Position {
    const { line, col } = this.#lines.linePos(Math.max(0, Math.min(offset, this.length)));
    return { line: Math.max(0, line - 1), character: Math.max(0, col - 1) };
  }

  offsetAt(position: Position): number {
    const starts = this.#lines.lineStarts;
    const start = starts[position.line];
    if (start === undefined) return position.line < 0 ? 0 : this.length;
    const next = starts[position.line + 1] ?? this.length + 1;
    return Math.min(start + Math.max(0, position.character), next - 1);
  }

  /** Top-level keys in the order of the file, `nodes` and `context_variables` among them. */
  get tops(): readonly Entry[] {
    return this.#tops;
  }

  get nodes(): readonly NodeEntry[] {
    return this.#nodes;
  }

  get variables(): readonly VariableEntry[] {
    return this.#variables;
  }

  get problems(): readonly ReadProblem[] {
    return this.#problems;
  }

  /**
   * Changes exactly when something changes that the shape of the flow depends on: ids, types, edges (ends, ids, `on`,
   * whether there is a `when`), uses of variables, variables, `entry`, component outputs. Words do not change it.
   */
  get shape(): number {
    return this.#shape;
  }

  /** What stands before the first entry: a byte order mark, comments, `---`. */
  get header(): string {
    const first = this.#tops[0];
    return this.#text.slice(0, first ? this.startOf(first) : undefined);
  }

  /** The place of an entry in the file; that of a section reaches to the end of its last child. */
  extentOf(entry: Entry): Span {
    const start = this.startOf(entry);
    const next = entry.section === "top" ? this.#tops[this.#tops.indexOf(entry) + 1] : undefined;
    const end = entry.section !== "top" ? start + entry.text.length : next ? this.startOf(next) : this.length;
    return { start, end };
  }

  top(key: string): Entry | undefined {
    return this.#tops.find((entry) => entry.key === key);
  }

  /** The first node with this id. */
  node(id: string): NodeEntry | undefined {
    return this.#nodes.find((entry) => entry.id === id);
  }

  variable(name: string): VariableEntry | undefined {
    return this.#variables.find((entry) => entry.name === name);
  }

  /** The innermost entry around an offset. */
  entryAt(offset: number): Entry | undefined {
    const around = (entry: Entry) => {
      const start = this.startOf(entry);
      const end = start + entry.text.length;
      return start <= offset && offset < end + (end === this.length ? 1 : 0);
    };
    return this.#nodes.find(around) ?? this.#variables.find(around) ?? this.#tops.find(around);
  }

  startOf(entry: Entry): number {
    const start = this.#starts.get(entry);
    if (start === undefined) throw new Error("This entry is not part of the document any more.");
    return start;
  }

  /** The place in the file of a place inside an entry. */
  absolute(entry: Entry, span: Span): Span {
    const start = this.startOf(entry);
    return { start: start + span.start, end: start + span.end };
  }

  #read(text: string): void {
    this.#text = text;
    this.#lines = new LineCounter();
    this.#starts = new Map();
    this.#nodes = [];
    this.#variables = [];
    this.#tops = [];
    const parsed = parseDocument(text, { uniqueKeys: false, lineCounter: this.#lines, merge: true });
    if (this.#lines.lineStarts.length === 0) this.#lines.addNewLine(0);
    this.#problems = parsed.errors.map((error) => ({
      code: "yaml-syntax",
      message: error.message.split("\n")[0] ?? error.message,
      span: { start: Math.min(error.pos[0], text.length), end: Math.min(error.pos[1], text.length) },
    }));
    const root = parsed.contents as Node | null;
    if (!isMap(root)) return;
    const tops = root.items as { key: ParsedNode; value: ParsedNode | null }[];
    tops.forEach((item, index) => {
      const start = item.key?.range?.[0] ?? 0;
      const end = tops[index + 1]?.key?.range?.[0] ?? text.length;
      const whole = this.#entry("top", item, start, end);
      const sectioned = (whole.key === "nodes" || whole.key === "context_variables") && isMap(item.value);
      const head = sectioned ? ((item.value as { items: { key: ParsedNode }[] }).items[0]?.key.range?.[0] ?? end) : end;
      const at = { start: head - start, end: head - start };
      const entry: Entry = sectioned
        ? { ...whole, value: { kind: "map", pairs: [], flow: false, span: at }, text: text.slice(start, head) }
        : whole;
      this.#starts.set(entry, start);
      this.#tops.push(entry);
      if (sectioned) {
        const children = (item.value as { items: unknown }).items as { key: ParsedNode; value: ParsedNode | null }[];
        children.forEach((child, i) => {
          const from = child.key?.range?.[0] ?? start;
          const to = children[i + 1]?.key?.range?.[0] ?? end;
          const base = this.#entry(entry.key as Section, child, from, to);
          if (entry.key === "nodes") {
            const node = { ...base, ...readNode(base.key, base.value, base.text), section: "nodes" as const };
            this.#starts.set(node, from);
            this.#nodes.push(node);
          } else {
            const variable = { ...base, ...readVariable(base.key, base.value), section: "context_variables" as const };
            this.#starts.set(variable, from);
            this.#variables.push(variable);
          }
        });
      }
    });
    this.#noteShape();
  }

  #noteShape(): void {
    const signature = JSON.stringify([
      this.#nodes.map((node) => [
        node.id,
        node.type,
        node.edges.map((edge) => [edge.id, edge.to, edge.isDefault, textOf(pairOf(edge.value, "on")?.value)]),
        node.refs.map((ref) => [ref.name, ref.kind, ref.edge]),
      ]),
      this.#variables.map((variable) => variable.text),
      this.#tops.map((top) => (top.key === "entry" || top.key === "component_outputs" ? top.text : top.key)),
      topRefs(this).map(({ ref }) => ref.name),
    ]);
    if (signature !== this.#signature) this.#shape++;
    this.#signature = signature;
  }

  #entry(section: Section, item: { key: ParsedNode; value: ParsedNode | null }, start: number, end: number): Entry {
    const convert = (node: unknown, at?: Span): Value | undefined => toValue(node, start, at);
    const key = convert(item.key);
    const keySpan = key?.span ?? { start: 0, end: 0 };
    const entry: Entry = {
      section,
      key: key?.kind === "scalar" ? scalarText(key) : "",
      keySpan,
      value: convert(item.value),
      text: this.#text.slice(start, end),
    };
    this.#starts.set(entry, start);
    return entry;
  }
}

function toValue(node: unknown, base: number, at?: Span): Value | undefined {
  if (isAlias(node)) return undefined;
  const range = (node as Node | null)?.range;
  const span = at ?? (range ? { start: range[0] - base, end: range[1] - base } : { start: 0, end: 0 });
  if (isScalar(node)) {
    if (node.value === null && range && range[0] === range[1]) return undefined;
    const value = node.value;
    const plain = value === null || ["string", "number", "boolean"].includes(typeof value);
    return {
      kind: "scalar",
      value: plain ? (value as ScalarValue["value"]) : String(value),
      style: styleOf(node.type),
      span,
    };
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => toValue(item, base, at) ?? nothing(span));
    return { kind: "list", items, flow: Boolean(node.flow), span };
  }
  if (isMap(node)) {
    const pairs = node.items.flatMap((item): Pair[] => {
      const key = toValue(item.key, base, at);
      if (key?.kind !== "scalar") return [];
      const value = toValue(item.value, base, at);
      return [{ key, value, span: { start: key.span.start, end: Math.max(value?.span.end ?? 0, key.span.end) } }];
    });
    return { kind: "map", pairs, flow: Boolean(node.flow), span };
  }
  return undefined;
}

function nothing(span: Span): ScalarValue {
  return { kind: "scalar", value: null, style: "plain", span: { start: span.end, end: span.end } };
}

function styleOf(type: string | undefined): ScalarValue["style"] {
  if (type === "QUOTE_SINGLE") return "single";
  if (type === "QUOTE_DOUBLE") return "double";
  if (type === "BLOCK_LITERAL") return "literal";
  if (type === "BLOCK_FOLDED") return "folded";
  return "plain";
}

/** The text of a top-level scalar: `assistant`, `revision`, `persona`, `entry`. */
export function topText(document: FlowDocument, key: string): string | undefined {
  return textOf(document.top(key)?.value);
}

/** The uses of variables outside nodes: the persona and the component outputs. */
export function topRefs(document: FlowDocument): { entry: Entry; ref: VariableRef }[] {
  return document.tops
    .filter((entry) => entry.key !== "nodes" && entry.key !== "context_variables")
    .flatMap((entry) => readTemplates(entry.value, entry.text).map((ref) => ({ entry, ref })));
}

/** The graph the file describes. Elements that cannot be read as such (an edge without `to`) are left out. */
export function graphOf(document: FlowDocument): Graph {
  const nodes = new Map(document.nodes.map((entry) => [entry.id, entry.wire]));
  const edges = new Map<string, GraphEdge>();
  for (const entry of document.nodes)
    for (const edge of entry.edges) if (edge.wire && !edges.has(edge.id)) edges.set(edge.id, edge.wire);
  const outputs = document.top("component_outputs")?.value;
  const persona = topText(document, "persona");
  const entry = topText(document, "entry");
  return {
    ...(persona === undefined ? {} : { persona }),
    ...(entry === undefined ? {} : { entry }),
    nodes,
    edges,
    variables: new Map(document.variables.map((variable) => [variable.name, variable.wire])),
    outputs: outputs?.kind === "list" ? outputs.items.map((item) => toData(item) as GraphOutput) : [],
  };
}
