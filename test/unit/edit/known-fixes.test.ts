/** Fixes are tried once per text, however often an editor asks for the code actions there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDocument, FlowDocument } from "../../../flow";
import { actionsAt } from "../../../server/features/code-actions";
import { contextOf } from "../../language/offers";

test("fixes aren't tried again until the text changes", (t) => {
  const document = FlowDocument.read("entry: a\nnodes:\n  a: {type: message, edges: [{to: bb}]}\n  b: {type: end}\n");
  const trial = t.mock.method(document, "trial");
  const offered = () => {
    const all = contextOf(document, checkDocument(document), false);
    const context = { ...all, wanted: (kind: string) => kind === "quickfix" };
    return actionsAt(context, { start: 0, end: document.length }).map(({ title, edits }) => ({
      title,
      edits: edits(),
    }));
  };
  const first = offered();
  assert.ok(first.some(({ title }) => title === 'Add node "bb"'));
  const tried = trial.mock.callCount();
  assert.ok(tried > 0);
  assert.deepEqual(offered(), first);
  assert.equal(trial.mock.callCount(), tried);
  // After this, the new node is added at another place.
  document.edit([{ start: document.length, end: document.length, text: "  c: {type: end}\n" }]);
  const node = (actions: typeof first) => actions.find(({ title }) => title === 'Add node "bb"')?.edits;
  assert.ok(node(offered()));
  assert.notDeepEqual(node(offered()), node(first));
});
