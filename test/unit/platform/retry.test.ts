/** Delays before a request is retried. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { backoff } from "../../../platform";

const all = { baseMs: 1_000, maxMs: 60_000, spread: 1 };
const half = { ...all, spread: 0.5 };

const waits = [
  { name: "all of the first wait is left to chance", of: all, failures: 1, random: 0, wait: 0 },
  { name: "at most the base", of: all, failures: 1, random: 1, wait: 1_000 },
  { name: "half of it is left to chance", of: half, failures: 1, random: 0, wait: 500 },
  { name: "somewhere in that half", of: half, failures: 1, random: 0.5, wait: 750 },
  { name: "twice as long each time", of: half, failures: 4, random: 1, wait: 8_000 },
  { name: "never above the cap", of: half, failures: 100, random: 1, wait: 60_000 },
  { name: "the cap is spread, too", of: half, failures: 100, random: 0, wait: 30_000 },
  { name: "what was asked for comes first", of: half, failures: 1, random: 0, asked: 5_000, wait: 5_500 },
  { name: "a hint above the cap", of: half, failures: 1, random: 0, asked: 86_400_000, wait: 60_000 },
  { name: "a negative hint is none", of: half, failures: 1, random: 0, asked: -5_000, wait: 500 },
];

for (const { name, of, failures, random, asked, wait } of waits)
  test(`backoff: ${name}`, () =>
    assert.equal(
      backoff(of, failures, () => random, asked),
      wait,
    ));
