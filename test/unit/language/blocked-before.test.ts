/**
 * Rules that the platform blocks on are reported before a push: they are learned from its responses, kept across
 * restarts and for the command line, and forgotten when the platform accepts them.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import type { HttpResponse } from "../../../platform";
import { startSandbox } from "../../../sandbox";
import type { PlanView } from "../../../server/messages";
import { Editor } from "../../language/editor";
import { cli, environmentOf } from "../cli/cli";

const FILE = "support.flow.yaml";
const SAYS = /This prevents the flow from running on the platform\./;

/** A platform that doesn't run flows with unused variables. */
function refusingUnused(response: HttpResponse): HttpResponse {
  if (!response.body.includes('"blocking_error_count"')) return response;
  const answer = JSON.parse(response.body);
  const findings = answer.validation.findings.map((finding: { rule_id: string }) =>
    finding.rule_id.includes("unused")
      ? { ...finding, rule_id: "unused", category: "variables", severity: "error" }
      : finding,
  );
  const errors = findings.filter(({ severity }: { severity: string }) => severity === "error").length;
  return {
    ...response,
    body: JSON.stringify({ ...answer, blocking_error_count: errors, validation: { ...answer.validation, findings } }),
  };
}

test("a rule the platform blocks on is learned, kept, said by every front end before a push, and forgotten", async () => {
  const sandbox = await startSandbox({ demo: true });
  const editor = await Editor.start(sandbox);
  const env = environmentOf(sandbox, path.join(editor.folder, ".state"));
  const run = async (...args: string[]) => {
    const { out, err } = await cli(args, { cwd: editor.folder, env });
    return out + err;
  };
  try {
    const text = await readFile("examples/support-line.flow.yaml", "utf8");
    const withUnused = (name: string) =>
      text.replace("context_variables:\n", `context_variables:\n  ${name}:\n    type: string\n`);
    const shown = (match: RegExp, name: string) =>
      editor.client.showing(editor.uri(FILE), (all) =>
        all.some(
          ({ code, message }) =>
            code === "unused-variable" && String(message).includes(name) && match.test(String(message)),
        ),
      );
    await editor.write(FILE, text);
    const synced = editor.next("synced");
    await editor.open(FILE, text);
    await synced;
    await editor.type(FILE, withUnused("spare"));
    await shown(/^((?!prevents the flow).)*$/, "spare");

    editor.answered = refusingUnused;
    await editor.save(FILE);
    const state = await editor.act(FILE, "push");
    assert.equal(state.blockingErrors, 1);
    await editor.findings(FILE, (found) => found.some(({ code, severity }) => code === "unused" && severity === 1));
    await editor.save(FILE, text);
    assert.equal((await editor.act(FILE, "push")).blockingErrors, 0);
    await editor.type(FILE, withUnused("other"));
    await shown(SAYS, "other");

    await editor.restart();
    await editor.write(FILE, text);
    const again = editor.next("synced");
    await editor.open(FILE, text);
    await again;
    assert.deepEqual(
      (await editor.client.request<PlanView>("assistantFlow/plan", { uri: editor.uri(FILE) })).blocking,
      undefined,
    );
    await editor.type(FILE, withUnused("third"));
    await shown(SAYS, "third");
    const plan = await editor.client.request<PlanView>("assistantFlow/plan", { uri: editor.uri(FILE) });
    assert.match(String(plan.blocking?.map((each) => each.text)), /third/);

    await editor.write(FILE, withUnused("third"));
    assert.match(
      await run("plan", FILE),
      /support\.flow\.yaml:\d+: .*third.* This prevents the flow from running on the platform\. \(unused-variable\)/,
    );
    const [planned] = JSON.parse(await run("plan", FILE, "--format", "json")).files;
    assert.deepEqual(
      planned.blocking.map(({ code }: { code: string }) => code),
      ["unused-variable"],
    );
    for (const flags of [[], ["--platform"]])
      assert.match(await run("check", FILE, ...flags), /third.* This prevents the flow from running/);

    editor.answered = (response) => response;
    await editor.save(FILE);
    await editor.act(FILE, "push");
    await editor.type(FILE, withUnused("fourth"));
    await shown(/^((?!prevents the flow).)*$/, "fourth");
    assert.doesNotMatch(await run("check", FILE), /prevents the flow from running/);
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
});
