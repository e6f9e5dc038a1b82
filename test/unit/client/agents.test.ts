/** Tools for chat agents: the manifest matches the server, and the process is started correctly. */
import "../../support/vscode";

import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { inputs } from "../../../cli/mcp/schemas";
import { ToolServer } from "../../../client/agents/tool-server";
import { manifest } from "../../../scripts/project";
import { bundleCli } from "../../support/sandbox-process";

let bundle: Awaited<ReturnType<typeof bundleCli>>;
before(async () => {
  bundle = await bundleCli();
});
after(() => bundle?.remove());

interface Declared {
  readonly name: string;
  readonly toolReferenceName: string;
  readonly inputSchema: object;
}

test("the manifest's schemas are those of the server", () => {
  const declared: readonly Declared[] = manifest.contributes.languageModelTools;
  const own = declared.filter(({ name }) => name !== "assistant_flow_plan");
  assert.deepEqual(
    own.map(({ name }) => name),
    ["check", "outline", "paths", "run", "test", "policies", "calls_report", "tools", "format"].map(
      (name) => `assistant_flow_${name}`,
    ),
  );
  for (const { name, inputSchema } of own)
    assert.deepEqual(inputSchema, inputs[name.replace("assistant_flow_", "") as keyof typeof inputs], name);
  assert.deepEqual(
    declared.map(({ toolReferenceName }) => toolReferenceName),
    [
      "flowCheck",
      "flowOutline",
      "flowPaths",
      "flowRun",
      "flowTest",
      "flowPolicies",
      "flowCalls",
      "flowTools",
      "flowFormat",
      "flowPlan",
    ],
  );
});

test("one process serves many calls, has no key, and is restarted after it ends", async () => {
  process.env.ASSISTANT_FLOW_API_KEY = "af_secret";
  process.env.ASSISTANT_FLOW_BASE_URL = "http://127.0.0.1:9";
  const server = new ToolServer(path.resolve(bundle.path), () => [path.resolve("examples")]);
  try {
    const [check, outline] = await Promise.all([
      server.call("check", {}),
      server.call("outline", { file: "billing.flow.yaml" }),
    ]);
    assert.match(check.text, /"summary"/);
    assert.match(outline.text, /"entry":"greet"/);
    const plan = await server.call("plan", {});
    assert.ok(plan.isError);
    assert.match(plan.text, /No platform is configured/);
    assert.ok((await server.call("check", { nothing: 1 })).isError);
    await assert.rejects(server.call("check", {}, AbortSignal.abort()), /Cancelled/);
    server.dispose();
    assert.match((await server.call("check", {})).text, /"summary"/);
  } finally {
    server.dispose();
    delete process.env.ASSISTANT_FLOW_API_KEY;
    delete process.env.ASSISTANT_FLOW_BASE_URL;
  }
  await assert.rejects(new ToolServer("nothing.js", () => []).call("check", {}), /ended \(exit code 1\)/);
});
