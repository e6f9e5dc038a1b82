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

const unknownPath = () =>
  Promise.reject(Object.assign(new Error("Path not known by git"), { gitErrorCode: "UnknownPath" }));

test("a file is compared under its name before a staged rename; a new file has no text", async () => {
  const repository = {
    state: { indexChanges: [{ originalUri: uri("old.flow.yaml"), renameUri: uri("new.flow.yaml") }] },
    getCommit: async () => ({ hash: "0" }),
    show: async (_revision: string, path: string) => {
      if (path !== "/old.flow.yaml") throw new Error("not in this revision");
      return "entry: a\n";
    },
    getObjectDetails: unknownPath,
  };
  vscodeStub.extensions.set("vscode.git", {
    enabled: true,
    getAPI: () => ({ state: "initialized", getRepository: () => repository }),
  });
  assert.deepEqual(await textIn("HEAD", uri("new.flow.yaml")), { text: "entry: a\n" });
  assert.deepEqual(await textIn("HEAD", uri("other.flow.yaml")), { text: "" });
});

test("a file that Git can't read isn't compared as if it were new", async () => {
  const failure = Object.assign(new Error("Could not show object."), { stderr: "fatal: unable to read 4b825dc\n" });
  const known = async () => ({ mode: "100644", object: "4b825dc", size: 10 });
  const broken = () => Promise.reject(failure);
  for (const getObjectDetails of [known, broken]) {
    const repository = {
      state: {},
      getCommit: async () => ({ hash: "0" }),
      show: async () => Promise.reject(failure),
      getObjectDetails,
    };
    vscodeStub.extensions.set("vscode.git", {
      enabled: true,
      getAPI: () => ({ state: "initialized", getRepository: () => repository }),
    });
    assert.deepEqual(await textIn("HEAD", uri("a.flow.yaml")), {
      problem: "Git can't read the file: fatal: unable to read 4b825dc",
    });
  }
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
