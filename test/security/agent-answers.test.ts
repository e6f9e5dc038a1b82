/**
 * Whatever a repository contains, a response to an agent is small, lists what was left out, and arrives after a
 * cancellation.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { removeBundle, startAgent } from "../unit/mcp/agent";
import { inFolder } from "./outsider";

after(removeBundle);

/** In characters, of text and data together. */
const MOST = 250_000;

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const long = "long ".repeat(5_000);

/** Each has a part that no page splits. */
const parts: Record<string, string> = {
  "endless.flow.yaml": `entry: a
nodes:
  a: {type: message, edges: [{to: b}]}
  b: {type: message, edges: [{to: a}]}
`,
  "endless.flowtest.yaml": "flow: endless.flow.yaml\ntests: [{name: endless, expect: {ends: a}}]\n",
  "chain.flow.yaml": `entry: n0
nodes:
${numbers(6_000)
  .map((at) => `  n${at}: {type: message, instructions: hello, edges: [{to: n${at + 1}}]}`)
  .join("\n")}
  n6000: {type: end}
`,
  "fan.flow.yaml": `entry: a
nodes:
  a: {type: message, edges: [${numbers(8_000)
    .map((at) => `{to: e, when: "case ${at}"}`)
    .join(", ")}]}
  e: {type: end}
`,
  "long.flow.yaml": `entry: a
nodes:
  a:
    type: message
    instructions: ${long}
    edges: [{to: e, when: ${long}}, {to: e, label: ${long}}]
  e: {type: end}
`,
};

test("one flow, run or test of any size", () =>
  inFolder(parts, async (folder) => {
    const agent = await startAgent({ cwd: folder });
    try {
      for (const file of Object.keys(parts).filter((name) => name.endsWith(".flow.yaml")))
        for (const [name, input] of [
          ["check", { paths: [file], limit: 1000 }],
          ["outline", { file, limit: 1000 }],
          ["paths", { file, limit: 1000 }],
          ["run", { file }],
        ] as const) {
          const { text, data, isError } = await agent.call(name, input);
          const size = text.length + JSON.stringify(data ?? "").length;
          assert.ok(!isError && size < MOST, `${name} ${file}: ${size} ${text.slice(0, 200)}`);
        }
      const { text } = await agent.call("test", { limit: 1000 });
      assert.ok(text.length < MOST, `${text.length}`);
      for (const [name, input] of [
        ["outline", { file: "fan.flow.yaml" }],
        ["run", { file: "endless.flow.yaml" }],
        ["paths", { file: "chain.flow.yaml", from: "n0", to: "n5999" }],
      ] as const) {
        const { notes } = (await agent.call(name, input)).data;
        assert.match(notes.at(-1), /^Shortened, because it's too long: lists have at most \d+ entries/);
      }
      const { data } = await agent.call("outline", { file: "endless.flow.yaml" });
      assert.equal(data.notes, undefined, "what fits isn't shortened");
    } finally {
      await agent.close();
    }
  }));

test("1,200 flows: pages of a limited size, and an answer to others after a cancel", () => {
  const flow = parts["endless.flow.yaml"] as string;
  const files = Object.fromEntries(numbers(1_200).map((at) => [`${at % 40}/${at}.flow.yaml`, flow]));
  const policies = numbers(5).map((at) => `  - {id: p${at}, every_path_to: {node: b}, passes: {node: a}}`);
  files["assistant-flow.policies.yaml"] = `policies:\n${policies.join("\n")}\n`;
  return inFolder(files, async (folder) => {
    const agent = await startAgent({ cwd: folder });
    try {
      const stop = new AbortController();
      const checked = agent.client.callTool({ name: "check", arguments: {} }, undefined, { signal: stop.signal });
      stop.abort();
      await assert.rejects(checked);
      for (const [name, input] of [
        ["check", { limit: 1000 }],
        ["policies", { list: true, limit: 1000 }],
      ] as const) {
        const { text, data, isError } = await agent.call(name, input);
        const size = text.length + JSON.stringify(data).length;
        assert.ok(!isError && size < MOST, `${name}: ${size} ${text.slice(0, 200)}`);
        assert.ok(data.next_cursor);
      }
    } finally {
      await agent.close();
    }
  });
});
