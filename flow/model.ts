/**
 * The meaning of a block: a node with its edges, or a context variable. Derived from the block alone, so it can be kept
 * while the block's text stays the same. All places are relative to the block's start.
 */

import { habitOf, isKnownField, nodeType } from "./fields";
import { isName, TEMPLATES } from "./grammar";
import type { GraphEdge, GraphNode, GraphVariable } from "./graph/graph";
import type { Span } from "./text";
import {
  isNull,
  keyText,
  type MapValue,
  type Pair,
  pairOf,
  pairsByKey,
  type ScalarValue,
  scalarsIn,
  scalarText,
  setOwn,
  textOf,
  toData,
  type Value,
} from "./values";
import { nearest } from "./wording";

/** A use of a context variable. */
export interface VariableRef {
  readonly name: string;
  /** The name itself, without braces. */
  readonly span: Span;
  /** `template` reads the variable (`{{name}}`), `collect` and `save` set it (`variable: name`, a key of `saves`). */
  readonly kind: "template" | "collect" | "save";
  /** The index of the edge that contains the use, if any: an edge reads after its node has run. */
  readonly edge?: number;
}

export interface EdgeModel {
  /**
   * The edge's explicit `id`, else `<from>--<to>`, with `--2`, `--3` … for further edges of the same pair, counting
   * those with explicit IDs.
   */
  readonly id: string;
  readonly index: number;
  readonly to: string | undefined;
  readonly toSpan: Span | undefined;
  /** The list item; `value` is set if it's a map. */
  readonly item: Value;
  readonly value: MapValue | undefined;
  readonly span: Span;
  /** Without `when`, `on`, or a similar key: taken if no edge before it matches. */
  readonly isDefault: boolean;
  /** It has `on`: taken on an event rather than on a condition. */
  readonly isOnEvent: boolean;
  /** It has an `id`, valid or not. */
  readonly hasId: boolean;
  /** The list item isn't a map, so its target isn't known. */
  readonly isOdd: boolean;
  readonly wire: GraphEdge | undefined;
}

export interface NodeModel {
  readonly id: string;
  readonly type: string | undefined;
  readonly typeSpan: Span | undefined;
  readonly name: string | undefined;
  readonly instructions: string | undefined;
  /** All fields except `edges`; the first if a field is repeated. */
  readonly fields: ReadonlyMap<string, Pair>;
  readonly edgesPair: Pair | undefined;
  readonly edges: readonly EdgeModel[];
  readonly refs: readonly VariableRef[];
  /** IDs mentioned in unknown fields: each may be a node that this one leads to. */
  readonly named: readonly string[];
  readonly wire: GraphNode;
}

export interface VariableModel {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Pair>;
  readonly wire: GraphVariable;
}

/** A node read from its value. Properties that every rule needs are stored; the rest is computed on request. */
export class NodeReading implements NodeModel {
  readonly type: string | undefined;
  readonly edgesPair: Pair | undefined;
  readonly edges: readonly EdgeModel[];
  readonly refs: readonly VariableRef[];
  readonly named: readonly string[];
  #fields: ReadonlyMap<string, Pair> | undefined;
  #wire: GraphNode | undefined;

  constructor(
    readonly id: string,
    readonly value: Value | undefined,
    text: string,
  ) {
    let type: Pair | undefined;
    let edges: Pair | undefined;
    let setsVariables = false;
    let isStrange = false;
    const pairs = value?.kind === "map" ? value.pairs : noPairs;
    for (let index = 0; index < pairs.length; index++) {
      const pair = pairs[index] as Pair;
      const key = keyText(pair);
      if (key === "type") type ??= pair;
      else if (key === "edges") edges ??= pair;
      else if (key === "variable" || key === "saves") setsVariables = true;
      else if (!isKnownField(key)) isStrange = true;
    }
    this.type = textOf(type?.value);
    this.edgesPair = edges;
    this.edges = readEdges(id, edges?.value);
    this.refs = setsVariables || text.includes("{{") || text.includes("*") ? this.#readRefs(text) : noRefs;
    const isOpen = this.type === undefined || !nodeType(this.type);
    for (let index = 0; !isStrange && index < this.edges.length; index++)
      isStrange = (this.edges[index] as EdgeReading).isStrange;
    this.named = isStrange || isOpen ? this.#readNamed(isOpen) : noNames;
  }

  get typeSpan(): Span | undefined {
    const type = pairOf(this.value, "type")?.value;
    return type?.kind === "scalar" ? type.span : undefined;
  }

  get name(): string | undefined {
    return textOf(pairOf(this.value, "name")?.value);
  }

  get instructions(): string | undefined {
    return textOf(pairOf(this.value, "instructions")?.value);
  }

  get fields(): ReadonlyMap<string, Pair> {
    if (!this.#fields) {
      const fields = pairsByKey(this.value);
      fields.delete("edges");
      this.#fields = fields;
    }
    return this.#fields;
  }

  #readRefs(text: string): VariableRef[] {
    const refs: VariableRef[] = [];
    readFieldRefs(this.fields, text, refs);
    for (const edge of this.edges) if (edge.value) collectTemplates(edge.value, text, edge.index, refs);
    return refs;
  }

  #readNamed(isOpen: boolean): readonly string[] {
    const names = new Set<string>();
    const take = (pair: Pair) => {
      if (isName(keyText(pair))) names.add(keyText(pair));
      for (const scalar of scalarsIn(pair.value)) if (isName(scalarText(scalar))) names.add(scalarText(scalar));
      visitKeys(pair.value, (key) => isName(key) && names.add(key));
    };
    for (const [name, pair] of this.fields) if (name !== "type" && (isOpen || !isKnownField(name))) take(pair);
    for (const edge of this.edges)
      for (const pair of edge.value?.pairs ?? []) if (!isKnownField(keyText(pair))) take(pair);
    return names.size > 0 ? [...names] : noNames;
  }

  get wire(): GraphNode {
    this.#wire ??= wireOf("id", this.id, this.fields) as unknown as GraphNode;
    return this.#wire;
  }
}

function visitKeys(value: Value | undefined, visit: (key: string) => void): void {
  if (value?.kind === "list") for (const item of value.items) visitKeys(item, visit);
  else if (value?.kind === "map")
    for (const pair of value.pairs) {
      visit(keyText(pair));
      visitKeys(pair.value, visit);
    }
}

const noNames: readonly string[] = [];
const noRefs: readonly VariableRef[] = [];
const noEdges: readonly EdgeModel[] = [];
const noPairs: readonly Pair[] = [];

export function readVariable(name: string, value: Value | undefined): VariableModel {
  const fields = pairsByKey(value);
  return { name, fields, wire: wireOf("name", name, fields) as unknown as GraphVariable };
}

function wireOf(idKey: string, id: string, fields: ReadonlyMap<string, Pair>): Record<string, unknown> {
  const wire: Record<string, unknown> = {};
  setOwn(wire, idKey, id);
  for (const [name, pair] of fields) if (name !== idKey) setOwn(wire, name, toData(pair.value));
  return wire;
}

/** The `{{name}}` uses in every string of a value. Works on the source text, so that escapes don't shift the places. */
export function readTemplates(value: Value | undefined, text: string): VariableRef[] {
  const refs: VariableRef[] = [];
  collectTemplates(value, text, undefined, refs);
  return refs;
}

function collectTemplates(value: Value | undefined, text: string, edge: number | undefined, refs: VariableRef[]): void {
  visitStrings(value, (scalar) => {
    // What comes through an alias is written elsewhere; its place is the alias.
    const isAlias = text[scalar.span.start] === "*";
    const source = isAlias ? String(scalar.value) : text.slice(scalar.span.start, scalar.span.end);
    for (const match of source.matchAll(TEMPLATES)) {
      const name = match[1] as string;
      const start = scalar.span.start + match.index + match[0].indexOf(name);
      const span = isAlias ? scalar.span : { start, end: start + name.length };
      refs.push(edge === undefined ? { name, span, kind: "template" } : { name, span, kind: "template", edge });
    }
  });
}

function readFieldRefs(fields: ReadonlyMap<string, Pair>, text: string, refs: VariableRef[]): void {
  for (const [name, pair] of fields) {
    if (name === "variable" && pair.value?.kind === "scalar" && pair.value.value !== null)
      refs.push({ name: scalarText(pair.value), span: unquoted(pair.value), kind: "collect" });
    else if (name === "saves" && pair.value?.kind === "map")
      for (const saved of pair.value.pairs)
        refs.push({ name: keyText(saved), span: unquoted(saved.key), kind: "save" });
    if (name !== "variable") collectTemplates(pair.value, text, undefined, refs);
  }
}

function readEdges(from: string, value: Value | undefined): readonly EdgeModel[] {
  if (value?.kind !== "list") return noEdges;
  const { items } = value;
  // In a long list, edges of the same pair are counted in a map; in a short one, scanning the previous edges is faster.
  const seen = items.length > 16 ? new Map<string, number>() : undefined;
  const edges = new Array<EdgeReading>(items.length);
  for (let index = 0; index < items.length; index++) {
    const edge = new EdgeReading(from, index, items[index] as Value);
    const to = edge.to ?? "";
    if (seen) {
      edge.number += seen.get(to) ?? 0;
      seen.set(to, edge.number);
    } else
      for (let before = 0; before < index; before++)
        if (((edges[before] as EdgeReading).to ?? "") === to) edge.number++;
    edges[index] = edge;
  }
  return edges;
}

class EdgeReading implements EdgeModel {
  readonly to: string | undefined;
  readonly isDefault: boolean;
  readonly isOnEvent: boolean;
  readonly hasId: boolean;
  /** It has an unknown field. */
  readonly isStrange: boolean;
  /** The explicit ID. */
  readonly own: string | undefined;
  /** The number of this edge among the edges of its pair, including those with explicit IDs. */
  number = 1;
  #id: string | undefined;
  #wire: GraphEdge | undefined;

  constructor(
    readonly from: string,
    readonly index: number,
    readonly item: Value,
  ) {
    let to: Pair | undefined;
    let id: Pair | undefined;
    let isOnEvent = false;
    let isDefault = false;
    let isStrange = false;
    if (item.kind === "map") {
      let hasWhen = false;
      for (let at = 0; at < item.pairs.length; at++) {
        const pair = item.pairs[at] as Pair;
        const key = keyText(pair);
        if (key === "to") to ??= pair;
        else if (key === "when") hasWhen = true;
        else if (key === "on") isOnEvent = true;
        else if (key === "id") id ??= pair;
        else if (!isKnownField(key)) isStrange = true;
      }
      isDefault = !hasWhen && !isOnEvent && !(isStrange && item.pairs.some(isLikeCondition));
    }
    this.to = textOf(to?.value);
    this.own = textOf(id?.value);
    this.hasId = id !== undefined;
    this.isStrange = isStrange;
    this.isOnEvent = isOnEvent;
    this.isDefault = isDefault;
  }

  /** Cached, because callers that use all edge IDs use them repeatedly as map keys. */
  get id(): string {
    this.#id ??= this.own ?? this.#numberedId();
    return this.#id;
  }

  #numberedId(): string {
    const pair = `${this.from}--${this.to ?? ""}`;
    return this.number === 1 ? pair : `${pair}--${this.number}`;
  }

  get isOdd(): boolean {
    return this.item.kind !== "map" && !isNull(this.item);
  }

  get value(): MapValue | undefined {
    return this.item.kind === "map" ? this.item : undefined;
  }

  get span(): Span {
    return this.item.span;
  }

  get toSpan(): Span | undefined {
    const target = pairOf(this.item, "to")?.value;
    return target?.kind === "scalar" ? unquoted(target) : undefined;
  }

  get wire(): GraphEdge | undefined {
    if (this.to === undefined) return undefined;
    this.#wire ??= this.#makeWire(this.to);
    return this.#wire;
  }

  #makeWire(target: string): GraphEdge {
    const wire: Record<string, unknown> = { id: this.id, source: this.from, target };
    for (const pair of this.value?.pairs ?? []) {
      const key = keyText(pair);
      if (key !== "to" && key !== "id" && !Object.hasOwn(wire, key)) setOwn(wire, key, toData(pair.value));
    }
    return wire as unknown as GraphEdge;
  }
}

/** `if:`, `condition:`, `wehn:`: such an edge may or may not have a condition. */
function isLikeCondition(pair: Pair): boolean {
  const key = keyText(pair);
  if (isKnownField(key)) return false;
  const meant = habitOf("edge", key) ?? nearest(key, CONDITIONS, true);
  return meant === "when" || meant === "on";
}

const CONDITIONS = ["when", "on"];

/** The range of the text inside a scalar's quotes. */
export function unquoted(scalar: ScalarValue): Span {
  const quoted = scalar.style === "single" || scalar.style === "double";
  return quoted && scalar.span.end - scalar.span.start >= 2
    ? { start: scalar.span.start + 1, end: scalar.span.end - 1 }
    : scalar.span;
}

function visitStrings(value: Value | undefined, visit: (scalar: ScalarValue) => void): void {
  if (value === undefined) return;
  if (value.kind === "scalar") {
    if (typeof value.value === "string" && value.value.includes("{{")) visit(value);
  } else if (value.kind === "list") for (const item of value.items) visitStrings(item, visit);
  else for (const pair of value.pairs) visitStrings(pair.value, visit);
}
