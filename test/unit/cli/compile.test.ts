/** `push --wait`, `status` and `check --platform` with compile results. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { type SandboxOptions, startSandbox } from "../../../sandbox";
import { cli, environmentOf, folderWith } from "./cli";

const flow = readFileSync("examples/billing.flow.yaml", "utf8");
const FILE = "billing.flow.yaml";
const edited = flow.replace("type: message\n", "type: message\n    description: First words.\n");

interface Command {
  at(...args: string[]): ReturnType<typeof cli>;
  readonly cwd: string;
}

async function withSandbox(options: SandboxOptions, use: (command: Command) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ demo: true, ...options });
  const folder = folderWith({ [FILE]: edited });
  const env = environmentOf(sandbox, path.join(folder.path, ".state"));
  try {
    await use({ at: (...args) => cli(args, { cwd: folder.path, env }), cwd: folder.path });
  } finally {
    await sandbox.stop();
    folder.remove();
  }
}

test("push --wait exits with 0 once the flow is compiled, and status shows it", () =>
  withSandbox({ compile: "ok" }, async ({ at }) => {
    const pushed = await at("push", "--allow-first-push", "--wait", FILE);
    assert.equal(pushed.code, 0, pushed.err);
    assert.match(pushed.out, /billing\.flow\.yaml: Compiled version 2\.\n/);
    const { files } = JSON.parse((await at("status", "--format", "json")).out);
    assert.deepEqual(Object.keys(files[0].compile), ["state", "status", "version", "errors", "warnings"]);
    assert.deepEqual(
      [files[0].compile.state, files[0].compile.status, files[0].compile.version],
      ["succeeded", "succeeded", 2],
    );
    assert.match((await at("status")).out, /in sync with version 2\n {4}Compiled version 2\.\n/);
  }));

test("push --wait exits with 1 if the compile fails; check --platform reports the error on its node", () =>
  withSandbox({ compile: "fail" }, async ({ at, cwd }) => {
    const pushed = await at("push", "--allow-first-push", "--wait=30", "--format", "json", FILE);
    assert.equal(pushed.code, 1);
    const { compile } = JSON.parse(pushed.out).files[0];
    assert.equal(compile.state, "failed");
    assert.equal(compile.errors.length, 1);
    const { files } = JSON.parse((await at("status", "--format", "json")).out);
    assert.deepEqual(files[0].compile, compile);
    const text = await at("push", "--wait", FILE);
    assert.equal(text.code, 1, "also without anything to push");
    assert.match(text.err, /Compile failed: 1 error\n.*can't be compiled/);

    const findings = async () => {
      const checked = JSON.parse((await at("check", "--platform", "--format", "json", FILE)).out);
      return checked.files[0].findings.filter(({ code }: { code: string }) => code === "compile-error");
    };
    const [found] = await findings();
    assert.deepEqual([found.source, found.severity], ["platform", "error"]);
    const node = /Node "(\w+)"/.exec(found.message)?.[1];
    assert.equal(edited.split("\n")[found.range.start.line]?.trim(), `${node}:`);
    writeFileSync(
      path.join(cwd, FILE),
      edited.replace(/^ {2}\w+:\n/m, (line) => `\n\n${line}`),
    );
    assert.equal(
      (await findings())[0].range.start.line,
      found.range.start.line + 2,
      "the place follows the node's name",
    );
    assert.ok(readdirSync(path.join(cwd, ".state")).some((name) => name.endsWith(".revision")));
    assert.equal(
      JSON.parse((await at("check", "--format", "json", FILE)).out).files[0].findings.filter(
        ({ code }: { code: string }) => code.startsWith("compile"),
      ).length,
      0,
      "plain check doesn't ask the platform",
    );
  }));

test("push --wait exits with 1 when the time is up", () =>
  withSandbox({ compile: "slow" }, async ({ at }) => {
    const pushed = await at("push", "--allow-first-push", "--wait=1", FILE);
    assert.equal(pushed.code, 1);
    assert.match(pushed.err, /The compile didn't finish in time\./);
    const { files } = JSON.parse((await at("status", "--format", "json")).out);
    assert.deepEqual([files[0].compile.state, files[0].compile.version, files[0].compile.errors], ["running", 2, []]);
    assert.equal((await at("push", "--wait=x", FILE)).code, 64);
  }));

/** A sandbox behind a proxy that changes how compiles are described. */
async function withStatus(
  change: (revision: Record<string, unknown>) => Record<string, unknown>,
  use: (command: Command) => Promise<void>,
): Promise<void> {
  const sandbox = await startSandbox({ demo: true });
  const folder = folderWith({ [FILE]: edited });
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET", url = "" } = request;
    const headers = { "x-api-key": sandbox.apiKey, "content-type": "application/json" };
    const body = method === "POST" ? { body: Buffer.concat(chunks) } : {};
    const answer = await fetch(new URL(url, sandbox.baseUrl), { method, headers, ...body });
    const data = JSON.parse((await answer.text()) || "null");
    const changed = data?.revision
      ? { ...data, revision: change(data.revision) }
      : data && "graph_version" in data
        ? change(data)
        : data;
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(changed));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const env = {
    ...environmentOf(sandbox, path.join(folder.path, ".state")),
    ASSISTANT_FLOW_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  try {
    await use({ at: (...args) => cli(args, { cwd: folder.path, env }), cwd: folder.path });
  } finally {
    server.close();
    server.closeAllConnections();
    await sandbox.stop();
    folder.remove();
  }
}

test("a status that isn't known is shown as the platform wrote it", () =>
  withStatus(
    (revision) => ({ ...revision, compilation_status: "Warming Up" }),
    async ({ at }) => {
      const { files } = JSON.parse((await at("status", "--format", "json")).out);
      assert.deepEqual([files[0].compile.state, files[0].compile.status], ["unknown", "Warming Up"]);
      assert.match((await at("status")).out, /Compile status: Warming Up\n/);
    },
  ));

test("push --wait and status with a failure that has no errors, or with the input hash of before the push", async () => {
  const withoutVersion = ({ compiled_graph: graph, ...revision }: Record<string, unknown>, status: string) => ({
    ...revision,
    compilation_status: status,
    compilation_errors: [],
    compilation_input_hash: "same",
    ...(graph ? { compiled_graph: { ...graph, graph_version: undefined } } : {}),
  });
  const pushed = (status: string, code: number, line: RegExp) =>
    withStatus(
      (revision) => withoutVersion(revision, status),
      async ({ at }) => {
        const pushed = await at("push", "--allow-first-push", "--wait=60", FILE);
        assert.equal(pushed.code, code, pushed.out + pushed.err);
        assert.match(pushed.out + pushed.err, line);
        const { files } = JSON.parse((await at("status", "--format", "json")).out);
        assert.deepEqual([files[0].compile.state, files[0].compile.version], [status, 2]);
      },
    );
  await Promise.all([
    pushed("failed", 1, /billing\.flow\.yaml: Compile failed\.\n/),
    pushed("succeeded", 0, /billing\.flow\.yaml: Compiled version 2\.\n/),
  ]);
});

test("without a compile status, or without any answer, the state is unknown", () =>
  withStatus(
    ({ compilation_status: _, ...revision }) => revision,
    async ({ at }) => {
      const { files } = JSON.parse((await at("status", "--format", "json")).out);
      assert.deepEqual([files[0].compile.state, files[0].compile.status], ["unknown", ""]);
    },
  ));

test("status has no compile result for a file without a revision", () =>
  withSandbox({}, async ({ at, cwd }) => {
    writeFileSync(path.join(cwd, FILE), edited.replace(/^revision:.*$/m, ""));
    const { files } = JSON.parse((await at("status", "--format", "json")).out);
    assert.equal(files[0].state, "unlinked");
    assert.equal("compile" in files[0], false);
  }));
