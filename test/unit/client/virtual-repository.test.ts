/** A repository that VS Code opens without a clone: which files are read for a revision. */
import "../../support/vscode";

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type * as vscode from "vscode";
import { virtualRepositoryOf } from "../../../client/virtual-repository";
import { vscodeStub } from "../../support/vscode";

function uri(scheme: string, authority: string, path: string): vscode.Uri {
  const parts = { scheme, authority, path };
  const made = {
    ...parts,
    with: (changed: Partial<typeof parts>) => {
      const next = { ...parts, ...changed };
      return uri(next.scheme, next.authority, next.path);
    },
    toString: () => `${scheme}://${authority}${path}`,
  };
  return made as unknown as vscode.Uri;
}

/** The authority of a revision, as the extension writes it. */
const at = (type: number, id: string) =>
  `github+${Buffer.from(JSON.stringify({ v: 1, ref: { type, id } })).toString("hex")}`;
const FILE = uri("vscode-vfs", "github", "/octo/flows/a/b.flow.yaml");
const SHA = "0123456789abcdef0123456789abcdef01234567";

beforeEach(() => {
  vscodeStub.extensions.set("ms-vscode.remote-repositories", {
    getProviderUri: (virtual: vscode.Uri) => virtual.with({ scheme: "github" }),
  });
  vscodeStub.files.clear();
  for (const [authority, text] of [
    ["github", "committed"],
    [at(0, "main"), "on a branch"],
    [at(1, "v1"), "at a tag"],
    [at(2, SHA), "in a commit"],
  ] as const) {
    vscodeStub.files.set(`github://${authority}/octo/flows`, "");
    vscodeStub.files.set(`github://${authority}/octo/flows/a/b.flow.yaml`, text);
  }
});

async function textOf(revision: string, file = FILE): Promise<string | undefined> {
  const repository = await virtualRepositoryOf(file);
  assert.ok(repository);
  return repository.show((await repository.getCommit(revision)).hash);
}

test("the last commit, a branch, a tag and a commit are read", async () => {
  assert.equal(await textOf("HEAD"), "committed");
  assert.equal(await textOf("main"), "on a branch");
  assert.equal(await textOf("v1"), "at a tag");
  assert.equal(await textOf(SHA), "in a commit");
});

test("the last commit of an opened branch is read, and other revisions from there", async () => {
  const onBranch = FILE.with({ authority: at(0, "main") });
  assert.equal(await textOf("HEAD", onBranch), "on a branch");
  assert.equal(await textOf("v1", onBranch), "at a tag");
});

test("an unknown revision is rejected, and so is a file that a revision doesn't have", async () => {
  await assert.rejects(textOf("nowhere"), /No revision nowhere/);
  const file = FILE.with({ path: "/octo/flows/new.flow.yaml" });
  await assert.rejects(textOf("main", file));
  const repository = await virtualRepositoryOf(file);
  const { hash = "" } = (await repository?.getCommit("main")) ?? {};
  assert.ok(await virtualRepositoryOf(FILE).then((known) => known?.getObjectDetails(hash)));
  await assert.rejects(async () => repository?.getObjectDetails(hash), { gitErrorCode: "UnknownPath" });
});

test("other folders, and a VS Code without the extension, have no such repository", async () => {
  assert.equal(await virtualRepositoryOf(uri("file", "", "/flows/a.flow.yaml")), undefined);
  assert.equal(await virtualRepositoryOf(uri("memfs", "", "/flows/a.flow.yaml")), undefined);
  vscodeStub.extensions.clear();
  assert.equal(await virtualRepositoryOf(FILE), undefined);
});
