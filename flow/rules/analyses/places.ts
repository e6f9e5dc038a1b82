/**
 * The states that a run can reach, for analyses that track variables. If no edge depends on a variable, a place is a
 * node. Otherwise a node has one place for each combination of values that conditions distinguish and that a run can
 * have there, so paths that no run takes aren't followed.
 */

import { type Analysis, linksIn, type NodeParts } from "../../analysis";
import { addTo } from "../../collections";
import type { Links } from "../../graph/links";
import { Paths } from "../../policy/paths";
import { type Clause, partsOf } from "../../run/conditions";
import { type Program, programOf } from "../../run/program";
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
    const program = programOf(flow.document);
    const clauses = flow.parts.some(({ asks }) => asks) ? clausesByVariable(program) : new Map<string, Clause[]>();
    if (clauses.size === 0) return Places.#byShape(flow);
    try {
      return Places.#byConditions(flow, program, clauses);
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

  static #byConditions(flow: Analysis, program: Program, clauses: ReadonlyMap<string, readonly Clause[]>): Places {
    const valuesOf = (variable: string) => valuesFor(program, variable, clauses.get(variable) ?? []);
    const paths = new Paths(program, true, new Work(WORK), { valuesOf, most: MAX_PLACES });
    const { places, start: entry } = paths;
    const node: number[] = [];
    const start: number[] = [];
    const to: number[] = [];
    const onEvent: number[] = [];
    // The list grows while places are expanded.
    for (const place of places) {
      start.push(to.length);
      const own = flow.indexOf(place.node.id);
      node.push(own);
      if (flow.parts[own]?.kind !== "step") continue;
      for (const way of paths.exits(place).ways) {
        to.push(way.to.index);
        onEvent.push(Number(way.passage.isOnEvent));
      }
    }
    start.push(to.length);
    const links = linksOf(Int32Array.from(start), Int32Array.from(to));
    const knownAt = (place: number) => {
      const known: string[] = [];
      for (const [variable, values] of places[place]?.facts ?? [])
        if (!values.includes(undefined)) known.push(variable);
      return known;
    };
    return new Places(entry ? 0 : -1, Int32Array.from(node), links, Uint8Array.from(onEvent), knownAt);
  }
}

function clausesByVariable({ nodes }: Program): Map<string, Clause[]> {
  const clauses = new Map<string, Clause[]>();
  const conditions = [...nodes.values()].flatMap(({ edges }) => edges.flatMap(({ condition }) => condition ?? []));
  // Equal conditions are one object.
  for (const part of [...new Set(conditions)].flatMap(partsOf))
    if (part.kind === "clause") addTo(clauses, part.variable, part);
  return clauses;
}

function linksOf(start: Int32Array, to: Int32Array): Links {
  // A loop, because `Int32Array.from` takes many times as long.
  const edge = new Int32Array(to.length);
  for (let way = 0; way < to.length; way++) edge[way] = way;
  return { start, to, edge };
}

const none: readonly never[] = [];
