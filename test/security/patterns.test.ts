/**
 * Patterns that make a matcher try every way to split a string between their stars: every program that reads them
 * finishes.
 */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client, inTime } from "../language/client";
import { FLOW, inFolder, runInProcess } from "./outsider";

const POLICIES = "assistant-flow.policies.yaml";
const long = "a".repeat(120);
const flowFile = `${long}/${long}.flow.yaml`;
const hostile = [`${"*a".repeat(100)}b`, "**/".repeat(70), `${"{a,aa,*a}".repeat(25)}b`, `${"**a".repeat(70)}b`];

const policyFile = (patterns: readonly string[]) =>
  `policies:\n${patterns
    .map((pattern, index) => {
      const selector = `{name: ${JSON.stringify(pattern.replaceAll("/", ""))}}`;
      return `  - {id: p${index}, flows: [${JSON.stringify(pattern)}, "**"], every_path_to: ${selector}, passes: entry}\n`;
    })
    .join("")}`;
const named = FLOW.replace("type:   message", `type:   message\n    name: ${"a".repeat(5_000)}`);

test("in a policy file, in every command that reads it", () =>
  inFolder({ [flowFile]: named, [POLICIES]: policyFile(hostile) }, async (folder) => {
    for (const args of [["check"], ["policies"], ["check", flowFile]]) {
      const { err } = await runInProcess(args, { cwd: folder });
      assert.ok(!/\n\s+at /.test(err), args.join(" "));
    }
  }));

test("on a command line", () =>
  inFolder({ [flowFile]: FLOW }, async (folder) => {
    for (const pattern of hostile) {
      const { err } = await runInProcess(["check", pattern], { cwd: folder });
      assert.ok(!/\n\s+at /.test(err), pattern);
    }
  }));

test("in the language server, which keeps responding", () =>
  inFolder({ [flowFile]: named, [POLICIES]: policyFile(hostile) }, async (folder) => {
    const client = await Client.start({ folders: [pathToFileURL(folder).href] });
    try {
      for (const [file, text] of [
        [flowFile, named],
        [POLICIES, policyFile(hostile)],
      ] as const) {
        const uri = pathToFileURL(path.join(folder, file)).href;
        await client.open(uri, text);
        await inTime(client.request("textDocument/diagnostic", { textDocument: { uri } }), () => file, 30_000);
      }
    } finally {
      await client.stop();
    }
  }));
