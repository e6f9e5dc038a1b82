/** Tests wait for a condition, never for a time: a time is too short on a busy machine and too long on any other. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filesBelow, inProject } from "../../scripts/project";

/** The longest pause of a polling loop. */
const LONGEST_MS = 100;

/** A timer that only resolves, or a function named after waiting. A timer with a callback isn't a wait. */
const wait = /\b(?:setTimeout\(\s*\w+,|\w*(?:sleep|pause|wait|delay|waitForTimeout)\()\s*([\d_]+)\s*\)/gi;

function waitsIn(text: string): number[] {
  return [...text.matchAll(wait)].map(([, ms = ""]) => Number(ms.replaceAll("_", "")));
}

test("no test waits for a time", () => {
  const found = filesBelow("test", ".ts")
    .filter((file) => !/^test[\\/]out[\\/]/.test(file))
    .flatMap((file) => waitsIn(readFileSync(inProject(file), "utf8")).map((ms) => ({ file, ms })))
    .filter(({ ms }) => ms > LONGEST_MS);
  assert.deepEqual(found, [], "wait for the effect, or for something that comes after what must not happen");
});

test("every form of wait is found", () => {
  const second = "1_000";
  const ways = ["await new Promise((done) => setTimeout(done, %))", "await sleep(%)", "await page.waitForTimeout(%)"];
  for (const way of ways) assert.deepEqual(waitsIn(way.replace("%", second)), [1000], way);
  assert.deepEqual(waitsIn(`setTimeout(() => child.kill(), ${second})`), []);
});
