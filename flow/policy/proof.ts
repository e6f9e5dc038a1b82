/**
 * Proofs by shape. Most policies hold, and part of the flow is enough to see it: the nodes after those where a policy
 * starts waiting, or the nodes before those that break it. Only if a path breaks it, the shortest one is searched.
 */

import { Numbers } from "../run/numbers";
import type { Reach } from "./distance";
import type { Paths, Place } from "./paths";
import { breaksAtEnd, role, type Stands, type Watch, waitsAfter } from "./search";

/** Beyond this many places, a new proof is as fast as checking the old one. */
const MAX_REPAIRED = 2000;

/** The reachable places, shared by all proofs: after edits, at least those. */
export class Reached {
  #is: Uint8Array;
  #age: number;
  /** The places that the last edit made reachable. */
  fresh: readonly Place[] = [];

  constructor(private readonly paths: Paths) {
    this.#is = new Uint8Array(paths.nodes.length + 64);
    this.#age = -1;
  }

  has(place: Place): boolean {
    return this.#is[place] === 1;
  }

  /** Replaces them with those of a complete search. */
  take({ trail }: Reach): void {
    this.#is.fill(0);
    this.#makeRoom();
    for (let step = 0; step < trail.length; step++) this.#is[trail.places.values[step] as Place] = 1;
    this.#age = this.paths.age;
    this.fresh = [];
  }

  /** Follows the passages of edited places. */
  extend(): void {
    const { paths } = this;
    if (this.#age !== paths.age) return;
    const fresh: Place[] = [];
    const follow = (place: Place) => {
      const first = paths.firstWay(place);
      this.#makeRoom();
      for (let way = first; way < first + paths.wayCount(place); way++) {
        const to = paths.to[way] as Place;
        if (this.#is[to] === 1) continue;
        this.#is[to] = 1;
        fresh.push(to);
      }
    };
    for (const place of paths.changed) if (this.has(place)) follow(place);
    for (const place of fresh) follow(place);
    this.fresh = fresh;
  }

  #makeRoom(): void {
    if (this.#is.length >= this.paths.size) return;
    const wider = new Uint8Array(2 * this.paths.size);
    wider.set(this.#is);
    this.#is = wider;
  }
}

/** Why no path breaks a policy, regardless of conditions; undefined if one does. */
export function proofOf(watch: Watch, reach: Reach, reached: Reached): Stands | undefined {
  return watch.isWaitingAtStart ? nothingLeadsThere(watch, reach, reached) : nothingBehind(watch, reach.paths, reached);
}

/** Forward from the nodes where a policy starts waiting: nothing there breaks it. */
function nothingBehind(watch: Watch, paths: Paths, reached: Reached): Stands | undefined {
  const { roles } = watch;
  const { age } = paths;
  let waits = new Uint8Array(paths.size);
  const open = new Numbers();
  const wait = (place: Place) => {
    if (place >= waits.length) {
      const wider = new Uint8Array(2 * paths.size);
      wider.set(waits);
      waits = wider;
    }
    if (waits[place] === 1) return;
    waits[place] = 1;
    open.push(place);
  };
  const isArming = (place: Place) => ((roles[paths.at[place] as number] as number) & role.arms) !== 0;
  const holdsAt = (place: Place): boolean => {
    const first = paths.firstWay(place);
    if (breaksAtEnd(watch, paths, place)) return false;
    const end = first + paths.wayCount(place);
    const { to, at } = paths;
    for (let way = first; way < end; way++) {
      const own = roles[at[to[way] as Place] as number] as number;
      if (own & role.breaks) return false;
      if (waitsAfter(own, 1) === 1) wait(to[way] as Place);
    }
    return true;
  };
  const holdsFromOpen = (most: number): boolean => {
    let count = 0;
    paths.work?.spend(Math.min(most, open.length));
    for (; count < open.length && count <= most; count++) if (!holdsAt(open.values[count] as Place)) return false;
    const isDone = count === open.length;
    open.clear();
    return isDone;
  };
  for (let number = 0; number < roles.length; number++)
    if ((roles[number] as number) & role.arms)
      for (const place of paths.placesOf(number)) if (reached.has(place)) wait(place);
  if (!holdsFromOpen(Number.POSITIVE_INFINITY)) return undefined;
  return () => {
    if (age !== paths.age || paths.changed.length > MAX_REPAIRED) return false;
    open.clear();
    for (const place of paths.changed) if (waits[place] === 1 && !holdsAt(place)) return false;
    for (const place of reached.fresh) if (isArming(place)) wait(place);
    return holdsFromOpen(MAX_REPAIRED);
  };
}

/** Backward from the nodes that break a policy: the start isn't reached. */
function nothingLeadsThere({ roles, keeping }: Watch, reach: Reach, reached: Reached): Stands | undefined {
  const { paths, trail, starts, sources, ways } = reach;
  const { age } = paths;
  const places = trail.places.values;
  const [startRole] = [roles[paths.at[places[0] as Place] as number] as number];
  if (startRole & role.keeps) return () => age === paths.age;
  if (startRole & role.breaks) return undefined;
  /** By place: 1 if a path from it breaks the policy. */
  const leads = new Uint8Array(paths.size);
  const open = new Numbers();
  const { at } = paths;
  for (let step = 0; step < trail.length; step++)
    if ((roles[at[places[step] as Place] as number] as number) & role.breaks) open.push(step);
  for (let read = 0; read < open.length; read++) {
    paths.work?.spend(1);
    const step = open.values[read] as number;
    const end = starts[step + 1] as number;
    for (let way = starts[step] as number; way < end; way++) {
      const source = sources[way] as number;
      const place = places[source] as Place;
      const number = at[place] as number;
      if (leads[place] === 1 || (roles[number] as number) & (role.keeps | role.breaks)) continue;
      if (keeping?.nodes[number] === 1 && keeping.edges.has(paths.edge(place, ways[way] as number))) continue;
      if (source === 0) return undefined;
      leads[place] = 1;
      open.push(source);
    }
  }
  // New places belong to fresh ones: if none of these leads into the breaking part, no path does.
  const holdsAt = (place: Place): boolean => {
    const own = roles[paths.at[place] as number] as number;
    if (leads[place] === 1 || own & (role.keeps | role.breaks)) return true;
    const first = paths.firstWay(place);
    for (let way = first; way < first + paths.wayCount(place); way++) {
      const to = paths.to[way] as Place;
      const next = roles[paths.at[to] as number] as number;
      if (next & role.breaks || (leads[to] === 1 && (next & role.keeps) === 0)) return false;
    }
    return true;
  };
  return (edited) => {
    if (age !== paths.age || paths.changed.length + reached.fresh.length > MAX_REPAIRED) return false;
    if (edited.some((number) => keeping?.nodes[number] === 1)) return false;
    return paths.changed.every(holdsAt) && reached.fresh.every(holdsAt);
  };
}
