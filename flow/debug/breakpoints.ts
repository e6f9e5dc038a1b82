/** Breakpoints: where a run stops, and after how many hits. */
import { isEntry, type State } from "../run/machine";
import type { Program } from "../run/program";
import { filledIn, isTrue, undecidable } from "./evaluate";
import type { Element } from "./places";

export interface BreakpointWish {
  readonly condition?: string | undefined;
  readonly hitCondition?: string | undefined;
  readonly logMessage?: string | undefined;
}

/** A breakpoint on a node stops when a run enters it, one on an edge when it was taken. */
export class Breakpoint {
  /** The number of hits up to each state. */
  readonly #hits = new WeakMap<State, number>();
  readonly #isWanted: (hits: number) => boolean;
  /** Why it never stops, for the user. */
  readonly problem: string | undefined;

  constructor(
    readonly element: Element,
    program: Program,
    readonly wish: BreakpointWish,
  ) {
    const wanted = wish.hitCondition?.trim() ? readHitCondition(wish.hitCondition) : () => true;
    this.#isWanted = wanted ?? (() => false);
    this.problem = wanted
      ? wish.condition?.trim()
        ? undecidable(wish.condition, { program })
        : undefined
      : `"${wish.hitCondition?.trim()}" isn't a hit count. Write a number, optionally after \`>\`, \`>=\`, \`<\`, \`<=\`, or \`%\`.`;
  }

  get isLogpoint(): boolean {
    return this.wish.logMessage?.trim() !== undefined && this.wish.logMessage.trim() !== "";
  }

  /** Whether this state is a hit, and the hit condition is met. `program` is the flow of the breakpoint. */
  isHit(state: State, program: Program): boolean {
    return this.#comesBy(state, program) && this.#isWanted(this.#count(state, program));
  }

  /** Debuggers have values in single braces; flows have them in two. */
  message({ frame }: State): string {
    const template = (this.wish.logMessage ?? "").replace(/(?<!\{)\{([^\s{}]+)\}(?!\})/g, "{{$1}}");
    return filledIn(template, frame, "unset");
  }

  #comesBy(state: State, program: Program): boolean {
    const { frame, node, taken } = state;
    if (frame.program !== program) return false;
    const { condition } = this.wish;
    const isThere =
      this.element.edge === undefined
        ? node.id === this.element.node && isEntry(state)
        : taken?.id === this.element.edge && taken.from === this.element.node;
    return isThere && (!condition?.trim() || isTrue(condition, frame));
  }

  #count(last: State, program: Program): number {
    const open: State[] = [];
    let hits = 0;
    for (let state: State | undefined = last; state; state = state.before) {
      const known = this.#hits.get(state);
      if (known !== undefined) {
        hits = known;
        break;
      }
      open.push(state);
    }
    for (let state = open.pop(); state; state = open.pop()) {
      if (this.#comesBy(state, program)) hits++;
      this.#hits.set(state, hits);
    }
    return hits;
  }
}

const HIT = /^(>=|<=|>|<|={1,3}|%)?\s*(\d+)$/;

const comparisons: Readonly<Record<string, (hits: number, number: number) => boolean>> = {
  ">": (hits, number) => hits > number,
  ">=": (hits, number) => hits >= number,
  "<": (hits, number) => hits < number,
  "<=": (hits, number) => hits <= number,
  "%": (hits, number) => hits % number === 0,
};

/** `3` is the third time; `> 3`, `>= 3`, `< 3`, and `<= 3` compare; `% 3` is every third time. */
function readHitCondition(text: string): ((hits: number) => boolean) | undefined {
  const [, operator = "=", digits = ""] = HIT.exec(text.trim()) ?? [];
  const number = Number(digits);
  // Hits are counted from 1.
  const isNever = operator === "<" ? number <= 1 : number === 0 && !operator.startsWith(">");
  if (digits === "" || isNever) return undefined;
  const compare = comparisons[operator];
  return (hits) => (compare ? compare(hits, number) : hits === number);
}
