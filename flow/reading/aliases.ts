/**
 * Resolves aliases and merge keys in the whole file: an alias refers to the last anchor of its name above it.
 * Everything in a resolved value gets the alias's own place.
 */
import { addTo } from "../collections";
import { briefly, type Span } from "../text";
import { keyText, makeList, makeMap, makePair, makeScalar, type Pair, type ScalarValue, type Value } from "../values";
import type { ReadProblem } from "./problem";
import type { AliasMark, Anchor } from "./yaml";

const MAX_ALIASES = 100;

/** A slice of the file that contains anchors or aliases. */
export interface AliasScope {
  readonly anchors: readonly Anchor[];
}

export class AliasResolver {
  #left: number;
  /** How many values aliases may still add: a repeated value may itself be large. */
  #values: number;
  readonly #limit: number;
  #isSpent = false;
  #order = 0;
  /** The anchors of each name in earlier scopes, in file order. */
  readonly #above = new Map<string, Target[]>();
  #problems: ReadProblem[] = [];

  constructor({ aliases = MAX_ALIASES, values = Number.POSITIVE_INFINITY } = {}) {
    this.#limit = this.#left = aliases;
    this.#values = values;
  }

  /** True once the limit is reached and no further alias is resolved. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** The value with its aliases resolved. Problems have places in the slice. */
  resolve(value: Value, scope: AliasScope, problems: ReadProblem[]): Value {
    this.#problems = problems;
    return this.#put(value, { scope, order: this.#order, at: undefined });
  }

  /** Makes the anchors of a scope available to later scopes. */
  leave(scope: AliasScope): void {
    for (const anchor of scope.anchors) {
      addTo(this.#above, anchor.name, { anchor, scope, order: this.#order });
    }
    this.#order++;
  }

  #put(value: Value, place: Place): Value {
    if (place.at) this.#values--;
    if (value.kind === "scalar") {
      if (isMark(value)) return this.#stand(value, place);
      return place.at ? makeScalar(value.value, value.style, place.at.start, place.at.end) : value;
    }
    const { start, end } = place.at ?? value.span;
    if (value.kind === "list") {
      const items = value.items.map((item) => this.#put(item, place));
      const same = !place.at && items.every((item, index) => item === value.items[index]);
      return same ? value : makeList(items, value.flow, start, end);
    }
    let same = !place.at;
    const own = new Map<string, Pair>();
    const merged: Pair[] = [];
    const pairs: Pair[] = [];
    for (const pair of value.pairs) {
      const written = pair.key;
      const key = this.#put(written, place);
      const inner = pair.value && this.#put(pair.value, place);
      if (key !== written || inner !== pair.value) same = false;
      if (key.kind !== "scalar") continue;
      if (isMerge(pair) && inner && inner.kind !== "scalar") {
        same = false;
        const sources = inner.kind === "list" ? inner.items : [inner];
        for (const source of sources) if (source.kind === "map") for (const each of source.pairs) merged.push(each);
        continue;
      }
      const next = makePair(key, inner, place.at?.end ?? Math.max(pair.span.end, inner?.span.end ?? 0));
      own.set(keyText(next), next);
      pairs.push(next);
    }
    if (same) return value;
    for (const pair of merged)
      if (!own.has(keyText(pair))) {
        own.set(keyText(pair), pair);
        pairs.push(pair);
      }
    return makeMap(pairs, value.flow, start, end);
  }

  #stand(mark: AliasMark, place: Place): Value {
    const at = place.at ?? mark.span;
    const nothing = makeScalar(null, "plain", at.start, at.end);
    if (this.#isSpent) return nothing;
    const target = this.#find(mark, place);
    if (target === undefined || target === "itself") {
      // An alias inside an anchored value is reported where it's written, not where it's repeated.
      if (!place.at) this.#report("yaml-syntax", mark, target ? inItself(mark.alias) : unknown(mark.alias));
      return nothing;
    }
    if (this.#left === 0 || this.#values <= 0) {
      this.#isSpent = true;
      this.#report("limit", mark, overLimit(this.#limit));
      return nothing;
    }
    this.#left--;
    return target.anchor.value
      ? this.#put(target.anchor.value, { scope: target.scope, order: target.order, at })
      : nothing;
  }

  #find(mark: AliasMark, place: Place): Target | "itself" | undefined {
    const { scope, order } = place;
    for (let index = scope.anchors.length - 1; index >= 0; index--) {
      const anchor = scope.anchors[index] as Anchor;
      if (anchor.name !== mark.alias || anchor.span.start > mark.at) continue;
      return anchor.span.end > mark.at ? "itself" : { anchor, scope, order };
    }
    return this.#above.get(mark.alias)?.findLast((target) => target.order < order);
  }

  #report(code: ReadProblem["code"], mark: AliasMark, message: string): void {
    const span = { start: mark.at, end: mark.at + mark.alias.length + 1 };
    this.#problems.push({ code, message, span });
  }
}

const inItself = (name: string) => `Alias \`*${briefly(name)}\` refers to itself. Write the value instead.`;
const unknown = (name: string) =>
  `Undefined alias \`*${briefly(name, 28)}\`. Define \`&${briefly(name, 28)}\` above, or fix the name.`;
const overLimit = (limit: number) =>
  `The file has more than ${limit} aliases; this one and all below are ignored. Write out some of the values.`;

interface Target {
  readonly anchor: Anchor;
  readonly scope: AliasScope;
  readonly order: number;
}

interface Place {
  readonly scope: AliasScope;
  /** Anchors of earlier scopes count. */
  readonly order: number;
  /** The alias that adds the value, if any. */
  readonly at: Span | undefined;
}

/** `<<` merges aliased values; with a literal value it's an ordinary key. */
function isMerge({ key, value }: Pair): boolean {
  if (key.value !== "<<" || key.style !== "plain" || value === undefined) return false;
  return value.kind === "list"
    ? value.items.some((item) => item.kind === "scalar" && isMark(item))
    : value.kind === "scalar";
}

function isMark(scalar: ScalarValue): scalar is AliasMark {
  return "alias" in scalar;
}
