/**
 * Files of hostile shapes, in one size and in four times that size: the time of every request of the server grows
 * linearly. The tests compare processor time within one run, so other load doesn't matter.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuOf } from "../../bench/measure";
import type { Client } from "../language/client";
import { sizeOf } from "../support/cases";
import { answerOf, everyQuestion, startAbleClient } from "./every-request";
import { type HostileShape, someShapes } from "./hostile-shapes";

const SMALL = sizeOf(3_500, 8_000);
const LARGE = 4 * SMALL;

/** What the garbage collector and a cold start add, in milliseconds. */
const NOISE = 300;
/** Twice the time of linear growth. */
const isSuperlinear = (small: number, large: number) => large > 8 * small + NOISE;

/** The highest time of each method, or of each given method, in milliseconds. */
async function costs(
  client: Client,
  shape: HostileShape,
  length: number,
  methods?: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const timed = async (method: string, act: () => Promise<unknown>) => {
    const now = () => cpuOf(client.process.pid) ?? performance.now();
    const start = now();
    await act();
    found.set(method, Math.max(found.get(method) ?? 0, now() - start));
  };
  const uri = `file:///tmp/scaling/${shape.file}`;
  const text = shape.text(length);
  const lines = text.split(/\r\n|\n|\r/);
  const longest = lines.reduce((best, line, at) => (line.length > (lines[best]?.length ?? 0) ? at : best), 0);
  const places = [Math.floor(lines.length / 2), longest, lines.length - 2].map((line) => ({
    line,
    character: Math.floor((lines[line]?.length ?? 0) / 2),
  }));
  const diagnostics = () => client.request("textDocument/diagnostic", { textDocument: { uri } });
  await timed("textDocument/didOpen", async () => {
    await client.open(uri, text);
    await diagnostics();
  });
  for (const question of everyQuestion(client.server.capabilities, { uri, lines, places }))
    if (methods?.includes(question.method) !== false) await timed(question.method, () => answerOf(client, question));
  const [place] = places;
  await timed("textDocument/didChange", async () => {
    await client.change(uri, 2, [{ range: { start: place, end: place }, text: "z" }]);
    await diagnostics();
  });
  await client.close(uri);
  return found;
}

test("the cost of every request on hostile shapes grows linearly", async () => {
  const client = await startAbleClient();
  const slow: string[] = [];
  try {
    for (const shape of someShapes) {
      const found = await costs(client, shape, LARGE);
      // Whatever they take in the smaller file, the others don't grow faster than linearly.
      const slowest = [...found.keys()].filter((method) => isSuperlinear(0, found.get(method) ?? 0));
      if (slowest.length === 0) continue;
      const small = await costs(client, shape, SMALL, slowest);
      const suspects = slowest.filter((method) => isSuperlinear(small.get(method) ?? 0, found.get(method) ?? 0));
      if (suspects.length === 0) continue;
      // The first time includes what a cold server adds.
      for (const [method, large] of await costs(client, shape, LARGE, suspects))
        if (isSuperlinear(small.get(method) ?? 0, large))
          slow.push(`${method}, ${shape.name}: ${small.get(method)} ms, then ${large} ms`);
    }
  } finally {
    await client.stop();
  }
  assert.deepEqual(slow, []);
});
