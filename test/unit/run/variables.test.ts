/** Values of variables, compared with a map that is copied for every change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withValues } from "../../../flow/run/variables";

const names = fc.nat(60).map((number) => `v${number}`);
const changes = fc.array(fc.tuple(names, fc.constantFrom(1, "a", false, null, undefined)), { maxLength: 3 });

test("any changes, few or many variables: the values are those of a copied map, and older values stay", () => {
  fc.assert(
    fc.property(fc.array(names, { maxLength: 60 }), fc.array(changes, { maxLength: 60 }), (first, all) => {
      let values: ReadonlyMap<string, unknown> = new Map(first.map((name) => [name, name]));
      const expected = new Map(values);
      const before: [ReadonlyMap<string, unknown>, object][] = [];
      for (const some of all) {
        before.push([values, Object.fromEntries(expected)]);
        values = withValues(values, some);
        for (const [name, value] of some)
          if (value === null || value === undefined) expected.delete(name);
          else expected.set(name, value);
        assert.equal(values.size, expected.size);
        for (const [name] of some) {
          assert.equal(values.get(name), expected.get(name));
          assert.equal(values.has(name), expected.has(name));
        }
      }
      for (const [older, same] of [...before, [values, Object.fromEntries(expected)] as const])
        assert.deepEqual(Object.fromEntries(older), same);
      assert.deepEqual(new Set(values.keys()), new Set(expected.keys()));
    }),
    { numRuns: 60 },
  );
});
