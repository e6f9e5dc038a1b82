/** kill -9 during many writes, fifty times: every acknowledged write exists after the restart. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cases } from "../../support/cases";
import { bundleCli, type RunningSandbox, startProcess } from "../../support/sandbox-process";

const ROUNDS = cases(50);
const ASSISTANT = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001";
const REVISION = "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002";

interface Acknowledged {
  readonly keys: Set<string>;
  readonly nodes: Set<string>;
  readonly calls: Set<string>;
  version: number;
}

test("no acknowledged write is lost when the process is killed", async () => {
  const cli = await bundleCli();
  const directory = mkdtempSync(join(tmpdir(), "sandbox-kill-"));
  const all: Acknowledged = { keys: new Set(), nodes: new Set(), calls: new Set(), version: 0 };
  let inFlight = 0;
  let sandbox: RunningSandbox | undefined;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      sandbox = await startProcess(cli.path, ["--demo", "--data-dir", directory]);
      await verify(sandbox, all);
      const [workflow] = (await get(sandbox, `${sandbox.workflowBaseUrl}/workflows?active=true&limit=1`)).data;
      const before = [all.keys.size, all.nodes.size, all.calls.size];
      const isWeak = () => [all.keys, all.nodes, all.calls].some(({ size }, kind) => size < (before[kind] ?? 0) + 2);
      const storm = startStorm(sandbox, round, workflow.id, all);
      await sleep(60 + ((round * 37) % 120));
      // A busy machine takes longer.
      while (isWeak()) await sleep(5);
      const ended = sandbox.end("SIGKILL");
      inFlight += await storm;
      await ended;
    }
    sandbox = await startProcess(cli.path, ["--demo", "--data-dir", directory]);
    await verify(sandbox, all);
    assert.deepEqual(
      readdirSync(directory).filter((name) => name.startsWith("damaged")),
      [],
    );
    assert.ok(all.keys.size > ROUNDS && all.nodes.size > ROUNDS && all.calls.size > ROUNDS, "there was no storm");
    assert.ok(inFlight > ROUNDS, "the kills met no write in flight");
  } finally {
    await sandbox?.end("SIGKILL");
    cli.remove();
    rmSync(directory, { recursive: true, force: true });
  }
});

/** Writes from eight clients until the connection breaks; returns the number of unanswered writes. */
async function startStorm(
  sandbox: RunningSandbox,
  round: number,
  workflow: string,
  all: Acknowledged,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let unanswered = 0;
  const hand = async (number: number) => {
    for (let i = 0; ; i++) {
      const name = `r${round}h${number}i${i}`;
      try {
        if (number % 3 === 0) {
          await ask(sandbox, `${sandbox.baseUrl}/v1/identity/api-keys`, { name }, agent);
          all.keys.add(name);
        } else if (number % 3 === 1) {
          const url = `${sandbox.baseUrl}/v1/assistants/${ASSISTANT}/revisions/${REVISION}/graph/ops`;
          const ops = [{ op: "upsert_node", node: { id: name, type: "end" } }];
          const result = await ask(sandbox, url, { ops }, agent);
          all.nodes.add(name);
          all.version = Math.max(all.version, result.graph_version);
        } else {
          const body = { workflowId: workflow, firstName: name, primaryPhone: "+15185550107" };
          all.calls.add((await ask(sandbox, `${sandbox.workflowBaseUrl}/call`, body, agent)).id);
        }
      } catch {
        unanswered++;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, number) => hand(number)));
  agent.destroy();
  return unanswered;
}

async function verify(sandbox: RunningSandbox, all: Acknowledged): Promise<void> {
  const keys = (await get(sandbox, `${sandbox.baseUrl}/v1/identity/api-keys`)).data as { name: string }[];
  assertHas(new Set(keys.map((key) => key.name)), all.keys, "keys");
  const url = `${sandbox.baseUrl}/v1/assistants/${ASSISTANT}/revisions/${REVISION}/graph/ops`;
  const result = await ask(sandbox, url, { ops: [{ op: "set_persona", persona: "Still here." }] });
  const nodes = result.validation.normalized_graph.nodes as { id: string }[];
  assertHas(new Set(nodes.map((node) => node.id)), all.nodes, "nodes");
  assert.ok(result.graph_version > all.version, "the graph's version went backwards");
  all.version = result.graph_version;
  // The newest calls of the previous writes are most at risk.
  for (const id of [...all.calls].slice(-20))
    assert.equal((await get(sandbox, `${sandbox.workflowBaseUrl}/calls/${id}`)).calls[0].id, id);
}

function assertHas(found: Set<string>, expected: Set<string>, what: string): void {
  const lost = [...expected].filter((name) => !found.has(name));
  assert.deepEqual(lost, [], `${lost.length} acknowledged ${what} are lost`);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Body = any;

const get = (sandbox: RunningSandbox, url: string) => ask(sandbox, url);

function ask(sandbox: RunningSandbox, url: string, body?: unknown, agent?: Agent): Promise<Body> {
  return new Promise((resolve, reject) => {
    const headers = { "x-api-key": sandbox.apiKey, "content-type": "application/json" };
    const method = body === undefined ? "GET" : "POST";
    const outgoing = request(url, { method, headers, ...(agent ? { agent } : {}) }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () => {
        if (!response.complete || (response.statusCode ?? 0) >= 300)
          reject(new Error(`${response.statusCode} ${text}`));
        else resolve(JSON.parse(text));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
