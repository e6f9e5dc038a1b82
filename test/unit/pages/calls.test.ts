/** The graph with calls. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { callsSentence } from "../../../webview/graph/overlays/calls-sentence";

test("a sentence says how many calls follow the flow, and why none may", () => {
  const sentence = (placed: number, partly: number, unplaced: number) =>
    callsSentence({ calls: placed + partly + unplaced, placed, partly, unplaced });
  assert.equal(sentence(10, 1, 2), "13 calls: 10 follow this flow, 1 in part, 2 don't.");
  assert.equal(
    sentence(0, 0, 12),
    "12 calls: 0 follow this flow, 0 in part, 12 don't. Another flow, or an earlier version of this one, may have handled them.",
  );
  assert.equal(sentence(0, 0, 0), "0 calls: 0 follow this flow, 0 in part, 0 don't.");
  assert.deepEqual(
    [sentence(1, 0, 0), sentence(0, 1, 0), sentence(0, 0, 1)],
    ["1 call: it follows this flow.", "1 call: it follows this flow in part.", "1 call: it doesn't follow this flow."],
  );
});
