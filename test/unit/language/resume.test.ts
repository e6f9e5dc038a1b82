/**
 * A first push of thousands of nodes whose server is killed: it continues when the file is opened again, shows its
 * progress, and completes. `RESUME_NODES=5000` is the size of a large flow; the suite uses one that takes seconds.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, type Graph, type GraphOp, graphFromWire, graphOf, sameGraph } from "../../../flow";
import { startSandbox } from "../../../sandbox";
import { Editor } from "../../language/editor";
import { sizeOf } from "../../support/cases";

const NODES = Number(process.env.RESUME_NODES ?? sizeOf(600, 1200));
const FILE = "big.flow.yaml";
/** A large flow takes long on a busy machine. */
const LONG = 280_000;

function bigFlow(assistant: string, revision: string): string {
  const lines = [`assistant: ${assistant}`, `revision: ${revision}`, "entry: n0", "nodes:"];
  for (let i = 0; i < NODES; i++) {
    lines.push(`  n${i}:`, "    type: message", `    instructions: Say ${i}.`);
    if (i + 1 < NODES) lines.push("    edges:", `      - to: n${i + 1}`);
  }
  return `${lines.join("\n")}\n`;
}

test(`a first push of ${NODES} nodes that was killed in the middle resumes on opening, shows its progress and ends`, {
  timeout: 600_000,
}, async (t) => {
  const sandbox = await startSandbox({ demo: true, clockSpeed: 200 });
  const { assistant, revision } = sandbox.demo as NonNullable<typeof sandbox.demo>;
  const editor = await Editor.start(sandbox);
  try {
    const text = bigFlow(assistant, revision);
    await editor.write(FILE, text);
    let batches = 0;
    editor.intercept = ({ method }) => {
      if (method === "POST") batches++;
      return undefined;
    };
    const middle = editor.next("syncing", ({ batch = 0, batches = 0 }) => batches > 4 && batch > batches / 3, LONG);
    await editor.open(FILE, text);
    await editor.save(FILE);
    const { batch: at = 0, batches: of = 0 } = await middle;
    await editor.crash();
    const sent = batches;
    assert.ok(at < of, `killed at ${at} of ${of}`);

    const [goesOn, ends] = [
      editor.next("syncing", ({ batches = 0 }) => batches > 1, LONG),
      editor.next("synced", undefined, LONG),
    ];
    await editor.open(FILE, text);
    await goesOn;
    await ends;
    const shown = editor.states.filter(({ kind }) => kind === "syncing").map(({ batch = 0 }) => batch);
    assert.deepEqual(
      shown,
      [...shown].sort((a, b) => a - b),
      "progress goes forward",
    );
    assert.ok(new Set(shown).size > 2, `${shown} is shown while it goes on`);
    assert.ok(batches <= of + 3, `${batches} batches for ${of}: what was stored is not sent again`);
    assert.equal(editor.asked.length, 1, "the user has agreed already");
    // The platform's answer to a change and its opposite is its current graph.
    const name = "test_look";
    const ops: readonly GraphOp[] = [
      { op: "upsert_context_variable", variable: { name } },
      { op: "remove_context_variable", name },
    ];
    const { validation } = await editor.platform.applyGraphOps(assistant, revision, { ops });
    t.diagnostic(`killed at ${at} of ${of} after ${sent} batches; ${batches - sent} after that`);
    assert.ok(sameGraph(graphFromWire(validation?.normalized_graph) as Graph, graphOf(FlowDocument.read(text))));
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
});
