/** A repository full of links, pipes and devices: no command writes through them, waits for them or reads on forever. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { startSandbox } from "../../scripts/sandbox";
import { cli, FLOW, inFolder, posix, runInProcess } from "./outsider";

const modeOf = (file: string) => lstatSync(file).mode & 0o777;

test("the formatter follows no link, under any name that could be guessed", posix, () =>
  inFolder({ "repo/a.flow.yaml": FLOW, profile: "mine" }, async (folder) => {
    const repo = path.join(folder, "repo");
    const [pid] = [process.pid];
    for (let guess = pid; guess < pid + 3000; guess++)
      symlinkSync(path.join(folder, "profile"), path.join(repo, `a.flow.yaml.${guess}.tmp`));
    for (const name of ["a.flow.yaml.tmp", ".a.flow.yaml.tmp", "a.flow.yaml~", "a.flow.yaml.new", "a.flow.yaml.part"])
      symlinkSync(path.join(folder, "profile"), path.join(repo, name));
    chmodSync(path.join(repo, "a.flow.yaml"), 0o640);
    const before = readdirSync(repo).length;
    const { code, err } = await cli(["fmt"], { cwd: repo });
    assert.equal(code, 0, err);
    assert.match(readFileSync(path.join(repo, "a.flow.yaml"), "utf8"), /^entry: greet$/m);
    assert.equal(modeOf(path.join(repo, "a.flow.yaml")), 0o640);
    assert.equal(readFileSync(path.join(folder, "profile"), "utf8"), "mine");
    assert.equal(readdirSync(repo).length, before, "nothing is left beside it");
  }),
);

test("a flow or output that is a link is rejected, and its target is unchanged", posix, () =>
  inFolder({ profile: FLOW, "a.flow.yaml": FLOW }, async (folder) => {
    symlinkSync("profile", path.join(folder, "b.flow.yaml"));
    symlinkSync("nothing", path.join(folder, "c.flow.yaml"));
    symlinkSync("profile", path.join(folder, "out.svg"));
    const runs = [
      ["fmt", "b.flow.yaml"],
      ["check", "--fix", "b.flow.yaml"],
      ["new", "b.flow.yaml"],
      ["new", "c.flow.yaml"],
      ["graph", "a.flow.yaml", "--format", "mermaid", "--output", "out.svg"],
      ["graph", "a.flow.yaml", "--format", "mermaid", "--output", "/dev/full"],
      ["graph", "a.flow.yaml", "--format", "mermaid", "--output", "."],
    ];
    for (const args of runs) {
      const { code, err } = await runInProcess(args, { cwd: folder });
      assert.ok(code !== 0 || args[0] === "check", args.join(" "));
      assert.ok(!/\n\s+at /.test(err), "no stack trace");
      assert.equal(readFileSync(path.join(folder, "profile"), "utf8"), FLOW, args.join(" "));
      assert.ok(!existsSync(path.join(folder, "nothing")), args.join(" "));
    }
  }),
);

test("a pipe, device or folder named like a flow is rejected at once; other files are checked", posix, () =>
  inFolder({ "a.flow.yaml": FLOW, "d.flow.yaml/x": "" }, async (folder) => {
    execFileSync("mkfifo", [path.join(folder, "p.flow.yaml")]);
    symlinkSync("/dev/zero", path.join(folder, "z.flow.yaml"));
    symlinkSync("p.flow.yaml", path.join(folder, "l.flow.yaml"));
    for (const name of ["p", "z", "l"])
      for (const command of [["check"], ["fmt"], ["graph"]]) {
        const { code, err } = await runInProcess([...command, `${name}.flow.yaml`], { cwd: folder });
        assert.notEqual(code, 0, `${command} ${name}`);
        assert.match(err, /not a file|a file of another kind/);
      }
    for (const args of [["check"], ["fmt", "--check"], ["check", "*.flow.yaml"]]) {
      const { err } = await runInProcess(args, { cwd: folder });
      assert.ok(!/\n\s+at /.test(err), args.join(" "));
    }
    for (const args of [
      ["check", "-"],
      ["fmt", "-"],
    ])
      await runInProcess(args, { cwd: folder, input: FLOW });
  }),
);

test("a pipe or device in place of settings is rejected at once", posix, () =>
  inFolder({ "a.flow.yaml": FLOW, ".vscode/x": "" }, async (folder) => {
    const settings = path.join(folder, ".vscode/settings.json");
    execFileSync("mkfifo", [settings]);
    const pipe = await runInProcess(["check"], { cwd: folder });
    assert.match(pipe.err, /settings\.json: .*not a file/);
    execFileSync("rm", [settings]);
    symlinkSync("/dev/zero", settings);
    const device = await runInProcess(["check"], { cwd: folder });
    assert.notEqual(device.code, 0);
  }),
);

test("under any umask, private files are 0600 in folders of 0700: state, journal, sandbox", posix, () =>
  inFolder({}, async (folder) => {
    const [state, data] = [path.join(folder, "home/state"), path.join(folder, "data")];
    const sandbox = await startSandbox({ umask: "000", dataDir: data });
    try {
      const { assistant, revision } = sandbox.demo;
      writeFileSync(path.join(folder, "a.flow.yaml"), `assistant: ${assistant}\nrevision: ${revision}\n${FLOW}`);
      const env = { ...sandbox.env, ASSISTANT_FLOW_STATE_DIR: state };
      const pushed = await cli(["push", "--allow-first-push", "--allow-removals", "a.flow.yaml"], {
        cwd: folder,
        env,
        umask: "000",
      });
      assert.equal(pushed.code, 0, pushed.err);
      assert.equal(statSync(state).mode & 0o777, 0o700);
      assert.equal(statSync(data).mode & 0o777, 0o700);
      const files = [state, data].flatMap((place) => readdirSync(place).map((name) => path.join(place, name)));
      assert.ok(files.length >= 4);
      for (const file of files) assert.equal(modeOf(file), 0o600, file);
    } finally {
      await sandbox.stop();
    }
  }),
);

test(
  "a state folder that others can write to, or that belongs to another user, is rejected with a message",
  posix,
  () =>
    inFolder({}, async (folder) => {
      const sandbox = await startSandbox();
      try {
        const { assistant, revision } = sandbox.demo;
        writeFileSync(path.join(folder, "a.flow.yaml"), `assistant: ${assistant}\nrevision: ${revision}\n${FLOW}`);
        const open = path.join(folder, "open");
        mkdirSync(open);
        chmodSync(open, 0o777);
        const [link, pipe] = [path.join(folder, "link"), path.join(folder, "pipe")];
        symlinkSync(open, link);
        execFileSync("mkfifo", [pipe]);
        // Root owns everything here, so a file of another user is one with a changed owner.
        const foreign = path.join(folder, "foreign");
        mkdirSync(foreign, { mode: 0o700 });
        const others = process.geteuid?.() === 0 ? foreign : "/usr";
        if (others === foreign) execFileSync("chown", ["12345:12345", foreign]);
        const push = ["push", "--allow-first-push", "--allow-removals", "a.flow.yaml"];
        for (const place of [open, link, pipe, others])
          for (const args of [push, ["status", "a.flow.yaml"], ["plan", "a.flow.yaml"]]) {
            const env = { ...sandbox.env, ASSISTANT_FLOW_STATE_DIR: place };
            const { code, out, err } = await runInProcess(args, { cwd: folder, env });
            assert.notEqual(code, 0, `${args[0]} with ${place}`);
            assert.match(
              out + err,
              /isn't used|not a folder|other users can write|belongs to another user/,
              `${args[0]} with ${place}`,
            );
          }
        assert.deepEqual(readdirSync(open), []);
      } finally {
        await sandbox.stop();
      }
    }),
);

test(
  "a sandbox's folder that is another user's, or that others can write to, is refused; files of others stay",
  posix,
  () =>
    inFolder({}, async (folder) => {
      const [open, foreign, link] = ["open", "foreign", "link"].map((name) => path.join(folder, name)) as [
        string,
        string,
        string,
      ];
      mkdirSync(open);
      chmodSync(open, 0o777);
      mkdirSync(foreign, { mode: 0o700 });
      const others = process.geteuid?.() === 0 ? foreign : "/usr";
      if (others === foreign) execFileSync("chown", ["12345:12345", foreign]);
      symlinkSync(others, link);
      for (const place of [open, others, link]) {
        const { code, err } = await cli(["sandbox", "--port", "0", "--json", "--data-dir", place]);
        assert.notEqual(code, 0, place);
        assert.match(err, /isn't used|other users can write|belongs to another user/, place);
      }
      for (const place of [open, foreign]) assert.deepEqual(readdirSync(place), [], place);

      const data = path.join(folder, "data");
      mkdirSync(data);
      const kept = ["thesis.part", "x.flow.yaml.part", ".assistant-flow-1.tmp", ".assistant-flow-mine.tmp", "a.tmp"];
      for (const name of kept) writeFileSync(path.join(data, name), "mine");
      const strange = `.assistant-flow-${"a".repeat(24)}.tmp`;
      mkdirSync(path.join(data, strange));
      const left = `.assistant-flow-${"b".repeat(24)}.tmp`;
      writeFileSync(path.join(data, left), "half");
      const sandbox = await startSandbox({ dataDir: data });
      await sandbox.stop();
      const names = readdirSync(data);
      for (const name of [...kept, strange]) assert.ok(names.includes(name), name);
      assert.ok(!names.includes(left), "what a killed sandbox left is removed");
    }),
);
