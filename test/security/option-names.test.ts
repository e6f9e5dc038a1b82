/**
 * Files and revisions whose names look like options: they are used as files and revisions or rejected, never as
 * options.
 */
import "../support/vscode";

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type * as vscode from "vscode";
import { textIn } from "../../client/git";
import { inProject } from "../../scripts/project";
import { vscodeStub } from "../support/vscode";
import { FLOW, inFolder, posix, runInProcess } from "./outsider";

const BROKEN = "entry: a\nnodes:\n  a: {type: message, instructions: Hi, edges: [{to: nope}]}\n";
const names = ["-V.flow.yaml", "-h.flow.yaml", "-V/a.flow.yaml", "-Vh.flow.yml", "-.flow.yaml"];

for (const name of names)
  test(`a file called ${name} is checked, formatted and merged`, posix, () =>
    inFolder({ [name]: BROKEN, "b.flow.yaml": FLOW, "base.flow.yaml": FLOW, "ours.flow.yaml": FLOW }, async (cwd) => {
      const checked = await runInProcess(["check", name, "b.flow.yaml"], { cwd });
      assert.equal(checked.code, 1, checked.out + checked.err);
      assert.match(checked.out, /2 flows checked: 1 error/);
      assert.equal((await runInProcess(["graph", name], { cwd })).code, 0);
      const theirs = FLOW.replace("Hello there.", "Hello again.");
      writeFileSync(path.join(cwd, "b.flow.yaml"), theirs);
      for (const option of [["--name", name], [`--name=${name}`]]) {
        writeFileSync(path.join(cwd, "ours.flow.yaml"), FLOW);
        const args = ["merge", "base.flow.yaml", "ours.flow.yaml", "b.flow.yaml", "--marker-size", "7", ...option];
        const { code, out } = await runInProcess(args, { cwd });
        assert.equal(code, 0, out);
        assert.equal(readFileSync(path.join(cwd, "ours.flow.yaml"), "utf8"), theirs, option.join(" "));
      }
    }),
  );

test("Git merges a flow whose name is an option with the installed driver", posix, () =>
  inFolder({}, async (cwd) => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], { cwd, stdio: "ignore" });
    const write = (text: string) => {
      for (const name of ["-V.flow.yaml", "-V/a.flow.yaml"]) {
        mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
        writeFileSync(path.join(cwd, name), text);
      }
    };
    git("init", "-q", "-b", "main");
    execFileSync(process.execPath, [inProject("dist/cli.js"), "install-merge-driver"], { cwd, stdio: "ignore" });
    const change = (text: string) => {
      write(text);
      git("add", "-A");
      git("commit", "-qm", "x");
    };
    change(FLOW);
    git("checkout", "-qb", "theirs");
    change(FLOW.replace("Hello there.", "Hello again."));
    git("checkout", "-q", "main");
    change(FLOW.replace("bye: {type: end}", "bye: {type: end, name: Goodbye}"));
    git("merge", "-q", "theirs", "-m", "merge");
    for (const name of ["-V.flow.yaml", "-V/a.flow.yaml"]) {
      const merged = readFileSync(path.join(cwd, name), "utf8");
      assert.ok(merged.includes("Hello again.") && merged.includes("Goodbye"), merged);
    }
  }),
);

test("a revision that is an option of Git isn't passed to VS Code's Git", async () => {
  const asked: string[] = [];
  const repository = {
    getCommit: async (revision: string) => {
      asked.push(revision);
      return { hash: "0" };
    },
    show: async () => "text",
    state: { indexChanges: [] },
  };
  vscodeStub.extensions.set("vscode.git", {
    enabled: true,
    getAPI: () => ({ state: "initialized", getRepository: () => repository }),
  });
  const file = { scheme: "file", fsPath: "/a.flow.yaml", toString: () => "file:///a.flow.yaml" } as vscode.Uri;
  for (const revision of ["--output=.git/x", "-p", "--no-index", "--ext-diff"])
    assert.ok("problem" in (await textIn(revision, file)), revision);
  // HEAD tells whether the repository has commits.
  assert.deepEqual(new Set(asked), new Set(["HEAD"]));
  assert.deepEqual(await textIn("v1", file), { text: "text" });
});
