/**
 * A finding that prevents a flow from running is an error on its line, whatever our own rules report there. Through the
 * language server alone.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Diagnostic } from "vscode-languageserver-protocol";
import { startSandbox } from "../../../sandbox";
import { Editor } from "../../language/editor";

const FILE = "support.flow.yaml";

test("a blocking platform finding is an error even if our rule only warns, and names its source", async () => {
  const sandbox = await startSandbox({ demo: true });
  const editor = await Editor.start(sandbox, { rules: { "undefined-variable": "warning" } });
  try {
    const text = (await readFile("examples/support-line.flow.yaml", "utf8"))
      .replace("name: Greeting", "name: Hello")
      .replace("what is open on account {{account_id}}", "what is open on account {{acount_id}}");
    await editor.write(FILE, text);
    const opened = editor.next("pending");
    await editor.open(FILE, text);
    await opened;
    const before = await editor.client.diagnostics(editor.uri(FILE), 1);
    assert.deepEqual(
      before.filter(({ severity }) => severity === 1),
      [],
      "our own rules only warn",
    );
    const [warning] = before.filter(({ code }) => code === "undefined-variable");
    assert.match(
      String(warning?.message),
      /This prevents the flow from running on the platform\.$/,
      "said before the push",
    );
    const state = await editor.act(FILE, "push");
    assert.equal(state.blockingErrors, 1);
    const { diagnostics } = await editor.client.nextPublish(
      (params) => params.uri === editor.uri(FILE) && params.diagnostics.some(({ severity }) => severity === 1),
    );
    const errors = diagnostics.filter(({ severity }) => severity === 1);
    assert.equal(errors.length, 1, "as many as the status says");
    assert.equal(errors[0]?.source, "assistant-flow, platform");
    assert.equal(errors[0]?.code, "undefined-variable");
    assert.match(String(errors[0]?.message), /acount_id.* Platform error: /);
    assert.equal(diagnostics.filter(({ range }) => range.start.line === errors[0]?.range.start.line).length, 1);

    // Its fix is the rule's, and when the text is fixed the error is gone.
    const [fix] = await editor.fixes(FILE, errors[0] as (typeof errors)[number]);
    assert.ok(fix?.edit);
    assert.equal(fix.diagnostics?.[0]?.code, "undefined-variable");

    // An auto-save of the fixed text isn't pushed: the finding applies to the platform's version, no longer to the
    // text.
    const pushed = editor.text(FILE);
    const repaired = editor.next("pending", ({ reason }) => reason === "autosaved");
    await editor.autosave(FILE, pushed.replace("{{acount_id}}", "{{account_id}}"));
    assert.equal((await repaired).blockingErrors, 0);
    const [listed] = await editor.findings(FILE, (found) => found.some(({ code }) => code === "variable.unknown"));
    assert.match(String(listed?.message), /^On the platform, v\d+: /);
    assert.equal(listed?.severity, 3);
    assert.match(editor.text(FILE).split("\n")[listed?.range.start.line as number] as string, /^revision:/);
    assert.deepEqual(await editor.fixes(FILE, listed as Diagnostic), []);

    // The previous text has the same error again.
    const back = editor.next("synced");
    await editor.autosave(FILE, pushed);
    assert.equal((await back).blockingErrors, 1);
    await editor.client.nextPublish(
      ({ uri, diagnostics: all }) => uri === editor.uri(FILE) && all.some(({ severity }) => severity === 1),
    );
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
});

test("before the first push, findings about the platform's empty flow aren't shown", async () => {
  const sandbox = await startSandbox({ demo: true });
  const editor = await Editor.start(sandbox, { rules: { "empty-flow": "off" } });
  try {
    const link = (await readFile("examples/support-line.flow.yaml", "utf8"))
      .match(/^(assistant|revision): .*$/gm)
      ?.join("\n");
    const empty = `${link}\nnodes: {}\n`;
    await editor.write(FILE, empty);
    const known = editor.next("pending");
    await editor.open(FILE, empty);
    await known;
    await editor.act(FILE, "push");
    await editor.findings(FILE, (found) => found.some(({ message }) => String(message) === "The flow has no nodes."));
    const nodes = "a b c d e f".split(" ").map((id) => `  ${id}: {type: end}`);
    const waits = editor.next("pending", ({ reason }) => reason === "autosaved");
    await editor.autosave(FILE, `${link}\nentry: a\nnodes:\n${nodes.join("\n")}\n`);
    assert.equal((await waits).blockingErrors, 0);
    const found = await editor.findings(FILE, (all) => all.some(({ message }) => /has no nodes/.test(String(message))));
    assert.deepEqual(
      found
        .map(({ severity, message, range }) => `${severity} ${range.start.line} ${message}`)
        .filter((each) => /no nodes/.test(each)),
      [`3 1 On the platform, v${editor.states.findLast(({ version }) => version)?.version}: The flow has no nodes.`],
    );
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
});

test("a finding about paths follows the graph, also when another program writes the file", async () => {
  const sandbox = await startSandbox({ demo: true });
  const editor = await Editor.start(sandbox, { rules: { "unreachable-node": "off" } });
  try {
    const link = (await readFile("examples/support-line.flow.yaml", "utf8"))
      .match(/^(assistant|revision): .*$/gm)
      ?.join("\n");
    const text = `${link}
entry: greet
nodes:
  greet:
    type: message
    edges:
      - {to: bye}
  aside:
    type: message
    edges:
      - {to: late}
  late:
    type: message
    edges:
      - {to: bye}
  bye: {type: end}
`;
    const connected = text.replace("- {to: bye}", "- {to: bye}\n      - {to: aside, on: silence}");
    await editor.write(FILE, text);
    const known = editor.next("pending");
    await editor.open(FILE, text);
    await known;
    await editor.act(FILE, "push");
    /** The lines of the findings about nodes that can't be reached. */
    const shownAt = async (...lines: string[]) => {
      const at = (found: readonly Diagnostic[]) =>
        found
          .filter(({ code }) => code === "node.unreachable")
          .map(({ range }) => editor.text(FILE).split("\n")[range.start.line]?.trim().replace(/:.*/, ""));
      await editor.findings(FILE, (found) => at(found).join() === lines.join());
    };
    await shownAt("aside", "late");
    const waits = editor.next("pending", ({ reason }) => reason === "autosaved");
    await editor.autosave(FILE, connected);
    await waits;
    await shownAt("revision", "revision");
    await editor.autosave(FILE, text);
    await shownAt("aside", "late");
    for (const [written, ...lines] of [
      [connected, "revision", "revision"],
      [text, "aside", "late"],
    ] as const) {
      await editor.write(FILE, written);
      await editor.watched(FILE);
      await editor.type(FILE, written);
      await shownAt(...lines);
    }
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
});
