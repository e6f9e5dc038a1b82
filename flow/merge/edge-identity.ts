/**
 * Identifies edges across three versions of a flow, so that an edge can be followed from the common base to each side.
 * Edges are matched among those of their source (edge-match.ts); an unmatched edge with an explicit ID may have moved
 * to another node.
 */
import { isNone } from "../graph/edge-likeness";
import { crossing, type EdgeMatch, haveOwnId, matchEdges } from "../graph/edge-match";
import { edgesBySource, type Graph, type GraphEdge, sameElement, sameJson } from "../graph/graph";

export interface Three<T> {
  readonly base: T;
  readonly ours: T;
  readonly theirs: T;
}

export interface EdgeIdentity {
  /** For each version: the name of an edge by its ID. */
  readonly nameOf: Three<(id: string) => string>;
  /** The nodes whose edges differ between versions. */
  readonly changed: ReadonlySet<string>;
  /** Of these, the nodes where both sides changed edges that can't be distinguished. */
  readonly unclear: ReadonlySet<string>;
  /** The explicit IDs at the nodes whose edges changed. */
  readonly own: Three<ReadonlySet<string>>;
}

/** Our edges are named by their IDs, so that they're found in the file. */
export function identifyEdges(base: Graph, ours: Graph, theirs: Graph): EdgeIdentity {
  return new Identifier(base, ours, theirs).identify();
}

type Edges = readonly GraphEdge[];

/** One edge in each version that has it. */
interface Known {
  base?: GraphEdge;
  ours?: GraphEdge;
  theirs?: GraphEdge;
}

const noEdges: Edges = [];

class Identifier {
  /** Names that differ from the ID. */
  readonly #names = { base: new Map<string, string>(), theirs: new Map<string, string>() };
  readonly #taken = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #unclear = new Set<string>();
  /** The explicit IDs of edges. */
  readonly #own: Three<Set<string>> = { base: new Set(), ours: new Set(), theirs: new Set() };

  constructor(
    readonly base: Graph,
    readonly ours: Graph,
    readonly theirs: Graph,
  ) {}

  identify(): EdgeIdentity {
    const [base, ours, theirs] = [this.base, this.ours, this.theirs].map(edgesBySource) as [Lists, Lists, Lists];
    const known: Known[] = [];
    for (const source of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
      const [b, o, t] = [base, ours, theirs].map((lists) => lists.get(source) ?? noEdges) as [Edges, Edges, Edges];
      if (areSame(b, o) && areSame(b, t)) continue;
      this.#changed.add(source);
      for (const each of this.#inSource(source, b, o, t)) known.push(each);
    }
    const joined = this.#joined(known);
    this.#doubtSharedIds(joined);
    this.#name(joined);
    const { base: inBase, theirs: inTheirs } = this.#names;
    return {
      nameOf: {
        base: (id) => inBase.get(id) ?? id,
        ours: (id) => id,
        theirs: (id) => inTheirs.get(id) ?? id,
      },
      changed: this.#changed,
      unclear: this.#unclear,
      own: this.#own,
    };
  }

  #inSource(source: string, base: Edges, ours: Edges, theirs: Edges): Known[] {
    for (const [version, edges] of Object.entries({ base, ours, theirs }) as [keyof Known, Edges][])
      for (const [place, isOwn] of haveOwnId(edges).entries())
        if (isOwn) this.#own[version].add((edges[place] as GraphEdge).id);
    const matches = [matchEdges(base, ours), matchEdges(base, theirs)] as const;
    const [mine, other] = matches.map(alikeOnly) as [EdgeMatch, EdgeMatch];
    const known = base.map((edge): Known => ({ base: edge }));
    for (const { before, after } of mine.pairs) (known[before] as Known).ours = ours[after] as GraphEdge;
    for (const { before, after } of other.pairs) (known[before] as Known).theirs = theirs[after] as GraphEdge;
    const isSame = areSame(ours, theirs);
    const isKept = (version: "ours" | "theirs") => (before: GraphEdge, after: GraphEdge) =>
      isEqual(before, after) && this.#own.base.has(before.id) === this.#own[version].has(after.id);
    if (
      !isSame &&
      (clash(base, theirs, mine, other, isKept("theirs")) || clash(base, ours, other, mine, isKept("ours")))
    )
      this.#unclear.add(source);
    const added = (edges: Edges, { pairs }: EdgeMatch) => {
      const old = new Set(pairs.map(({ after }) => after));
      return edges.filter((_, place) => !old.has(place));
    };
    const [newHere, newThere] = [added(ours, mine), added(theirs, other)];
    this.#alsoChanged(known, "ours", newHere);
    this.#alsoChanged(known, "theirs", newThere);
    const both = this.#bothAdded(source, newHere, newThere);
    const [here, there] = [unlikeIn(ours, matches[0]), unlikeIn(theirs, matches[1])];
    const isDoubtful = ({ ours, theirs }: Known) => ours && theirs && here.get(ours) !== there.get(theirs);
    if (!isSame && both.some(isDoubtful)) this.#unclear.add(source);
    return [...known, ...both];
  }

  /**
   * An added edge without an explicit ID that equals what the other side made of a base edge is that edge, though it no
   * longer looks like the base.
   */
  #alsoChanged(known: readonly Known[], side: "ours" | "theirs", added: GraphEdge[]): void {
    const other = side === "ours" ? "theirs" : "ours";
    for (const each of known) {
      const { base, [other]: changed } = each;
      if (!base || !changed || each[side] || isEqual(base, changed)) continue;
      const place = added.findIndex((edge) => !this.#own[side].has(edge.id) && isEqual(edge, changed));
      if (place >= 0) each[side] = added.splice(place, 1)[0] as GraphEdge;
    }
  }

  /** Two edges added by both sides are one if they're equal; those of a node added by both sides are matched. */
  #bothAdded(source: string, ours: Edges, theirs: Edges): Known[] {
    const own = [
      ours.map(({ id }) => this.#own.ours.has(id)),
      theirs.map(({ id }) => this.#own.theirs.has(id)),
    ] as const;
    const { pairs, uncertain } = alikeOnly(matchEdges(ours, theirs, { own }));
    const isNew = !this.base.nodes.has(source);
    const isOne = (mine: GraphEdge, other: GraphEdge) => {
      const [isOwn, isTheirOwn] = [this.#own.ours.has(mine.id), this.#own.theirs.has(other.id)];
      if (isOwn && isTheirOwn && mine.id === other.id) return true;
      return isNew ? isSameKind(mine, other) : isOwn === isTheirOwn && isEqual(mine, other);
    };
    const partner = new Map<number, number>();
    for (const { before, after } of pairs)
      if (isOne(ours[before] as GraphEdge, theirs[after] as GraphEdge)) partner.set(before, after);
    const found = new Set(partner.values());
    for (const [after, edge] of theirs.entries()) {
      const isCopy = (mine: GraphEdge, place: number) =>
        !partner.has(place) && isEqual(mine, edge) && isNumbered(mine.id, edge.id);
      const before = found.has(after) ? -1 : ours.findIndex(isCopy);
      if (before >= 0) partner.set(before, after);
    }
    const isOpen = (place: number) => {
      const other = partner.get(place);
      return other === undefined || !isEqual(ours[place] as GraphEdge, theirs[other] as GraphEdge);
    };
    if (isNew && [...uncertain].some(isOpen)) this.#unclear.add(source);
    const old = new Set(partner.values());
    const known = ours.map((edge, place): Known => {
      const other = theirs[partner.get(place) ?? -1];
      return other ? { ours: edge, theirs: other } : { ours: edge };
    });
    return [...known, ...theirs.filter((_, place) => !old.has(place)).map((edge): Known => ({ theirs: edge }))];
  }

  /** Joins edges with the same ID that versions have at different nodes. */
  #joined(known: readonly Known[]): Known[] {
    const gone = new Set<Known>();
    const join = (into: Known, other: Known | undefined) => {
      if (!other || other === into || gone.has(other)) return;
      if ((into.ours && other.ours) || (into.theirs && other.theirs)) return;
      Object.assign(into, other);
      gone.add(other);
    };
    for (const [one, others] of [
      ["base", ["ours", "theirs"]],
      ["ours", ["theirs"]],
    ] as const)
      for (const version of others) {
        const byId = new Map<string, Known>();
        for (const each of known) {
          const edge = each[version];
          if (edge && !each[one] && !each.base && this.#own[version].has(edge.id)) byId.set(edge.id, each);
        }
        for (const each of known) {
          const edge = each[one];
          if (edge && !each[version] && !gone.has(each) && this.#own[one].has(edge.id)) join(each, byId.get(edge.id));
        }
      }
    return known.filter((each) => !gone.has(each));
  }

  /** Both sides gave the same ID to different edges. */
  #doubtSharedIds(known: readonly Known[]): void {
    const byId = new Map<string, Known>();
    for (const each of known) if (each.ours && this.#own.ours.has(each.ours.id)) byId.set(each.ours.id, each);
    for (const each of known) {
      const other = each.theirs && this.#own.theirs.has(each.theirs.id) ? byId.get(each.theirs.id) : undefined;
      if (!other || other === each) continue;
      for (const edge of [each.theirs, other.ours]) this.#unclear.add((edge as GraphEdge).source);
    }
  }

  #name(known: readonly Known[]): void {
    for (const { base, ours, theirs } of known) {
      const id = (ours ?? theirs ?? base)?.id as string;
      let name = id;
      for (let number = 2; !ours && (this.ours.edges.has(name) || this.#taken.has(name)); number++)
        name = `${id}--${number}`;
      this.#taken.add(name);
      if (base && base.id !== name) this.#names.base.set(base.id, name);
      if (theirs && theirs.id !== name) this.#names.theirs.set(theirs.id, name);
    }
  }
}

type Lists = Map<string, GraphEdge[]>;

/** If an edge has become dissimilar, no change may be applied to it: it was removed, or may have been. */
function alikeOnly({ pairs, uncertain }: EdgeMatch): EdgeMatch {
  const unlike = pairs.filter(({ isUnlike }) => isUnlike).map(({ before }) => before);
  return { pairs: pairs.filter(({ isUnlike }) => !isUnlike), uncertain: new Set([...uncertain, ...unlike]) };
}

/** The edges that may be dissimilar versions of base edges, by these edges' indexes. */
function unlikeIn(edges: Edges, { pairs }: EdgeMatch): Map<GraphEdge, number> {
  const unlike = pairs.filter(({ isUnlike }) => isUnlike);
  return new Map(unlike.map(({ before, after }) => [edges[after] as GraphEdge, before]));
}

/** Whether one side can't be matched with certainty where the other side changed something. */
function clash(
  base: Edges,
  changed: Edges,
  { uncertain }: EdgeMatch,
  { pairs }: EdgeMatch,
  isKept: (before: GraphEdge, after: GraphEdge) => boolean,
): boolean {
  if (uncertain.size === 0) return false;
  const afters = new Map(pairs.map(({ before, after }) => [before, after]));
  const moved = crossing(afters);
  return [...uncertain].some((place) => {
    const after = afters.get(place);
    if (after === undefined || moved.has(place)) return true;
    return !isKept(base[place] as GraphEdge, changed[after] as GraphEdge);
  });
}

/** An edge for an event, or one with a condition, isn't another version of an edge without it. */
function isSameKind(a: GraphEdge, b: GraphEdge): boolean {
  return isNone(a.when) === isNone(b.when) && (isNone(a.on) ? isNone(b.on) : sameJson(a.on, b.on));
}

/** Whether an ID is the one that an earlier merge gave to an edge because its own was taken. */
function isNumbered(id: string, of: string): boolean {
  return id.startsWith(`${of}--`) && /^\d+$/.test(id.slice(of.length + 2));
}

/** Equality regardless of IDs. */
function isEqual(a: GraphEdge, b: GraphEdge): boolean {
  return sameElement({ ...a, id: "" }, { ...b, id: "" });
}

function areSame(a: Edges, b: Edges): boolean {
  return a === b || (a.length === b.length && a.every((edge, at) => sameElement(edge, b[at] as GraphEdge)));
}
