/**
 * The nodes of a flow and the ways out of them as numbers. A search comes to thousands of nodes many times over; here each is
 * looked at once, and again where it was edited.
 */
import type { Condition } from "../run/conditions";
import type { NumberedNodes } from "../run/numbered";
import { type Passage, passagesOf, type RunNode } from "../run/program";
import { Numbers } from "./numbers";

/** Of a passage: it has no condition. */
export const ALWAYS = -1;

/** Of a passage: its condition is prose. */
export const PROSE = 0;

/** Of a passage: it waits for no event. */
export const NO_EVENT = -1;

/** An event that never comes: of an edge that doesn't say which it waits for. */
const NEVER = -2;

/** What becomes of variables at a node. */
export type Change = readonly string[] | NonNullable<RunNode["way"]>["assigns"];

export class Graph {
  /** By node: 1 where a conversation ends there. */
  readonly isEnd: Uint8Array;
  /** By node: 1 where a component begins or ends there, so that variables get values. */
  readonly hasWay: Uint8Array;
  /** By node: the events that it may be left by. A call fails only where an edge says so. */
  readonly events: (readonly number[] | undefined)[];
  /** By node: where its passages are in the lists below, and how many. Those of an edited node are put behind. */
  readonly starts: Int32Array;
  readonly counts: Int32Array;
  /** By passage: the node it leads to, or -1; the number of its condition; the number of the event it waits for. */
  readonly #targets = new Numbers(1024);
  readonly #conditions = new Numbers(1024);
  readonly #events = new Numbers(1024);
  /** Conditions by number. Equal ones are one object, so they have one number. */
  readonly conditions: (Condition | undefined)[] = [undefined];
  readonly #numbers = new Map<Condition, number>();
  readonly #eventNumbers = new Map<string, number>();
  readonly #changes: (Change | undefined)[];

  constructor(readonly numbered: NumberedNodes) {
    const { nodes } = numbered;
    this.isEnd = new Uint8Array(nodes.length);
    this.hasWay = new Uint8Array(nodes.length);
    this.starts = new Int32Array(nodes.length);
    this.counts = new Int32Array(nodes.length);
    this.events = new Array(nodes.length).fill(undefined);
    this.#changes = new Array(nodes.length).fill(undefined);
    for (let number = 0; number < nodes.length; number++) this.#put(number);
  }

  get targets(): Int32Array {
    return this.#targets.values;
  }

  get conditionOf(): Int32Array {
    return this.#conditions.values;
  }

  get eventOf(): Int32Array {
    return this.#events.values;
  }

  /** What becomes of variables at a node: which it sets, or what they are assigned where a component begins or ends. */
  changeAt(number: number): Change {
    let change = this.#changes[number];
    if (!change) {
      change = changeOf(this.numbered.nodes[number] as RunNode);
      this.#changes[number] = change;
    }
    return change;
  }

  /** Reads edited nodes again; true where all numbers are others now, because more was put behind than there had been. */
  replace(numbers: Iterable<number>): boolean {
    const isFull = this.#targets.length > 8 * this.starts.length + 1000;
    if (isFull) {
      for (const list of [this.#targets, this.#conditions, this.#events]) list.clear();
      this.conditions.length = 1;
      this.#numbers.clear();
    }
    for (const number of numbers) {
      this.#changes[number] = undefined;
      if (!isFull) this.#put(number);
    }
    for (let number = 0; isFull && number < this.starts.length; number++) this.#put(number);
    return isFull;
  }

  #put(number: number): void {
    const node = this.numbered.nodes[number] as RunNode;
    const { type } = node;
    const passages = passagesOf(node);
    const targets = this.numbered.targetsOf(number);
    this.isEnd[number] = Number(type === "end" || type === "transfer");
    this.hasWay[number] = Number(node.way !== undefined);
    this.starts[number] = this.#targets.length;
    this.counts[number] = passages.length;
    let events: number[] | undefined;
    for (let index = 0; index < passages.length; index++) {
      const passage = passages[index] as Passage;
      const event = passage.isOnEvent ? this.#eventNumber(passage.on) : NO_EVENT;
      this.#targets.push(targets[index] as number);
      this.#conditions.push(this.#conditionNumber(passage.condition));
      this.#events.push(event);
      if (event < 0 || (type !== "tool" && type !== "component")) continue;
      events ??= [];
      if (!events.includes(event)) events.push(event);
    }
    this.events[number] = events;
  }

  #conditionNumber(condition: Condition | undefined): number {
    if (!condition) return ALWAYS;
    if (condition.kind === "prose") return PROSE;
    let number = this.#numbers.get(condition);
    if (number === undefined) {
      number = this.conditions.length;
      this.conditions.push(condition);
      this.#numbers.set(condition, number);
    }
    return number;
  }

  #eventNumber(name: string | undefined): number {
    if (name === undefined) return NEVER;
    const number = this.#eventNumbers.get(name) ?? this.#eventNumbers.size;
    this.#eventNumbers.set(name, number);
    return number;
  }
}

function changeOf({ way, variable, saves }: RunNode): Change {
  if (way) return way.assigns;
  if (saves.length === 0 && variable === undefined) return nothing;
  return [...(variable === undefined ? [] : [variable]), ...saves.map((saved) => saved.variable)];
}

const nothing: readonly string[] = [];
