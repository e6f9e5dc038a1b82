/**
 * The command line against misbehaving platforms. The first push of each test is made by the shipped program in a process of its
 * own; the other commands run in this process, since starting one takes longer than they do.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { emptyGraph } from "../../../flow";
import { ASSISTANT, HostilePlatform, REVISION } from "../../support/hostile-platform";
import { bundleCli } from "../../support/sandbox-process";
import { cli, folderWith, type Ran } from "./cli";

let bundle: Awaited<ReturnType<typeof bundleCli>>;
before(async () => {
  bundle = await bundleCli();
});
after(() => bundle?.remove());

const FILE = "line.flow.yaml";
const FLOW = readFileSync("examples/support-line.flow.yaml", "utf8")
  .replace(/^assistant: .*$/m, `assistant: ${ASSISTANT}`)
  .replace(/^revision: .*$/m, `revision: ${REVISION}`);

interface Shell {
  readonly platform: HostilePlatform;
  run(...args: string[]): Promise<Ran>;
  read(): string;
  write(text: string): void;
}

/** A folder with a flow that was pushed to a platform. */
async function inShell(behavior: HostilePlatform["behavior"], work: (shell: Shell) => Promise<void>): Promise<void> {
  const platform = await HostilePlatform.start(emptyGraph);
  platform.behavior = behavior;
  const folder = folderWith({ [FILE]: FLOW });
  const env = { PATH: process.env.PATH ?? "", ...platform.environment(path.join(folder.path, ".state")) };
  const shipped = (...args: string[]): Promise<Ran> =>
    new Promise((resolve) =>
      execFile(
        process.execPath,
        [path.resolve(bundle.path), ...args],
        { cwd: folder.path, env, encoding: "utf8" },
        (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
      ),
    );
  const file = path.join(folder.path, FILE);
  try {
    const { code, err } = await shipped("push", FILE, "--allow-first-push");
    assert.equal(code, 0, err);
    assert.deepEqual(
      platform.taken().map((request) => request.slice(0, 4)),
      ["GET", "POST"],
      "a flag leaves others no time, so the platform isn't read again",
    );
    await work({
      platform,
      run: (...args) => cli(args, { cwd: folder.path, env }),
      read: () => readFileSync(file, "utf8"),
      write: (text) => writeFileSync(file, text),
    });
  } finally {
    await platform.stop().catch(() => undefined);
    folder.remove();
  }
}

for (const updated of [false, true])
  test(`push: a platform that answers and does nothing (updated: ${updated}) is an error each time, until it works`, () =>
    inShell({}, async ({ platform, run, read, write }) => {
      const edited = read().replace("instructions: ", "instructions: Really. ");
      assert.notEqual(edited, read());
      write(edited);
      platform.behavior = { ignores: () => true, updated };
      for (let i = 0; i < 2; i++) {
        const { code, out, err } = await run("push", FILE);
        assert.equal(code, 1, out);
        assert.match(err, /The platform ignored the change to `instructions` of node "\w+"\. Push to try again\./);
        assert.deepEqual(platform.taken(), ["GET", "POST update_node_fields"], "as many as any push");
      }
      const json = JSON.parse((await run("push", FILE, "--format", "json")).out);
      assert.deepEqual([json.files[0].state, json.files[0].reason], ["pending", "ignored"]);
      assert.equal((await run("plan", FILE)).code, 2, "it is still to be pushed");
      await run("pull", FILE);
      assert.equal(read(), edited, "a pull doesn't bring the old value back");
      platform.behavior = {};
      assert.equal((await run("push", FILE)).code, 0);
      assert.equal((await run("diff", FILE)).code, 0);
      assert.match(JSON.stringify([...platform.graph.nodes.values()]), /Really\. /);
    }));

test("push: a platform that names edges itself gets each edge once, and the file keeps its own", () =>
  inShell({ nameOfEdge: (_, number) => `e_${number}` }, async ({ platform, run, read, write }) => {
    const { size } = platform.graph.edges;
    assert.ok(size > 5);
    for (let i = 0; i < 3; i++) {
      write(read().replace(/instructions: (Really\. )*/, `instructions: ${"Really. ".repeat(i + 1)}`));
      const text = read();
      const { code, err } = await run("push", FILE);
      assert.equal(code, 0, err);
      assert.equal(read(), text);
      assert.equal(platform.graph.edges.size, size);
      assert.deepEqual(
        platform.taken().filter((request) => request !== "GET"),
        ["POST update_node_fields"],
      );
    }
    assert.equal((await run("diff", FILE)).code, 0);
    const text = read();
    assert.equal((await run("pull", FILE)).code, 0);
    assert.equal(read(), text, "a pull brings no IDs into the file");
  }));

test("push: versions that jump with every push don't count as someone else's changes", () => {
  const steps = [10, 3, 2, 7, 1, 1_000];
  let at = 0;
  return inShell({ step: () => steps[at++ % steps.length] as number }, async ({ platform, run, read, write }) => {
    for (let i = 0; i < 4; i++) {
      write(read().replace(/instructions: (Really\. )*/, `instructions: ${"Really. ".repeat(i + 1)}`));
      const { code, err } = await run("push", FILE);
      assert.equal(code, 0, err);
      assert.doesNotMatch(err, /changed at the same time/, `push ${i + 2}`);
      assert.deepEqual(platform.taken(), ["GET", "POST update_node_fields"]);
    }
    const json = JSON.parse((await run("push", FILE, "--format", "json")).out);
    assert.equal(json.files[0].risks, undefined);
  });
});

test("push: an unexpected extra version is reported once, not after every later push", () =>
  inShell({}, async ({ platform, run, read, write }) => {
    const edit = () => write(read().replace("instructions: ", "instructions: Really. "));
    const steps = [2, 1, 1];
    platform.behavior = { step: () => steps.shift() ?? 1 };
    edit();
    assert.match((await run("push", FILE)).err, /the platform was changed at the same time/);
    for (let i = 0; i < 2; i++) {
      edit();
      assert.equal((await run("push", FILE)).err, "");
    }
  }));

test("diff and plan: JSON output also for errors, with the same exit codes", () =>
  inShell({}, async ({ platform, run }) => {
    const failing = async (what: string, code: number) => {
      for (const command of ["diff", "plan"]) {
        const ran = await run(command, FILE, "--format", "json");
        assert.equal(ran.code, code, `${command}, ${what}: ${ran.err}`);
        const json = JSON.parse(ran.out);
        const said = command === "diff" ? json.error : (json.error ?? json.files[0].message);
        assert.match(said, /\w \w/, `${command}, ${what}`);
      }
    };
    platform.behavior = { isUnreadable: true };
    await failing("an unreadable graph", 1);
    await platform.stop();
    await failing("no platform", 3);
  }));
