/** The demo organization, and the command that starts the sandbox. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { after, before, test } from "node:test";
import { FlowDocument, graphFromWire, graphOf, sameGraph, topText } from "../../../flow";
import { bundleCli, startProcess } from "../../support/sandbox-process";
import { conforming } from "./conform";

test("the example file is the demo's flow: same ids, same graph, thirty nodes, findings of every severity", async () => {
  const it = await conforming({ demo: true });
  const document = FlowDocument.read(readFileSync("examples/support-line.flow.yaml", "utf8"));
  assert.deepEqual(document.problems, []);
  assert.equal(document.nodes.length, 30);
  assert.equal(it.sandbox.demo?.assistant, topText(document, "assistant"));
  assert.equal(it.sandbox.demo?.revision, topText(document, "revision"));
  const revision = (await it.platform("GET", `/v1/workflows/revisions/${it.sandbox.demo?.revision}`)).body;
  const graph = graphFromWire(revision.compiled_graph);
  assert.ok(graph && sameGraph(graph, graphOf(document)));
  assert.equal(revision.compiled_graph.graph_version, revision.graph_version);
  await it.sandbox.stop();
});

test("the demo is the same on every start of a day", async () => {
  const wall = () => Date.parse("2026-03-03T12:00:00Z");
  const look = async () => {
    const it = await conforming({ demo: true, wall });
    const paths = ["/workflows?limit=100", "/calls", "/calls?callEndedReason=ENDED"];
    const bodies = [];
    for (const path of paths) bodies.push((await it.calling("GET", path)).body);
    bodies.push((await it.platform("GET", "/v1/identity/review-requests")).body);
    await it.sandbox.stop();
    return bodies;
  };
  assert.deepEqual(await look(), await look());
});

let cli: Awaited<ReturnType<typeof bundleCli>>;
before(async () => {
  cli = await bundleCli();
});
after(() => cli.remove());

test("the command prints one line of JSON, and ends cleanly when asked to", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const sandbox = await startProcess(cli.path, ["--demo", "--clock-speed", "60", "--without", "whoami"]);
    const headers = { "x-api-key": sandbox.apiKey };
    assert.equal((await fetch(`${sandbox.workflowBaseUrl}/workflows`, { headers })).status, 200);
    assert.equal((await fetch(`${sandbox.baseUrl}/v1/identity/whoami`, { headers })).status, 404);
    assert.equal(await sandbox.end(signal), 0);
    assert.equal(sandbox.errors(), "");
  }
});

test("the command rejects unknown and unavailable options with a plain message", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  for (const [flags, words] of [
    [["--port", String(port)], /Port \d+ is in use/],
    [["--data-dir", cli.path], /this is a file, not a folder/],
    [["--port", "seven"], /--port must be a port/],
    [["--on-version-mismatch", "500"], /must be one of 409/],
    [["--without", "calls"], /"calls" isn't one of them/],
    [["--clock-speed", "0"], /must be a positive number/],
  ] as const) {
    const { status, stderr } = spawnSync(process.execPath, [cli.path, "sandbox", ...flags], { encoding: "utf8" });
    // 64: invalid command line; 1: it failed.
    assert.equal(status, /in use|not a folder/.test(stderr) ? 1 : 64);
    assert.match(stderr, words);
    assert.doesNotMatch(stderr, /\bat .*:\d+/);
  }
  taken.close();
});
