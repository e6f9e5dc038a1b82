/** What keeps a flow from running is an error on its line, whatever our own rules say there. Through the language server alone. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { startSandbox } from "../../../sandbox";
import { Editor } from "../../language/editor";

const FILE = "support.flow.yaml";

test("a blocking finding of the platform is an error though a rule of ours only warns; it says who found it", async () => {
  const sandbox = await startSandbox({ demo: true });
  const editor = await Editor.start(sandbox, { rules: { "undefined-variable": "warning" } });
  try {
    const text = (await readFile("examples/support-line.flow.yaml", "utf8")).replace("name: Greeting", "name: Hello");
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

    // Its fix is the rule's, and when the text is mended the error is gone.
    const [fix] = await editor.fixes(FILE, errors[0] as (typeof errors)[number]);
    assert.ok(fix?.edit);
    assert.equal(fix.diagnostics?.[0]?.code, "undefined-variable");
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
});
