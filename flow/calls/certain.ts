/** Which steps every run has that agrees with the hard evidence: final values, how the call ended, and spoken fixed text. */
import type { FlowEvidence } from "./evidence";
import type { Place, Runs } from "./runs";
import type { Turns } from "./turns";
import { rawWords } from "./words";

export interface Certain {
  /** The node at each index of the run; undefined where runs differ. */
  readonly nodes: readonly (string | undefined)[];
  /** The node at which all runs end. */
  readonly end: string | undefined;
}

const MAX_ANCHORS = 40;
const MAX_STEPS = 400;
/** The most pairs of a fixed text and a node that are compared. */
const MAX_COMPARED = 1_000_000;

export function certainSteps(runs: Runs, turns: Turns, evidence: FlowEvidence, length: number): Certain {
  const entry = runs.places[runs.start]?.at;
  if (runs.isRelaxed) return { nodes: [entry], end: undefined };
  const anchors = anchorsIn(turns, runs, evidence);
  return levels(runs, anchors, length) ?? levels(runs, [], length) ?? { nodes: [entry], end: undefined };
}

/** Undefined if no run passes the anchors in their order. */
function levels(runs: Runs, anchors: readonly ReadonlySet<Place["node"]>[], length: number): Certain | undefined {
  const { places, start } = runs;
  const width = anchors.length + 1;
  const advance = (place: number, passed: number) =>
    anchors[passed]?.has((places[place] as Place).node) ? passed + 1 : passed;
  // States from which a run can be over with all anchors passed.
  const isAlive = new Uint8Array(places.length * width);
  const before = places.map((): number[] => []);
  for (const { index, moves } of places) for (const { to } of moves) before[to]?.push(index);
  const open: number[] = [];
  const mark = (state: number) => {
    if (isAlive[state]) return;
    isAlive[state] = 1;
    open.push(state);
  };
  for (const { index, mayStop } of places) if (mayStop) mark(index * width + anchors.length);
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const place = Math.floor(state / width);
    const passed = state % width;
    const isAnchor = passed > 0 && anchors[passed - 1]?.has((places[place] as Place).node);
    for (const from of before[place] ?? []) {
      if (isAnchor) mark(from * width + passed - 1);
      if (advance(place, passed) === passed) mark(from * width + passed);
    }
  }
  let level = new Set<number>([start * width + advance(start, 0)].filter((state) => isAlive[state]));
  if (level.size === 0) return undefined;
  const nodes: (string | undefined)[] = [];
  let mayBeOver = false;
  for (let step = 0; step < Math.min(length, MAX_STEPS) && level.size > 0 && !mayBeOver; step++) {
    const names = new Set<string>();
    const following = new Set<number>();
    for (const state of level) {
      const place = places[Math.floor(state / width)] as Place;
      const passed = state % width;
      names.add(place.at);
      if (place.mayStop && passed === anchors.length) mayBeOver = true;
      for (const { to } of place.moves) {
        const next = to * width + advance(to, passed);
        if (isAlive[next]) following.add(next);
      }
    }
    nodes.push(names.size === 1 ? [...names][0] : undefined);
    level = following;
  }
  const stops = places.filter(({ mayStop }) => mayStop);
  const ends = new Set(stops.map(({ at, end }) => (end ? at : undefined)));
  return { nodes, end: ends.size === 1 ? [...ends][0] : undefined };
}

/** The nodes whose fixed text the assistant spoke, in order. */
function anchorsIn(turns: Turns, runs: Runs, evidence: FlowEvidence): ReadonlySet<Place["node"]>[] {
  const quotes = quotesOf(runs, evidence);
  const anchors: Set<Place["node"]>[] = [];
  if (quotes.length === 0) return anchors;
  turns.said.forEach((index) => {
    const turn = turns.call.turns[index];
    if (turn?.speaker !== "assistant" || anchors.length >= MAX_ANCHORS) return;
    const text = ` ${rawWords(turn.text).join(" ")} `;
    for (const quote of quotes)
      if (text.includes(quote.text) && !anchors.at(-1)?.has(quote.node)) anchors.push(new Set([quote.node]));
  });
  return anchors;
}

interface Quote {
  readonly node: Place["node"];
  readonly text: string;
}

/** Many calls have the same runs. */
const known = new WeakMap<Runs, readonly Quote[]>();

/** Fixed text that only one node has. Text that another node has too proves nothing; neither does too much text to compare. */
function quotesOf(runs: Runs, evidence: FlowEvidence): readonly Quote[] {
  const found = known.get(runs) ?? findQuotes(runs, evidence);
  known.set(runs, found);
  return found;
}

function findQuotes({ places }: Runs, evidence: FlowEvidence): Quote[] {
  const nodes = [...new Set(places.map(({ node }) => node))];
  const quotes = nodes.flatMap((node) =>
    evidence.node(node).fixed.flatMap((words): Quote[] => {
      const rare = evidence.words.terms(words.join(" ")).filter((term) => !evidence.words.isCommon(term));
      return words.length >= 4 && rare.length >= 2 ? [{ node, text: ` ${words.join(" ")} ` }] : [];
    }),
  );
  if (quotes.length * nodes.length > MAX_COMPARED) return [];
  const texts = nodes.map((node) => ({ node, text: ` ${rawWords(node.block.text).join(" ")} ` }));
  return quotes.filter(({ node, text }) => texts.every((other) => other.node === node || !other.text.includes(text)));
}
