/**
 * Which tests failed when they last ran in a folder, for `assistant-flow test --last-failed`. Kept in the state folder as
 * hashes: neither names nor content of tests. There's a file only where something failed, so runs that pass leave nothing.
 */
import { createHash } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { isPrivateFolder, privateFolder, readPrivate, writeWhole } from "../../files";
import type { FileRun } from "../../flow/test";

export type LastFailed = ReadonlySet<string>;

/** If there are more failures, only the first ones are stored. */
const MAX_TESTS = 5000;
/** The folders tested longest ago are dropped. */
const MAX_FOLDERS = 100;
const ENDING = ".last-failed";

/** A failed test, or a failed file if it has no test name. */
export function testKey(file: string, name?: string): string {
  return hash(JSON.stringify([file, name]));
}

export async function readLastFailed(stateDir: string, folder: string): Promise<LastFailed> {
  if (!(await isPrivateFolder(stateDir))) return new Set();
  const text = await readPrivate(placeOf(stateDir, folder));
  return new Set(text?.split("\n").filter((line) => line !== ""));
}

/** Updates the results of the tests that ran; other results are kept, unless all tests ran. */
export async function keepLastFailed(
  stateDir: string,
  folder: string,
  runs: readonly FileRun[],
  isEverything: boolean,
): Promise<void> {
  const before = await readLastFailed(stateDir, folder);
  const failed = new Set(isEverything ? [] : before);
  for (const { path: file, problem, results } of runs) {
    if (problem) failed.add(testKey(file));
    else if (results.length > 0) failed.delete(testKey(file));
    for (const { test, status } of results)
      if (status === "failed") failed.add(testKey(file, test.name));
      else failed.delete(testKey(file, test.name));
  }
  const place = placeOf(stateDir, folder);
  if (failed.size === 0) {
    if (before.size > 0) await rm(place, { force: true });
    return;
  }
  await privateFolder(stateDir);
  await writeWhole(place, `${[...failed].slice(0, MAX_TESTS).join("\n")}\n`, { private: true });
  await forgetOldest(stateDir);
}

async function forgetOldest(stateDir: string): Promise<void> {
  const names = (await readdir(stateDir)).filter((name) => name.endsWith(ENDING));
  if (names.length <= MAX_FOLDERS) return;
  const dated = await Promise.all(
    names.map(async (name) => {
      const file = path.join(stateDir, name);
      // Another run may have removed it already.
      return { file, at: (await stat(file).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  dated.sort((a, b) => b.at - a.at);
  for (const { file } of dated.slice(MAX_FOLDERS)) await rm(file, { force: true });
}

function placeOf(stateDir: string, folder: string): string {
  return path.join(stateDir, `${hash(path.resolve(folder))}${ENDING}`);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
