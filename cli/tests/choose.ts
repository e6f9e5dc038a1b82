/** Selects tests by name, by tag, or by their last result. */
import type { FileRun, FlowTest } from "../../flow/test";
import { Stop } from "../command";
import { type LastFailed, testKey } from "./last-failed";

export interface Wanted {
  readonly filter?: string;
  readonly tag?: readonly string[];
}

/** Whether a test matches the filter and at least one of the tags. */
export function isWanted({ filter, tag = [] }: Wanted): (test: Pick<FlowTest, "name" | "tags">) => boolean {
  const words = filter?.toLowerCase() ?? "";
  return ({ name, tags }) =>
    name.toLowerCase().includes(words) && (tag.length === 0 || tags.some(({ value }) => tag.includes(value)));
}

/** Whether a test failed in its last run, or couldn't run because of its file. */
export function hasFailedLast(failed: LastFailed, file: string): (test: Pick<FlowTest, "name">) => boolean {
  const isWholeFile = failed.has(testKey(file));
  return ({ name }) => isWholeFile || failed.has(testKey(file, name));
}

/** Selecting no test is an error, not a success. */
export function expectSome(runs: readonly FileRun[], { filter, tag = [] }: Wanted): void {
  if (filter === undefined && tag.length === 0) return;
  if (runs.some(({ problem, results }) => problem || results.length > 0)) return;
  const asked = [
    ...(tag.length === 0 ? [] : [`the tag ${tag.map((each) => `"${each}"`).join(" or ")}`]),
    ...(filter === undefined ? [] : [`the name "${filter}"`]),
  ];
  throw new Stop(`No test matches ${asked.join(" and ")}.`);
}
