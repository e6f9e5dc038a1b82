/** The work of the formatting guard grows linearly with the text: counted, not timed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, whyNot } from "../../../flow";

/** How often the guard checks edits that move each of many comments. */
function looks(comments: number): number {
  const head = "entry: a\nnodes:\n  a:\n    type: end\n";
  const document = FlowDocument.read(`${head}${"      #\n".repeat(comments)}`);
  let count = 0;
  const edits = Array.from({ length: comments }, (_, index) => {
    const start = head.length + index * 8;
    return {
      get start() {
        count++;
        return start;
      },
      get end() {
        count++;
        return start + 2;
      },
      text: "",
    };
  });
  assert.equal(whyNot(document, edits, { changes: "nothing" }), undefined);
  return count;
}

test("moving twice as many comments takes twice as many steps", () => {
  const [once, twice] = [looks(1_000), looks(2_000)];
  assert.ok(twice < 2.5 * once, `${once}, then ${twice}`);
});
