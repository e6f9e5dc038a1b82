/**
 * An editable flow file. The text is a list of blocks: one for each top-level key, one for each key under `nodes` and
 * `context_variables`. A block is immutable and doesn't know its place in the file: all places inside it are relative
 * to its start, and `startOf(block)` is where it is now.
 *
 * Half-typed YAML is ordinary input: reading never throws; it returns what can be read and a list of problems. An edit
 * re-reads only the pieces (reading/) it touches; the result is always the same as reading the new text from scratch.
 */
import { AliasResolver } from "./reading/aliases";
import { BlockIndex } from "./reading/block-index";
import { type BlockLists, blocksOf, listsOf, patched, sharesBlock } from "./reading/block-lists";
import { type Block, type NodeBlock, Pool, type VariableBlock } from "./reading/blocks";
import { duplicateKey } from "./reading/duplicates";
import { Piece, wordsOf } from "./reading/piece";
import { PieceList } from "./reading/piece-list";
import { moveProblem, type ReadProblem, TOO_LONG } from "./reading/problem";
import { sameShapes } from "./reading/shape";
import { type Slice, sameState, sliceText } from "./reading/slices";
import { applyEdits, commonEnds, lastAtMost, type Position, type Span, shift, type TextEdit } from "./text";

export { type Block, isNode, isVariable, type NodeBlock, type Section, type VariableBlock } from "./reading/blocks";
export type { ReadProblem } from "./reading/problem";

/** Longer files can be edited, but aren't parsed. */
export const MAX_LENGTH = 5 * 1024 * 1024;

export class FlowDocument {
  readonly #pieces = new PieceList();
  /** The piece that contains each block. */
  readonly #homes = new Map<Block, Piece>();
  readonly #index = new BlockIndex();
  /** The few pieces with problems, so that callers needn't scan all pieces. */
  readonly #troubled = new Set<Piece>();
  #isReduced = false;
  #shape = 0;
  /** The last shape number; numbers are never reused, also not after trials. */
  #shapes = 0;
  #layout = 0;
  #view: View = {};

  private constructor() {}

  /** Parses a file's text. Parts that equal those of `like` aren't parsed again: equal blocks are the same objects. */
  static read(text: string, like?: FlowDocument): FlowDocument {
    const document = new FlowDocument();
    document.#readAll(text, like && !like.#isReduced ? like.#pieces.all : []);
    return document;
  }

  /** Changes the text. Edits refer to the current text. */
  edit(edits: readonly TextEdit[]): void {
    if (edits.length === 0) return;
    const length = edits.reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), this.length);
    if (length > MAX_LENGTH !== this.#isReduced) {
      this.#readAll(applyEdits(this.text, edits));
      return;
    }
    const start = edits.reduce((least, edit) => Math.min(least, edit.start), this.length);
    const end = edits.reduce((most, edit) => Math.max(most, edit.end), 0);
    // The piece before the edit is cut again too, because the first line of a piece may now belong to it.
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
      // The rest isn't cut as before, so include more of it.
      to = Math.min(this.#pieces.all.length, to + more);
    }
  }

  /**
   * Runs `look` on the document as if the edits were applied. Afterwards the removed pieces are restored, so their
   * blocks are the same objects and caches for them stay valid.
   */
  trial<Result>(edits: readonly TextEdit[], look: () => Result): Result {
    const pieces = this.#pieces.all.slice();
    const shape = this.#shape;
    const isReduced = this.#isReduced;
    const { text } = this.#view;
    const aliased = pieces.filter(({ hasAliases }) => hasAliases).map((piece) => ({ piece, blocks: piece.blocks }));
    this.edit(edits);
    try {
      return look();
    } finally {
      this.#isReduced = isReduced;
      this.#putBack(pieces);
      // An edit of an anchor also rebuilds blocks elsewhere. They are equal again, but not the same.
      for (const { piece, blocks } of aliased) {
        this.#forget(piece);
        piece.adopt(new Pool(blocks));
        this.#remember(piece);
      }
      this.#shape = shape;
      this.#view.text = text;
    }
  }

  #putBack(pieces: readonly Piece[]): void {
    const now = this.#pieces.all;
    const { head, tail } = commonEnds(now, pieces);
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

  /** The line and column of a block's start; the same as `positionAt` of its offset, without a search. */
  positionOf(block: Block): Position {
    const piece = this.#homeOf(block);
    const start = piece.startOf(block);
    // From the third piece on, a piece starts right after a line break.
    if (piece.index < 2 || start > 80 || /[\r\n]/.test(piece.text.slice(0, start)))
      return this.positionAt(this.#pieces.startOf(piece.index) + start);
    return { line: this.#pieces.lineOf(piece.index), character: start };
  }

  /** All blocks in file order. */
  get blocks(): readonly Block[] {
    return this.#lists.all;
  }

  /** Top-level keys in file order, including `nodes` and `context_variables`. */
  get tops(): readonly Block[] {
    return this.#lists.top;
  }

  get nodes(): readonly NodeBlock[] {
    return this.#lists.nodes;
  }

  get variables(): readonly VariableBlock[] {
    return this.#lists.context_variables;
  }

  /** All parse problems, in file order. */
  get problems(): readonly ReadProblem[] {
    this.#view.problems ??= this.#findProblems((piece) => piece.problems);
    return this.#view.problems;
  }

  /** The same for users: one problem per cause, with its fix. */
  get explainedProblems(): readonly ReadProblem[] {
    this.#view.explainedProblems ??= this.#findProblems((piece) => piece.explainedProblems);
    return this.#view.explainedProblems;
  }

  /**
   * Changes exactly when something changes that the graph depends on: IDs, types, edges (ends, IDs, `on`, whether there
   * is a `when`), uses of variables, variables, `entry`, component outputs. Other text doesn't change it.
   */
  get shape(): number {
    return this.#shape;
  }

  /** While this number is the same, blocks don't move: each starts at the same line and column. */
  get layout(): number {
    return this.#layout;
  }

  /**
   * Whether a word occurs in text with syntax errors. A name that seems undeclared or unused may be declared or used
   * there.
   */
  mayHold(word: string): boolean {
    if (this.#troubled.size === 0) return false;
    this.#view.unread ??= wordsOf([...this.#troubled].filter((piece) => piece.isBroken));
    return this.#view.unread.has(word);
  }

  /** The file has merge conflict markers, so its content isn't known. */
  get isInConflict(): boolean {
    for (const piece of this.#troubled) if (piece.isInConflict) return true;
    return false;
  }

  /** The text before the first block: a byte order mark, comments, `---`. */
  get header(): string {
    const first = this.#pieces.all.findIndex((piece) => piece.blocks.length > 0);
    if (first < 0) return this.text;
    return this.slice({
      start: 0,
      end: this.#pieces.startOf(first) + (this.#pieces.all[first] as Piece).blockStart(0),
    });
  }

  /** The range of a block in the file; that of a section includes all its children. */
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

  /** The innermost block around an offset; in the indentation before a key, the block of that key. */
  blockAt(offset: number): Block | undefined {
    if (offset < 0 || offset > this.length) return undefined;
    const index = this.#pieces.indexAt(offset);
    const piece = this.#pieces.all[index] as Piece;
    const within = offset - this.#pieces.startOf(index);
    let number = piece.blocks.length - 1;
    while (number > 0 && piece.blockStart(number) > within) number--;
    return piece.blocks[number];
  }

  /** Whether a block is part of the current text. */
  has(block: Block): boolean {
    return this.#homes.has(block);
  }

  startOf(block: Block): number {
    const piece = this.#homeOf(block);
    return this.#pieces.startOf(piece.index) + piece.startOf(block);
  }

  /** Converts a place inside a block to a place in the file. */
  absolute(block: Block, span: Span): Span {
    return shift(span, this.startOf(block));
  }

  #homeOf(block: Block): Piece {
    const home = this.#homes.get(block);
    if (home === undefined) throw new Error("This block is no longer part of the document.");
    return home;
  }

  #readAll(text: string, like: readonly Piece[] = []): void {
    this.#isReduced = text.length > MAX_LENGTH;
    const pieces: Piece[] = [];
    const known = new Pool(this.#isReduced ? [] : like.filter(({ isAlone }) => isAlone));
    // Each slice is read as soon as it's cut, so that slices needn't be kept.
    sliceText(text, (slice) => pieces.push(new Piece(text, slice, !this.#isReduced, taken(known, text, slice))));
    this.#put(0, this.#pieces.all.length, pieces, pieces, this.#pieces.all.slice());
  }

  /** Replaces pieces with slices of the new text. A piece whose text didn't change isn't parsed again. */
  #replace(from: number, to: number, text: string, slices: readonly Slice[]): void {
    const old = this.#pieces.all.slice(from, to);
    const unused = new Pool(old);
    const fresh: Piece[] = [];
    const pieces = slices.map((slice) => {
      const same = taken(unused, text, slice);
      if (same) return same;
      const piece = new Piece(text, slice, !this.#isReduced);
      fresh.push(piece);
      return piece;
    });
    const gone = unused.left;
    const pool = new Pool(blocksOf(gone));
    if (gone.length > 0) for (const piece of fresh) piece.adopt(pool);
    this.#put(from, to, pieces, fresh, gone);
  }

  /** Replaces the pieces `from` to `to`; of these, `fresh` are new and `gone` are removed. */
  #put(from: number, to: number, pieces: Piece[], fresh: readonly Piece[], gone: readonly Piece[]): void {
    const blocksBefore = blocksOf(this.#pieces.all.slice(from, to));
    const blocksAfter = blocksOf(pieces);
    const lists = this.#view.lists && patched(this.#view.lists, blocksBefore, blocksAfter, this.#order);
    for (const piece of gone) this.#forget(piece);
    for (const piece of fresh) this.#remember(piece);
    if (!this.#pieces.replace(from, to, pieces) || sharesBlock(gone, fresh)) this.#layout++;
    let isSameShape = sameShapes(blocksBefore, blocksAfter);
    this.#view = lists ? { lists } : {};
    // Text with syntax errors is part of the shape.
    const troubled = gone.some((piece) => piece.isBroken) || fresh.some((piece) => piece.isBroken);
    if (gone.some(({ isAlone }) => !isAlone) || fresh.some(({ isAlone }) => !isAlone)) {
      isSameShape = this.#resolveAliases() && isSameShape;
      this.#layout++;
      this.#view = {};
    }
    if (!isSameShape || troubled) this.#shape = ++this.#shapes;
  }

  /** Resolves aliases in the whole file, which can change blocks far from an edit. True if no shape changed. */
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

/** An unused piece equal to a slice of the new text. */
function taken(pool: Pool<Piece>, text: string, slice: Slice): Piece | undefined {
  return pool.take(
    () => text.slice(slice.start, slice.end),
    (piece) => piece.isCutLike(slice),
  );
}

/** Values computed since the last edit. */
interface View {
  text?: string | undefined;
  lists?: BlockLists;
  problems?: readonly ReadProblem[] | undefined;
  explainedProblems?: readonly ReadProblem[] | undefined;
  topStarts?: readonly number[] | undefined;
  unread?: ReadonlySet<string>;
}
