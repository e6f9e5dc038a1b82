/**
 * A file may change between reading and replacing it: it is changed, removed or replaced by a link just before each
 * command writes. The other change is kept, and the command fails.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { keysOf, NAMED_FLOW, projectText, startEnvironment, type TestEnvironment } from "../support/environments";
import { FLOW, inFolder, posix, runInProcess } from "./outsider";

/**
 * Runs a function when the next temporary file is created, which is after the file is read and before it is replaced.
 */
async function beforeWriting<Result>(act: () => void, work: () => Promise<Result>): Promise<Result> {
  const { open } = promises;
  let isDone = false;
  promises.open = (file, ...rest) => {
    if (!isDone && /\.assistant-flow-[0-9a-f]+\.tmp$/.test(String(file)) && !String(file).includes(".state")) {
      isDone = true;
      act();
    }
    return open(file, ...rest);
  };
  syncBuiltinESMExports();
  try {
    const result = await work();
    assert.ok(isDone, "it was about to write");
    return result;
  } finally {
    promises.open = open;
    syncBuiltinESMExports();
  }
}

const MINE = "# mine\n";
const OTHER = "# another program wrote this\n";

/** What another program does to a file, and what the file must be afterwards. */
const changes: Record<string, (file: string) => () => void> = {
  "is changed": (file) => {
    writeFileSync(file, MINE);
    return () => assert.equal(readFileSync(file, "utf8"), MINE);
  },
  "is removed": (file) => {
    rmSync(file);
    return () => assert.ok(!existsSync(file));
  },
  "becomes a link": (file) => {
    const target = path.join(path.dirname(file), "other");
    writeFileSync(target, OTHER);
    rmSync(file);
    symlinkSync(target, file);
    return () => {
      assert.equal(readlinkSync(file), target);
      assert.equal(readFileSync(target, "utf8"), OTHER);
    };
  },
};

const UNFIXED = FLOW.replace("to: bye\n", "to: byee\n");
const TESTS = "flow: a.flow.yaml\ntests:\n  - name: t\n    expect: {path: [greet]}\n";

interface Writes {
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly target: string;
  readonly git?: true;
}

const commands: Record<string, Writes> = {
  fmt: { files: { "a.flow.yaml": FLOW }, args: ["fmt"], target: "a.flow.yaml" },
  "check --fix": { files: { "a.flow.yaml": UNFIXED }, args: ["check", "--fix"], target: "a.flow.yaml" },
  "test --update": {
    files: { "a.flow.yaml": FLOW, "a.flowtest.yaml": TESTS },
    args: ["test", "--update"],
    target: "a.flowtest.yaml",
  },
  "test --generate": {
    files: { "a.flow.yaml": FLOW, "a.flowtest.yaml": TESTS },
    args: ["test", "--generate", "a.flow.yaml", "--output", "a.flowtest.yaml"],
    target: "a.flowtest.yaml",
  },
  "the merge driver": {
    files: { "base.flow.yaml": FLOW, "ours.flow.yaml": FLOW, "theirs.flow.yaml": FLOW.replace("Hello", "Good day,") },
    args: ["merge", "base.flow.yaml", "ours.flow.yaml", "theirs.flow.yaml"],
    target: "ours.flow.yaml",
  },
  "install-merge-driver": {
    files: { ".gitattributes": "*.png binary\n" },
    args: ["install-merge-driver"],
    target: ".gitattributes",
    git: true,
  },
  "new --agents": { files: { "AGENTS.md": "# Ours\n" }, args: ["new", "--agents"], target: "AGENTS.md" },
};

for (const [name, { files, args, target, git }] of Object.entries(commands))
  for (const [what, change] of Object.entries(changes))
    test(`${name}: a file that ${what} meanwhile stays so`, posix, () =>
      inFolder(files, async (folder) => {
        if (git) execFileSync("git", ["init", "-q", folder]);
        let check = () => assert.fail("it was never changed");
        const { code, err } = await beforeWriting(
          () => {
            check = change(path.join(folder, target)) as typeof check;
          },
          () => runInProcess(args, { cwd: folder }),
        );
        assert.equal(code, 1, err);
        assert.match(err, /changed in the meantime and was left unchanged/);
        check();
        assert.ok(!readdirSync(folder).some((each) => each.endsWith(".tmp")), "nothing is left beside it");
      }),
    );

test("test --generate: a file that is created meanwhile isn't overwritten", () =>
  inFolder({ "a.flow.yaml": FLOW }, async (folder) => {
    const file = path.join(folder, "new.flowtest.yaml");
    const args = ["test", "--generate", "a.flow.yaml", "--output", "new.flowtest.yaml"];
    const { code, err } = await beforeWriting(
      () => writeFileSync(file, MINE),
      () => runInProcess(args, { cwd: folder }),
    );
    assert.equal(code, 1, err);
    assert.equal(readFileSync(file, "utf8"), MINE);
  }));

const FILE = "billing.flow.yaml";
const PROJECT = "assistant-flow.project.yaml";
const say = (text: string) => ({ op: "update_node_fields", node_id: "greet", fields: { instructions: text } }) as const;

interface Promoting {
  readonly staging: TestEnvironment;
  readonly production: TestEnvironment;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Staging has the flow, and production a different one. */
async function withEnvironments(work: (place: Promoting) => Promise<void>): Promise<void> {
  const [staging, production] = await Promise.all([startEnvironment("staging"), startEnvironment("production")]);
  try {
    const files = { [FILE]: NAMED_FLOW, [PROJECT]: projectText([staging, production], FILE) };
    await inFolder(files, async (folder) => {
      const env = { ...keysOf([staging, production]), ASSISTANT_FLOW_STATE_DIR: path.join(folder, ".state") };
      const flags = ["--allow-first-push", "--allow-removals"];
      for (const name of ["production", "staging"]) {
        const pushed = await runInProcess(["push", FILE, "--env", name, ...flags], { cwd: folder, env });
        assert.equal(pushed.code, 0, pushed.err);
        writeFileSync(path.join(folder, FILE), NAMED_FLOW.replace("Hello.", "Planned words."));
      }
      await work({ staging, production, folder, env });
    });
  } finally {
    await Promise.all([staging.stop(), production.stop()]);
  }
}

test("restore: a file that is changed, removed or replaced by a link meanwhile stays so", posix, () =>
  withEnvironments(async ({ folder, env }) => {
    const file = path.join(folder, FILE);
    const { out } = await runInProcess(["history", FILE, "--env", "staging", "--format", "json"], { cwd: folder, env });
    const version = String(JSON.parse(out).at(-1).version);
    for (const [what, change] of Object.entries(changes)) {
      rmSync(file, { force: true });
      writeFileSync(file, NAMED_FLOW.replace("Hello.", "Not restored."));
      let check = () => assert.fail("it was never changed");
      const { code, err } = await beforeWriting(
        () => {
          check = change(file) as typeof check;
        },
        () => runInProcess(["restore", FILE, version, "--env", "staging"], { cwd: folder, env }),
      );
      assert.equal(code, 1, `${what}: ${err}`);
      check();
    }
  }),
);

/** Runs a function before the first batch reaches production. */
async function beforeSending<Result>(act: () => Promise<void> | void, work: () => Promise<Result>): Promise<Result> {
  const { fetch } = globalThis;
  let isDone = false;
  globalThis.fetch = async (url, init) => {
    if (!isDone && init?.method === "POST") {
      isDone = true;
      await act();
    }
    return fetch(url, init);
  };
  try {
    const result = await work();
    assert.ok(isDone, "a batch was sent");
    return result;
  } finally {
    globalThis.fetch = fetch;
  }
}

const PROMOTE = ["promote", "--from", "staging", "--to", "production", "--yes"];

for (const [what, replace] of [
  [FILE, (text: string) => text.replace("Planned words.", "Smuggled words.")],
  [PROJECT, (text: string) => text.replace(/look_up: .*/g, 'look_up: "smuggled"')],
] as const)
  test(`promote: what was shown is sent, whatever ${what} contains by then`, () =>
    withEnvironments(async ({ staging, production, folder, env }) => {
      await runInProcess(["push", FILE, "--env", "staging"], { cwd: folder, env });
      assert.match(JSON.stringify([...(await staging.graph()).graph.nodes]), /Planned words\./);
      const file = path.join(folder, what);
      const { code, err } = await beforeSending(
        () => writeFileSync(file, replace(readFileSync(file, "utf8"))),
        () => runInProcess(PROMOTE, { cwd: folder, env }),
      );
      assert.equal(code, 0, err);
      const sent = production.requests.map(({ body }) => body).join("\n");
      assert.ok(sent.includes("Planned words.") && !/smuggled/i.test(sent));
    }));

test("promote: a target that changes meanwhile isn't overwritten", () =>
  withEnvironments(async ({ production, folder, env }) => {
    await runInProcess(["push", FILE, "--env", "staging"], { cwd: folder, env });
    const before = readFileSync(path.join(folder, FILE), "utf8");
    const { code, err } = await beforeSending(
      () => production.apply(say("A colleague's words.")),
      () => runInProcess(PROMOTE, { cwd: folder, env }),
    );
    assert.notEqual(code, 0, err);
    const { graph } = await production.graph();
    assert.match(JSON.stringify([...graph.nodes]), /A colleague's words\./);
    assert.equal(readFileSync(path.join(folder, FILE), "utf8"), before, "nothing is merged into the file");
  }));
