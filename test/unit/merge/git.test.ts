/** The merge driver in Git: merge, rebase and cherry-pick in a repository. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { bundleCli } from "../../support/sandbox-process";
import { cli, folderWith } from "../cli/cli";

const flow = "entry: a\nnodes:\n  a:\n    type: message\n    name: A\n    edges: [{to: b}]\n  b: {type: end}\n";

let bundle: Awaited<ReturnType<typeof bundleCli>>;
before(async () => {
  bundle = await bundleCli();
});
after(() => bundle?.remove());

async function repository(): Promise<{ git: (...args: string[]) => string; path: string; remove(): void }> {
  const folder = folderWith({ "one.flow.yaml": flow });
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "T",
    GIT_AUTHOR_EMAIL: "t@example.com",
    GIT_COMMITTER_NAME: "T",
    GIT_COMMITTER_EMAIL: "t@example.com",
  };
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: folder.path, env, encoding: "utf8", stdio: "pipe" });
  git("init", "-q", "-b", "main");
  // Installed by the program itself, as it is shipped.
  execFileSync(process.execPath, [path.resolve(bundle.path), "install-merge-driver"], { cwd: folder.path, env });
  git("add", ".");
  git("commit", "-qm", "start");
  git("checkout", "-qb", "side");
  writeFileSync(path.join(folder.path, "one.flow.yaml"), flow.replace("type: message", "type: decision # why not"));
  git("commit", "-qam", "theirs");
  git("checkout", "-q", "main");
  writeFileSync(path.join(folder.path, "one.flow.yaml"), flow.replace("name: A", "name: Again"));
  git("commit", "-qam", "ours");
  return { git, path: folder.path, remove: () => folder.remove() };
}

const both = flow.replace("type: message", "type: decision # why not").replace("name: A", "name: Again");

for (const command of [
  ["merge", "-q", "side", "-m", "merged"],
  ["cherry-pick", "side"],
  ["rebase", "-q", "side"],
])
  test(`git ${command[0]} takes lines next to each other from both sides`, async () => {
    const { git, path: folder, remove } = await repository();
    try {
      git(...command);
      assert.equal(readFileSync(path.join(folder, "one.flow.yaml"), "utf8"), both);
      assert.equal(git("status", "--porcelain"), "");
    } finally {
      remove();
    }
  });

test("a conflict stops Git's merge with markers", async () => {
  const { git, path: folder, remove } = await repository();
  try {
    git("checkout", "-q", "side");
    writeFileSync(path.join(folder, "one.flow.yaml"), flow.replace("name: A", "name: Other"));
    git("commit", "-qam", "theirs again");
    git("checkout", "-q", "main");
    assert.throws(() => git("merge", "-q", "side"));
    assert.match(git("status", "--porcelain"), /^UU one\.flow\.yaml/m);
    assert.match(
      readFileSync(path.join(folder, "one.flow.yaml"), "utf8"),
      /<{7} ours\n {4}name: Again\n={7}\n {4}name: Other\n>{7} theirs\n/,
    );
  } finally {
    remove();
  }
});

test("installing twice writes each line once, and keeps existing lines", async () => {
  const folder = folderWith({ ".gitattributes": "*.png binary" });
  try {
    execFileSync("git", ["init", "-q"], { cwd: folder.path });
    await cli(["install-merge-driver"], { cwd: folder.path });
    await cli(["install-merge-driver"], { cwd: folder.path });
    assert.equal(
      readFileSync(path.join(folder.path, ".gitattributes"), "utf8"),
      "*.png binary\n*.flow.yaml merge=assistant-flow\n*.flow.yml merge=assistant-flow\n",
    );
  } finally {
    folder.remove();
  }
});

test("a file that can't be merged is unchanged, with exit code 2", async () => {
  const folder = folderWith({ "a.yaml": flow, "broken.yaml": "nodes: {\n  a: [", "text.yaml": "just words\n" });
  try {
    for (const [base, theirs] of [
      ["a.yaml", "missing.yaml"],
      ["a.yaml", "broken.yaml"],
      ["text.yaml", "a.yaml"],
    ] as const) {
      const { code, err } = await cli(["merge", base, "a.yaml", theirs], { cwd: folder.path });
      assert.equal(code, 2, err);
      assert.match(err, /can't be merged: /);
    }
    assert.equal(readFileSync(path.join(folder.path, "a.yaml"), "utf8"), flow);
  } finally {
    folder.remove();
  }
});
