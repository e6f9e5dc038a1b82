/**
 * A flow as numbers: its nodes, the passages out of them, the conditions these have and the events they wait for. Whoever
 * searches a flow comes to thousands of nodes many times over; here each is looked at once, and again where it was edited.
 */
import type { Condition } from "./conditions";
import { Numbers } from "./numbers";
import { type PassageVisit, type Program, type RunNode, visitPassages } from "./program";

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

export class NumberedFlow {
  readonly nodes: RunNode[];
  /** By node: 1 where a conversation ends there. */
  readonly isEnd: Uint8Array;
  /** By node: 1 where a component begins or ends there, so that variables get values. */
  readonly hasWay: Uint8Array;
  /** By node: the events that it may be left by. A call fails only where an edge says so. */
  readonly events: (readonly number[] | undefined)[];
  /** By node: what becomes of variables there: which it sets, or what they are assigned where a component begins or ends. */
  readonly changes: Change[];
  /** By node: where its passages are in the lists below, and how many. Those of an edited node are put behind. */
  readonly starts: Int32Array;
  readonly counts: Int32Array;
  readonly #targets: Numbers;
  readonly #conditions: Numbers;
  readonly #events: Numbers;
  /** Conditions by number. Equal ones are one object, so they have one number. */
  readonly conditions: (Condition | undefined)[] = [undefined];
  readonly #numbers = new Map<string, number>();
  readonly #conditionNumbers = new Map<Condition, number>();
  readonly #eventNumbers = new Map<string, number>();

  constructor({ nodes }: Program) {
    const count = nodes.size;
    this.nodes = new Array(count);
    this.isEnd = new Uint8Array(count);
    this.hasWay = new Uint8Array(count);
    this.starts = new Int32Array(count);
    this.counts = new Int32Array(count);
    this.events = new Array(count).fill(undefined);
    this.changes = new Array(count).fill([]);
    // With room from the start: most nodes have two or three edges, and to grow takes time.
    const room = 64 + 3 * count;
    [this.#targets, this.#conditions, this.#events] = [new Numbers(room), new Numbers(room), new Numbers(room)];
    nodes.forEach((node, id) => {
      this.nodes[this.#numbers.size] = node;
      this.#numbers.set(id, this.#numbers.size);
    });
    for (let number = 0; number < count; number++) this.#put(number);
  }

  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** By passage: the node it leads to, or -1 where there is no such node. A list is another one once there are more passages. */
  get targets(): Int32Array {
    return this.#targets.values;
  }

  /** By passage: the number of its condition. */
  get conditionOf(): Int32Array {
    return this.#conditions.values;
  }

  /** By passage: the number of the event it waits for. */
  get eventOf(): Int32Array {
    return this.#events.values;
  }

  /**
   * Takes over nodes that were edited, under the ids they had, and says which numbers they have. `isRenumbered`: all passages and
   * conditions have other numbers now, because more was put behind than there had been.
   */
  replace(edited: readonly RunNode[]): { readonly numbers: readonly number[]; readonly isRenumbered: boolean } {
    const numbers = edited.map((node) => {
      const number = this.#numbers.get(node.id) as number;
      this.nodes[number] = node;
      return number;
    });
    const isRenumbered = this.#targets.length > 8 * this.nodes.length + 1000;
    if (isRenumbered) {
      for (const list of [this.#targets, this.#conditions, this.#events]) list.clear();
      this.conditions.length = 1;
      this.#conditionNumbers.clear();
      for (let number = 0; number < this.nodes.length; number++) this.#put(number);
    } else for (const number of numbers) this.#put(number);
    return { numbers, isRenumbered };
  }

  #put(number: number): void {
    const node = this.nodes[number] as RunNode;
    const { type } = node;
    this.isEnd[number] = Number(type === "end" || type === "transfer");
    this.hasWay[number] = Number(node.way !== undefined);
    this.changes[number] = node.way ? node.way.assigns : node.sets;
    const start = this.#targets.length;
    this.#number = number;
    visitPassages(node, this.#putPassage);
    this.starts[number] = start;
    this.counts[number] = this.#targets.length - start;
    this.events[number] = type === "tool" || type === "component" ? this.#eventsFrom(start) : undefined;
  }

  #number = 0;
  readonly #putPassage: PassageVisit = (to, condition, isOnEvent, on) => {
    // Many edges lead to the node behind their own, which is found without looking its name up.
    const behind = this.#number + 1;
    this.#targets.push(to === this.nodes[behind]?.id ? behind : (this.#numbers.get(to) ?? -1));
    this.#conditions.push(this.#conditionNumber(condition));
    this.#events.push(isOnEvent ? this.#eventNumber(on) : NO_EVENT);
  };

  /** The events that passages wait for, each once. */
  #eventsFrom(start: number): readonly number[] | undefined {
    let events: number[] | undefined;
    for (let passage = start; passage < this.#events.length; passage++) {
      const event = this.eventOf[passage] as number;
      if (event < 0) continue;
      if (!events) events = [event];
      else if (!events.includes(event)) events.push(event);
    }
    return events;
  }

  #conditionNumber(condition: Condition | undefined): number {
    if (!condition) return ALWAYS;
    if (condition.kind === "prose") return PROSE;
    let number = this.#conditionNumbers.get(condition);
    if (number === undefined) {
      number = this.conditions.length;
      this.conditions.push(condition);
      this.#conditionNumbers.set(condition, number);
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
