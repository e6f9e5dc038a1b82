/** The problem matchers of the extension's tasks understand what the command line prints. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { manifest } from "../../../scripts/project";
import { cli, folderWith } from "./cli";

interface Pattern {
  readonly regexp: string;
  readonly file?: number;
  readonly line?: number;
  readonly message?: number;
  readonly severity?: number;
}

const patternsOf = (name: string): Pattern[] =>
  [manifest.contributes.problemMatchers.find((each: { name: string }) => each.name === name).pattern].flat();

test("check: file, position, severity and message of each finding", async () => {
  const folder = folderWith({ "bad.flow.yaml": "entry: gret\nnodes:\n  greet: {type: end}\n" });
  try {
    const { out } = await cli(["check"], { cwd: folder.path });
    const [pattern] = patternsOf("assistant-flow-check");
    const found = out.split("\n").flatMap((line) => new RegExp(pattern?.regexp ?? "").exec(line) ?? []);
    assert.deepEqual(found.slice(1, 5), ["bad.flow.yaml", "1", "8", "error"], out);
    assert.match(found[5] ?? "", /"gret" doesn't exist/);
    assert.equal(found[6], "unknown-entry");
  } finally {
    folder.remove();
  }
});

test("test: the message of a failure and the line after it, its place", async () => {
  const folder = folderWith({
    "billing.flow.yaml": readFileSync("examples/billing.flow.yaml", "utf8"),
    "billing.flowtest.yaml": readFileSync("examples/billing.flowtest.yaml", "utf8").replace("ask_account", "ask_acc"),
  });
  try {
    const { out } = await cli(["test"], { cwd: folder.path });
    const [first, second] = patternsOf("assistant-flow-test");
    const lines = out.split("\n");
    const at = lines.findIndex((line) => new RegExp(first?.regexp ?? "").test(line));
    assert.match(new RegExp(first?.regexp ?? "").exec(lines[at] ?? "")?.[1] ?? "", /^Expected "ask_acc"/, out);
    assert.equal(new RegExp(second?.regexp ?? "").exec(lines[at + 1] ?? "")?.[1], "billing.flowtest.yaml", out);
  } finally {
    folder.remove();
  }
});
