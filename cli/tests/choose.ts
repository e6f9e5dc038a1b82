/** Which tests a command line asks for: by name, by tag, or those that failed when they last ran. */
import type { FileRun, FlowTest } from "../../flow/test";
import { Stop } from "../command";
import { type LastFailed, testKey } from "./last-failed";

export interface Wanted {
  readonly filter?: string;
  readonly tag?: readonly string[];
}

/** Whether a test is wanted, by its name and its tags. With several tags one of them is enough. */
export function isWanted({ filter, tag = [] }: Wanted): (test: Pick<FlowTest, "name" | "tags">) => boolean {
  const words = filter?.toLowerCase() ?? "";
  return ({ name, tags }) =>
    name.toLowerCase().includes(words) && (tag.length === 0 || tags.some(({ value }) => tag.includes(value)));
}

/** Whether a test of a file failed when it last ran, or couldn't be run because of its file. */
export function hasFailedLast(failed: LastFailed, file: string): (test: Pick<FlowTest, "name">) => boolean {
  const isWholeFile = failed.has(testKey(file));
  return ({ name }) => isWholeFile || failed.has(testKey(file, name));
}

/** A choice that leaves no test is a slip, not a pass. */
export function expectSome(runs: readonly FileRun[], { filter, tag = [] }: Wanted): void {
  if (filter === undefined && tag.length === 0) return;
  if (runs.some(({ problem, results }) => problem || results.length > 0)) return;
  const asked = [
    ...(tag.length === 0 ? [] : [`the tag ${tag.map((each) => `"${each}"`).join(" or ")}`]),
    ...(filter === undefined ? [] : [`“${filter}” in its name`]),
  ];
  throw new Stop(`No test has ${asked.join(" and ")}.`);
}
