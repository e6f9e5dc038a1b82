/** Compile results and the tools of the live revision, as an editor without our client sees them. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "vscode-languageserver-protocol";
import { startSandbox } from "../../../sandbox";
import { Client } from "../../language/client";
import { cli, environmentOf, folderWith } from "../cli/cli";

const FILE = "billing.flow.yaml";
const flow = readFileSync("examples/billing.flow.yaml", "utf8").replace("name: Greeting", "name: Welcome");
const OTHER_TOOL = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b9999";

test("compile results and tools stored by the command line are shown in the editor, and move with the text", async () => {
  const sandbox = await startSandbox({ demo: true, compile: "fail" });
  const folder = folderWith({ [FILE]: flow });
  const env = environmentOf(sandbox, path.join(folder.path, ".state"));
  try {
    const pushed = await cli(["push", "--allow-first-push", "--wait", FILE], { cwd: folder.path, env });
    assert.equal(pushed.code, 1, pushed.err);
    Object.assign(process.env, env);
    const client = await Client.start();
    const uri = pathToFileURL(path.join(folder.path, FILE)).href;
    const find = async (code: string, line?: string): Promise<Diagnostic> => {
      const fits = (each: Diagnostic) =>
        each.code === code && (line === undefined || each.range.start.line === Number(line));
      return (await client.showing(uri, (found) => found.some(fits))).find(fits) as Diagnostic;
    };
    await client.open(uri, flow);
    const error = await find("compile-error");
    assert.deepEqual([error.source, error.severity], ["platform", 1]);
    assert.equal(flow.split("\n")[error.range.start.line], "  greet:");
    const edited = `# A comment\n${flow.replace("6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003", OTHER_TOOL)}`;
    await client.change(uri, 2, [{ text: edited }]);
    const unknown = await find("unknown-tool");
    assert.ok(edited.split("\n")[unknown.range.start.line]?.includes(OTHER_TOOL));
    await find("compile-error", String(error.range.start.line + 1));
    const position = (text: string, after: string) => {
      const before = text.slice(0, text.indexOf(after) + after.length).split("\n");
      return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    };
    const at = async (method: string, text: string, after: string): Promise<string> => {
      await client.change(uri, ++version, [{ text }]);
      return JSON.stringify(await client.request(method, { textDocument: { uri }, position: position(text, after) }));
    };
    let version = 2;
    const ID = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003";
    const empty = flow.replace(`tool: ${ID}`, "tool: ");
    assert.match(await at("textDocument/completion", empty, "    tool: "), /"label":"look_up_account".*"6a2d7c1e-0c4b/);
    const inputs = flow.replace('inputs: {account: "{{account_id}}"}', "inputs:\n      ");
    assert.match(await at("textDocument/completion", inputs, "inputs:\n      "), /"label":"account","[^}]*required/);
    const saves = flow.replace("saves: {plan: $.plan}", "saves: {plan: }");
    assert.match(await at("textDocument/completion", saves, "saves: {plan: "), /"label":"\$\.plan"/);
    const hover = await at("textDocument/hover", flow, "tool: 6a2d7c1e");
    assert.match(hover, /tool look_up_account.*Inputs: account str required.*Outputs: \$\.plan/);
    assert.doesNotMatch(hover, /northwind/);
    // What the platform said about the revision doesn't apply to a flow that no longer names it.
    await client.change(uri, ++version, [{ text: flow }]);
    await find("compile-error");
    const unlinked = flow.replace(/^(assistant|revision): .*\n/gm, "");
    writeFileSync(path.join(folder.path, FILE), unlinked);
    await client.change(uri, ++version, [{ text: unlinked }]);
    await client.connection.sendNotification("textDocument/didSave", { textDocument: { uri } });
    await client.showing(uri, (found) => !found.some(({ code }) => code === "compile-error"));
    await client.stop();
  } finally {
    await sandbox.stop();
    folder.remove();
  }
});
