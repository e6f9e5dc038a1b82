/**
 * A flow file as text that can be edited and asked. The text is a list of entries: one for each top-level key, one for
 * each key under `nodes` and `context_variables`. An entry is immutable, knows nothing of its place in the file, and all
 * places inside it are relative to its start; `startOf(entry)` says where it stands now.
 *
 * Half-typed YAML is ordinary input: reading never throws, it gives what can be read and a list of problems. An edit
 * re-reads only the pieces (reading/) it falls into; what comes out is always what reading the new text from scratch
 * would give.
 */
import { AliasResolver } from "./reading/aliases";
import { BlockIndex } from "./reading/block-index";
import { type BlockLists, blocksOf, listsOf, patched, sharesBlock } from "./reading/block-lists";
import { type Block, BlockPool, type NodeBlock, type Section, type VariableBlock } from "./reading/blocks";
import { duplicateKey } from "./reading/duplicates";
import { Piece, wordsOf } from "./reading/piece";
import { lastAtMost, PieceList } from "./reading/piece-list";
import { PiecePool } from "./reading/piece-pool";
import { PieceReuse, type ReuseSource } from "./reading/piece-reuse";
import { moveProblem, type ReadProblem, TOO_LONG } from "./reading/problem";
import { sameShapes } from "./reading/shape";
import { type Slice, sameState, sliceText } from "./reading/slices";
import { applyEdits, type Position, type Span, shift, type TextEdit } from "./text";

export type { Block, NodeBlock, Section, VariableBlock } from "./reading/blocks";
export type { ReadProblem } from "./reading/problem";

/** Longer files can be edited, but are not read. */
export const MAX_LENGTH = 5 * 1024 * 1024;

export class FlowDocument {
  readonly #pieces = new PieceList();
  /** The piece that each entry stands in. */
  readonly #homes = new Map<Block, Piece>();
  readonly #index = new BlockIndex();
  /** The pieces that have problems: few, so that nobody has to look at all. */
  readonly #troubled = new Set<Piece>();
  #isReduced = false;
  #shape = 0;
  /** The last number given to a shape: none is given twice, trials included. */
  #shapes = 0;
  #layout = 0;
  #view: View = {};

  private constructor() {}

  /** Reads a text. What it shares with a document it is like is not read again: entries written the same are the same objects. */
  static read(text: string, like?: FlowDocument): FlowDocument {
    const document = new FlowDocument();
    document.#readAll(text, like && !like.#isReduced ? like.#likeness() : undefined);
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
    const from = Math.max(0, this.#pieces.indexAt(start) - 1);
    let to = this.#pieces.indexAt(end) + 1;
    const moved = edits.map((edit) => ({ ...shift(edit, -this.#pieces.startOf(from)), text: edit.text }));
    for (let more = 1; ; more *= 2) {
      const text = applyEdits(this.#pieces.textOf(from, to), moved);
      const slices: Slice[] = [];
      const before = from === 0 ? undefined : this.#pieces.all[from]?.before;
      const after = sliceText(text, (slice) => slices.push(slice), before);
      const next = this.#pieces.all[to];
      if (next === undefined || (sameState(after, next.before) && text.endsWith("\n"))) {
        this.#replace(from, to, text, slices);
        return;
      }
      // What follows is not cut as before: take more of it in.
      to = Math.min(this.#pieces.all.length, to + more);
    }
  }

  /**
   * What `look` says of the document as the edits would make it. Afterwards everything is as before: the pieces that
   * the edits did away with are put back, so their entries are the same objects, and what is kept for them holds.
   */
  trial<Result>(edits: readonly TextEdit[], look: () => Result): Result {
    const pieces = this.#pieces.all.slice();
    const shape = this.#shape;
    const isReduced = this.#isReduced;
    const { text } = this.#view;
    this.edit(edits);
    try {
      return look();
    } finally {
      this.#isReduced = isReduced;
      this.#putBack(pieces);
      this.#shape = shape;
      this.#view.text = text;
    }
  }

  #putBack(pieces: readonly Piece[]): void {
    const now = this.#pieces.all;
    const limit = Math.min(now.length, pieces.length);
    let head = 0;
    while (head < limit && now[head] === pieces[head]) head++;
    let tail = 0;
    while (tail < limit - head && now[now.length - 1 - tail] === pieces[pieces.length - 1 - tail]) tail++;
    const back = pieces.slice(head, pieces.length - tail);
    const gone = now.slice(head, now.length - tail);
    this.#put(head, now.length - tail, back, back, gone);
  }

  get text(): string {
    this.#view.text ??= this.#pieces.textOf(0, this.#pieces.all.length);
    return this.#view.text;
  }

  get length(): number {
    return this.#pieces.length;
  }

  get lineCount(): number {
    return this.#pieces.lineCount;
  }

  slice(span: Span): string {
    return this.#pieces.slice(span);
  }

  /** The line and column of an offset; one inside a line break counts as the end of its line. */
  positionAt(offset: number): Position {
    return this.#pieces.positionAt(offset);
  }

  offsetAt(position: Position): number {
    return this.#pieces.offsetAt(position);
  }

  /** The line and column an entry starts at; the same as asking by its offset, without a search. */
  positionOf(block: Block): Position {
    const piece = this.#homeOf(block);
    const start = piece.startOf(block);
    // From the third piece on, a piece starts right behind a line break.
    if (piece.index < 2 || start > 80 || /[\r\n]/.test(piece.text.slice(0, start)))
      return this.positionAt(this.#pieces.startOf(piece.index) + start);
    return { line: this.#pieces.lineOf(piece.index), character: start };
  }

  /** All entries in the order of the file. */
  get blocks(): readonly Block[] {
    return this.#lists.all;
  }

  /** Top-level keys in the order of the file, `nodes` and `context_variables` among them. */
  get tops(): readonly Block[] {
    return this.#lists.top;
  }

  get nodes(): readonly NodeBlock[] {
    return this.#lists.nodes;
  }

  get variables(): readonly VariableBlock[] {
    return this.#lists.context_variables;
  }

  /** What could not be read, in the order of the file. */
  get problems(): readonly ReadProblem[] {
    this.#view.problems ??= this.#findProblems((piece) => piece.problems);
    return this.#view.problems;
  }

  /** The same as people are told: one problem for each cause, with what mends it. */
  get explainedProblems(): readonly ReadProblem[] {
    this.#view.explainedProblems ??= this.#findProblems((piece) => piece.explainedProblems);
    return this.#view.explainedProblems;
  }

  /**
   * Changes exactly when something changes that the shape of the flow depends on: ids, types, edges (ends, ids, `on`,
   * whether there is a `when`), uses of variables, variables, `entry`, component outputs. Words do not change it.
   */
  get shape(): number {
    return this.#shape;
  }

  /** While it is the same, an entry that stays does not move: it starts at the same line and column. */
  get layout(): number {
    return this.#layout;
  }

  /**
   * Whether a word stands in text that could not be read. A name that nobody seems to declare may be declared there, one
   * that nobody seems to use may be used there.
   */
  mayHold(word: string): boolean {
    if (this.#troubled.size === 0) return false;
    this.#view.unread ??= wordsOf([...this.#troubled].filter((piece) => piece.isBroken));
    return this.#view.unread.has(word);
  }

  /** Two versions of a part are waiting to be merged: what the file will say is not known. */
  get isInConflict(): boolean {
    for (const piece of this.#troubled) if (piece.isInConflict) return true;
    return false;
  }

  /** What stands before the first entry: a byte order mark, comments, `---`. */
  get header(): string {
    const first = this.#pieces.all.findIndex((piece) => piece.blocks.length > 0);
    if (first < 0) return this.text;
    return this.slice({
      start: 0,
      end: this.#pieces.startOf(first) + (this.#pieces.all[first] as Piece).blockStart(0),
    });
  }

  /** The place of an entry in the file; that of a section reaches to the end of its last child. */
  extentOf(block: Block): Span {
    const start = this.startOf(block);
    if (block.section !== "top") return { start, end: start + block.text.length };
    const next = this.tops[lastAtMost(this.#topStarts(), start) + 1];
    return { start, end: next ? this.startOf(next) : this.length };
  }

  top(key: string): Block | undefined {
    return this.#index.first("top", key, this.#order);
  }

  /** The first node with this id. */
  node(id: string): NodeBlock | undefined {
    return this.#index.first("nodes", id, this.#order) as NodeBlock | undefined;
  }

  variable(name: string): VariableBlock | undefined {
    return this.#index.first("context_variables", name, this.#order) as VariableBlock | undefined;
  }

  /** The innermost entry around an offset; in the indentation before a key, the entry of that key. */
  blockAt(offset: number): Block | undefined {
    if (offset < 0 || offset > this.length) return undefined;
    const index = this.#pieces.indexAt(offset);
    const piece = this.#pieces.all[index] as Piece;
    const within = offset - this.#pieces.startOf(index);
    let number = piece.blocks.length - 1;
    while (number > 0 && piece.blockStart(number) > within) number--;
    return piece.blocks[number];
  }

  /** Whether an entry is part of the text as it is now. */
  has(block: Block): boolean {
    return this.#homes.has(block);
  }

  startOf(block: Block): number {
    const piece = this.#homeOf(block);
    return this.#pieces.startOf(piece.index) + piece.startOf(block);
  }

  /** The place in the file of a place inside an entry. */
  absolute(block: Block, span: Span): Span {
    return shift(span, this.startOf(block));
  }

  #homeOf(block: Block): Piece {
    const home = this.#homes.get(block);
    if (home === undefined) throw new Error("This entry is not part of the document any more.");
    return home;
  }

  #likeness(): ReuseSource {
    const blockOf = (section: Section, key: string) => this.#index.first(section, key, this.#order);
    return { pieces: this.#pieces.all, find: (section, key) => this.#homes.get(blockOf(section, key) as Block) };
  }

  #readAll(text: string, like?: ReuseSource): void {
    this.#isReduced = text.length > MAX_LENGTH;
    const pieces: Piece[] = [];
    const twins = like && !this.#isReduced ? new PieceReuse(text, like) : undefined;
    // Each slice is read as soon as it is cut, so that none of them has to be kept until the last is.
    const add = (slice: Slice) => pieces.push(new Piece(text, slice, !this.#isReduced, twins?.take(slice)));
    sliceText(text, add, undefined, twins && ((start, cut, before) => twins.at(start, cut, before)));
    this.#put(0, this.#pieces.all.length, pieces, pieces, this.#pieces.all.slice());
  }

  /** Puts new pieces, slices of a text, in the place of old ones. A piece that is written as before is not read again. */
  #replace(from: number, to: number, text: string, slices: readonly Slice[]): void {
    const old = this.#pieces.all.slice(from, to);
    const unused = new PiecePool(old);
    const fresh: Piece[] = [];
    const pieces = slices.map((slice) => {
      const same = unused.take(text, slice);
      if (same) return same;
      const piece = new Piece(text, slice, !this.#isReduced);
      fresh.push(piece);
      return piece;
    });
    const gone = unused.left;
    const pool = new BlockPool(blocksOf(gone));
    if (gone.length > 0) for (const piece of fresh) piece.adopt(pool);
    this.#put(from, to, pieces, fresh, gone);
  }

  /** Puts pieces in the place of those from one number up to another; some of them are `fresh`, and some of those are `gone`. */
  #put(from: number, to: number, pieces: Piece[], fresh: readonly Piece[], gone: readonly Piece[]): void {
    const blocksBefore = blocksOf(this.#pieces.all.slice(from, to));
    const blocksAfter = blocksOf(pieces);
    const lists = this.#view.lists && patched(this.#view.lists, blocksBefore, blocksAfter, this.#order);
    for (const piece of gone) this.#forget(piece);
    for (const piece of fresh) this.#remember(piece);
    if (!this.#pieces.replace(from, to, pieces) || sharesBlock(gone, fresh)) this.#layout++;
    let isSameShape = sameShapes(blocksBefore, blocksAfter);
    this.#view = lists ? { lists } : {};
    // What could not be read is part of the shape, whatever it says.
    const troubled = gone.some((piece) => piece.isBroken) || fresh.some((piece) => piece.isBroken);
    if (gone.some(({ isAlone }) => !isAlone) || fresh.some(({ isAlone }) => !isAlone)) {
      isSameShape = this.#resolveAliases() && isSameShape;
      this.#layout++;
      this.#view = {};
    }
    if (!isSameShape || troubled) this.#shape = ++this.#shapes;
  }

  /** Puts aliases in place all over the file, which can change entries far from an edit. True if no shape changed. */
  #resolveAliases(): boolean {
    const resolver = new AliasResolver();
    let isSameShape = true;
    for (const piece of this.#pieces.all) {
      if (piece.isAlone) continue;
      const before = piece.blocks;
      this.#forget(piece);
      piece.resolve(resolver);
      this.#remember(piece);
      isSameShape &&= sameShapes(before, piece.blocks);
    }
    return isSameShape;
  }

  #forget(piece: Piece): void {
    this.#troubled.delete(piece);
    for (const block of piece.blocks) {
      if (this.#homes.get(block) !== piece) continue;
      this.#homes.delete(block);
      this.#index.remove(block);
    }
  }

  #remember(piece: Piece): void {
    if (piece.problems.length > 0 || piece.isBroken) this.#troubled.add(piece);
    for (let index = 0; index < piece.blocks.length; index++) {
      const block = piece.blocks[index] as Block;
      this.#homes.set(block, piece);
      this.#index.add(block);
    }
  }

  #findProblems(of: (piece: Piece) => readonly ReadProblem[]): ReadProblem[] {
    const problems: ReadProblem[] = [];
    if (this.#isReduced) problems.push(TOO_LONG);
    for (const piece of this.#troubled) {
      const base = this.#pieces.startOf(piece.index);
      for (const problem of of(piece)) problems.push(moveProblem(problem, base));
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

  readonly #order = (block: Block) => this.startOf(block);

  get #lists(): BlockLists {
    this.#view.lists ??= listsOf(blocksOf(this.#pieces.all));
    return this.#view.lists;
  }

  #topStarts(): readonly number[] {
    this.#view.topStarts ??= this.tops.map((block) => this.startOf(block));
    return this.#view.topStarts;
  }
}

/** What was asked for since the last edit. */
interface View {
  text?: string | undefined;
  lists?: BlockLists;
  problems?: readonly ReadProblem[] | undefined;
  explainedProblems?: readonly ReadProblem[] | undefined;
  topStarts?: readonly number[] | undefined;
  unread?: ReadonlySet<string>;
}
