/**
 * Merges two versions of a flow file with their common base, keeping lines, comments, and layout as each side wrote
 * them.
 *
 * The flows are merged as graphs (merge.ts), which also decides what is a conflict. The text is assembled from the
 * lines of the three files, element by element; changes that can't be expressed by choosing lines (both sides changed
 * different fields of one `{…}`) are then applied as edits. The result is parsed again: unless it equals the merged
 * graph and has the comments of both sides, the differing lines become one conflict. So nothing that a side wrote can
 * be lost.
 */
import { commentsOf } from "../comments";
import { FlowDocument } from "../document";
import { applyGraph } from "../edit";
import { matchEdges } from "../graph/edge-match";
import { edgesBySource, type Graph, type GraphEdge, sameElement, sameGraph, sameJson } from "../graph/graph";
import { graphOf } from "../graph/graph-of";
import { type Conflict, type Merge, mergeGraphs } from "../merge/merge";
import { eolOf } from "../text";
import { toData } from "../values";
import { editPieces, linesOf, type Piece, plainMarkers, render, shownText, type TextMerge } from "./pieces";
import { indented, indentOf, isTrivia, ownText, type Segment, segmentsOf } from "./segments";

export function mergeTexts(base: string, ours: string, theirs: string, markers = plainMarkers): TextMerge {
  if (ours === theirs || base === theirs) return { text: ours, conflicts: 0 };
  if (base === ours) return { text: theirs, conflicts: 0 };
  const eol = eolOf(base) === eolOf(ours) ? eolOf(theirs) : eolOf(ours);
  const [b, o, t] = [base, ours, theirs].map((text) => closed(withEol(text, eol), eol)) as [string, string, string];
  const documents = { base: FlowDocument.read(b), ours: FlowDocument.read(o), theirs: FlowDocument.read(t) };
  const pieces = new TextMerger(documents).merge() ?? [{ ours: o, theirs: t, shown: o }];
  return render(pieces, markers, eol);
}

type Three<T> = { readonly base: T; readonly ours: T; readonly theirs: T };

class TextMerger {
  readonly #merge: Merge;
  readonly #conflicts: ReadonlyMap<string, Conflict>;
  /** The paths of the elements that are marked as conflicts. */
  readonly #marked = new Set<string>();
  /** By name of an edge: its index in the merged graph. */
  #places: ReadonlyMap<string, number> | undefined;

  constructor(readonly documents: Three<FlowDocument>) {
    const { base, ours, theirs } = documents;
    this.#merge = mergeGraphs(graphOf(base), graphOf(ours), graphOf(theirs));
    this.#conflicts = new Map(this.#merge.conflicts.map((conflict) => [conflict.key, conflict]));
  }

  /** Undefined if the result would lack something that a side wrote. */
  merge(): Piece[] | undefined {
    const { base, ours, theirs } = this.documents;
    const { nameOf } = this.#merge;
    const pieces = this.#children("", {
      base: segmentsOf(base, nameOf.base),
      ours: segmentsOf(ours, nameOf.ours),
      theirs: segmentsOf(theirs, nameOf.theirs),
    });
    const shown = pieces.map(shownText).join("");
    const edits = applyGraph(FlowDocument.read(shown), this.#merge.graph);
    const edited = edits.length > 0 ? editPieces(pieces, edits) : pieces;
    return edited && this.#holds(edited) ? edited : undefined;
  }

  #holds(pieces: readonly Piece[]): boolean {
    if (!this.#merge.conflicts.every((conflict) => this.#isMarked(conflict))) return false;
    const result = FlowDocument.read(pieces.map(shownText).join(""));
    if (result.problems.length > 0 || !sameGraph(graphOf(result), this.#merge.graph)) return false;
    const { base, ours, theirs } = this.documents;
    const all = pieces.map((piece) => (typeof piece === "string" ? piece : `${piece.ours}\n${piece.theirs}`)).join("");
    const before = comments(base);
    const added = [...comments(ours), ...comments(theirs)].filter((comment) => !before.has(comment));
    if (!added.every((comment) => all.includes(comment)) || !this.#keepsOtherKeys(result)) return false;
    return this.#keepsSide("ours", pieces) && this.#keepsSide("theirs", pieces);
  }

  /** Choosing one side of every conflict must keep everything that this side wrote. */
  #keepsSide(side: "ours" | "theirs", pieces: readonly Piece[]): boolean {
    if (pieces.every((piece) => typeof piece === "string")) return true;
    const text = pieces.map((piece) => (typeof piece === "string" ? piece : piece[side])).join("");
    const { base, [side]: own } = this.documents;
    return keepsChanges(graphOf(base), graphOf(own), graphOf(FlowDocument.read(text)));
  }

  #isMarked({ key, at }: Conflict): boolean {
    // An edge that both sides moved to different nodes is in two places.
    if (at.kind === "edge" && at.field === "source") return false;
    const around = at.kind === "edge" ? [`node ${at.node}`, `node ${at.node}.edges`, "nodes"] : [];
    const section = at.kind === "node" ? "nodes" : at.kind === "variable" ? "context_variables" : "";
    const element =
      at.kind === "top" ? key : key.slice(0, key.length - (at.field === undefined ? 0 : at.field.length + 1));
    return [key, element, section, ...around].some((path) => this.#marked.has(path));
  }

  /** Top-level keys outside the graph (`revision`, unknown keys) must be as one side left them. */
  #keepsOtherKeys(result: FlowDocument): boolean {
    const { base, ours, theirs } = this.documents;
    const keys = new Set([ours, theirs].flatMap((document) => document.tops.map((block) => block.key)));
    return [...keys].every((key) => {
      if (inGraph.has(key) || this.#marked.has(key)) return true;
      const [b, o, t, r] = [base, ours, theirs, result].map((document) => toData(document.top(key)?.value));
      return sameJson(o, t) || sameJson(b, t) ? sameJson(o, r) : sameJson(b, o) && sameJson(t, r);
    });
  }

  /** An element in each version that has it. `path` is its name in conflicts of the graphs. */
  #element(path: string, { base, ours, theirs }: Three<Segment | undefined>): Piece[] {
    const [b, o, t] = [base, ours, theirs].map((segment) => segment && ownText(segment));
    const lead = mergeTrivia(base?.lead ?? "", ours?.lead ?? "", theirs?.lead ?? "");
    const conflict = (): Piece[] => {
      // An edge that moved to another node is looked up at both.
      if (o === t) return [];
      this.#marked.add(path);
      // A conflict about the order of edges: the merged graph has those of both sides.
      const both = isEdges(path) && ours?.children && theirs?.children;
      const shown = both
        ? this.#children(path, { base: base ?? nothing, ours, theirs })
            .map(shownText)
            .join("")
        : ours && theirs
          ? o
          : this.#isInMerge(path)
            ? (o ?? t)
            : "";
      return [lead, { ours: o ?? "", theirs: t ?? "", shown: shown ?? "" }];
    };
    if (this.#conflicts.has(path)) return conflict();
    if (o === t || b === t) return o === undefined ? newComments(base, theirs) : [lead, o];
    if (b === o) return t === undefined ? newComments(base, ours) : [lead, t];
    if (ours?.children && theirs?.children)
      return [lead, ...this.#children(path, { base: base?.children ? base : nothing, ours, theirs })];
    const line = ours && theirs && mergeLine(base, ours, theirs);
    if (line !== undefined) return [lead, line];
    // If the graphs don't conflict, the other side's fields are added by edits afterwards; its comments can't be.
    const [mine, other] = [ours ? o : t, ours ? t : o] as [string, string | undefined];
    const removes = !ours || !theirs;
    const lost = removes ? mine : (other ?? "");
    if (this.#hasConflictIn(path) || commentsIn(lost).some((comment) => !b?.includes(comment))) return conflict();
    return removes ? [] : [lead, mine];
  }

  /** Whether the merged graph has an element that one of the sides lacks. */
  #isInMerge(path: string): boolean {
    const { graph, edges } = this.#merge;
    const [, kind, id, field] = /^(node|edge|variable|output) (.*?)(?:\.(.*))?$/.exec(path) ?? [];
    if (kind === "output") return graph.outputs.some(({ name }) => name === id);
    if (kind === undefined) return topsOf(graph).has(path);
    const elements = { node: graph.nodes, edge: edges, variable: graph.variables }[kind as "node"];
    const element = elements.get(id as string);
    if (field === "edges") return [...graph.edges.values()].some((edge) => edge.source === id);
    return field === undefined ? element !== undefined : (element?.[field] ?? null) !== null;
  }

  #hasConflictIn(path: string): boolean {
    // The parts of a key outside the graph aren't known.
    if (!/ /.test(path) && !inGraph.has(path)) return true;
    const kinds = { nodes: ["node", "edge"], context_variables: ["variable"] }[path];
    return this.#merge.conflicts.some(
      ({ key, at }) =>
        kinds?.includes(at.kind) ||
        key.startsWith(`${path}.`) ||
        (at.kind === "edge" && (path === `node ${at.node}` || path === `node ${at.node}.edges`)),
    );
  }

  /** The lines before the children, the children in their merged order, and the lines after them. */
  #children(path: string, { base, ours, theirs }: Three<Segment>): Piece[] {
    if (!ours.children || !theirs.children) return [ours.head];
    const heads = pick(base.head, ours.head, theirs.head);
    const head = heads ?? mergeLine(base, ours, theirs);
    const by = [base, ours, theirs].map(
      (side) => new Map(childrenAt(side, indentOf(ours)).map((child) => [child.key, child] as const)),
    ) as [Map<string, Segment>, Map<string, Segment>, Map<string, Segment>];
    const order = this.#order(path, by.map((side) => [...side.keys()]) as [string[], string[], string[]]);
    const pieces = order.flatMap((key) =>
      this.#element(childPath(path, key), { base: by[0].get(key), ours: by[1].get(key), theirs: by[2].get(key) }),
    );
    const first: Piece = head ?? { ours: ours.head, theirs: theirs.head, shown: ours.head };
    return [first, ...pieces, mergeTrivia(base.tail, ours.tail, theirs.tail)];
  }

  /** By name: the index of a list element in the merged graph. */
  #placesIn(path: string): ReadonlyMap<string, number> | undefined {
    const { edges, graph } = this.#merge;
    if (path === "component_outputs") return new Map(graph.outputs.map(({ name }, at) => [name ?? "", at]));
    if (!isEdges(path)) return undefined;
    this.#places ??= new Map([...edges.keys()].map((name, at) => [name, at]));
    return this.#places;
  }

  /**
   * Edges and outputs are ordered as in the merged graph; other keys as on the side that changed the order, plus the
   * other side's new keys.
   */
  #order(path: string, [base, ours, theirs]: [string[], string[], string[]]): string[] {
    const places = this.#placesIn(path);
    if (places) {
      const all = new Set([...base, ...ours, ...theirs]);
      const placeOf = (name: string) => places.get(name) as number;
      const merged = [...all].filter((name) => places.has(name)).sort((a, b) => placeOf(a) - placeOf(b));
      // An element that only one side has stays in that side's place.
      return joined(joined(merged, ours), theirs);
    }
    const sides = [base, ours, theirs].map((side) => new Set(side));
    const common = (keys: string[]) => keys.filter((key) => sides.every((side) => side.has(key)));
    const [first, second] = sameJson(common(base), common(ours)) ? [theirs, ours] : [ours, theirs];
    return joined(first, second);
  }
}

interface Link {
  readonly key: string;
  next: Link | undefined;
}

/** The keys of a list, with those that only the other list has after the same key as there. */
function joined(first: readonly string[], second: readonly string[]): string[] {
  const head: Link = { key: "", next: undefined };
  const known = new Map<string, Link>();
  const put = (key: string, before: Link): Link => {
    const link = { key, next: before.next };
    before.next = link;
    if (!known.has(key)) known.set(key, link);
    return link;
  };
  let last = head;
  for (const key of first) last = put(key, last);
  last = head;
  for (const key of second) last = known.get(key) ?? put(key, last);
  const keys: string[] = [];
  for (let link = head.next; link; link = link.next) keys.push(link.key);
  return keys;
}

const nothing: Segment = { key: "", lead: "", head: "", children: [], tail: "" };
/** The children, moved to the column of the other side. */
function childrenAt(segment: Segment, column: number | undefined): readonly Segment[] {
  const children = segment.children ?? [];
  const by = (column ?? 0) - (indentOf(segment) ?? 0);
  return by === 0 || column === undefined ? children : children.map((child) => indented(child, by));
}

const inGraph = new Set(["persona", "entry", "context_variables", "nodes", "component_outputs"]);

/** The top-level keys that a graph has content for. */
function topsOf({ persona, entry, variables, nodes, outputs }: Graph): Set<string> {
  const sizes = { context_variables: variables.size, nodes: nodes.size, component_outputs: outputs.length };
  const has = Object.entries({ persona: persona !== undefined, entry: entry !== undefined, ...sizes });
  return new Set(has.filter(([, there]) => there).map(([key]) => key));
}

/** The name of an element in conflicts of the graphs: `persona`, `node greet`, `node greet.name`, `edge greet--bye.when`. */
function childPath(path: string, key: string): string {
  if (path === "") return key;
  if (path === "nodes") return `node ${key}`;
  if (path === "context_variables") return `variable ${key}`;
  if (path === "component_outputs") return `output ${key}`;
  return isEdges(path) ? `edge ${key}` : `${path}.${key}`;
}

function isEdges(path: string): boolean {
  return /^node .*\.edges$/.test(path);
}

/** The changed version, if at most one side changed it. */
function pick<T>(base: T, ours: T, theirs: T): T | undefined {
  if (ours === theirs || base === theirs) return ours;
  return base === ours ? theirs : undefined;
}

/** A value and the comment after it on one line, each from the side that changed it. */
function mergeLine(base: Segment | undefined, ours: Segment, theirs: Segment): string | undefined {
  const sides = [base?.head ?? "", ours.head, theirs.head].map(lineParts);
  if (sides.some((side) => side === undefined)) return undefined;
  const part = (name: "value" | "comment" | "end") =>
    sides.map((side) => side?.[name] ?? "") as [string, string, string];
  const value = pick(...part("value"));
  const comment = pick(...part("comment"));
  const [, end, otherEnd] = part("end");
  return value === undefined || comment === undefined ? undefined : value + comment + (end || otherEnd);
}

/** Undefined if there is more than one line. What follows a `#` is a comment if there is no quote in it. */
function lineParts(text: string): { value: string; comment: string; end: string } | undefined {
  const end = /\r?\n$/.exec(text)?.[0] ?? "";
  const line = text.slice(0, text.length - end.length);
  if (line.includes("\n")) return undefined;
  const quote = Math.max(line.lastIndexOf('"'), line.lastIndexOf("'"));
  const at = line.slice(quote + 1).search(/(?<!\s)\s+#/);
  const from = at < 0 ? line.length : quote + 1 + at;
  return { value: line.slice(0, from), comment: line.slice(from), end };
}

/** Merges comments and empty lines: ours without those the other side removed, plus those it added. */
function mergeTrivia(base: string, ours: string, theirs: string): string {
  const picked = pick(base, ours, theirs);
  if (picked !== undefined) return picked;
  const [b, o, t] = [linesOf(base), linesOf(ours), linesOf(theirs)];
  const isComment = (line: string) => line.trim() !== "";
  const kept = o.filter((line) => !isComment(line) || !b.includes(line) || t.includes(line));
  const added = t.filter((line) => isComment(line) && !b.includes(line) && !o.includes(line));
  return [...kept, ...added].join("");
}

/** New comments of a side above an element that the other side removed. */
function newComments(base: Segment | undefined, changed: Segment | undefined): Piece[] {
  const before = new Set(base?.lead.split("\n"));
  return linesOf(changed?.lead ?? "").filter((line) => line.trim() !== "" && !before.has(line.slice(0, -1)));
}

/** The comments of some lines, and perhaps other text that looks like one. */
function commentsIn(lines: string): string[] {
  return lines.match(/(?<=^|\s)#.*$/gm) ?? [];
}

function comments(document: FlowDocument): Set<string> {
  const blocks = [...document.tops, ...document.nodes, ...document.variables];
  const header = document.header.split(/\r?\n/).filter((line) => line.trim() !== "" && isTrivia(line));
  return new Set([...blocks.flatMap((block) => commentsOf(block).map(({ text }) => text)), ...header.map(withoutSign)]);
}

function withoutSign(comment: string): string {
  return comment.slice(comment.indexOf("#") + 1).trim();
}

function withEol(text: string, eol: string): string {
  return text.replace(/\r?\n/g, eol);
}

/** The text with a line break at the end, so that lines can be reordered. */
function closed(text: string, eol: string): string {
  return text === "" || text.endsWith("\n") ? text : text + eol;
}

type Element = Readonly<Record<string, unknown>>;

/** A removed element may exist again through the other side's change; a written one must exist. */
function keepsChanges(base: Graph, side: Graph, result: Graph): boolean {
  const tops = (["persona", "entry"] as const).every((key) => side[key] === base[key] || side[key] === result[key]);
  const has = ({ outputs }: Graph, output: object) => outputs.some((other) => sameJson(other, output));
  return (
    tops &&
    side.outputs.every((output) => has(base, output) || has(result, output)) &&
    [...side.nodes].every(([id, node]) => isKept(node, base.nodes.get(id), result.nodes.get(id))) &&
    [...side.variables].every(([id, variable]) => isKept(variable, base.variables.get(id), result.variables.get(id))) &&
    keepsEdges(base, side, result)
  );
}

function keepsEdges(base: Graph, side: Graph, result: Graph): boolean {
  const [before, after] = [edgesBySource(base), edgesBySource(result)];
  return [...edgesBySource(side)].every(([source, edges]) => {
    const [old, merged] = [before.get(source) ?? [], after.get(source) ?? []];
    const was = new Map(matchEdges(old, edges).pairs.map((pair) => [pair.after, old[pair.before]]));
    const is = new Map(matchEdges(edges, merged).pairs.map((pair) => [pair.before, merged[pair.after]]));
    return edges.every((edge, place) => isKept(nameless(edge), nameless(was.get(place)), nameless(is.get(place))));
  });
}

function isKept(wanted: Element, before: Element | undefined, after: Element | undefined): boolean {
  if (!after) return before !== undefined && sameElement(before, wanted);
  return Object.keys(wanted).every((name) => same(wanted, before, name) || same(wanted, after, name));
}

/** Derived IDs change with the list. */
function nameless<T extends GraphEdge | undefined>(edge: T): T {
  return edge && { ...edge, id: "" };
}

function same(one: Element, other: Element | undefined, field: string): boolean {
  return sameJson(one[field] ?? null, other?.[field] ?? null);
}
