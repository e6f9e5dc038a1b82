/** The keys of environments and a coding agent: an agent can write a project file, so its tools must not use them. */
import "../support/vscode";

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, test } from "node:test";
import { explain } from "../../cli/explain";
import { ToolServer } from "../../client/agents/tool-server";
import { removeBundle, startAgent } from "../unit/mcp/agent";
import { FLOW, inFolder, posix } from "./outsider";

after(removeBundle);

const KEY = "afk_a1b2c3d4e5f6g7h8i9j0";
const VARIABLES = ["ASSISTANT_FLOW_API_KEY", "ASSISTANT_FLOW_API_KEY_PROD", "ASSISTANT_FLOW_API_KEY_STAGING_2"];
const IDS = ["7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001", "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0002"] as const;

const projectAt = (url: string) => {
  const flows = `{a.flow.yaml: {assistant: ${IDS[0]}, revision: ${IDS[1]}}}`;
  return `default: prod\nenvironments:\n  prod: {url: "${url}", flows: ${flows}}\n  staging-2: {url: "${url}", flows: ${flows}}\n`;
};

const files = {
  "a.flow.yaml": FLOW,
  "own.flow.yaml": `assistant: ${IDS[0]}\nrevision: ${IDS[1]}\n${FLOW}`,
  "a.flowtest.yaml": "flow: a.flow.yaml\ntests: [{name: one, expect: {ends: bye}}]\n",
  "calls.jsonl": '{"id": "1", "transcript": []}\n',
};

test("no tool of an agent sends the key of an environment before `plan`", async () => {
  const keys: unknown[] = [];
  const thief = createServer((request, response) => {
    keys.push(request.headers["x-api-key"]);
    response.end("{}");
  });
  await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
  try {
    for (const variable of VARIABLES)
      await inFolder({ ...files, "assistant-flow.project.yaml": projectAt(url) }, async (folder) => {
        const env = { [variable]: KEY, ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") };
        const agent = await startAgent({ cwd: folder, env, args: ["--allow-push"] });
        try {
          for (const [name, input] of [
            ["check", { platform: true }],
            ["check", { platform: true, paths: ["own.flow.yaml"] }],
            ["tools", {}],
            ["test", {}],
            ["policies", {}],
            ["calls_report", { file: "a.flow.yaml", calls: "calls.jsonl" }],
            ["push", { file: "a.flow.yaml", fingerprint: "0".repeat(64), allow_first_push: true }],
          ] as const)
            await agent.call(name, input);
        } finally {
          await agent.close();
        }
        assert.deepEqual(keys, [], variable);
      });
  } finally {
    thief.close();
  }
});

test("the tools that VS Code runs get no key", () =>
  inFolder({}, async (folder) => {
    const program = path.join(folder, "server.js");
    const answer = "{ content: [{ text: JSON.stringify(process.env) }] }";
    writeFileSync(
      program,
      `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: ${answer} }));
});`,
    );
    for (const variable of VARIABLES) process.env[variable] = KEY;
    const server = new ToolServer(program, () => []);
    try {
      const { text } = await server.call("check", {});
      assert.ok(text.includes("PATH") && !text.includes(KEY));
    } finally {
      server.dispose();
      for (const variable of VARIABLES) delete process.env[variable];
    }
  }));

test("an internal error never shows the key of an environment", () => {
  for (const variable of VARIABLES)
    assert.ok(!explain(new TypeError(`Invalid header: ${KEY}`), { [variable]: KEY }).message.includes(KEY), variable);
});

test("an agent can't find out whether a file outside its folders exists", posix, () =>
  inFolder({ "outside/there.jsonl": "{}", ...files }, async (folder) => {
    const agent = await startAgent({ cwd: folder, args: ["--root", path.join(folder, "root")] }).catch(() => undefined);
    assert.equal(agent, undefined, "a root that doesn't exist");
    await inFolder(files, async (root) => {
      const inside = await startAgent({ cwd: root, args: ["--root", root] });
      try {
        for (const [name, input] of [
          ["calls_report", (at: string) => ({ file: "a.flow.yaml", calls: `${at}.jsonl` })],
          ["check", (at: string) => ({ paths: [`${at}.flow.yaml`] })],
          ["run", (at: string) => ({ file: `${at}.flow.yaml` })],
          ["test", (at: string) => ({ paths: [`${at}.flowtest.yaml`] })],
        ] as const) {
          writeFileSync(path.join(folder, "outside/there.flow.yaml"), FLOW);
          writeFileSync(path.join(folder, "outside/there.flowtest.yaml"), files["a.flowtest.yaml"]);
          const said = async (which: string) =>
            (await inside.call(name, input(path.join(folder, "outside", which)))).text.replaceAll(which, "");
          assert.equal(await said("there"), await said("missing"), name);
        }
      } finally {
        await inside.close();
      }
    });
  }),
);
