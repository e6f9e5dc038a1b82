/** The stored rules that a platform blocks on: any content is read without an error, and learning is cheap. */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { openState } from "../../../files";
import { FlowDocument, graphOf } from "../../../flow";
import type { GraphResult } from "../../../platform";
import { blockingKeeper, blockingRules } from "../../../sync";
import { cli } from "../cli/cli";

const PLATFORM = "https://platform.example/api";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "assistant-flow-blocking-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An answer about version 1, in which a rule is an error. */
const answer = (...errors: string[]) =>
  ({
    graph_version: 1,
    blocking_error_count: errors.length,
    validation: { findings: errors.map((rule_id) => ({ rule_id, severity: "error" })) },
  }) as unknown as GraphResult;

test("a stored file with any content is ignored, and the next answer replaces it", () =>
  inFolder(async (folder) => {
    const state = openState(folder);
    const learn = () => blockingKeeper(state, PLATFORM)(answer("dead-end"), () => undefined);
    await learn();
    const [name = ""] = await readdir(folder);
    const file = path.join(folder, name);
    const rules = { "dead-end": true };
    assert.deepEqual(await blockingRules(state, PLATFORM), rules);
    for (const content of [
      "",
      '{"blocking": {"dead-end": true}',
      "null",
      "7",
      '"blocking"',
      "[]",
      "{}",
      '{"version": 2, "blocking": "dead-end"}',
      '{"blocking": null}',
      '{"blocking": [true]}',
      '{"blocking": {"dead-end": "true"}}',
      '{"blocking": {"dead-end": {"dead-end": true}}}',
      '{"blocking": {"__proto__": {"dead-end": true}, "constructor": true, "toString": false}}',
      '{"__proto__": {"blocking": {"dead-end": true}}}',
      "[".repeat(1_000_000),
      `{"blocking": ${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}}`,
      `{"blocking": {${Array.from({ length: 100_000 }, (_, i) => `"rule-${i}": true`).join()}}}`,
      "\0\u{FEFF}\u{D800}",
    ]) {
      const title = content.slice(0, 60);
      await writeFile(file, content);
      assert.deepEqual({ ...(await blockingRules(state, PLATFORM)) }, {}, title);
      assert.deepEqual({ ...(await blockingRules(state, undefined)) }, {}, title);
      await learn();
      assert.deepEqual(await blockingRules(state, PLATFORM), rules, title);
      assert.equal(Object.hasOwn(Object.prototype, "dead-end"), false);
    }
    await writeFile(file, '{"blocking": {"dead-end": true, "unused-variable": 1, "of-a-later-version": true}}');
    assert.deepEqual(await blockingRules(state, PLATFORM), rules, "the rest still applies");
  }));

test("flows are checked if the stored rules can't be read", () =>
  inFolder(async (folder) => {
    const state = path.join(folder, "state");
    await blockingKeeper(openState(state), PLATFORM)(answer("dead-end"), () => undefined);
    const [name = ""] = await readdir(state);
    const check = () =>
      cli(["check", path.resolve("examples/support-line.flow.yaml")], {
        cwd: folder,
        env: { ASSISTANT_FLOW_STATE_DIR: state },
      });
    await rm(path.join(state, name));
    await mkdir(path.join(state, name));
    assert.deepEqual(await blockingRules(openState(state), PLATFORM), {}, "a folder");
    assert.equal((await check()).code, 0);
    await chmod(state, 0o777);
    const { code, err } = await check();
    assert.deepEqual([code, err], [0, ""], "others can write to it");
  }));

test("the graphs are compared only if the flow breaks a rule that the platform may block on", () =>
  inFolder(async (folder) => {
    const learn = blockingKeeper(openState(folder), PLATFORM);
    const greeting = (words: string) =>
      `entry: a
nodes:
  a: {type: message, instructions: "${words}", edges: [{id: to_b, to: b}]}
  b: {type: end}
`;
    const once = (text: string, version = 1) => {
      const document = FlowDocument.read(text);
      let comparisons = 0;
      const graph = () => {
        comparisons++;
        return graphOf(document);
      };
      const remote = { version, graph: graphOf(document) };
      return learn(answer(), () => ({ document, graph, remote, rules: {} })).then((rules) => ({ rules, comparisons }));
    };
    assert.deepEqual(await once(greeting("Hello.")), { rules: {}, comparisons: 0 });
    const undeclared = greeting("Hello {{foo}}.");
    assert.deepEqual(await once(undeclared, 2), { rules: {}, comparisons: 0 }, "another version");
    const accepted = { "undefined-variable": false };
    assert.deepEqual(await once(undeclared), { rules: accepted, comparisons: 1 });
    assert.deepEqual(await once(undeclared), { rules: accepted, comparisons: 0 }, "it is known now");
  }));
