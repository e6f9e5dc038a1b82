import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { measureInProcess } from "../../../bench/in-process";

test("an edit is at least half as many times faster than a full parse as docs/performance.md records", () => {
  const page = readFileSync("docs/performance.md", "utf8");
  const recorded = JSON.parse(/<!-- ratios: (\{.*\}) -->/.exec(page)?.[1] ?? "{}") as Record<string, number>;
  const measured = measureInProcess();
  assert.deepEqual(Object.keys(recorded).sort(), Object.keys(measured).sort());
  for (const [name, ratio] of Object.entries(measured))
    assert.ok(ratio >= (recorded[name] as number) / 2, `${name}: ${ratio} times, recorded ${recorded[name]} times`);
});
