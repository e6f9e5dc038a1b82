/**
 * Matches the edges of two versions of a flow. Merges, reviews, file edits, and sync all use this.
 *
 * An edge is identified by its explicit `id`. Without one it's identified by its target and content: `on`, `when`,
 * `label`, and other fields. Its derived ID (`a--b--2`) doesn't count, because it changes with every edge added or
 * removed before it.
 *
 * Equal edges are matched first, then similar ones. A match is certain only if no other one would be as good; merges
 * don't guess where it isn't.
 */

import { bestAssignment, isReplaceable } from "../assignment";
import { addTo } from "../collections";
import { commonOrder } from "../sequences";
import { counts, isLike, isNone, likeness, wordsOf } from "./edge-likeness";
import type { GraphEdge } from "./graph";

/** Indexes in the two lists. */
export interface EdgePair {
  readonly before: number;
  readonly after: number;
  /** The pair only has its target in common, and other edges lead there as well, so it may be wrong. */
  readonly isUnlike?: true;
}

export interface EdgeMatch {
  /** In the order of the first list. */
  readonly pairs: readonly EdgePair[];
  /** Indexes in the first list of edges whose match, or lack of one, is ambiguous. */
  readonly uncertain: ReadonlySet<number>;
}

export interface MatchOptions {
  /** Edges with different explicit IDs may be the same: the platform may have renamed them. */
  readonly renamed?: boolean;
  /** Whether each edge has an explicit ID, if the lists are only parts of a source's edges. */
  readonly own?: readonly [before: readonly boolean[], after: readonly boolean[]];
}

/** If more edges than this to one target differ only in similarity, they're matched in order, as uncertain. */
const MOST_ALIKE = 64;
/** Beyond this many cells, the longest common order isn't computed. */
const MOST_CELLS = 1_000_000;
/** The worth of a pair in that order, with more than enough below it to prefer one of two equal edges. */
const BEST = 2_000;

/** Matches the edges of one source in two versions of a flow. */
export function matchEdges(
  before: readonly GraphEdge[],
  after: readonly GraphEdge[],
  { renamed = false, own = [haveOwnId(before), haveOwnId(after)] }: MatchOptions = {},
): EdgeMatch {
  return new Matcher(before, after, renamed, own).match();
}

/** By index in the list of one source: whether the ID is explicit rather than derived. */
export function haveOwnId(edges: readonly GraphEdge[]): boolean[] {
  const seen = new Map<string, number>();
  return edges.map(({ id, source, target }) => {
    const number = (seen.get(target) ?? 0) + 1;
    seen.set(target, number);
    return id !== placeId(source, target, number);
  });
}

/** The derived ID of an edge: the `number`th from one node to another, 1-based. */
export function placeId(source: string, target: string, number: number): string {
  return number === 1 ? `${source}--${target}` : `${source}--${target}--${number}`;
}

class Matcher {
  /** Maps indexes of one side to the other. */
  readonly #after = new Map<number, number>();
  readonly #before = new Map<number, number>();
  readonly #uncertain = new Set<number>();
  /** Indexes in the first list of edges matched with a dissimilar one. */
  readonly #unlike = new Set<number>();

  constructor(
    readonly before: readonly GraphEdge[],
    readonly after: readonly GraphEdge[],
    readonly renamed: boolean,
    readonly own: readonly [before: readonly boolean[], after: readonly boolean[]],
  ) {}

  match(): EdgeMatch {
    this.#matchIds();
    this.#matchEqual();
    this.#matchBy(({ target, on, when }) => isNone(when) || JSON.stringify([target, on ?? null, when]));
    const certain = new Set(this.#after.keys());
    this.#matchBy(({ target, on, label }) => isNone(label) || JSON.stringify([target, on ?? null, label]));
    this.#matchAlike();
    this.#doubtLostIds(certain);
    this.#doubtMoved();
    const pairs = [...this.#after].map(
      ([before, after]): EdgePair => (this.#unlike.has(before) ? { before, after, isUnlike: true } : { before, after }),
    );
    pairs.sort((a, b) => a.before - b.before);
    return { pairs, uncertain: this.#uncertain };
  }

  #pair(before: number, after: number): void {
    this.#after.set(before, after);
    this.#before.set(after, before);
  }

  /** Two edges with different explicit IDs are different edges. */
  #mayBeSame(before: number, after: number): boolean {
    return this.renamed || !this.own[0][before] || !this.own[1][after];
  }

  /** Whether the edge has an explicit ID on both sides or on none. */
  #isIdKept(before: number, after: number): boolean {
    return this.renamed || this.own[0][before] === this.own[1][after];
  }

  /** An equal ID counts if it's explicit on either side: the other side can only have it from this edge. */
  #matchIds(): void {
    const places = new Map(this.after.map(({ id }, place) => [id, place]));
    for (const [before, { id }] of this.before.entries()) {
      const after = places.get(id);
      if (after !== undefined && (this.own[0][before] || this.own[1][after])) this.#pair(before, after);
    }
  }

  /** Matches equal edges, first those in the same order on both sides. */
  #matchEqual(): void {
    const [free, others] = this.#free();
    const words = [this.before, this.after].map((edges) => edges.map(wordsOf)) as [string[], string[]];
    const keys = [free.map((place) => words[0][place] as string), others.map((place) => words[1][place] as string)];
    const [mine, theirs] = keys as [string[], string[]];
    // Of equal edges, one that has an explicit ID on one side only is the last choice.
    const worthOf = (one: number, other: number) => {
      const [before, after] = [free[one] as number, others[other] as number];
      if (mine[one] !== theirs[other] || !this.#mayBeSame(before, after)) return 0;
      return this.#isIdKept(before, after) ? BEST : BEST - 1;
    };
    const inOrder = commonOrder(mine.length, theirs.length, worthOf, BEST, MOST_CELLS);
    for (const [one, other] of inOrder) this.#pair(free[one] as number, others[other] as number);
    this.#pairEach(
      free,
      others,
      (place) => words[0][place],
      (place) => words[1][place],
    );
    this.#doubtTwins(free, others, words, new Set(inOrder.map(([one]) => free[one] as number)));
  }

  /**
   * Several equal edges can't be distinguished, unless all edges to their target are unchanged and in place: an additional
   * one may be a copy, or a changed edge. One with an explicit ID that was added or removed isn't mistaken for another.
   */
  #doubtTwins(
    free: readonly number[],
    others: readonly number[],
    [mine, theirs]: readonly [readonly string[], readonly string[]],
    inOrder: ReadonlySet<number>,
  ): void {
    const isRemoved = (place: number) => !this.renamed && this.own[0][place] && !this.#after.has(place);
    const isAdded = (place: number) => !this.renamed && this.own[1][place] && !this.#before.has(place);
    const left = counts(free.flatMap((place) => (isRemoved(place) ? [] : mine[place])));
    const right = counts(others.flatMap((place) => (isAdded(place) ? [] : theirs[place])));
    const still = counts([...inOrder].map((place) => mine[place]));
    const before = counts(this.before.flatMap(({ target }, place) => (isRemoved(place) ? [] : target)));
    const after = counts(this.after.flatMap(({ target }, place) => (isAdded(place) ? [] : target)));
    const kept = new Map<string, number>();
    for (const [place, other] of this.#after) {
      const { target } = this.before[place] as GraphEdge;
      if (this.#isIdKept(place, other)) kept.set(target, (kept.get(target) ?? 0) + 1);
    }
    const added = counts(others.flatMap((place) => (isAdded(place) ? theirs[place] : [])));
    for (const place of free) {
      const key = mine[place];
      const [count = 0, other = 0] = [left.get(key), right.get(key)];
      if (isRemoved(place) || other === 0) continue;
      // An edge that lost its ID may have got another one.
      const hasOtherId = this.own[0][place] && added.has(key);
      if (count + other === 2 && !hasOtherId) continue;
      const { target } = this.before[place] as GraphEdge;
      const all = before.get(target);
      if (
        hasOtherId ||
        still.get(key) !== count ||
        count !== other ||
        kept.get(target) !== all ||
        after.get(target) !== all
      )
        this.#uncertain.add(place);
    }
  }

  /** Matches edges that share a key which no other remaining edge has; `true` means no key. */
  #matchBy(keyOf: (edge: GraphEdge) => string | true): void {
    const [free, others] = this.#free();
    const [mine, theirs] = [
      counts(free.map((place) => keyOf(this.before[place] as GraphEdge))),
      counts(others.map((place) => keyOf(this.after[place] as GraphEdge))),
    ];
    const unique = (edge: GraphEdge) => {
      const key = keyOf(edge);
      return key !== true && mine.get(key) === 1 && theirs.get(key) === 1 ? key : undefined;
    };
    this.#pairEach(
      free,
      others,
      (place) => unique(this.before[place] as GraphEdge),
      (place) => unique(this.after[place] as GraphEdge),
    );
  }

  #pairEach(
    free: readonly number[],
    others: readonly number[],
    keyBefore: (place: number) => string | undefined,
    keyAfter: (place: number) => string | undefined,
  ): void {
    const waiting = new Map<string, number[]>();
    for (const place of others) {
      const key = this.#before.has(place) ? undefined : keyAfter(place);
      if (key !== undefined) addTo(waiting, key, place);
    }
    for (const place of free) {
      const key = this.#after.has(place) ? undefined : keyBefore(place);
      const found = key === undefined ? undefined : waiting.get(key);
      const at = found?.findIndex((other) => this.#mayBeSame(place, other)) ?? -1;
      if (found && at >= 0) this.#pair(place, found.splice(at, 1)[0] as number);
    }
  }

  /** Matches the rest by target: the pairs with the highest total similarity. */
  #matchAlike(): void {
    const [free, others] = this.#free();
    const targetOf = (edges: readonly GraphEdge[], place: number) => (edges[place] as GraphEdge).target;
    const [mine, theirs] = [
      groupedBy(free, (place) => targetOf(this.before, place)),
      groupedBy(others, (place) => targetOf(this.after, place)),
    ];
    for (const [target, left] of mine) {
      const right = theirs.get(target);
      if (right) this.#matchGroup(target, left, right);
    }
  }

  #matchGroup(target: string, left: readonly number[], right: readonly number[]): void {
    if (Math.max(left.length, right.length) > MOST_ALIKE) {
      for (const [at, place] of left.entries()) {
        const other = right[at];
        this.#uncertain.add(place);
        if (other !== undefined && this.#mayBeSame(place, other)) this.#pair(place, other);
      }
      return;
    }
    const size = Math.max(left.length, right.length);
    const cells = (value: (before: number, after: number) => number, none: number) =>
      Array.from({ length: size }, (_, row) =>
        Array.from({ length: size }, (__, column) => {
          const [before, after] = [left[row], right[column]];
          return before === undefined || after === undefined ? none : value(before, after);
        }),
      );
    const worth = cells((one, other) => this.#worth(one, other), 0);
    // Among equally good assignments, the one that keeps the order wins.
    const weight = 2 * size * size;
    const columns = bestAssignment(
      worth.map((row, at) => row.map((value, column) => value * weight - Math.abs(at - column))),
    );
    const replaceable = isReplaceable(worth, columns);
    const isOnly = this.#isOnly(target);
    const areAlike = (place: number, other: number | undefined) =>
      other !== undefined &&
      this.#mayBeSame(place, other) &&
      (isOnly || isLike(this.before[place] as GraphEdge, this.after[other] as GraphEdge));
    // A dissimilar edge may be another version of any edge that would fit as well.
    const isUnlike = left.some((place, row) => {
      const other = right[columns[row] as number];
      return other !== undefined && this.#mayBeSame(place, other) && !areAlike(place, other);
    });
    for (const [row, place] of left.entries()) {
      const other = right[columns[row] as number];
      if (replaceable[row] && (isUnlike || right.some((each) => areAlike(place, each)))) this.#uncertain.add(place);
      if (other === undefined || !this.#mayBeSame(place, other)) continue;
      this.#pair(place, other);
      if (!areAlike(place, other)) this.#unlike.add(place);
    }
  }

  /** An edge that gained or lost its explicit ID and has another condition, or lost it and was moved, may be another. */
  #doubtLostIds(certain: ReadonlySet<number>): void {
    const moved = crossing(this.#after);
    for (const [before, after] of this.#after) {
      if (this.#isIdKept(before, after)) continue;
      if (!certain.has(before) || (this.own[0][before] && moved.has(before))) this.#uncertain.add(before);
    }
  }

  /** A moved edge is ambiguous if a similar one was added: that one may be the original, and the moved one a copy. */
  #doubtMoved(): void {
    const added = this.#free()[1].map((place) => this.after[place] as GraphEdge);
    if (added.length === 0) return;
    for (const place of crossing(this.#after)) {
      const edge = this.before[place] as GraphEdge;
      if (!this.own[0][place] && added.some((other) => other.target === edge.target && isLike(edge, other)))
        this.#uncertain.add(place);
    }
  }

  /** Whether it's the only edge to this target on both sides. */
  #isOnly(target: string): boolean {
    const leading = (edges: readonly GraphEdge[]) => edges.filter((edge) => edge.target === target).length;
    return leading(this.before) === 1 && leading(this.after) === 1;
  }

  #worth(before: number, after: number): number {
    // An impossible pair outweighs any number of others.
    if (!this.#mayBeSame(before, after)) return -1_000_000;
    return likeness(this.before[before] as GraphEdge, this.after[after] as GraphEdge);
  }

  #free(): [before: number[], after: number[]] {
    const rest = (edges: readonly GraphEdge[], known: ReadonlyMap<number, number>) =>
      [...edges.keys()].filter((place) => !known.has(place));
    return [rest(this.before, this.#after), rest(this.after, this.#before)];
  }
}

/** The indexes in the first list of pairs that another pair crosses. */
export function crossing(pairs: Iterable<readonly [before: number, after: number]>): Set<number> {
  const inOrder = [...pairs].sort(([a], [b]) => a - b);
  const found = new Set<number>();
  let [highest, lowest] = [-1, Number.POSITIVE_INFINITY];
  for (const [before, after] of inOrder) {
    if (after < highest) found.add(before);
    highest = Math.max(highest, after);
  }
  for (const [before, after] of inOrder.reverse()) {
    if (after > lowest) found.add(before);
    lowest = Math.min(lowest, after);
  }
  return found;
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    addTo(groups, keyOf(item), item);
  }
  return groups;
}
