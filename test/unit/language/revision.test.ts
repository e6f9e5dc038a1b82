/** What a revision says about itself, and what other programs learn about it, in an editor. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { startSandbox } from "../../../sandbox";
import { Client } from "../../language/client";
import { cli, environmentOf, folderWith } from "../cli/cli";

const FILE = "billing.flow.yaml";
const example = readFileSync("examples/billing.flow.yaml", "utf8");
const flow = example.replace("name: Greeting", "name: Welcome");
const TOOL = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003";

/** Asks until the answer fits. */
async function eventually<Answer>(ask: () => Promise<Answer>, fits: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
  }
}

test("hover, revision, quality report and tools of a revision; nothing of them can hold a secret", async () => {
  const sandbox = await startSandbox({ demo: true, compile: "ok" });
  const folder = folderWith({ [FILE]: flow });
  const env = environmentOf(sandbox, path.join(folder.path, ".state"));
  let client: Client | undefined;
  try {
    const pushed = await cli(["push", "--allow-first-push", "--wait", FILE], { cwd: folder.path, env });
    assert.equal(pushed.code, 0, pushed.err);
    Object.assign(process.env, env);
    const started = await Client.start({
      folders: [pathToFileURL(folder.path).href],
      capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } },
      initialize: { initializationOptions: { toolDocuments: true } },
    });
    client = started;
    const uri = pathToFileURL(path.join(folder.path, FILE)).href;
    await started.open(uri, flow);
    const at = (words: string) => {
      const before = flow.slice(0, flow.indexOf(words)).split("\n");
      return { textDocument: { uri }, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
    };
    const other = (which: string) => started.request<string | null>("assistantFlow/otherText", { uri, which });

    const report = await eventually(
      () => other("quality"),
      (text) => text !== null,
    );
    assert.match(report ?? "", /^# .*quality report.*\n\nnodes: \d+\nedges: \d+/);

    for (const words of ["revision:", flow.split("revision: ")[1]?.slice(0, 8) ?? ""]) {
      const hover = JSON.stringify(await started.request("textDocument/hover", at(words)));
      assert.match(hover, /revision [^"]*flow · v2.*Compiled v2.*Analyzer: general-small.*Router: general-small/);
    }

    const revision = (await other("revision")) ?? "";
    for (const line of [
      /^graph_version: 2$/m,
      /^ {2}state: succeeded$/m,
      /^compilation_strategy: graph$/m,
      /^trigger_type: conversation_started$/m,
      /^analyzer_model_settings:\n {2}model: general-small\n {2}temperature: 0$/m,
      /^knowledge_base_ids:\n {2}- /m,
      /^policy_ids: \[\]$/m,
      /^tool_input_defaults: \[\]$/m,
      /^ {2}- name: look_up_account\n {4}id: 6a2d7c1e/m,
      /^created_at: /m,
    ])
      assert.match(revision, line);
    assert.doesNotMatch(revision, /northwind\.example|Keep to the flow|trigger_config/);

    const [place] = await started.request<{ uri: string }[]>("textDocument/definition", at(TOOL));
    const target = new URL(place?.uri ?? "");
    assert.equal(target.pathname, "/look_up_account.yaml");
    const { file, tool } = JSON.parse(decodeURIComponent(target.search.slice(1)));
    const text = await started.request<string>("assistantFlow/toolText", { uri: file, tool });
    assert.match(text, /\nid: 6a2d7c1e[\s\S]*\n {2}- name: account\n {4}type: str\n[\s\S]*path: \$\.plan/);
    assert.doesNotMatch(text, /northwind/);

    const hints = JSON.stringify(
      await started.request("textDocument/inlayHint", {
        textDocument: { uri },
        range: { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } },
      }),
    );
    assert.match(hints, /"label":"look_up_account"/);
    const symbols = JSON.stringify(await started.request("textDocument/documentSymbol", { textDocument: { uri } }));
    assert.match(symbols, /"tool · look_up_account/);
    const graph = await started.request<{ nodes: { tool?: string }[] }>("assistantFlow/graph", { uri });
    assert.ok(graph.nodes.some((node) => node.tool === "look_up_account"));

    const saved = await started.request<{ uri: string; text: string; count: number }>("assistantFlow/toolSnapshot", {
      uri,
    });
    assert.equal(saved.uri, pathToFileURL(path.join(folder.path, "assistant-flow.tools.json")).href);
    assert.equal(JSON.parse(saved.text).tools.length, saved.count);
    await cli(["tools", FILE, "--save"], { cwd: folder.path, env });
    assert.equal(saved.text, readFileSync(path.join(folder.path, "assistant-flow.tools.json"), "utf8"));
  } finally {
    await client?.stop();
    await sandbox.stop();
    folder.remove();
  }
});

test("an open file shows what another program learned about its revision", async () => {
  const sandbox = await startSandbox({ demo: true, compile: "fail" });
  const folder = folderWith({ [FILE]: example });
  const copy = folderWith({ [FILE]: flow });
  const env = environmentOf(sandbox, path.join(folder.path, ".state"));
  let client: Client | undefined;
  try {
    Object.assign(process.env, env);
    const started = await Client.start();
    client = started;
    const uri = pathToFileURL(path.join(folder.path, FILE)).href;
    await started.open(uri, example);
    await eventually(
      () => started.request<string | null>("assistantFlow/otherText", { uri, which: "revision" }),
      (text) => text !== null,
    );
    const pushed = await cli(["push", "--allow-first-push", "--wait", FILE], { cwd: copy.path, env });
    assert.equal(pushed.code, 1, pushed.out + pushed.err);
    const found = await started.showing(uri, (each) => each.some(({ code }) => code === "compile-error"));
    assert.equal(found.find(({ code }) => code === "compile-error")?.message, 'Node "greet" can\'t be compiled.');
  } finally {
    await client?.stop();
    await sandbox.stop();
    folder.remove();
    copy.remove();
  }
});
