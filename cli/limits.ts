/** Parses numeric options, and limits lists. */
import { EXIT, Stop } from "./command";

export function numberOf(flag: string, given: string, least: number, most: number): number {
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= least && number <= most) return number;
  throw new Stop(`${flag} must be a whole number from ${least} to ${most}.`, EXIT.usage);
}

export async function atMost<Item>(limit: number, items: AsyncIterable<Item>): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length === limit) break;
  }
  return taken;
}
