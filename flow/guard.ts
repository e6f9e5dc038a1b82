/**
 * Verifies every edit that's offered: fixes, refactorings, completions, formatting, renames, graph edits, merges. The
 * edit is tried on the document, and isn't offered if it would add a syntax error or a repeated key, change anything
 * unintended, or lose a comment. Edits should be correct without it; this is the safety net.
 */
import { type Comment, commentsOf } from "./comments";
import type { Block, FlowDocument, NodeBlock, Section, VariableBlock } from "./document";
import { sameElement, sameJson } from "./graph/graph";
import { isRecord } from "./json";
import { commonEnds, firstIndex, type TextEdit } from "./text";
import { toData } from "./values";

export interface Meaning {
  /**
   * What may change: `nothing`; only the blocks that the edits touch (new ones may be added); `anything`, for a file
   * with syntax errors; or exactly what a function returns for each changed block.
   */
  readonly changes: "nothing" | "touched" | "anything" | ((said: WrittenBlock) => WrittenBlock | undefined);
  /** Comments inside removed parts may be removed too. */
  readonly removes?: boolean;
  /** New blocks may be added; always so for `touched`. */
  readonly adds?: boolean;
  /** An additional check, called while the edits are applied. */
  readonly and?: (document: FlowDocument) => boolean;
}

/** The content of a block without its place: a node with its edges, a variable, a top-level key. */
export interface WrittenBlock {
  readonly section: Section;
  readonly key: string;
  readonly data: unknown;
  /** For a node. An edge only has an explicit `id`: the others are derived from the two ends. */
  readonly edges?: readonly unknown[];
}

/** Why the edits can't be offered; undefined if they can. */
export function whyNot(document: FlowDocument, edits: readonly TextEdit[], means: Meaning): string | undefined {
  if (edits.length === 0) return undefined;
  if (!areDisjoint(edits, document.length)) return "the edits overlap";
  const before = stateOf(document);
  const touched = means.changes === "touched" ? touchedBy(document, edits) : new Set<Block>();
  const keepsAll = !means.removes && means.changes !== "anything";
  const taken = keepsAll ? commentsTaken(document, edits) : new Set<Comment>();
  return document.trial(edits, () => {
    const after = stateOf(document);
    for (const [code, count] of after.problems)
      if (count > (before.problems.get(code) ?? 0)) return `it adds a problem: ${code}`;
    const changed =
      means.changes === "anything"
        ? undefined
        : changeBetween(before, after, means.changes, touched, means.adds === true);
    if (changed !== undefined) return `it changes ${changed}`;
    if (keepsAll && !keepsComments(before, after, taken)) return "it loses a comment";
    return means.and && !means.and(document) ? "it doesn't have the intended effect" : undefined;
  });
}

/** The edits, or none if they can't be offered. */
export function guarded<Edit extends TextEdit>(
  document: FlowDocument,
  edits: readonly Edit[],
  means: Meaning,
): readonly Edit[] {
  return whyNot(document, edits, means) === undefined ? edits : [];
}

interface State {
  readonly header: string;
  readonly tops: readonly Block[];
  readonly variables: readonly VariableBlock[];
  readonly nodes: readonly NodeBlock[];
  /** The number of parse problems of each kind. */
  readonly problems: ReadonlyMap<string, number>;
}

function stateOf(document: FlowDocument): State {
  const problems = new Map<string, number>();
  for (const { code } of document.problems) problems.set(code, (problems.get(code) ?? 0) + 1);
  const { header, tops, variables, nodes } = document;
  return { header, tops, variables, nodes, problems };
}

function areDisjoint(edits: readonly TextEdit[], length: number): boolean {
  let last = 0;
  return [...edits]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .every((edit) => {
      const fits = edit.start >= last && edit.end >= edit.start && edit.end <= length;
      last = edit.end;
      return fits;
    });
}

/** The blocks whose lines an edit touches. */
function touchedBy(document: FlowDocument, edits: readonly TextEdit[]): Set<Block> {
  const touched = new Set<Block>();
  for (const { start, end } of edits) {
    for (let at = start; ; ) {
      const block = document.blockAt(at);
      if (block) touched.add(block);
      const next = block ? document.startOf(block) + block.text.length : end;
      if (next > end || next <= at) break;
      at = next;
    }
    const above = document.blockAt(Math.max(0, start - 1));
    if (above) touched.add(above);
  }
  return touched;
}

/** Names a block with an unintended change. */
function changeBetween(
  before: State,
  after: State,
  changes: Exclude<Meaning["changes"], "anything">,
  touched: ReadonlySet<Block>,
  adds: boolean,
): string | undefined {
  const become = typeof changes === "function" ? changes : (said: WrittenBlock) => said;
  for (const list of ["nodes", "variables", "tops"] as const) {
    // Unchanged blocks are the same objects, so only those between the common ends are compared.
    const { left, came } = between<Block>(before[list], after[list]);
    const now = firstOf(came);
    for (const block of firstOf(left).values()) {
      if (touched.has(block) || isSection(block)) continue;
      const wanted = become(saidBy(block));
      const found = wanted && now.get(wanted.key);
      if (wanted ? !found || !isSaid(saidBy(found), wanted) : now.has(block.key)) return `"${block.key}"`;
      if (found) now.delete(found.key);
    }
    const extra = adds || changes === "touched" ? undefined : [...now.values()].find((block) => !isSection(block));
    if (extra) return `"${extra.key}"`;
  }
  return undefined;
}

function firstOf(blocks: readonly Block[]): Map<string, Block> {
  const first = new Map<string, Block>();
  for (const block of blocks) if (!first.has(block.key)) first.set(block.key, block);
  return first;
}

/** A section has no content itself. */
function isSection({ section, key }: Block): boolean {
  return section === "top" && (key === "nodes" || key === "context_variables");
}

function saidBy(block: Block): WrittenBlock {
  const { section, key } = block;
  if (section === "context_variables") return { section, key, data: (block as VariableBlock).wire };
  if (section === "top") return { section, key, data: toData(block.value) };
  const { wire, edges, edgesPair } = block as NodeBlock;
  const list = edgesPair?.value;
  // Edges that aren't a list count as an ordinary field.
  const data = list === undefined || list.kind === "list" ? wire : { ...wire, edges: toData(list) };
  return { section, key, data, edges: edges.map(({ item }) => toData(item)) };
}

function isSaid(a: WrittenBlock, b: WrittenBlock): boolean {
  const same = (x: unknown, y: unknown) => (isRecord(x) && isRecord(y) ? sameElement(x, y) : sameJson(x, y));
  const [own = [], other = []] = [a.edges, b.edges];
  return same(a.data, b.data) && own.length === other.length && own.every((edge, index) => same(edge, other[index]));
}

function between<Item>(before: readonly Item[], after: readonly Item[]): { left: Item[]; came: Item[] } {
  const { head, tail } = commonEnds(before, after);
  return { left: before.slice(head, before.length - tail), came: after.slice(head, after.length - tail) };
}

/** The comments that the edits delete without replacement. */
function commentsTaken(document: FlowDocument, edits: readonly TextEdit[]): Set<Comment> {
  const taken = new Set<Comment>();
  const deletions = edits.filter(({ text }) => text === "").sort((a, b) => a.start - b.start);
  for (const block of touchedBy(document, edits)) {
    const start = document.startOf(block);
    // Both are sorted, so each deletion is checked once per block, not once per comment.
    let next = 0;
    for (const comment of commentsOf(block)) {
      const [from, to] = [start + comment.span.start, start + comment.span.end];
      if (next === 0) next = firstIndex(deletions.length, (index) => (deletions[index] as TextEdit).end >= to);
      while (next < deletions.length && (deletions[next] as TextEdit).end < to) next++;
      const deletion = deletions[next];
      if (deletion && deletion.start <= from) taken.add(comment);
    }
  }
  return taken;
}

function keepsComments(before: State, after: State, taken: ReadonlySet<Comment>): boolean {
  const there = new Map<string, number>();
  const count = (text: string, by: number) => there.set(text, (there.get(text) ?? 0) + by);
  for (const list of ["tops", "variables", "nodes"] as const) {
    const { left, came } = between<Block>(before[list], after[list]);
    for (const block of came) for (const { text } of commentsOf(block)) count(text, 1);
    for (const block of left) for (const comment of commentsOf(block)) if (!taken.has(comment)) count(comment.text, -1);
  }
  if (before.header !== after.header) {
    for (const text of commentsInHeader(after.header)) count(text, 1);
    for (const text of commentsInHeader(before.header)) count(text, -1);
  }
  return [...there.values()].every((left) => left >= 0);
}

function commentsInHeader(header: string): string[] {
  return [...header.matchAll(/(?:^|\s)#(.*)$/gm)].map((match) => (match[1] ?? "").trim());
}
