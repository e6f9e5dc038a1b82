/** Whatever findings a platform returns, the language server answers every request, and every report is created. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { openState } from "../../files";
import { findingsKeeper } from "../../sync";
import { ANY_TEXTS, findingsWith } from "../support/any-findings";
import { everyQuestion, type Question, startAbleClient } from "./every-request";
import { inFolder, runInProcess } from "./outsider";

/** No server runs there, so only the stored findings are used. */
const CONNECTION = "http://127.0.0.1:9";
const LINK = { assistant: "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001", revision: "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0002" };

const FLOW = `assistant: ${LINK.assistant}
revision: ${LINK.revision}
entry: greet
context_variables:
  tier: {type: string}
nodes:
  greet:
    type: mesage
    instructions: Ask for {{acount_id}}.
    edges:
      - to: look_up
        when: the caller answers
      - to: bye
  look_up: {type: tool, edges: [{to: bye}]}
  bye:
    type: end
`;

/** Each text as a fix and in all fields at once; unit/findings/any-text.test.ts has it in each field separately. */
const findings = ANY_TEXTS.filter((text) => text.length < 10_000).flatMap((text) => [...findingsWith(text)].slice(-3));

/** A state folder as if the platform had just returned all of them. */
function afterAnswer(work: (folder: string, env: Record<string, string>) => Promise<void>): Promise<void> {
  return inFolder({ "a.flow.yaml": FLOW }, async (folder) => {
    const env = {
      ASSISTANT_FLOW_BASE_URL: CONNECTION,
      ASSISTANT_FLOW_API_KEY: "afk_a1b2c3d4e5f6g7h8i9j0",
      ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state"),
    };
    await findingsKeeper(openState(env.ASSISTANT_FLOW_STATE_DIR), { connection: CONNECTION, ...LINK })({
      graph_version: 1,
      validation: { findings: findings as never },
    });
    await work(folder, env);
  });
}

test("every request is answered", () =>
  afterAnswer(async (folder, env) => {
    Object.assign(process.env, env);
    const client = await startAbleClient({ folders: [pathToFileURL(folder).href] });
    try {
      const uri = pathToFileURL(path.join(folder, "a.flow.yaml")).href;
      await client.open(uri, FLOW);
      const hasAll = async () => {
        const { items } = await client.request<{ items: { source?: string }[] }>("textDocument/diagnostic", {
          textDocument: { uri },
        });
        return items.some(({ source }) => source === "platform");
      };
      while (!(await hasAll())) await new Promise(setImmediate);
      const failed: string[] = [];
      const ask = async (question: Question): Promise<void> => {
        try {
          const answer = await client.request(question.method, question.params);
          for (const next of question.then?.(answer as never) ?? []) await ask(next);
        } catch (error) {
          // "There is nothing to rename here." is a valid response.
          if (!/rename/i.test(question.method)) failed.push(`${question.method}: ${(error as Error).message}`);
        }
      };
      const lines = FLOW.split("\n");
      // The findings are at the first line, at the entry, and at the node with its type and edges.
      const places = [0, 2, 6, 7, 10].map((line) => ({ line, character: (lines[line] ?? "").length - 1 }));
      for (const question of everyQuestion(client.server.capabilities, { uri, lines, places })) await ask(question);
      assert.deepEqual(failed, []);
    } finally {
      for (const name of Object.keys(env)) delete process.env[name];
      await client.stop();
    }
  }));

test("every report of the command line is written", () =>
  afterAnswer(async (folder, env) => {
    for (const format of ["text", "json", "sarif", "junit", "github"]) {
      const { code, out, err } = await runInProcess(["check", "--platform", "--format", format, "a.flow.yaml"], {
        cwd: folder,
        env,
      });
      // The version of these findings is unknown, so they are listed as information.
      assert.equal(code, 0, `${format}: ${err.slice(0, 500)}`);
      // JUnit has failures only.
      if (format !== "junit") assert.match(out, /On the platform, v1/, format);
      if (format === "json" || format === "sarif") assert.doesNotThrow(() => JSON.parse(out), format);
    }
    const { code, err } = await runInProcess(["check", "--platform", "--fix", "a.flow.yaml"], { cwd: folder, env });
    assert.ok(code === 0 || code === 1, `${code}: ${err.slice(0, 500)}`);
  }));
