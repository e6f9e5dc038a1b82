/**
 * The states that a run can reach, for analyses that track variables. If no edge depends on a variable, a place is a
 * node. Otherwise a node has one place for each combination of values that conditions distinguish and that a run can
 * have there, so paths that no run takes aren't followed.
 */

import { type Analysis, linksIn, type NodeParts } from "../../analysis";
import { addTo } from "../../collections";
import type { Links } from "../../graph/links";
import { Paths, type Place } from "../../policy/paths";
import { type Clause, partsOf } from "../../run/conditions";
import { NumberedFlow } from "../../run/numbered";
import { programOf } from "../../run/program";
import { Work, WorkSpent } from "../../run/work";
import { valuesFor } from "../../test/generate/candidates";

/** Beyond this amount of work, conditions are ignored, so that typing never waits. */
const WORK = 500_000;
const MAX_PLACES = 20_000;

export class Places {
  #in: Links | undefined;

  private constructor(
    readonly entry: number,
    /** The node number of each place. */
    readonly node: Int32Array,
    /** The outgoing steps of each place; `edge` is the number of the step. */
    readonly out: Links,
    /** By step: 1 if it's taken on an event. */
    readonly onEvent: Uint8Array,
    /** The variables that have a value at a place. */
    readonly knownAt: (place: number) => readonly string[],
  ) {}

  /** The incoming steps of each place, with the same numbers as `out`. */
  get in(): Links {
    this.#in ??= linksIn(this.out);
    return this.#in;
  }

  static of(flow: Analysis): Places {
    const numbered = flow.parts.some(({ asks }) => asks) ? new NumberedFlow(programOf(flow.document)) : undefined;
    if (!numbered || numbered.conditions.length < 2) return Places.#byShape(flow);
    try {
      return Places.#byConditions(flow, numbered);
    } catch (error) {
      if (!(error instanceof WorkSpent)) throw error;
      return Places.#byShape(flow);
    }
  }

  static #byShape({ parts, out, entry }: Analysis): Places {
    const count = parts.length;
    const start = new Int32Array(count + 1);
    const to = new Int32Array(out.to.length);
    const onEvent = new Uint8Array(out.to.length);
    const node = new Int32Array(count);
    let size = 0;
    for (let n = 0; n < count; n++) {
      node[n] = n;
      start[n] = size;
      const { kind, events, dead } = parts[n] as NodeParts;
      const end = kind === "step" ? (out.start[n + 1] as number) : 0;
      for (let way = out.start[n] as number; way < end; way++) {
        const edge = out.edge[way] as number;
        if (dead[edge] === true) continue;
        onEvent[size] = events[edge] === true ? 1 : 0;
        to[size++] = out.to[way] as number;
      }
    }
    start[count] = size;
    return new Places(entry, node, linksOf(start, to.subarray(0, size)), onEvent, () => none);
  }

  static #byConditions(flow: Analysis, numbered: NumberedFlow): Places {
    const program = programOf(flow.document);
    const clauses = new Map<string, Clause[]>();
    for (const condition of numbered.conditions)
      for (const part of condition ? partsOf(condition) : [])
        if (part.kind === "clause") addTo(clauses, part.variable, part);
    const valuesOf = (variable: string) => valuesFor(program, variable, clauses.get(variable) ?? []);
    const paths = new Paths(program, true, numbered, { valuesOf, most: MAX_PLACES }, new Work(WORK));
    const nodeOf = numbered.nodes.map(({ id }) => flow.indexOf(id));
    const start: number[] = [];
    const to: number[] = [];
    const onEvent: number[] = [];
    // Places are numbered in the order they're discovered, so each is expanded once.
    for (let place: Place = paths.start ?? paths.size; place < paths.size; place++) {
      start.push(to.length);
      const own = paths.at[place] as number;
      if (flow.parts[nodeOf[own] as number]?.kind !== "step") continue;
      const first = paths.firstWay(place);
      for (let way = first; way < first + paths.wayCount(place); way++) {
        to.push(paths.to[way] as number);
        onEvent.push(Number(paths.isOnEvent(place, way)));
      }
    }
    start.push(to.length);
    const node = Int32Array.from({ length: paths.size }, (_, place) => nodeOf[paths.at[place] as number] as number);
    const links = linksOf(Int32Array.from(start), Int32Array.from(to));
    const knownAt = (place: Place) => {
      const known: string[] = [];
      for (const [variable, values] of paths.factsAt(place)) if (!values.includes(undefined)) known.push(variable);
      return known;
    };
    return new Places(paths.start ?? -1, node, links, Uint8Array.from(onEvent), knownAt);
  }
}

function linksOf(start: Int32Array, to: Int32Array): Links {
  // A loop, because `Int32Array.from` takes many times as long.
  const edge = new Int32Array(to.length);
  for (let way = 0; way < to.length; way++) edge[way] = way;
  return { start, to, edge };
}

const none: readonly never[] = [];
