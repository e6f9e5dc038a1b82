/**
 * A flow file as text that can be edited and asked. The text is a list of entries: one for each top-level key, one for
 * each key under `nodes` and `context_variables`. An entry is immutable, knows nothing of its place in the file, and all
 * places inside it are relative to its start; `startOf(entry)` says where it stands now.
 *
 * Half-typed YAML is ordinary input: reading never throws, it gives what can be read and a list of problems. An edit
 * re-reads only the pieces (reading/) it falls into; what comes out is always what reading the new text from scratch
 * would give.
 */
import type { Graph, GraphEdge, GraphOutput } from "./graph";
import { readTemplates, type VariableRef } from "./model";
import { AliasResolver } from "./reading/aliases";
import { duplicateKey } from "./reading/duplicates";
import {
  type Entry,
  EntryPool,
  isNode,
  isVariable,
  type NodeEntry,
  type Section,
  type VariableEntry,
} from "./reading/entries";
import { EntryIndex } from "./reading/index-of-entries";
import { Piece } from "./reading/piece";
import type { ReadProblem } from "./reading/problem";
import { sameShape } from "./reading/shape";
import { type Slice, sameCut, sameState, sliceText } from "./reading/slices";
import { applyEdits, type Position, type Span, shift, type TextEdit } from "./text";
import { textOf, toData } from "./values";

export type { Entry, NodeEntry, Section, VariableEntry } from "./reading/entries";
export type { ReadProblem } from "./reading/problem";

/** Longer files can be edited, but are not read. */
export const MAX_LENGTH = 5 * 1024 * 1024;

export class FlowDocument {
  /** The file from start to end; the first piece is the header, which may be empty. */
  #pieces: Piece[] = [];
  /** For each piece and for the end: where it starts, and the number of the line it starts in. */
  #starts = new Int32Array(1);
  #lines = new Int32Array(1);
  readonly #homes = new Map<Entry, { piece: Piece; start: number }>();
  readonly #index = new EntryIndex();
  /** The pieces that have problems: few, so that nobody has to look at all. */
  readonly #troubled = new Set<Piece>();
  #isReduced = false;
  #shape = 0;
  #view: View = {};

  private constructor() {}

  static read(text: string): FlowDocument {
    const document = new FlowDocument();
    document.#readAll(text);
    return document;
  }

  /** Changes the text. Edits refer to the text as it is now. */
  edit(edits: readonly TextEdit[]): void {
    if (edits.length === 0) return;
    const length = edits.reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), this.length);
    if (length > MAX_LENGTH !== this.#isReduced) {
      this.#readAll(applyEdits(this.text, edits));
      return;
    }
    const start = edits.reduce((least, edit) => Math.min(least, edit.start), this.length);
    const end = edits.reduce((most, edit) => Math.max(most, edit.end), 0);
    // The piece before the edit is cut anew too: the first line of a piece may come to belong to it.
    const from = Math.max(0, this.#pieceAt(start) - 1);
    let to = this.#pieceAt(end) + 1;
    const moved = edits.map((edit) => ({ ...shift(edit, -this.#startAt(from)), text: edit.text }));
    for (let more = 1; ; more *= 2) {
      const text = applyEdits(this.#textOf(from, to), moved);
      const slices: Slice[] = [];
      const before = from === 0 ? undefined : this.#pieces[from]?.before;
      const after = sliceText(text, (slice) => slices.push(slice), before);
      const next = this.#pieces[to];
      if (next === undefined || (sameState(after, next.before) && text.endsWith("\n"))) {
        this.#replace(from, to, text, slices);
        return;
      }
      // What follows is not cut as before: take more of it in.
      to = Math.min(this.#pieces.length, to + more);
    }
  }

  get text(): string {
    this.#view.text ??= this.#textOf(0, this.#pieces.length);
    return this.#view.text;
  }

  get length(): number {
    return this.#startAt(this.#pieces.length);
  }

  get lineCount(): number {
    return (this.#lines[this.#pieces.length] as number) + 1;
  }

  slice(span: Span): string {
    const start = Math.max(0, span.start);
    const end = Math.min(span.end, this.length);
    if (start >= end) return "";
    const first = this.#pieceAt(start);
    const last = this.#pieceAt(end - 1);
    const base = this.#startAt(first);
    return this.#textOf(first, last + 1).slice(start - base, end - base);
  }

  /** The line and column of an offset; one inside a line break counts as the end of its line. */
  positionAt(offset: number): Position {
    const at = Math.max(0, Math.min(offset, this.length));
    const index = this.#pieceAt(at);
    const piece = this.#pieces[index] as Piece;
    const within = at - this.#startAt(index);
    const number = lastAtMost(piece.lineStarts, within);
    const line = (this.#lines[index] as number) + number;
    const start = number > 0 ? (piece.lineStarts[number] as number) : this.#lineStart(line) - this.#startAt(index);
    const inBreak = piece.text.charCodeAt(within) === 10 && piece.text.charCodeAt(within - 1) === 13;
    return { line, character: within - start - (inBreak ? 1 : 0) };
  }

  /** The line and column an entry starts at; the same as asking by its offset, without a search. */
  positionOf(entry: Entry): Position {
    const { piece, start } = this.#homeOf(entry);
    // From the third piece on, a piece starts right behind a line break.
    if (piece.index < 2 || start > 80 || /[\r\n]/.test(piece.text.slice(0, start)))
      return this.positionAt(this.#startAt(piece.index) + start);
    return { line: this.#lines[piece.index] as number, character: start };
  }

  offsetAt(position: Position): number {
    if (position.line < 0) return 0;
    if (position.line >= this.lineCount) return this.length;
    const start = this.#lineStart(position.line);
    return Math.min(start + Math.max(0, position.character), this.#lineEnd(position.line));
  }

  /** Top-level keys in the order of the file, `nodes` and `context_variables` among them. */
  get tops(): readonly Entry[] {
    this.#view.tops ??= this.#entries((entry): entry is Entry => entry.section === "top");
    return this.#view.tops;
  }

  get nodes(): readonly NodeEntry[] {
    this.#view.nodes ??= this.#entries(isNode);
    return this.#view.nodes;
  }

  get variables(): readonly VariableEntry[] {
    this.#view.variables ??= this.#entries(isVariable);
    return this.#view.variables;
  }

  /** What could not be read, in the order of the file. */
  get problems(): readonly ReadProblem[] {
    this.#view.problems ??= this.#findProblems();
    return this.#view.problems;
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
    const first = this.#pieces.findIndex((piece) => piece.entries.length > 0);
    if (first < 0) return this.text;
    return this.slice({ start: 0, end: this.#startAt(first) + (this.#pieces[first] as Piece).entryStart(0) });
  }

  /** The place of an entry in the file; that of a section reaches to the end of its last child. */
  extentOf(entry: Entry): Span {
    const start = this.startOf(entry);
    if (entry.section !== "top") return { start, end: start + entry.text.length };
    const next = this.tops[lastAtMost(this.#topStarts(), start) + 1];
    return { start, end: next ? this.startOf(next) : this.length };
  }

  top(key: string): Entry | undefined {
    return this.#index.first("top", key, this.#order);
  }

  /** The first node with this id. */
  node(id: string): NodeEntry | undefined {
    return this.#index.first("nodes", id, this.#order) as NodeEntry | undefined;
  }

  variable(name: string): VariableEntry | undefined {
    return this.#index.first("context_variables", name, this.#order) as VariableEntry | undefined;
  }

  /** The innermost entry around an offset; in the indentation before a key, the entry of that key. */
  entryAt(offset: number): Entry | undefined {
    if (offset < 0 || offset > this.length) return undefined;
    const index = this.#pieceAt(offset);
    const piece = this.#pieces[index] as Piece;
    const within = offset - this.#startAt(index);
    let number = piece.entries.length - 1;
    while (number > 0 && piece.entryStart(number) > within) number--;
    return piece.entries[number];
  }

  startOf(entry: Entry): number {
    const { piece, start } = this.#homeOf(entry);
    return this.#startAt(piece.index) + start;
  }

  /** The place in the file of a place inside an entry. */
  absolute(entry: Entry, span: Span): Span {
    return shift(span, this.startOf(entry));
  }

  #homeOf(entry: Entry): { piece: Piece; start: number } {
    const home = this.#homes.get(entry);
    if (home === undefined) throw new Error("This entry is not part of the document any more.");
    return home;
  }

  #readAll(text: string): void {
    const slices: Slice[] = [];
    this.#isReduced = text.length > MAX_LENGTH;
    sliceText(text, (slice) => slices.push(slice));
    this.#replace(0, this.#pieces.length, text, slices);
  }

  /** Puts new pieces, slices of a text, in the place of old ones. A piece that is written as before is not read again. */
  #replace(from: number, to: number, text: string, slices: readonly Slice[]): void {
    const old = this.#pieces.slice(from, to);
    const unused = new Map<string, Piece[]>();
    for (const piece of old) {
      const same = unused.get(piece.text);
      if (same) same.push(piece);
      else unused.set(piece.text, [piece]);
    }
    const fresh: Piece[] = [];
    const pieces = slices.map((slice) => {
      const { cut, before, start, end } = slice;
      const same = old.length > 0 ? unused.get(text.slice(start, end)) : undefined;
      const index = same?.findIndex((piece) => sameCut(piece.cut, cut) && sameState(piece.before, before)) ?? -1;
      if (same && index >= 0) return same.splice(index, 1)[0] as Piece;
      const piece = new Piece(text, slice, !this.#isReduced);
      fresh.push(piece);
      return piece;
    });
    const gone = [...unused.values()].flat();
    const entriesBefore = old.flatMap((piece) => piece.entries);
    const pool = new EntryPool(gone.flatMap((piece) => piece.entries));
    if (gone.length > 0) for (const piece of fresh) piece.adopt(pool);
    const entriesAfter = pieces.flatMap((piece) => piece.entries);
    const view = this.#patchedView(entriesBefore, entriesAfter);
    for (const piece of gone) this.#forget(piece);
    for (const piece of fresh) this.#remember(piece);
    this.#place(from, to, pieces);
    let sameShapes = entriesBefore.length === entriesAfter.length;
    for (let index = 0; sameShapes && index < entriesAfter.length; index++)
      sameShapes = sameShape(entriesBefore[index] as Entry, entriesAfter[index] as Entry);
    const involved = (piece: Piece) => piece.hasAliases || piece.anchors.length > 0;
    this.#view = view;
    if (gone.some(involved) || fresh.some(involved)) {
      sameShapes = this.#resolveAliases() && sameShapes;
      this.#view = {};
    }
    if (!sameShapes) this.#shape++;
  }

  /** The lists of entries after an edit. Where the same number of each kind stays, old lists are patched, not made anew. */
  #patchedView(before: readonly Entry[], after: readonly Entry[]): View {
    if (before.length !== after.length) return {};
    const { tops, nodes, variables } = this.#view;
    const lists: { [K in Section]: readonly Entry[] | undefined } = { top: tops, nodes, context_variables: variables };
    const view = { top: tops?.slice(), nodes: nodes?.slice(), context_variables: variables?.slice() };
    for (let index = 0; index < after.length; index++) {
      const old = before[index] as Entry;
      const next = after[index] as Entry;
      if (old.section !== next.section) return {};
      const list = lists[old.section];
      if (old !== next && list) (view[old.section] as Entry[])[this.#numberIn(list, old)] = next;
    }
    return { tops: view.top, nodes: view.nodes, variables: view.context_variables };
  }

  #numberIn(list: readonly Entry[], entry: Entry): number {
    const start = this.startOf(entry);
    let low = 0;
    let high = list.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.startOf(list[middle] as Entry) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Puts aliases in place all over the file, which can change entries far from an edit. True if no shape changed. */
  #resolveAliases(): boolean {
    const resolver = new AliasResolver();
    let sameShapes = true;
    for (const piece of this.#pieces) {
      if (!piece.hasAliases && piece.anchors.length === 0) continue;
      const before = piece.entries;
      this.#forget(piece);
      piece.resolve(resolver);
      this.#remember(piece);
      sameShapes &&=
        before.length === piece.entries.length &&
        before.every((entry, index) => sameShape(entry, piece.entries[index] as Entry));
    }
    return sameShapes;
  }

  #forget(piece: Piece): void {
    this.#troubled.delete(piece);
    for (const entry of piece.entries) {
      if (this.#homes.get(entry)?.piece !== piece) continue;
      this.#homes.delete(entry);
      this.#index.remove(entry);
    }
  }

  #remember(piece: Piece): void {
    if (piece.problems.length > 0) this.#troubled.add(piece);
    piece.entries.forEach((entry, index) => {
      this.#homes.set(entry, { piece, start: piece.entryStart(index) });
      this.#index.add(entry);
    });
  }

  /** Where pieces stand is kept in two flat tables: when the number of pieces stays, the rest only moves. */
  #place(from: number, to: number, pieces: readonly Piece[]): void {
    const count = this.#pieces.length - (to - from) + pieces.length;
    const sameCount = pieces.length === to - from && this.#starts.length > count;
    if (sameCount) for (let index = from; index < to; index++) this.#pieces[index] = pieces[index - from] as Piece;
    else this.#pieces = [...this.#pieces.slice(0, from), ...pieces, ...this.#pieces.slice(to)];
    const end = sameCount ? to : count;
    const oldStart = this.#startAt(to);
    const oldLine = this.#lines[to] as number;
    if (!sameCount && this.#starts.length <= count) {
      this.#starts = grown(this.#starts, count + 1);
      this.#lines = grown(this.#lines, count + 1);
    }
    const starts = this.#starts;
    const lines = this.#lines;
    for (let index = from; index < end; index++) {
      const piece = this.#pieces[index] as Piece;
      piece.index = index;
      starts[index + 1] = (starts[index] as number) + piece.text.length;
      lines[index + 1] = (lines[index] as number) + piece.breaks;
    }
    if (!sameCount) return;
    const byOffset = (starts[to] as number) - oldStart;
    const byLine = (lines[to] as number) - oldLine;
    for (let index = to + 1; index <= count; index++) {
      starts[index] = (starts[index] as number) + byOffset;
      lines[index] = (lines[index] as number) + byLine;
    }
  }

  #findProblems(): ReadProblem[] {
    const problems: ReadProblem[] = [];
    if (this.#isReduced) problems.push(tooLong);
    for (const piece of this.#troubled) {
      const base = this.#startAt(piece.index);
      for (const problem of piece.problems) problems.push(moveProblem(problem, base));
    }
    for (const [first, ...others] of this.#index.repeated(this.#order))
      for (const other of others)
        if (first)
          problems.push(
            duplicateKey(other.key, this.absolute(first, first.keySpan), this.absolute(other, other.keySpan)),
          );
    return problems.sort(
      (a, b) => a.span.start - b.span.start || a.span.end - b.span.end || (a.message < b.message ? -1 : 1),
    );
  }

  readonly #order = (entry: Entry) => this.startOf(entry);

  #entries<T extends Entry>(isWanted: (entry: Entry) => entry is T): T[] {
    const entries: T[] = [];
    for (const piece of this.#pieces) for (const entry of piece.entries) if (isWanted(entry)) entries.push(entry);
    return entries;
  }

  #topStarts(): readonly number[] {
    this.#view.topStarts ??= this.tops.map((entry) => this.startOf(entry));
    return this.#view.topStarts;
  }

  #startAt(index: number): number {
    return this.#starts[index] as number;
  }

  /** The piece that an offset stands in; the last one at the end of the file. */
  #pieceAt(offset: number): number {
    return Math.min(lastAtMost(this.#starts, offset, this.#pieces.length), this.#pieces.length - 1);
  }

  #lineStart(line: number): number {
    if (line === 0) return 0;
    // The piece in which the break before the line stands: the last one that starts in an earlier line.
    const index = lastAtMost(this.#lines, line - 1, this.#pieces.length);
    const piece = this.#pieces[index] as Piece;
    return this.#startAt(index) + (piece.lineStarts[line - (this.#lines[index] as number)] as number);
  }

  /** The end of a line, before its line break. */
  #lineEnd(line: number): number {
    if (line + 1 >= this.lineCount) return this.length;
    const next = this.#lineStart(line + 1);
    return this.slice({ start: next - 2, end: next }) === "\r\n" ? next - 2 : next - 1;
  }

  #textOf(from: number, to: number): string {
    if (to - from === 1) return (this.#pieces[from] as Piece).text;
    let text = "";
    for (let index = from; index < to; index++) text += (this.#pieces[index] as Piece).text;
    return text;
  }
}

/** What was asked for since the last edit. */
interface View {
  text?: string | undefined;
  tops?: readonly Entry[] | undefined;
  nodes?: readonly NodeEntry[] | undefined;
  variables?: readonly VariableEntry[] | undefined;
  problems?: readonly ReadProblem[] | undefined;
  topStarts?: readonly number[] | undefined;
}

const tooLong: ReadProblem = {
  code: "limit",
  message:
    "This file is longer than 5 MB. It can be edited and saved, but it is not read: split the flow into components.",
  span: { start: 0, end: 1 },
};

function moveProblem(problem: ReadProblem, by: number): ReadProblem {
  return {
    ...problem,
    span: shift(problem.span, by),
    ...(problem.related
      ? { related: problem.related.map((place) => ({ ...place, span: shift(place.span, by) })) }
      : {}),
  };
}

/** The index of the last number that is at most `limit`, in a sorted list that starts at most there. */
function lastAtMost(sorted: ArrayLike<number>, limit: number, end = sorted.length - 1): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] as number) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Some room to spare, so that typing new entries does not copy the tables each time. */
function grown(table: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size + (size >> 2) + 16);
  larger.set(table);
  return larger;
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
