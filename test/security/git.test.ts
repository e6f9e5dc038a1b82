/**
 * A repository that was unpacked with its configuration, or that contains another one: Git runs the programs in a
 * configuration for almost any command. Comparing flows and installing the merge driver run none of them.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { Repository } from "../../cli/review/git";
import { FLOW, inFolder, posix, runInProcess } from "./outsider";

/** The exit code of `diff` if something differs. */
const CHANGES = 2;
const CHANGED = FLOW.replace("Hello there.", "Hello again.");

/** Git as the attacker uses it, without this machine's configuration. */
function git(cwd: string, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const who = ["-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "core.fsmonitor=false"];
  return execFileSync("git", [...who, ...args], { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** Every program that a configuration can name for our Git commands; each leaves a file as evidence. */
function trapped(repo: string, marks: string): void {
  mkdirSync(marks, { recursive: true });
  const mark = (name: string, then = "cat") => `touch '${path.join(marks, name)}'; ${then}`;
  const programs: readonly (readonly [key: string, value: string])[] = [
    ["core.fsmonitor", mark("fsmonitor", "false")],
    ["core.pager", mark("pager")],
    ["core.editor", mark("editor", "true")],
    ["core.sshCommand", mark("ssh", "false")],
    ["core.alternateRefsCommand", mark("refs", "true")],
    ["credential.helper", `!${mark("credential", "true")}`],
    ["filter.x.clean", mark("clean")],
    ["filter.x.smudge", mark("smudge")],
    ["filter.a=b.clean", mark("clean-2")],
    ["filter.a=b.required", "true"],
    ["filter.p.process", mark("process", "false")],
    ["diff.x.textconv", mark("textconv")],
    ["diff.x.command", mark("external", "true")],
    ["diff.external", mark("external-2", "true")],
    ["merge.x.driver", mark("merge", "true")],
    ["uploadpack.packObjectsHook", mark("pack", "false")],
  ];
  for (const [key, value] of programs) git(repo, "config", key, value);
  const hooks = path.join(repo, git(repo, "rev-parse", "--git-dir").trim(), "hooks");
  for (const hook of ["post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"])
    writeFileSync(path.join(hooks, hook), `#!/bin/sh\n${mark(hook, "true")}\n`, { mode: 0o755 });
}

const runs = [
  ["diff"],
  ["diff", "HEAD~1"],
  ["diff", "HEAD~1..HEAD"],
  ["diff", "HEAD~1", "--format", "html"],
  ["diff", "HEAD", "a.flow.yaml"],
  ["install-merge-driver"],
];

async function attack(cwd: string, marks: string, answers: boolean): Promise<void> {
  for (const args of runs) {
    const { err, code } = await runInProcess(args, { cwd });
    assert.ok(!/\n\s+at /.test(err), `${args.join(" ")}: ${err}`);
    if (answers) assert.ok(code === 0 || code === CHANGES, `${args.join(" ")}: ${err}`);
    assert.deepEqual(readdirSync(marks), [], args.join(" "));
  }
}

test("an unpacked repository whose configuration names programs for everything", posix, () =>
  inFolder({ "repo/a.flow.yaml": FLOW, "repo/b.flow.yaml": FLOW, "repo/c.flow.yaml": FLOW }, async (folder) => {
    const [repo, marks] = [path.join(folder, "repo"), path.join(folder, "marks")];
    git(repo, "init", "-q");
    git(repo, "add", ".");
    git(repo, "commit", "-qm", "one");
    const inner = path.join(repo, "sub.flow.yaml");
    mkdirSync(inner);
    git(inner, "init", "-q");
    git(inner, "commit", "-q", "--allow-empty", "-m", "one");
    git(repo, "add", "sub.flow.yaml");
    git(repo, "commit", "-qm", "two");
    const attributes = "a.flow.yaml filter=x diff=x merge=x\nb.flow.yaml filter=a=b diff=x\nc.flow.yaml filter=p\n";
    writeFileSync(path.join(repo, ".gitattributes"), attributes);
    for (const name of ["a", "b", "c"]) writeFileSync(path.join(repo, `${name}.flow.yaml`), CHANGED);
    writeFileSync(path.join(inner, "a.flow.yaml"), FLOW);
    trapped(repo, marks);
    trapped(inner, marks);
    await attack(repo, marks, true);
    const { out } = await runInProcess(["diff", "HEAD"], { cwd: repo });
    for (const name of ["a", "b", "c"])
      assert.match(out, new RegExp(`${name}\\.flow\\.yaml`), "it is compared all the same");
  }),
);

test("a bare repository among the files of another one", posix, () =>
  inFolder({ "repo/flows/a.flow.yaml": FLOW }, async (folder) => {
    const [flows, marks] = [path.join(folder, "repo/flows"), path.join(folder, "marks")];
    git(flows, "init", "-q");
    git(flows, "add", ".");
    git(flows, "commit", "-qm", "one");
    git(flows, "commit", "-q", "--allow-empty", "-m", "two");
    trapped(flows, marks);
    git(flows, "config", "core.worktree", flows);
    cpSync(path.join(flows, ".git"), flows, { recursive: true });
    rmSync(path.join(flows, ".git"), { recursive: true });
    writeFileSync(path.join(flows, ".gitattributes"), "*.flow.yaml filter=x\n");
    writeFileSync(path.join(flows, "a.flow.yaml"), CHANGED);
    await attack(flows, marks, false);
    const { code, err } = await runInProcess(["diff"], { cwd: flows });
    assert.ok(code !== 0 && /isn't in a Git repository/.test(err), err);
  }),
);

test(
  "a partial clone: what it lacks is not fetched by what its remote names, and is no file that was added",
  posix,
  () =>
    inFolder({ "from/a.flow.yaml": FLOW }, async (folder) => {
      const [from, repo, marks] = ["from", "repo", "marks"].map((name) => path.join(folder, name)) as [
        string,
        string,
        string,
      ];
      git(from, "init", "-q");
      git(from, "add", ".");
      git(from, "commit", "-qm", "one");
      writeFileSync(path.join(from, "a.flow.yaml"), CHANGED);
      git(from, "commit", "-qam", "two");
      git(from, "config", "uploadpack.allowFilter", "true");
      git(folder, "clone", "-q", "--filter=blob:none", `file://${from}`, "repo");
      trapped(repo, marks);
      const evil = `touch '${path.join(marks, "remote")}'; false`;
      for (const [key, value] of [
        ["remote.origin.uploadpack", evil],
        ["protocol.ext.allow", "always"],
      ] as const)
        git(repo, "config", key, value);
      for (const url of [`file://${from}`, from, `ext::sh -c ${evil.replaceAll(" ", "% ")}`, "ssh://localhost/x"]) {
        git(repo, "config", "remote.origin.url", url);
        const { code, out, err } = await runInProcess(["diff", "HEAD~1", "HEAD"], { cwd: repo });
        assert.ok(
          code !== 0 && /partial clone doesn't contain the old version of "a\.flow\.yaml"/.test(err),
          out + err,
        );
        assert.deepEqual(readdirSync(marks), [], url);
      }
    }),
);

test("the merge driver isn't written through a link, and merges no link, pipe or device", posix, () =>
  inFolder({ "repo/a.flow.yaml": FLOW, "repo/b.flow.yaml": CHANGED, profile: FLOW }, async (folder) => {
    const repo = path.join(folder, "repo");
    git(repo, "init", "-q");
    symlinkSync("../profile", path.join(repo, ".gitattributes"));
    const installed = await runInProcess(["install-merge-driver"], { cwd: repo });
    assert.ok(installed.code !== 0, "a link is refused");
    symlinkSync("../profile", path.join(repo, "link.flow.yaml"));
    execFileSync("mkfifo", [path.join(repo, "pipe.flow.yaml")]);
    for (const strange of ["link.flow.yaml", "pipe.flow.yaml", "/dev/zero", "."]) {
      const sides = ["a.flow.yaml", "a.flow.yaml", "b.flow.yaml"];
      for (const at of [0, 1, 2]) {
        const args = sides.map((side, index) => (index === at ? strange : side));
        writeFileSync(path.join(repo, "a.flow.yaml"), FLOW);
        const { code, err } = await runInProcess(["merge", ...args], { cwd: repo });
        assert.ok(!/\n\s+at /.test(err), `merge ${args.join(" ")}`);
        // Like everywhere, a link may be read but not written through.
        assert.ok(code !== 0 || (strange.startsWith("link") && at !== 1), `merge ${args.join(" ")}: ${code}`);
      }
    }
    assert.equal(readFileSync(path.join(folder, "profile"), "utf8"), FLOW);
  }),
);

test("a repository whose configuration includes external files isn't compared", () =>
  inFolder(
    { "outside/x.flow.yaml": "entry: secretword\nnodes:\n  secretword: {type: end}\n", "repo/a.flow.yaml": FLOW },
    async (folder) => {
      const repo = path.join(folder, "repo");
      const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: repo });
      git("init", "-q");
      git("add", ".");
      git("commit", "-qm", "one");
      for (const elsewhere of [path.join(folder, "outside"), "../../outside", folder]) {
        git("config", "core.worktree", elsewhere);
        const { code, out, err } = await runInProcess(["diff"], { cwd: repo });
        assert.ok(code !== 0 && code !== 2, `${elsewhere}: ${out}${err}`);
        assert.ok(!`${out}${err}`.includes("secretword"), elsewhere);
      }
    },
  ));

test(
  "the merge driver isn't installed in a bare repository among files, nor where files are taken from elsewhere",
  posix,
  () =>
    inFolder({ "repo/a.flow.yaml": FLOW, "outside/b.flow.yaml": FLOW }, async (folder) => {
      const [repo, outside] = [path.join(folder, "repo"), path.join(folder, "outside")];
      git(repo, "init", "-q");
      for (const [name, worktree] of [
        ["bare", ".."],
        ["bare-2", outside],
        ["bare-3", "."],
      ] as const) {
        const bare = path.join(repo, name);
        git(repo, "init", "-q", "--bare", bare);
        git(bare, "config", "core.bare", "false");
        git(bare, "--git-dir", bare, "config", "core.worktree", worktree);
        const before = readFileSync(path.join(bare, "config"), "utf8");
        const { code, err } = await runInProcess(["install-merge-driver"], { cwd: bare });
        assert.ok(code !== 0 && !/\n\s+at /.test(err), `${name}: ${err}`);
        assert.equal(readFileSync(path.join(bare, "config"), "utf8"), before, name);
      }
      for (const elsewhere of [outside, "../../outside"]) {
        git(repo, "config", "core.worktree", elsewhere);
        const { code, err } = await runInProcess(["install-merge-driver"], { cwd: repo });
        assert.ok(code !== 0, `${elsewhere}: ${err}`);
        assert.doesNotMatch(readFileSync(path.join(repo, ".git/config"), "utf8"), /assistant-flow/, elsewhere);
      }
      for (const place of [repo, outside]) assert.ok(!readdirSync(place).includes(".gitattributes"), place);
    }),
);

/** Git never finishes on these. */
const endless: Record<string, (repo: string) => string | undefined> = {
  "a named pipe in place of the index": (repo) => pipeAt(repo, ".git/index"),
  "a named pipe in place of the configuration": (repo) => pipeAt(repo, ".git/config"),
  "a named pipe in place of ignored names": (repo) => pipeAt(repo, ".git/info/exclude"),
  "a Git that never ends": (repo) => programAt(repo, "exec sleep 300"),
  "a Git whose own process keeps the output open": (repo) => programAt(repo, "sleep 30 &\nexec sleep 300"),
};

function pipeAt(repo: string, name: string): undefined {
  rmSync(path.join(repo, name), { force: true });
  mkdirSync(path.dirname(path.join(repo, name)), { recursive: true });
  execFileSync("mkfifo", [path.join(repo, name)]);
}

function programAt(repo: string, script: string): string {
  writeFileSync(path.join(repo, "git"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return repo;
}

for (const [what, make] of Object.entries(endless))
  test(`each call of Git has a time limit: ${what}`, posix, () =>
    inFolder({ "a.flow.yaml": FLOW }, async (repo) => {
      git(repo, "init", "-q");
      git(repo, "add", ".");
      git(repo, "commit", "-qm", "one");
      const before = process.env.PATH;
      const programs = make(repo);
      if (programs) process.env.PATH = `${programs}${path.delimiter}${before}`;
      try {
        const compare = async () => (await Repository.at(repo, undefined, 3_000)).changed("HEAD", undefined, []);
        await assert.rejects(compare(), /Git was stopped after one minute/);
      } finally {
        process.env.PATH = before;
      }
    }),
  );

test("Git is searched in no folder of a repository, where Windows would run its git.exe", posix, () =>
  inFolder({ "bin/git": "", "repo/a.flow.yaml": FLOW, "repo/sub/b.flow.yaml": FLOW, folders: "" }, async (folder) => {
    const repo = path.join(folder, "repo");
    git(folder, "init", "-q", "repo");
    git(repo, "add", "-A");
    git(repo, "commit", "-qm", "a");
    writeFileSync(path.join(repo, "sub/b.flow.yaml"), CHANGED);
    const { PATH = "" } = process.env;
    const found = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const log = path.join(folder, "folders");
    writeFileSync(path.join(folder, "bin/git"), `#!/bin/sh\npwd >> '${log}'\nexec '${found}' "$@"\n`, { mode: 0o755 });
    chmodSync(path.join(folder, "bin/git"), 0o755);
    try {
      process.env.PATH = `${path.join(folder, "bin")}:${PATH}`;
      for (const cwd of [repo, path.join(repo, "sub")])
        for (const args of [["diff"], ["diff", "HEAD"], ["install-merge-driver"]]) {
          writeFileSync(log, "");
          const { code, err } = await runInProcess(args, { cwd });
          assert.equal(code, args[0] === "diff" ? CHANGES : 0, err);
          const folders = readFileSync(log, "utf8").trim().split("\n");
          assert.deepEqual([...new Set(folders)], [path.dirname(process.execPath)], args.join(" "));
        }
    } finally {
      process.env.PATH = PATH;
    }
  }),
);
