/** A project file comes with the repository: a changed URL must not get a key. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { keysOf, projectText, startEnvironment, type TestEnvironment } from "../support/environments";
import { inFolder, runInProcess } from "./outsider";

const FILE = "a.flow.yaml";
const FLOW = "entry: done\nnodes:\n  done: {type: end}\n";

/** A server that records every request it gets. */
async function thief(): Promise<{ readonly url: string; readonly requests: string[]; stop(): void }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, stop: () => server.close() };
}

async function withEnvironment(
  work: (at: TestEnvironment, folder: string, other: Awaited<ReturnType<typeof thief>>) => Promise<void>,
): Promise<void> {
  const staging = await startEnvironment("staging");
  const other = await thief();
  try {
    await inFolder({ [FILE]: FLOW, "assistant-flow.project.yaml": projectText([staging], FILE) }, (folder) =>
      work(staging, folder, other),
    );
  } finally {
    other.stop();
    await staging.stop();
  }
}

const commands = [
  ["status", "--env", "staging"],
  ["plan", FILE],
  ["push", FILE, "--allow-first-push", "--allow-removals"],
  ["pull", FILE],
  ["drift", "--all"],
  ["login", "--env", "staging"],
  ["diff", FILE],
];

test("a URL that a pull request changed gets no key, until it is allowed", () =>
  withEnvironment(async (staging, folder, other) => {
    const env = { ...keysOf([staging]), ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") };
    assert.equal((await runInProcess(["status", "--env", "staging"], { cwd: folder, env })).code, 0);
    const changed = projectText([staging], FILE).replace(staging.url, other.url);
    writeFileSync(path.join(folder, "assistant-flow.project.yaml"), changed);
    for (const command of commands) {
      const { code, err } = await runInProcess(command, { cwd: folder, env });
      assert.equal(code, 4, `${command.join(" ")}: ${err}`);
      assert.match(err, /--allow-new-origin/);
      assert.ok(!err.includes(staging.key));
    }
    assert.deepEqual(other.requests, []);
    await runInProcess(["login", "--env", "staging", "--allow-new-origin"], { cwd: folder, env });
    assert.ok(other.requests.length > 0);
  }));

test("on a machine that remembers nothing, a variable names the URL of the key", () =>
  withEnvironment(async (staging, folder, other) => {
    const changed = projectText([staging], FILE).replace(staging.url, other.url);
    writeFileSync(path.join(folder, "assistant-flow.project.yaml"), changed);
    const state = { ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state") };
    for (const env of [
      { ...state, ...keysOf([staging]), ASSISTANT_FLOW_BASE_URL_STAGING: staging.url },
      { ...state, ASSISTANT_FLOW_API_KEY: staging.key, ASSISTANT_FLOW_BASE_URL: staging.url },
    ])
      assert.equal((await runInProcess(["drift", "--all"], { cwd: folder, env })).code, 4);
    assert.deepEqual(other.requests, []);
  }));

test("another environment can't get a key by a similar name, and a key of one isn't used for the other", () =>
  withEnvironment(async (staging, folder, other) => {
    const project = path.join(folder, "assistant-flow.project.yaml");
    const text = projectText([staging], FILE);
    const env = { ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state"), ASSISTANT_FLOW_API_KEY: staging.key };
    assert.equal((await runInProcess(["status", "--env", "staging"], { cwd: folder, env })).code, 0);
    for (const name of ["Staging", "production"]) {
      writeFileSync(project, `${text}  ${name}:\n    url: ${other.url}\n`);
      const { code } = await runInProcess(["login", "--env", name], {
        cwd: folder,
        env: { ...env, ...keysOf([staging]) },
      });
      assert.notEqual(code, 0);
    }
    assert.deepEqual(other.requests, []);
  }));

test("a calling URL that a pull request changed gets no key either", () =>
  withEnvironment(async (staging, folder, other) => {
    const project = path.join(folder, "assistant-flow.project.yaml");
    const withCalling = (url: string) =>
      writeFileSync(
        project,
        projectText([staging], FILE).replace(`url: ${staging.url}\n`, `url: ${staging.url}\n    calling_url: ${url}\n`),
      );
    const list = (env: Record<string, string>, state: string) =>
      runInProcess(["calls", "list", "--env", "staging"], {
        cwd: folder,
        env: { ...keysOf([staging]), ...env, ASSISTANT_FLOW_STATE_DIR: path.join(folder, state) },
      });
    // This computer has used the key before.
    withCalling(staging.callingUrl);
    assert.equal((await list({}, "used")).code, 0);
    withCalling(other.url);
    assert.equal((await list({}, "used")).code, 4);
    // No key is stored, but a variable names the platform.
    const expected = { ASSISTANT_FLOW_BASE_URL_STAGING: staging.url };
    const { code, err } = await list(expected, "fresh");
    assert.deepEqual([code, /no calling URL/.test(err)], [3, true]);
    assert.deepEqual(other.requests, []);
    withCalling(staging.callingUrl);
    const both = { ...expected, ASSISTANT_FLOW_WORKFLOW_BASE_URL_STAGING: staging.callingUrl };
    assert.equal((await list(both, "named")).code, 0);
  }));
