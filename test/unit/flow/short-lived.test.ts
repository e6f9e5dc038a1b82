/**
 * When a folder of files is checked, the objects of a file are collected with it, without a major garbage collection.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { flowOf } from "../../../bench/flows";
import { checkDocument, componentFacts, FlowDocument, summarize } from "../../../flow";
import { AttachedCache } from "../../../flow/attached-cache";
import { programOf } from "../../../flow/run";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options?: { type: "minor" }) => void;
const used = () => process.memoryUsage().heapUsed;

const text = flowOf(60);

function checked(number: number): FlowDocument {
  const document = FlowDocument.read(text.replaceAll("caller of", `caller ${number} of`));
  checkDocument(document, {});
  summarize("file:///flow.yaml", document);
  componentFacts("file:///flow.yaml", document);
  programOf(document);
  return document;
}

test("data derived from a file is freed with it by the next minor collection", () => {
  const count = 40;
  checked(0);
  collect();
  const base = used();
  const held = Array.from({ length: count }, (_, number) => checked(number));
  collect();
  const whole = used() - base;
  assert.equal(held.length, count);
  held.length = 0;
  collect();
  const before = used();
  for (let number = 0; number < count; number++) {
    checked(number);
    if (number % 10 === 9) collect({ type: "minor" });
  }
  collect({ type: "minor" });
  collect({ type: "minor" });
  const left = used() - before;
  assert.ok(left < whole / 4, `${left} bytes of ${whole} are still held`);
});

test("data attached to an object isn't visible in copies and comparisons", () => {
  const kept = new AttachedCache<object, string | undefined>();
  const others = new AttachedCache<object, string>();
  const owner = { id: "a" };
  assert.equal(kept.get(owner), undefined);
  kept.set(owner, "first");
  kept.set(owner, "second");
  assert.equal(kept.get(owner), "second");
  assert.equal(others.has(owner), false);
  assert.equal(kept.has({ ...owner }), false);
  assert.deepEqual(owner, { id: "a" });
  kept.set(owner, undefined);
  assert.equal(kept.has(owner), true);
  // A cached value isn't inherited.
  assert.equal(kept.has(Object.create(owner)), false);
});
