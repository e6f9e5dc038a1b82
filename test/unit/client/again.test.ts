/** Work that is repeated on every change, such as continuous test runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Rerunner } from "../../../client/testing/rerunner";

test("a change during failing work repeats it", async () => {
  let fail: (error: Error) => void = () => undefined;
  let begun = 0;
  const again = await new Promise<Rerunner>((resolve) => {
    const again: Rerunner = new Rerunner(async () => {
      begun++;
      if (begun === 2) return resolve(again);
      await new Promise<void>((_, reject) => {
        fail = reject;
      });
    });
    const first = assert.rejects(again.now(), /no server/);
    again.soon();
    fail(new Error("no server"));
    void first;
  });
  assert.equal(begun, 2);
  again.dispose();
});

test("changes during the work repeat it once, and not after it's over", async () => {
  let begun = 0;
  const again: Rerunner = new Rerunner(async () => {
    begun++;
    if (begun > 1) return;
    again.soon();
    again.soon();
  });
  await again.now();
  assert.equal(begun, 2);
  again.dispose();
  again.soon();
  await again.now();
  assert.equal(begun, 3, "asked for, it works even then, but not by itself");
});
