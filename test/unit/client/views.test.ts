import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ExtensionContext, env } from "vscode";
import type { Session } from "../../../client/connections";
import { asTyped } from "../../../client/pages/spend-page";
import type { Row } from "../../../client/ui/row";
import { registerAnalytics } from "../../../client/views/analytics";
import { registerAssistants } from "../../../client/views/assistants";
import { registerCalls } from "../../../client/views/calls";
import { pageOf } from "../../../client/views/flows/link";
import { registerKeys, showOnce } from "../../../client/views/keys";
import { spendQuery } from "../../../client/views/spend-rows";
import { ListView, type ViewOptions } from "../../../client/views/tree";
import { type NewApiKey, Secret } from "../../../platform";
import { vscodeStub } from "../../support/vscode";

const turn = () => new Promise(setImmediate);

/** A session without a platform; the test switches connections. */
function pretendedSession(client: object = {}) {
  const listeners = new Set<() => void>();
  const session = {
    generation: 1,
    canAsk: true,
    client,
    onDidChange: (listener: () => void) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  const switchTo = async (other: object = client) => {
    session.generation++;
    session.client = other;
    for (const listener of listeners) listener();
    await turn();
  };
  return { session: session as unknown as Session, switchTo };
}

const pretendedContext = (kept: Readonly<Record<string, unknown>> = {}) => {
  const memento = () => ({ get: (key: string) => kept[key], update: async () => undefined });
  return {
    subscriptions: [],
    workspaceState: memento(),
    globalState: memento(),
  } as unknown as ExtensionContext;
};

function listView(session: Session, options: Partial<ViewOptions<readonly string[]>>) {
  return new ListView<readonly string[]>(pretendedContext(), session, {
    name: "things",
    things: "things",
    empty: "Nothing.",
    load: async () => ["a", "b"],
    rows: (ids): Row[] => ids.map((id) => ({ id, label: id, thing: id })),
    ...options,
  });
}

test("a view's messages disappear with its rows when the connection changes", async () => {
  const { session, switchTo } = pretendedSession();
  const counts: number[] = [];
  let fails = false;
  const view = listView(session, {
    load: async () => (fails ? Promise.reject(new Error("no")) : ["a", "b"]),
    drawn: (ids) => counts.push(ids?.length ?? 0),
  });
  await view.refresh();
  assert.equal(counts.at(-1), 2);
  fails = true;
  await switchTo();
  assert.equal(counts.at(-1), 0);
  view.dispose();
});

test("an empty list of calls has a message, and another one if a filter is set", async () => {
  const listCalls = async () => ({ calls: [] });
  for (const [kept, words] of [
    [{}, "No calls yet."],
    [{ "calls.filter": { status: "COMPLETED" } }, "No calls match this query."],
  ] as const) {
    const { session } = pretendedSession({ listCalls });
    const context = pretendedContext(kept);
    await registerCalls(context, session).refresh();
    const rows = vscodeStub.trees.get("assistantFlow.calls")?.provider.getChildren();
    assert.deepEqual(
      rows?.map(({ label }) => label),
      [words],
    );
    for (const subscription of context.subscriptions) subscription.dispose();
  }
});

test("rows with times are redrawn each minute while visible, and when shown again", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "Date"], now: 0 });
  const { setInterval } = globalThis;
  // In a browser, a timer is a number.
  t.mock.method(globalThis, "setInterval", (run: () => void, ms: number) =>
    Object.assign(setInterval(run, ms), { unref: undefined }),
  );
  const { session } = pretendedSession();
  const view = listView(session, {
    rows: (ids, now) => ids.map((id) => ({ id, label: `${id} at ${now / 60_000}`, thing: id })),
  });
  await view.refresh();
  assert.equal(view.rows[0]?.label, "a at 0");
  t.mock.timers.tick(60_000);
  assert.equal(view.rows[0]?.label, "a at 1");
  const tree = vscodeStub.trees.get("assistantFlow.things");
  tree?.show(false);
  t.mock.timers.tick(120_000);
  assert.equal(view.rows[0]?.label, "a at 1", "nobody looks");
  tree?.show(true);
  assert.equal(view.rows[0]?.label, "a at 3");
  view.dispose();
});

test("a row keeps its identity when its data is reloaded, and only changes are redrawn", async () => {
  const { session } = pretendedSession();
  let state = "new";
  let list = ["a", "b"];
  const view = listView(session, {
    load: async () => [...list, state],
    rows: ([...ids]) => {
      const description = ids.pop();
      return [{ id: "g", label: "Group", children: ids.map((id) => ({ id, label: id, description, copy: id })) }];
    },
  });
  const provider = vscodeStub.trees.get("assistantFlow.things")?.provider;
  assert.ok(provider);
  await view.refresh();
  const [group] = provider.getChildren();
  const [a, b] = provider.getChildren(group);
  const drawn: unknown[] = [];
  provider.onDidChangeTreeData((rows) => drawn.push(rows));
  state = "old";
  await view.refresh();
  assert.deepEqual(drawn, [[a, b]], "the rows that look different, and not the group around them");
  assert.equal((a as { description?: string }).description, "old", "the row says what was loaded last");
  await view.refresh();
  assert.equal(drawn.length, 1, "nothing new, nothing drawn");
  list = ["b"];
  await view.refresh();
  assert.deepEqual(drawn[1], [group], "a group that lost a row");
  assert.deepEqual(provider.getChildren(group), [b]);
  view.dispose();
});

test("a button without its row asks which one; a key waits until VS Code has its rows again", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() }); // Independent of the machine's speed.
  const { session } = pretendedSession();
  let list = ["a", "b"];
  const view = listView(session, {
    load: async () => list,
    rows: (ids) => ids.map((id) => ({ id, label: `Row ${id}`, context: "thing", copy: id, thing: id })),
  });
  const tree = vscodeStub.trees.get("assistantFlow.things");
  assert.ok(tree);
  await view.refresh();
  const [a] = tree.provider.getChildren();
  const offered: unknown[] = [];
  vscodeStub.answer = ({ title, choices }) => {
    offered.push([title, choices]);
    return "Row b";
  };
  const ids = async (...args: unknown[]) => (await view.chosen(args, "thing")).map(({ copy }) => copy);
  assert.deepEqual(await ids(undefined, undefined), ["b"]);
  assert.deepEqual(offered, [["The list changed as you clicked. Select the row again", ["Row a", "Row b"]]]);
  assert.deepEqual(await ids(a, undefined), ["a"]);
  list = ["a", "c"];
  await view.refresh();
  setTimeout(() => {
    tree.selection = [a];
  }, 120);
  assert.deepEqual(await ids(), ["a"]);
  view.dispose();
});

test("a key applies to the focused row, or to the selection it belongs to, also while VS Code redraws", async () => {
  const { session } = pretendedSession();
  const view = listView(session, { load: async () => ["a", "b", "c"] });
  const tree = vscodeStub.trees.get("assistantFlow.things");
  assert.ok(tree);
  await view.refresh();
  const [a, b, c] = tree.provider.getChildren();
  for (const [selected, focus, chosen] of [
    [[a], b, [b]],
    [[a], a, [a]],
    [[a, b], b, [a, b]],
    [[a, b], c, [c]],
    [[], b, [b]],
    [[a], undefined, [a]],
  ] as const)
    for (let hidden = 0; hidden <= 6; hidden++) {
      let actual: readonly unknown[] = selected;
      let commands = 0;
      // Before and after the first commands, VS Code reports no selection.
      tree.selection = hidden > 0 ? [] : actual;
      vscodeStub.commands.set("list.toggleSelection", () => {
        const isSelected = actual.includes(focus);
        if (focus) actual = isSelected ? actual.filter((row) => row !== focus) : [...actual, focus];
        tree.selection = ++commands < hidden ? [] : actual;
      });
      assert.deepEqual(await view.selected(), chosen, `hidden ${hidden}`);
      assert.deepEqual(actual, selected, "the selection is as before");
    }
  vscodeStub.commands.delete("list.toggleSelection");
  view.dispose();
});

test("a flat list has no button that collapses its rows", () => {
  const { session } = pretendedSession();
  registerAnalytics(pretendedContext(), session);
  registerKeys(pretendedContext(), session);
  const collapses = (view: string) => vscodeStub.trees.get(`assistantFlow.${view}`)?.showCollapseAll;
  assert.deepEqual([collapses("analytics"), collapses("keys")], [false, true]);
});

test("a change of files is loaded without progress, which would hide the badge of the sidebar", async () => {
  const shown: boolean[] = [];
  const load = async () => [String(shown.push(vscodeStub.progress.length > 0))];
  const view = listView(pretendedSession().session, { local: true, load });
  await view.refresh();
  await view.update();
  assert.deepEqual(view.data, ["2"]);
  assert.deepEqual(shown, [true, false]);
  view.dispose();
});

test("the badge is updated for another key, even while the view is hidden", async () => {
  for (const isCounted of [true, false]) {
    const { session, switchTo } = pretendedSession();
    const counts: number[] = [];
    const view = listView(session, { isCounted, drawn: (ids) => counts.push(ids?.length ?? 0) });
    await view.refresh();
    vscodeStub.trees.get("assistantFlow.things")?.show(false);
    await switchTo();
    await turn();
    assert.equal(counts.at(-1), isCounted ? 2 : 0);
    view.dispose();
  }
});

test("a revoked key disappears, also if it was the one in use and nothing can be loaded anymore", async () => {
  let isRevoked = false;
  const { session } = pretendedSession({
    listApiKeys: async () => {
      if (isRevoked) throw new Error("The API key was rejected.");
      return [
        { id: "a", name: "Mine" },
        { id: "b", name: "Other" },
      ];
    },
    revokeApiKey: async () => {
      isRevoked = true;
    },
  });
  registerKeys(pretendedContext(), session);
  await vscodeStub.commands.get("assistantFlow.keys.refresh")?.();
  const ids = () =>
    vscodeStub.trees
      .get("assistantFlow.keys")
      ?.provider.getChildren()
      .map(({ id }) => id) ?? [];
  assert.deepEqual(ids(), ["key/a", "key/b"]);
  vscodeStub.answer = () => "Revoke";
  const row = { id: "key/a", label: "Mine", copy: "a", context: "key in-use" };
  await vscodeStub.commands.get("assistantFlow.revokeKey")?.(row);
  assert.ok(isRevoked);
  assert.ok(!ids().includes("key/a"), ids().join());
  assert.ok(ids().includes("key/b"));
  vscodeStub.answer = () => undefined;
});

test("a new key that is copied when its dialog closes is shown again with a confirmation", async () => {
  const asked: string[] = [];
  const answers = ["Done", "Copy Key", "Done"];
  vscodeStub.answer = ({ title, prompt }) => {
    asked.push(`${title} ${prompt}`);
    return answers.shift();
  };
  const copied: string[] = [];
  Object.assign(env, { clipboard: { writeText: async (text: string) => void copied.push(text) } });
  const { session } = pretendedSession();
  await showOnce(session, { id: "k", name: "CI", secret: new Secret("sk-1") } as unknown as NewApiKey);
  assert.deepEqual(copied, ["sk-1"]);
  assert.match(asked[1] ?? "", /^Close without saving the API key "CI"\?/);
  assert.match(asked[2] ?? "", /^The API key "CI" was created\..*Copied to clipboard\.$/s);
  assert.equal(asked.length, 3);
});

test("restoring a selected assistant needs no question; for the open flow it asks", async (t) => {
  t.mock.timers.enable({ apis: ["Date"] });
  const [named, pointed] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
  const restored: string[] = [];
  const { session } = pretendedSession({
    restoreAssistant: async (id: string) => {
      restored.push(id);
      return { id };
    },
  });
  registerAssistants(pretendedContext(), session, { onDidChange: () => ({ dispose: () => undefined }) });
  vscodeStub.editor = { fileName: "billing.flow.yaml", text: `assistant: ${named}\n` };
  const restore = async (...args: unknown[]) => {
    const offered: string[] = [];
    vscodeStub.answer = ({ prompt, value }) => void (prompt && offered.push(value));
    await vscodeStub.commands.get("assistantFlow.restoreAssistant")?.(...args);
    return offered;
  };
  for (const nobody of [[], [undefined], [null]]) assert.deepEqual(await restore(...nobody), [named]);
  assert.deepEqual(restored, []);
  assert.deepEqual(await restore(pointed), []);
  // Later than the second half of a double click, which is ignored.
  t.mock.timers.tick(1_000);
  assert.deepEqual(await restore({ id: "row", label: "Row", copy: pointed }), []);
  assert.deepEqual(restored, [pointed, pointed]);
  vscodeStub.editor = undefined;
});

test("a late page of one connection isn't added to the calls of another", async (t) => {
  const platform = (name: string) => {
    let answer: (page: object) => void = () => undefined;
    let signal: AbortSignal | undefined;
    const page = (id: string) => ({
      calls: [{ id: `${name} ${id}`, createdAt: "2026-01-01T00:00:00Z" }],
      nextCursorId: { id: `${name} ${id}` },
    });
    const listCalls = async (query: { id?: string }, options: { signal: AbortSignal }) => {
      if (query.id === undefined) return page("newest");
      signal = options.signal;
      return new Promise<object>((resolve) => {
        answer = resolve;
      });
    };
    return { listCalls, late: () => answer(page("older")), wasAborted: () => signal?.aborted };
  };
  const [one, two] = [platform("one"), platform("two")];
  const { session, switchTo } = pretendedSession(one);
  const context = pretendedContext();
  t.after(() => {
    for (const subscription of context.subscriptions) subscription.dispose();
  });
  registerCalls(context, session);
  await turn();
  const provider = vscodeStub.trees.get("assistantFlow.calls")?.provider;
  const shown = () => provider?.getChildren().map(({ id }) => id);
  assert.deepEqual(shown(), ["call/one newest", "more"]);
  for (const [all, platform, other] of [
    [false, one, two],
    [true, two, one],
  ] as const) {
    const loading = vscodeStub.commands.get(`assistantFlow.calls.${all ? "loadAll" : "loadMore"}`)?.();
    await turn();
    await switchTo(other);
    if (!all) assert.equal(platform.wasAborted(), true);
    platform.late();
    await loading;
    assert.deepEqual(shown(), [`call/${other === one ? "one" : "two"} newest`, "more"]);
  }
});

test("the chart shows the sidebar's data, with the same default days", async () => {
  const { session } = pretendedSession({ embeddingCostByKb: async () => [] });
  const chosen = { start_date: "2026-01-01", end_date: "2026-01-31", source: "query", limit: "5" };
  registerAnalytics(pretendedContext({ "analytics.query": chosen }), session);
  let asked: unknown;
  vscodeStub.commands.set("assistantFlow.openEmbeddingSpend", (query) => {
    asked = query;
  });
  await vscodeStub.commands.get("assistantFlow.analytics.showChart")?.();
  assert.deepEqual(asTyped(asked as Parameters<typeof asTyped>[0]), { ...chosen, embedding_type: "" });
  const now = Date.UTC(2026, 2, 15, 12);
  const { start_date, end_date } = asTyped(spendQuery({}, now));
  assert.deepEqual([start_date, end_date], ["2026-02-14", "2026-03-15"]);
});

test("assistants and revisions link to the configured web pages only", () => {
  assert.equal(pageOf("https://app.example/a/{id}?tab={id}", "x y"), "https://app.example/a/x%20y?tab=x%20y");
  for (const none of [undefined, "", "command:evil?{id}", "file:///{id}", "javascript:alert(1)", "https://"])
    assert.equal(pageOf(none, "x"), undefined, none);
});
