/**
 * Merges of lists with parallel edges, compared with an oracle that knows the identity of edges because it created
 * them: it tracks the edits of both sides as lists of numbered edges, independently of the product.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { applyEdits, FlowDocument, graphOf, mergeGraphs, mergeTexts } from "../../../flow";
import { mergeText } from "../../../sync";
import { cases } from "../../support/cases";

const RUNS = cases(400, "PARALLEL_RUNS");
const FIRST = Number(process.env.PARALLEL_SEED ?? 1);

interface Edge {
  /** The identity of the edge; never written. */
  readonly who: number;
  readonly to: string;
  readonly when?: string;
  readonly on?: string;
  readonly label?: string;
  readonly id?: string;
}

type Random = (below: number) => number;

function random(seed: number): Random {
  let state = seed * 2654435761;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** All different: otherwise an edge in another's place would look like a change of it. */
const CONDITIONS = [
  "the caller asks about a bill",
  "a refund is wanted",
  "{{plan}} is basic",
  "silence",
  "nothing else was said",
  "somebody shouts",
  "it is about moving house",
  "the card was stolen",
  "p",
  "q",
];

class Story {
  #next = 0;

  constructor(readonly random: Random) {}

  edge(): Edge {
    const { random } = this;
    const who = this.#next++;
    const to = ["b", "b", "b", "c"][random(4)] as string;
    const kind = random(6);
    if (kind === 0) return { who, to };
    if (kind === 1) return { who, to, on: "error" };
    return { who, to, when: CONDITIONS[random(CONDITIONS.length)] as string };
  }

  /** Rewriting a removed edge is indistinguishable from keeping it. */
  newEdge(known: readonly Edge[]): Edge {
    let edge = this.edge();
    while (known.some((other) => fieldsOf(other) === fieldsOf(edge))) edge = this.edge();
    return edge;
  }

  /** A dropped condition leaves little to recognize an edge by. */
  withoutCondition(edge: Edge, known: readonly Edge[]): Edge {
    const { when: _, ...rest } = edge;
    const isTaken = known.some((other) => fieldsOf({ ...other, id: "" }) === fieldsOf({ ...rest, id: "" }));
    return isTaken ? edge : rest;
  }

  /** Random edits of a list of edges. */
  changed(edges: readonly Edge[], side: string): Edge[] {
    const { random } = this;
    const list = [...edges];
    for (let left = random(3) + 1; left > 0; left--) {
      const at = random(Math.max(1, list.length));
      const edge = list[at];
      const kind = random(9);
      if (kind <= 1 || !edge) list.splice(random(list.length + 1), 0, this.newEdge(edges));
      else if (kind === 2) list.splice(at, 1);
      else if (kind <= 4) {
        list.splice(at, 1);
        list.splice(random(list.length + 1), 0, edge);
      } else if (kind === 5) list[at] = { ...edge, label: `of ${side}` };
      else if (kind === 6 && edge.when !== undefined) list[at] = { ...edge, when: `${edge.when} and so on` };
      else if (kind === 7) list[at] = this.withoutCondition(edge, edges);
      else if (edge.id === undefined) list[at] = { ...edge, id: `own-${edge.who}` };
    }
    return list;
  }
}

const STYLES = ["block", "braces", "brackets"] as const;

function write(edges: readonly Edge[], style: (typeof STYLES)[number], comments: boolean): string {
  const fields = ({ who: _, ...rest }: Edge) => Object.entries(rest);
  const quoted = (value: string) => JSON.stringify(value);
  const inline = (edge: Edge) =>
    `{${fields(edge)
      .map(([name, value]) => `${name}: ${quoted(value)}`)
      .join(", ")}}`;
  const note = ({ who }: Edge) => (comments ? `      # about ${who}.\n` : "");
  const block = (edge: Edge) =>
    `      - ${fields(edge)
      .map(([name, value]) => `${name}: ${quoted(value)}\n`)
      .join("        ")}`;
  const list =
    edges.length === 0
      ? ""
      : style === "brackets"
        ? `    edges: [${edges.map(inline).join(", ")}]\n`
        : `    edges:\n${edges.map((edge) => note(edge) + (style === "block" ? block(edge) : `      - ${inline(edge)}\n`)).join("")}`;
  return `entry: a\nnodes:\n  a:\n    type: message\n${list}  b: {type: end}\n  c: {type: end}\n`;
}

const FIELDS = ["to", "when", "on", "label", "id"] as const;

type Fields = Omit<Edge, "who">;

function fieldsOf(edge: Fields): string {
  return JSON.stringify(FIELDS.map((name) => edge[name] ?? null));
}

/** The expected merge, or undefined if the sides conflict: by identity, field by field. */
function wanted(base: readonly Edge[], ours: readonly Edge[], theirs: readonly Edge[]): Map<number, Edge> | undefined {
  const result = new Map<number, Edge>();
  const by = [base, ours, theirs].map((list) => new Map(list.map((edge) => [edge.who, edge])));
  for (const who of new Set([...ours, ...theirs].map((edge) => edge.who))) {
    const [b, o, t] = by.map((edges) => edges.get(who));
    if (b && (!o || !t)) {
      const left = o ?? t;
      if (left && fieldsOf(left) !== fieldsOf(b)) return undefined;
      continue;
    }
    if (!o || !t) {
      result.set(who, (o ?? t) as Edge);
      continue;
    }
    const merged: Record<string, unknown> = { who };
    for (const name of FIELDS) {
      const [was, mine, other] = [b?.[name], o[name], t[name]];
      if (mine !== other && mine !== was && other !== was) return undefined;
      merged[name] = mine === was ? other : mine;
    }
    result.set(who, merged as unknown as Edge);
  }
  return result;
}

/** The faults of an order, pair by pair. */
function orderFaults(
  result: readonly Edge[],
  base: readonly Edge[],
  ours: readonly Edge[],
  theirs: readonly Edge[],
): string[] {
  const place = (list: readonly Edge[], { who }: Edge) => list.findIndex((edge) => edge.who === who);
  const isDefault = (edge: Edge | undefined) => edge !== undefined && edge.when === undefined && edge.on === undefined;
  // An edge that a side moved is also moved relative to edges it doesn't know.
  const isStill = (side: readonly Edge[]) => {
    const places = side.map((edge) => place(base, edge)).filter((at) => at >= 0);
    return places.every((at, index) => index === 0 || at > (places[index - 1] as number));
  };
  const still = { ours: isStill(ours), theirs: isStill(theirs) };
  const faults: string[] = [];
  for (const [at, first] of result.entries())
    for (const second of result.slice(at + 1)) {
      /** 1: this order; -1: the other one; 0: at least one is missing. */
      const order = (list: readonly Edge[]) => {
        const [one, other] = [place(list, first), place(list, second)];
        return one < 0 || other < 0 ? 0 : one < other ? 1 : -1;
      };
      const [b, o, t] = [order(base), order(ours), order(theirs)];
      const meant = o === 0 ? (still.ours ? t : 0) : t === 0 ? (still.theirs ? o : 0) : b !== 0 && o === b ? t : o;
      if (meant === -1) faults.push(`${first.who} before ${second.who}`);
      const put = (list: readonly Edge[], way: number) => way === 1 && isDefault(list[place(list, first)]);
      if (isDefault(first) && !put(ours, o) && !put(theirs, t))
        faults.push(`default ${first.who} before ${second.who}`);
    }
  return faults;
}

/** The edges of a merged text, parsed with another library, with their identities. */
function identified(text: string, expected: ReadonlyMap<number, Edge>): Edge[] | string {
  const read = (parse(text).nodes.a.edges ?? []) as Fields[];
  const left = [...expected.values()];
  const found: Edge[] = [];
  for (const edge of read) {
    const at = left.findIndex((each) => fieldsOf(each) === fieldsOf(edge));
    if (at < 0) return `there is ${JSON.stringify(edge)}, which nobody meant`;
    found.push(left.splice(at, 1)[0] as Edge);
  }
  return left.length > 0 ? `${JSON.stringify(left)} is missing` : found;
}

/** The edges that the comments above each edge are about. */
function notes(text: string): string[] {
  const lines = text.slice(text.indexOf("    edges:"), text.indexOf("  b: {type: end}")).split("\n");
  const found: string[] = [];
  let above: string[] = [];
  for (const line of lines) {
    const [, who] = /# about (\d+)\./.exec(line) ?? [];
    if (who !== undefined) above.push(who);
    else if (/^ {6}- /.test(line)) {
      found.push(above.join());
      above = [];
    }
  }
  return found;
}

/** An edge that both sides added is one edge. */
function sharedAdditions(base: readonly Edge[], ours: readonly Edge[], theirs: readonly Edge[]): Edge[] {
  const isNew = ({ who }: Edge) => !base.some((edge) => edge.who === who);
  const left = ours.filter(isNew);
  return theirs.map((edge) => {
    const at = isNew(edge) ? left.findIndex((other) => fieldsOf(other) === fieldsOf(edge)) : -1;
    return at < 0 ? edge : (left.splice(at, 1)[0] as Edge);
  });
}

/** Removing the only edge to a target and writing another one is a change. */
function writtenAgain(base: readonly Edge[], side: readonly Edge[]): Edge[] {
  const left = base.filter(({ who }) => !side.some((edge) => edge.who === who));
  const isOnly = ({ to }: Edge) => [base, side].every((list) => list.filter((edge) => edge.to === to).length === 1);
  return side.map((edge) => {
    const old = isOnly(edge) ? left.find(({ to }) => to === edge.to) : undefined;
    return old ? { ...edge, who: old.who } : edge;
  });
}

interface Case {
  readonly base: Edge[];
  readonly ours: Edge[];
  readonly theirs: Edge[];
  readonly texts: readonly [base: string, ours: string, theirs: string];
  readonly hasNotes: boolean;
}

function caseOf(seed: number): Case {
  const next = random(seed);
  const story = new Story(next);
  const base = Array.from({ length: next(5) + 1 }, () => story.edge());
  const [ours, theirs] = ["ours", "theirs"].map((side) => writtenAgain(base, story.changed(base, side))) as [
    Edge[],
    Edge[],
  ];
  const style = STYLES[next(3)] as (typeof STYLES)[number];
  const hasNotes = next(2) === 0;
  const [b, o, t] = [base, ours, theirs].map((list) => write(list, style, hasNotes)) as [string, string, string];
  return { base, ours, theirs, texts: [b, o, t], hasNotes: hasNotes && style !== "brackets" };
}

/** Whether an edge has no condition any more. */
function haveDropped(base: readonly Edge[], side: readonly Edge[]): boolean {
  return side.some(({ who, when }) => !when && base.some((edge) => edge.who === who && edge.when));
}

/** Equal edges can't be distinguished in the text. */
function haveTwins(...lists: (readonly Edge[])[]): boolean {
  const who = new Map<string, number>();
  return lists.flat().some((edge) => {
    const known = who.get(fieldsOf(edge));
    who.set(fieldsOf(edge), edge.who);
    return known !== undefined && known !== edge.who;
  });
}

function check(seed: number, each: Case, merged: string): void {
  const { base, ours, hasNotes } = each;
  const theirs = sharedAdditions(base, ours, each.theirs);
  const told = () => `PARALLEL_SEED=${seed}\n${each.texts.join("---\n")}=>\n${merged}`;
  // If both sides are equal, the result is right in any case.
  if (each.texts[1] === each.texts[2]) return;
  const expected = wanted(base, ours, theirs);
  assert.ok(expected, `both sides changed the same, and the merge is clean\n${told()}`);
  const result = identified(merged, expected);
  if (typeof result === "string") assert.fail(`${result}\n${told()}`);
  if (haveTwins(base, ours, theirs)) return;
  // Where an edge that both sides added belongs is clear only next to edges that are recognized.
  const isShared = ({ who }: Edge) => ours.some((edge) => edge.who === who) && !base.some((edge) => edge.who === who);
  if (theirs.some(isShared) && [ours, theirs].some((side) => haveDropped(base, side))) return;
  assert.deepEqual(orderFaults(result, base, ours, theirs), [], told());
  if (!hasNotes) return;
  const said = notes(merged);
  // An edge that both sides added has the comments of both.
  for (const [at, { who }] of result.entries())
    assert.ok(said[at]?.split(",").includes(String(who)), `the comment about ${who} is elsewhere\n${told()}`);
}

test("a clean merge of files has the changes of both sides to each edge, in an order that fits both", () => {
  let clean = 0;
  for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
    const each = caseOf(seed);
    const { text, conflicts } = mergeTexts(...each.texts);
    if (conflicts > 0) continue;
    clean++;
    check(seed, each, text);
  }
  assert.ok(RUNS < 100 || clean > RUNS / 5, `${clean} of ${RUNS} merges are clean`);
});

test("a clean sync merge applies the platform's changes to the right edges", () => {
  let clean = 0;
  for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
    const each = caseOf(seed);
    const [base, ours, theirs] = each.texts.map((text) => graphOf(FlowDocument.read(text)));
    if (!base || !ours || !theirs) continue;
    const { graph, conflicts } = mergeGraphs(base, ours, theirs);
    if (conflicts.length > 0) continue;
    const edits = mergeText(each.texts[1], () => graph);
    assert.ok(edits, `PARALLEL_SEED=${seed}: the text can't be made to say it`);
    clean++;
    // Comments of edges from the platform aren't included.
    check(seed, { ...each, hasNotes: false }, applyEdits(each.texts[1], edits));
  }
  assert.ok(RUNS < 100 || clean > RUNS / 5, `${clean} of ${RUNS} merges are clean`);
});
