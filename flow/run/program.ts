/** A flow prepared to run: with parsed conditions, templates, and paths of `saves`. */

import { AttachedCache } from "../attached-cache";
import type { FlowDocument, NodeBlock } from "../document";
import { topText } from "../graph/graph-of";
import { type EdgeModel, readTemplates } from "../model";
import type { Span } from "../text";
import { keyText, type Pair, pairOf, scalarText, textOf, toData } from "../values";
import { type Condition, evaluate, partsOf, type Truth, type ValuesOf } from "./conditions";
import { conditionOf, valuesIn } from "./edge-condition";

export interface Program {
  readonly document: FlowDocument;
  /** The entry node; undefined if it's missing. */
  readonly entry: RunNode | undefined;
  /** The first node of each ID, in file order. */
  readonly nodes: ReadonlyMap<string, RunNode>;
  /** The values of enumerated variables. */
  readonly valuesOf: ValuesOf;
  /** The outputs of the flow as a component. */
  readonly outputs: readonly { readonly name: string; readonly value: unknown }[];
  /** If components are inlined (policy/inlined.ts): all possible values of their variables. */
  readonly domains?: ReadonlyMap<string, readonly unknown[]>;
  /** By ID, if components are inlined: how a search leaves the nodes where they start and end. */
  readonly ways?: ReadonlyMap<string, Way>;
}

/** How a search leaves a node. */
export interface Passage {
  readonly to: string;
  readonly condition: Condition | undefined;
  readonly isOnEvent: boolean;
  readonly on: string | undefined;
}

/** The passages of a node and its effect on variables, where these differ from what the node itself defines. */
export interface Way {
  readonly passages: readonly Passage[];
  /** Without an event: the possible values of variables, the variable that one is a copy of, or anything. */
  readonly assigns: ReadonlyMap<string, readonly unknown[] | { readonly copy: string } | undefined>;
}

/** The passages out of a node: its edges, unless it enters or leaves a component. */
export function passagesOf({ ways }: Program, { id, edges }: RunNode): readonly Passage[] {
  return ways?.get(id)?.passages ?? edges;
}

/** Visits one passage after the other. `on` is its event, if it waits for one. */
export type PassageVisit = (to: string, condition: Condition | undefined, isOnEvent: boolean, on?: string) => void;

/** The same one by one. Edge objects aren't created: a large flow has tens of thousands, and a search returns few. */
export function visitPassages(node: RunNode, way: Way | undefined, visit: PassageVisit): void {
  if (!way && node instanceof NodeOfRun) node.visitEdges(visit);
  else for (const { to, condition, isOnEvent, on } of way?.passages ?? node.edges) visit(to, condition, isOnEvent, on);
}

export interface RunNode {
  readonly id: string;
  readonly type: string | undefined;
  readonly block: NodeBlock;
  readonly edges: readonly RunEdge[];
  /** The distinct variables that its conditions test. */
  readonly asks: readonly string[];
  /** The variables its own fields read, except `edges` and `saves`. Places are relative to the block. */
  readonly reads: readonly { readonly variable: string; readonly span: Span }[];
  /** The variable that a collect node asks for. */
  readonly variable: string | undefined;
  /** The ID of the tool or component it calls. */
  readonly calls: string | undefined;
  readonly inputs: unknown;
  readonly saves: readonly { readonly variable: string; readonly path: readonly (string | number)[] | undefined }[];
  /** The variables it sets: the one it collects, or those it saves. */
  readonly sets: readonly string[];
  /** If components are inlined: the component's flow that it belongs to. */
  readonly home?: Program;
}

export interface RunEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly model: EdgeModel;
  /** The condition; undefined without `when`. */
  readonly condition: Condition | undefined;
  readonly when: string | undefined;
  readonly label: string | undefined;
  /** The event it waits for, from `on`. */
  readonly on: string | undefined;
  readonly isOnEvent: boolean;
}

/** Cached per document and text. Nodes shared with `like` are the same objects. */
export function programOf(document: FlowDocument, like?: Program): Program {
  const kept = programs.get(document);
  if (kept && kept.nodes === document.nodes && kept.variables === document.variables && kept.tops === document.tops)
    return kept.program;
  const { nodes, variables, tops } = document;
  const program = makeProgram(document, like);
  programs.set(document, { program, nodes, variables, tops });
  return program;
}

const programs = new AttachedCache<
  FlowDocument,
  { readonly program: Program } & Pick<FlowDocument, "nodes" | "variables" | "tops">
>();

function makeProgram(document: FlowDocument, like: Program | undefined): Program {
  const valuesOf = valuesIn(document);
  // The meaning of a condition depends on the values of variables.
  const variables = like?.document.variables;
  const isLike =
    variables?.length === document.variables.length && variables.every((each, at) => each === document.variables[at]);
  const nodes = new Map<string, RunNode>();
  for (const block of document.nodes) {
    if (nodes.has(block.id)) continue;
    const same = isLike ? like?.nodes.get(block.id) : undefined;
    nodes.set(block.id, same?.block === block ? same : new NodeOfRun(block, valuesOf));
  }
  const outputs = document.top("component_outputs")?.value;
  return {
    document,
    entry: nodes.get(topText(document, "entry") ?? ""),
    nodes,
    valuesOf,
    outputs: (outputs?.kind === "list" ? outputs.items : []).flatMap((item) => {
      const name = textOf(pairOf(item, "name")?.value);
      return name === undefined ? [] : [{ name, value: toData(pairOf(item, "value")?.value) }];
    }),
  };
}

/** Most nodes of a large flow aren't entered, so their parts are computed on request. */
class NodeOfRun implements RunNode {
  readonly id: string;
  readonly type: string | undefined;
  #edges: readonly RunEdge[] | undefined;
  #asks: readonly string[] | undefined;
  #reads: RunNode["reads"] | undefined;
  #saves: RunNode["saves"] | undefined;
  #variable: string | undefined;

  constructor(
    readonly block: NodeBlock,
    private readonly valuesOf: ValuesOf,
  ) {
    this.id = block.id;
    this.type = block.type;
  }

  get edges(): readonly RunEdge[] {
    this.#edges ??= runEdges(this.block, this.valuesOf);
    return this.#edges;
  }

  visitEdges(visit: PassageVisit): void {
    const models = this.block.edges;
    for (let index = 0; index < models.length; index++) {
      const model = models[index] as EdgeModel;
      const { to, isOnEvent } = model;
      if (to === undefined) continue;
      const condition = conditionOf(model, this.valuesOf);
      if (isOnEvent) visit(to, condition, true, eventOf(model));
      else visit(to, condition, false);
    }
  }

  get asks(): readonly string[] {
    this.#asks ??= asksOf(this.edges);
    return this.#asks;
  }

  get reads(): RunNode["reads"] {
    this.#reads ??= this.block.text.includes("{{") ? readsOf(this.block) : nothing;
    return this.#reads;
  }

  get variable(): string | undefined {
    if (this.type !== "collect") return undefined;
    this.#variable ??= textOf(pairOf(this.block.value, "variable")?.value);
    return this.#variable;
  }

  get calls(): string | undefined {
    return this.type === "tool" || this.type === "component"
      ? textOf(pairOf(this.block.value, this.type)?.value)
      : undefined;
  }

  get inputs(): unknown {
    return toData(this.block.fields.get("inputs")?.value);
  }

  get saves(): RunNode["saves"] {
    this.#saves ??= this.#savedPairs.map((pair) => ({
      variable: keyText(pair),
      path: readPath(textOf(pair.value) ?? ""),
    }));
    return this.#saves;
  }

  get sets(): readonly string[] {
    const { variable } = this;
    const saved = this.#savedPairs;
    if (saved.length === 0) return variable === undefined ? nothing : [variable];
    return variable === undefined ? saved.map(keyText) : [variable, ...saved.map(keyText)];
  }

  get #savedPairs(): readonly Pair[] {
    const { refs, value } = this.block;
    const saves =
      refs.length > 0 && refs.some(({ kind }) => kind === "save") ? pairOf(value, "saves")?.value : undefined;
    return saves?.kind === "map" ? saves.pairs : nothing;
  }
}

/** Conditions are used in every search, edge IDs only if the user named one. */
class EdgeOfRun implements RunEdge {
  readonly to: string;

  constructor(
    readonly from: string,
    readonly model: EdgeModel,
    readonly condition: Condition | undefined,
  ) {
    this.to = model.to as string;
  }

  get isOnEvent(): boolean {
    return this.model.isOnEvent;
  }

  get id(): string {
    return this.model.id;
  }

  get when(): string | undefined {
    const when = pairOf(this.model.value, "when");
    return when && (when.value?.kind === "scalar" ? scalarText(when.value) : "");
  }

  get label(): string | undefined {
    return textOf(pairOf(this.model.value, "label")?.value);
  }

  get on(): string | undefined {
    return this.isOnEvent ? eventOf(this.model) : undefined;
  }
}

/** The events that edges of a node wait for. */
export function eventsAt({ edges }: RunNode): string[] {
  return [...new Set(edges.flatMap(({ on }) => on ?? []))];
}

function eventOf({ value }: EdgeModel): string | undefined {
  return textOf(pairOf(value, "on")?.value);
}

function runEdges({ id, edges }: NodeBlock, valuesOf: ValuesOf): readonly RunEdge[] {
  const models = edges.every(hasTarget) ? edges : edges.filter(hasTarget);
  // Allocated with the final length: a large flow has tens of thousands of edges, and unused capacity would take memory.
  return models.map((model) => new EdgeOfRun(id, model, conditionOf(model, valuesOf)));
}

function hasTarget({ to }: EdgeModel): boolean {
  return to !== undefined;
}

const nothing: readonly never[] = [];

export function asksOf(edges: readonly RunEdge[]): readonly string[] {
  let asked: Set<string> | undefined;
  for (const { condition } of edges)
    for (const part of condition && condition.kind !== "prose" ? partsOf(condition) : [])
      if (part.kind === "clause") {
        asked ??= new Set();
        asked.add(part.variable);
      }
  return asked ? [...asked] : nothing;
}

function readsOf(block: NodeBlock): RunNode["reads"] {
  const reads: { variable: string; span: Span }[] = [];
  for (const [field, pair] of block.fields)
    if (field !== "saves")
      for (const { name, span } of readTemplates(pair.value, block.text)) reads.push({ variable: name, span });
  return reads;
}

const PATH_PART = /\.([\p{L}\p{N}_$-]+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/uy;

/** `$.a.b[0]` as its parts; undefined if it isn't a path. */
export function readPath(text: string): readonly (string | number)[] | undefined {
  if (!text.startsWith("$")) return undefined;
  const parts: (string | number)[] = [];
  let at = 1;
  while (at < text.length) {
    PATH_PART.lastIndex = at;
    const match = PATH_PART.exec(text);
    if (!match) return undefined;
    parts.push(match[2] === undefined ? (match[1] ?? match[3] ?? match[4] ?? "") : Number(match[2]));
    at += match[0].length;
  }
  return parts;
}

/** The value at a path of a result; undefined if it's missing. */
export function follow(path: readonly (string | number)[] | undefined, answer: unknown): unknown {
  if (!path) return undefined;
  let value = answer;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return undefined;
    if (typeof part === "number" ? !Array.isArray(value) : Array.isArray(value)) return undefined;
    if (!Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value ?? undefined;
}

export interface Ways {
  /** The undecided edges so far, and the first one that's true or the default. A single certain edge is simply taken. */
  readonly open: readonly RunEdge[];
  /** Whether only a model can decide which of the open edges is taken. */
  readonly isChoice: boolean;
}

/** Evaluates the edges of a node in order; with an event, only edges for that event. */
export function waysOut({ edges }: RunNode, event: string | undefined, truth: (edge: RunEdge) => Truth): Ways {
  const open: RunEdge[] = [];
  let isChoice = false;
  for (const edge of edges) {
    if (!awaits(edge, event)) continue;
    const each = edge.condition === undefined ? true : truth(edge);
    if (each === false) continue;
    open.push(edge);
    if (each) break;
    isChoice = true;
  }
  return { open, isChoice };
}

/** Whether an edge counts after an event, or without one. */
export function awaits({ isOnEvent, on }: Passage, event: string | undefined): boolean {
  return isOnEvent ? event !== undefined && on === event : event === undefined;
}

/** Evaluates edges for the given values of variables. */
export function truthFor(variables: ReadonlyMap<string, unknown>): (edge: RunEdge) => Truth {
  const value = (name: string) => variables.get(name);
  return ({ condition }) => (condition ? evaluate(condition, value) : true);
}
