import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { decidedIn } from "../../../client/sync/conflicts";

test("a resolved conflict is marked on its line until the others are resolved", () => {
  const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 4 } };
  const conflict = { key: "a", message: "Both changed name.", base: "x", ours: "y", theirs: "Hello", range };
  const side = "theirs" as const;
  const shown = (open: Parameters<typeof decidedIn>[1]) =>
    decidedIn(new Map([["a", { conflict, side }]]), open).map(({ renderOptions }) => renderOptions?.after?.contentText);
  assert.deepEqual(shown([]), ['  decided: Use Platform: "Hello"']);
  assert.deepEqual(shown([{ ...conflict, key: "b" }]), ['  decided: Use Platform: "Hello"']);
  assert.deepEqual(shown([conflict]), [], "it is open again");
  const mine = decidedIn(new Map([["a", { conflict, side: "ours" as const }]]), []);
  assert.equal(mine[0]?.renderOptions?.after?.contentText, "  decided: Keep Mine");
  assert.deepEqual(decidedIn(undefined, [conflict]), []);
});
