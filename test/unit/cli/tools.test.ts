/** `tools`, and `check` with the definitions it saves. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { type Sandbox, startSandbox } from "../../../sandbox";
import { cli, environmentOf, folderWith } from "./cli";

const FILE = "assistant-flow.tools.json";
const example = (name: string) => readFileSync(path.join(__dirname, "../../../examples", name), "utf8");
const BILLING = example("billing.flow.yaml");

let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox({ demo: true });
});
after(() => sandbox.stop());

async function inFolder(
  files: Readonly<Record<string, string>>,
  use: (folder: string, env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const folder = folderWith(files);
  try {
    await use(folder.path, environmentOf(sandbox, path.join(folder.path, ".state")));
  } finally {
    folder.remove();
  }
}

test("tools are listed with the nodes that use them, and saved with stable bytes", () =>
  inFolder(
    { ".git/HEAD": "", "flows/billing.flow.yaml": BILLING, "support.flow.yaml": example("support-line.flow.yaml") },
    async (cwd, env) => {
      const { code, out } = await cli(["tools", "--format", "json"], { cwd, env });
      assert.equal(code, 0);
      const { version, tools } = JSON.parse(out);
      assert.equal(version, 1);
      const byName = (name: string) => tools.find((tool: { name: string }) => tool.name === name);
      assert.deepEqual(byName("look_up_account").used_by, [{ file: "flows/billing.flow.yaml", node: "look_up" }]);
      assert.deepEqual(
        byName("create_payment_plan").inputs.map(({ name, type, required }: Record<string, unknown>) => [
          name,
          type,
          required,
        ]),
        [
          ["account", "str", true],
          ["amount", "float", true],
          ["payments", "int", true],
        ],
      );
      assert.match((await cli(["tools"], { cwd, env })).out, /look_up_account .*flows\/billing\.flow\.yaml:look_up/);

      const saved = await cli(["tools", "--save", "flows"], { cwd, env });
      assert.equal(saved.err, `Saved flows/${FILE}.\n`);
      const first = readFileSync(path.join(cwd, "flows", FILE), "utf8");
      writeFileSync(path.join(cwd, FILE), "{}");
      await cli(["tools", "--save"], { cwd, env });
      assert.equal(readFileSync(path.join(cwd, "flows", FILE), "utf8"), first, "the nearest one is written again");
      assert.equal(readFileSync(path.join(cwd, FILE), "utf8"), first, "the one above is the nearest of the other flow");
      assert.ok(!first.includes("northwind.example.com"), "no address of a tool");

      const { ASSISTANT_FLOW_BASE_URL: _, ...offline } = env;
      const listed = await cli(["tools", "flows"], { cwd, env: offline });
      assert.match(listed.err, /saved tool definitions/);
      assert.match(listed.out, /look_up_account/);
      assert.equal((await cli(["tools", "flows", "--save"], { cwd, env: offline })).code, 3);
      assert.doesNotMatch((await cli(["check"], { cwd, env: offline })).out, /tool-input|unknown-tool|tool-output/);
    },
  ));

test("the snapshot of the examples has the sandbox's tools", () =>
  inFolder({ "support.flow.yaml": example("support-line.flow.yaml") }, async (cwd, env) => {
    await cli(["tools", "--save"], { cwd, env });
    assert.equal(readFileSync(path.join(cwd, FILE), "utf8"), example(FILE));
  }));

test("check reports mistakes against the snapshot, in one thread and in several", () => {
  const wrong = BILLING.replace("inputs: {account:", "inputs: {acount:");
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}.flow.yaml`, wrong]));
  return inFolder({ ".git/HEAD": "", "a.flow.yaml": BILLING, ...files }, async (cwd, env) => {
    await cli(["tools", "a.flow.yaml", "--save"], { cwd, env });
    const one = await cli(["check", "f1.flow.yaml"], { cwd });
    assert.match(one.out, /Tool "look_up_account" has no input "acount"\. Did you mean "account"\?/);
    const all = await cli(["check", "--format", "json"], { cwd });
    assert.equal(all.out.match(/"unknown-tool-input"/g)?.length, 60);
  });
});

test("push and plan are blocked by a missing required input, as check reports it", () => {
  const without = BILLING.replace('    inputs: {account: "{{account_id}}"}\n', "");
  assert.notEqual(without, BILLING);
  return inFolder({ ".git/HEAD": "", "a.flow.yaml": without, [FILE]: example(FILE) }, async (cwd, env) => {
    const checked = await cli(["check", "a.flow.yaml"], { cwd });
    assert.match(checked.out, /missing-tool-input/);
    for (const command of [["push", "--allow-first-push"], ["plan"]]) {
      const { code, out, err } = await cli([...command, "a.flow.yaml"], { cwd, env });
      assert.equal(code, checked.code, out + err);
      assert.match(out + err, /a\.flow\.yaml.*assistant-flow check a\.flow\.yaml/s);
    }
    writeFileSync(path.join(cwd, "a.flow.yaml"), BILLING);
    assert.equal((await cli(["push", "--allow-first-push", "a.flow.yaml"], { cwd, env })).code, 0);
  });
});

test("an unusable snapshot has one finding on its file, and everything else works", async () => {
  const bad = BILLING.replace("tool: 6a2d", "tool: ffff");
  for (const text of [
    "",
    "{",
    '{"version": 9, "tools": []}',
    "[".repeat(200_000),
    '{"version": 1, "tools": [{"name": "\u001b[31m"}]}',
    '{"version": 1, "tools": [{"id": "x", "inputs": [{"name": "a", "required": "yes"}]}]}',
    `{"version": 1, "tools": [${'{"id":"x"},'.repeat(400_000)}{"id":"y"}]}`,
    `{"version": 1, "tools": []}${" ".repeat(6_000_000)}`,
    `{"version": 1, "tools": []}${" ".repeat(21_000_000)}`,
  ])
    await inFolder({ ".git/HEAD": "", "a.flow.yaml": bad, [FILE]: text }, async (cwd) => {
      for (const named of [["a.flow.yaml"], [], [FILE]]) {
        const { code, out } = await cli(["check", "--format", "json", ...named], { cwd });
        assert.equal(code, 1);
        const found = JSON.parse(out).files.flatMap(
          ({ path, findings }: { path: string; findings: { code: string }[] }) =>
            findings.filter((each) => /tool/.test(each.code)).map((each) => `${path} ${each.code}`),
        );
        assert.deepEqual(found, [`${FILE} bad-tools`], text.slice(0, 20));
      }
    });
});

test("a snapshot outside the repository, or behind a link to another file, isn't read", () =>
  inFolder(
    { [FILE]: '{"version": 1, "tools": []}', "secret.txt": "s3cr3t", "repo/a.flow.yaml": BILLING },
    async (root) => {
      const cwd = path.join(root, "repo");
      mkdirSync(path.join(cwd, ".git"));
      assert.doesNotMatch((await cli(["check"], { cwd })).out, /unknown-tool/);
      symlinkSync("../secret.txt", path.join(cwd, FILE));
      const { out, err } = await cli(["check"], { cwd });
      assert.match(out, /bad-tools/);
      assert.doesNotMatch(out + err, /s3cr3t/);
      assert.ok(existsSync(path.join(cwd, FILE)));
    },
  ));
