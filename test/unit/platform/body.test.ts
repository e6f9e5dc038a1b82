import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Blocks, Body } from "../../../platform/body";

test("a body consists of its chunks, whatever their sizes and memory", () => {
  const free = new Blocks();
  const size = fc.oneof(
    fc.nat(10),
    fc.nat(70_000),
    fc.constantFrom(65_535, 65_536, 65_537, 1_048_575, 1_048_576, 1_048_577, 2_500_000),
  );
  fc.assert(
    fc.property(fc.array(size, { maxLength: 6 }), fc.constantFrom(1, 3, 4096, 200_000), (sizes, length) => {
      const body = new Body(free);
      const pieces = sizes.map((bytes, index) => Buffer.alloc(bytes, `${index}abcdefg`));
      for (const piece of pieces) body.add(piece);
      const whole = Buffer.concat(pieces);
      assert.equal(body.length, whole.length);
      assert.ok(body.text === whole.toString());
      const [start, end] = body.ends(length);
      assert.ok(start.equals(whole.subarray(0, length)));
      assert.ok(end.equals(whole.subarray(-length)));
      body.drop();
      assert.throws(() => body.text, /dropped/);
    }),
    { numRuns: 100 },
  );
});

test("the next body reuses the blocks of a dropped one", () => {
  const free = new Blocks();
  const block = free.take();
  free.giveBack([block]);
  assert.equal(free.take(), block);
  assert.notEqual(free.take(), block, "a block is given once");
});
