import "../../support/vscode";

import assert from "node:assert/strict";
import { test } from "node:test";
import type * as vscode from "vscode";
import { textIn } from "../../../client/git";
import { vscodeStub } from "../../support/vscode";

const uri = (name: string): vscode.Uri =>
  ({
    scheme: "file",
    path: `/${name}`,
    fsPath: `/${name}`,
    with: ({ path }: { path: string }) => uri(path.slice(1)),
    toString: () => `file:///${name}`,
  }) as unknown as vscode.Uri;

test("a file is compared under its name before a staged rename; a new file has no text", async () => {
  const repository = {
    state: { indexChanges: [{ originalUri: uri("old.flow.yaml"), renameUri: uri("new.flow.yaml") }] },
    getCommit: async () => ({ hash: "0" }),
    show: async (_revision: string, path: string) => {
      if (path !== "/old.flow.yaml") throw new Error("not in this revision");
      return "entry: a\n";
    },
  };
  vscodeStub.extensions.set("vscode.git", {
    enabled: true,
    getAPI: () => ({ state: "initialized", getRepository: () => repository }),
  });
  assert.deepEqual(await textIn("HEAD", uri("new.flow.yaml")), { text: "entry: a\n" });
  assert.deepEqual(await textIn("HEAD", uri("other.flow.yaml")), { text: "" });
});

test("a file outside of a repository, and a computer without Git, have different reasons", async () => {
  const getAPI = () => ({ state: "initialized", getRepository: () => null });
  const file = uri("clone/sub/a.flow.yaml");
  vscodeStub.extensions.set("vscode.git", { enabled: true, getAPI });
  assert.deepEqual(await textIn("HEAD", file), { problem: "The file isn't in a Git repository." });
  vscodeStub.files.set("file:///clone/.git", "");
  assert.deepEqual(await textIn("HEAD", file), {
    problem: "VS Code hasn't opened the file's Git repository. Open it in the Source Control view.",
  });
  vscodeStub.extensions.set("vscode.git", { enabled: false, getAPI });
  assert.deepEqual(await textIn("HEAD", file), { problem: "VS Code can't find Git. Install it, or set git.path." });
});

test("a repository without commits has no last commit to compare with", async () => {
  const repository = { state: {}, getCommit: async () => Promise.reject(new Error("unknown revision")) };
  vscodeStub.extensions.set("vscode.git", {
    enabled: true,
    getAPI: () => ({ state: "initialized", getRepository: () => repository }),
  });
  assert.deepEqual(await textIn("HEAD", uri("a.flow.yaml")), { problem: "The Git repository has no commits yet." });
});
