/** Parses values of options, and limits lists. */
import { EXIT, Stop } from "./command";

export function numberOf(flag: string, given: string, least: number, most: number): number {
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= least && number <= most) return number;
  throw new Stop(`${flag} must be a whole number from ${least} to ${most}.`, EXIT.usage);
}

/** Commander checks `choices` itself; this is for values that only the command's module knows. */
export function oneOf<Value extends string>(flag: string, given: string, values: readonly Value[]): Value {
  const value = values.find((each) => each === given);
  if (value !== undefined) return value;
  throw new Stop(`${flag} must be one of ${values.join(", ")}.`, EXIT.usage);
}

/** The values of a comma-separated list. */
export function listOf<Value extends string>(flag: string, given: string, values: readonly Value[]): Value[] {
  const names = given.split(",").map((name) => name.trim());
  return names
    .filter((name) => name !== "")
    .map((name) => {
      const value = values.find((each) => each === name);
      if (value !== undefined) return value;
      const listed = values.join(", ");
      throw new Stop(`${flag} must be a comma-separated list of ${listed}; "${name}" isn't one of them.`, EXIT.usage);
    });
}

export async function atMost<Item>(limit: number, items: AsyncIterable<Item>): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length === limit) break;
  }
  return taken;
}
