/** The plan has the old and new value of each field; a flow that isn't open has a state. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { type NormalForm, startSandbox } from "../../../sandbox";
import type { FlowSyncState, GraphView, PlanView, TextRun } from "../../../server/messages";
import { Editor } from "../../language/editor";

const FILE = "support.flow.yaml";

/** An editor with the example in sync with a sandbox; `edit` is applied before the push. */
async function withExample(
  { edit, normalize }: { edit?: (text: string) => string; normalize?: readonly NormalForm[] },
  body: (editor: Editor, text: string) => Promise<void>,
): Promise<void> {
  const sandbox = await startSandbox({ demo: true, ...(normalize ? { normalize } : {}) });
  const editor = await Editor.start(sandbox, {});
  try {
    const example = await readFile("examples/support-line.flow.yaml", "utf8");
    const text = edit?.(example) ?? example;
    await editor.write(FILE, text);
    const synced = editor.next("synced");
    await editor.open(FILE, text);
    if (edit) await editor.save(FILE, text);
    await synced;
    await body(editor, text);
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
}

test("old and new values of nodes, variables, entry and persona; after a restart a closed flow has its state", () =>
  withExample({}, async (editor, text) => {
    await editor.type(
      FILE,
      text
        .replace("name: Greeting", "name: Hello")
        .replace("entry: greet", "entry: ask_name")
        .replace("enum_values: [price, quality, moving, other]", "enum_values: [price, quality]")
        .replace("You are calm, brief", "You are brief")
        .replace(/^component_outputs:\n(?:.+\n)*/m, "component_outputs:\n  - {name: topic, value: '{{topic}}'}\n"),
    );
    const plan = await editor.client.request<PlanView>("assistantFlow/plan", { uri: editor.uri(FILE) });
    const changes = Object.fromEntries(
      plan.lines.flatMap((line) => (line.changes ?? []).map(({ field, before, after }) => [field, [before, after]])),
    );
    assert.deepEqual(changes.name, ['"Greeting"', '"Hello"']);
    assert.deepEqual(changes.outputs, ["topic = {{topic}}, ticket = {{ticket}}", "topic = {{topic}}"]);
    assert.deepEqual(changes.entry, ['"greet"', '"ask_name"']);
    assert.deepEqual(changes.enum_values, ['["price","quality","moving","other"]', '["price","quality"]']);
    assert.match(changes.persona?.[0] ?? "", /You are calm, brief/);
    assert.match(changes.persona?.[1] ?? "", /You are brief/);
    assert.equal(
      plan.lines.some(({ changes: each }) => each?.some(({ field }) => field === "source_span")),
      false,
    );

    await editor.save(FILE, text);
    await editor.restart();
    const closed = await editor.next("synced");
    assert.equal(closed.uri, editor.uri(FILE));
    await editor.write(FILE, text.replace("name: Greeting", "name: Hello"));
    await editor.restart();
    assert.match((await editor.next("pending")).message, /1 node changed/);
  }));

test("an edge is named by its ends: changes in one line, a new one with its condition", () =>
  withExample({}, async (editor, text) => {
    const linesAfter = async (edges: string) => {
      await editor.type(FILE, text.replace("      - to: ask_name\n", edges));
      const { lines } = await editor.client.request<PlanView>("assistantFlow/plan", { uri: editor.uri(FILE) });
      const changes = (line: (typeof lines)[number]) =>
        (line.changes ?? []).map(({ field, before, after }) => `${field}: ${before} → ${after}`);
      return lines.filter(({ isHalf }) => !isHalf).map((line) => [`${line.mark} ${line.text}`, ...changes(line)]);
    };
    assert.deepEqual(await linesAfter("      - to: ask_name\n        when: they are awake\n"), [
      ["~ edge greet → ask_name: when", 'when: (none) → "they are awake"'],
    ]);
    assert.deepEqual(await linesAfter("      - to: ask_account\n        when: we know them\n      - to: ask_name\n"), [
      ['+ edge greet → ask_account when "we know them"'],
      ["~ edge greet → ask_name: order"],
    ]);
    assert.deepEqual(await linesAfter("      - to: ask_account\n"), [
      ["+ edge greet → ask_account"],
      ["- edge greet → ask_name"],
    ]);
  }));

test("the graph of a plan shows the plan without the platform's additions", () =>
  withExample(
    { edit: (text) => text.replace("name: Greeting", "name: Hello"), normalize: ["defaults", "sort"] },
    async (editor, text) => {
      await editor.type(FILE, text.replace("name: Hello", "name: Welcome"));
      const uri = editor.uri(FILE);
      const versus = async (which: string) => {
        const other = await editor.client.request<string>("assistantFlow/otherText", { uri, which });
        const view = await editor.client.request<GraphView>("assistantFlow/graph", { uri, other });
        assert.ok(view.comparison && "changes" in view.comparison);
        return { other, view, changes: view.comparison.changes };
      };
      const { other, view, changes } = await versus("push");
      assert.deepEqual(
        changes.map(({ kind, what, id, fields }) => [kind, what, id, fields]),
        [["changed", "node", "greet", ["name"]]],
      );
      assert.deepEqual(
        view.nodes.filter(({ change }) => change).map(({ id }) => id),
        ["greet"],
      );
      const runs = await editor.client.request<TextRun[]>("assistantFlow/comparedTexts", {
        uri,
        other,
        element: { what: "node", id: "greet" },
      });
      const changed = runs.filter(({ kind }) => kind !== "same").map(({ kind, text: words }) => [kind, words]);
      assert.deepEqual(changed, [
        ["removed", "Hello"],
        ["added", "Welcome"],
      ]);
      const all = (await versus("remote")).changes;
      assert.ok(
        all.some(({ fields }) => fields.includes("timeout")),
        "the platform's defaults are there to be seen",
      );
    },
  ));

test("a push of a plan that is shown with its question doesn't ask again, unless the plan has changed", () =>
  withExample({}, async (editor, text) => {
    const uri = editor.uri(FILE);
    const planAfter = async (changed: string) => {
      const pending = editor.next("pending", ({ reason }) => reason === "autosaved");
      await editor.autosave(FILE, changed);
      await pending;
      return editor.client.request<PlanView>("assistantFlow/plan", { uri });
    };
    const push = async ({ asks }: PlanView) => {
      const params = { uri, action: "push", answered: asks?.fingerprint };
      return (await editor.client.request<FlowSyncState>("assistantFlow/sync", params)).kind;
    };
    editor.agrees = false;
    const first = await planAfter(text.replace("name: Greeting", "name: Hello"));
    assert.equal(first.asks?.reason, "first-push");
    assert.equal(first.asks?.to.address, editor.sandbox.baseUrl);
    const second = await planAfter(text.replace("name: Greeting", "name: Welcome"));
    assert.equal(await push(first), "pending");
    assert.equal(editor.asked.length, 1, "another plan is shown now");
    assert.equal(await push(second), "synced");
    assert.equal(editor.asked.length, 1);

    assert.equal((await planAfter(text)).asks, undefined, "only the first push asks");
    const head = text.slice(0, text.indexOf("nodes:"));
    const removal = await planAfter(`${head}nodes:\n  greet:\n    type: end\n`);
    assert.equal(removal.asks?.removesMany, true);
    assert.equal(await push(removal), "synced");
    assert.equal(editor.asked.length, 1);
  }));
