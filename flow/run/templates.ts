/** Data of a flow with the values of variables in the place of its templates. */
import { onlyVariable, TEMPLATES } from "../grammar";
import type { Spending } from "./work";

/** The maximum length of a value: flows that call each other and use a value twice would double it endlessly. */
const MAX_SIZE = 100_000;

const tooLarge = Symbol("too large");

export function isTooLarge(filled: unknown): boolean {
  return filled === tooLarge;
}

/** The sizes of values that were looked at: one that is used twice inside another counts twice, and is looked at once. */
const sizes = new WeakMap<object, number>();

/** A string that is one template keeps the value's type; where that is unset, nothing is left. */
export class Filling {
  #size = 0;

  constructor(
    private readonly variables: ReadonlyMap<string, unknown>,
    private readonly work: Spending | undefined,
  ) {}

  /** `isTooLarge` is true of what would be larger than a value may be. */
  of(data: unknown): unknown {
    try {
      const filled = this.#filled(data);
      this.work?.spend(this.#size);
      return filled;
    } catch (error) {
      if (error === tooLarge) return tooLarge;
      throw error;
    }
  }

  #filled(data: unknown): unknown {
    if (typeof data === "string") {
      const name = onlyVariable(data);
      if (name !== undefined) return this.#counted(this.variables.get(name));
      return data.replace(TEMPLATES, (_, each: string) => wordsOf(this.#counted(this.variables.get(each))));
    }
    if (Array.isArray(data)) return data.map((item) => this.#filled(item) ?? null);
    if (typeof data !== "object" || data === null) return data;
    const filled = Object.entries(data).map(([key, value]) => [key, this.#filled(value)] as const);
    return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
  }

  #counted(value: unknown): unknown {
    this.#size += sizeOf(value);
    if (this.#size > MAX_SIZE) throw tooLarge;
    return value;
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let size = sizes.get(value);
  if (size === undefined) {
    size = Object.entries(value).reduce((sum, [key, each]) => sum + key.length + sizeOf(each), 1);
    sizes.set(value, size);
  }
  return size;
}

function wordsOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
