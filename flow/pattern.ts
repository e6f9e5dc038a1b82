/**
 * Patterns for paths and names. They come from untrusted files, so all positions in the pattern are tracked at once:
 * the work is at most the length of the text times that of the pattern. A regular expression for `*a*a*a` could take
 * exponential time.
 */

/** Longer patterns are rejected: paths and names don't need them. */
export const MAX_PATTERN_LENGTH = 256;

export interface Pattern {
  test(text: string): boolean;
}

/** A position in a pattern: what it matches, and which positions follow. */
interface Step {
  /** Undefined for an empty match: the next positions are active at once. */
  readonly takes: ((sign: string) => boolean) | undefined;
  readonly next: number[];
}

/**
 * Compiles a path pattern; undefined if it's invalid. `**` is any number of folders, `*` and `?` stay inside one,
 * `{a,b}` is either, `[ab]` and `[!ab]` are one character.
 */
export function pathPattern(glob: string): Pattern | undefined {
  return glob.length > MAX_PATTERN_LENGTH ? undefined : new Builder().path(glob);
}

/** Compiles a name pattern: `*` is any number of characters, `?` is one. Undefined if it's too long. */
export function namePattern(pattern: string): Pattern | undefined {
  return pattern.length > MAX_PATTERN_LENGTH ? undefined : new Builder().name(pattern);
}

const any = () => true;
const inFolder = (sign: string) => sign !== "/";

class Builder {
  readonly #steps: Step[] = [];

  path(glob: string): Pattern | undefined {
    const start = this.#step();
    const end = this.#path(glob, start);
    return end === undefined ? undefined : new Matcher(this.#steps, start, end);
  }

  name(pattern: string): Pattern {
    const start = this.#step();
    let at = start;
    for (const sign of pattern)
      at = sign === "*" ? this.#many(at, any) : this.#one(at, sign === "?" ? any : (other) => other === sign);
    return new Matcher(this.#steps, start, at);
  }

  /** Adds part of a pattern after a position, and returns the position after it. */
  #path(glob: string, from: number): number | undefined {
    let at: number | undefined = from;
    for (const [part] of glob.matchAll(PARTS)) {
      at = this.#part(part, at);
      if (at === undefined) return undefined;
    }
    return at;
  }

  #part(part: string, at: number): number | undefined {
    if (part === "**/") {
      // Any number of folders, or none.
      const folders = this.#one(this.#many(at, any), (sign) => sign === "/");
      const behind = this.#step();
      this.#join(at, behind);
      this.#join(folders, behind);
      return behind;
    }
    if (part === "**") return this.#many(at, any);
    if (part === "*") return this.#many(at, inFolder);
    if (part === "?") return this.#one(at, inFolder);
    if (part.length > 1 && part.startsWith("{")) return this.#either(part.slice(1, -1).split(","), at);
    if (part.length > 1 && part.startsWith("[")) {
      const signs = signsIn(part.slice(1, -1));
      return signs && this.#one(at, signs);
    }
    return this.#one(at, (sign) => sign === part);
  }

  #either(choices: readonly string[], at: number): number | undefined {
    const behind = this.#step();
    for (const choice of choices) {
      const first = this.#step();
      this.#join(at, first);
      const last = this.#path(choice, first);
      if (last === undefined) return undefined;
      this.#join(last, behind);
    }
    return behind;
  }

  #one(at: number, takes: (sign: string) => boolean): number {
    const step = this.#step(takes);
    const behind = this.#step();
    this.#join(at, step);
    this.#join(step, behind);
    return behind;
  }

  #many(at: number, takes: (sign: string) => boolean): number {
    const step = this.#step(takes);
    const behind = this.#step();
    this.#join(at, behind);
    this.#join(behind, step);
    this.#join(step, behind);
    return behind;
  }

  #step(takes?: (sign: string) => boolean): number {
    return this.#steps.push({ takes, next: [] }) - 1;
  }

  #join(from: number, to: number): void {
    this.#steps[from]?.next.push(to);
  }
}

/** Each character is one part, except those that belong together. */
const PARTS = /\*\*\/|\*\*|\{[^{}]*\}|\[[!^]?[^\]/]{1,100}\]|./gsu;

/** The characters of `[a-z]` or `[!ab]`; undefined if a range is reversed. */
function signsIn(inside: string): ((sign: string) => boolean) | undefined {
  const isNot = /^[!^]/.test(inside);
  const signs = [...(isNot ? inside.slice(1) : inside)];
  const ranges: (readonly [first: string, last: string])[] = [];
  for (let at = 0; at < signs.length; at++) {
    const first = signs[at] as string;
    const last = signs[at + 1] === "-" ? signs[at + 2] : undefined;
    if (last === undefined) ranges.push([first, first]);
    else if (first > last) return undefined;
    else {
      ranges.push([first, last]);
      at += 2;
    }
  }
  return (sign) => sign !== "/" && ranges.some(([first, last]) => first <= sign && sign <= last) !== isNot;
}

class Matcher implements Pattern {
  constructor(
    private readonly steps: readonly Step[],
    private readonly start: number,
    private readonly end: number,
  ) {}

  test(text: string): boolean {
    let round = 1;
    /** The round in which a position was last added, so that each is added once per character. */
    const seen = new Uint32Array(this.steps.length);
    let now: number[] = [];
    const add = (first: number, to: number[]) => {
      const pending = [first];
      for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
        if (seen[at] === round) continue;
        seen[at] = round;
        const step = this.steps[at] as Step;
        if (step.takes || at === this.end) to.push(at);
        if (!step.takes) for (const each of step.next) pending.push(each);
      }
    };
    add(this.start, now);
    for (const sign of text) {
      round++;
      const then: number[] = [];
      for (const at of now) {
        const { takes, next } = this.steps[at] as Step;
        if (takes?.(sign)) for (const each of next) add(each, then);
      }
      if (then.length === 0) return false;
      now = then;
    }
    return now.includes(this.end);
  }
}
