/**
 * docs/format.md: its flows have no findings, its tests pass, its policies hold, and it covers all keys. `UPDATE=1`
 * writes the tables of keys.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { edgeFields, nodeTypes, topFields, variableFields } from "../../../flow";
import { policyKeys } from "../../../flow/policy";
import { testKeys } from "../../../flow/test";
import { cli, folderWith } from "../cli/cli";

interface Key {
  readonly name: string;
  readonly doc: string;
}

const rows = (where: string, keys: readonly Key[]) =>
  keys.map(({ name, doc }) => `| ${where} | \`${name}\` | ${doc} |`);
const table = (parts: readonly (readonly [where: string, keys: readonly Key[]])[]) =>
  ["| where | key | meaning |", "|---|---|---|", ...parts.flatMap(([where, keys]) => rows(where, keys))].join("\n");

const { kind, with: besides, never, common, exception, selector, by } = policyKeys;
const tables: Readonly<Record<string, string>> = {
  "test keys": table([
    ["file", testKeys.file],
    ["test", testKeys.test],
    ["case", testKeys.case],
    ["answer of a tool", testKeys.stub],
    ["step", testKeys.step],
    ["`expect`", testKeys.expect],
    ["`ends`", testKeys.ends],
  ]),
  "policy keys": table([
    ["file", policyKeys.file],
    ["every policy", common],
    ["kind", kind],
    ...Object.entries(besides).map(([of, keys]) => [`with \`${of}\``, keys] as const),
    ["`never`", never],
    ["`passes`", by],
    ["`except`", exception],
    ["which nodes", selector],
  ]),
};

const written = readFileSync("docs/format.md", "utf8");
const page = written.replace(
  /(<!-- (.+ keys) -->\n)[\s\S]*?(<!-- end -->)/g,
  (_, begin: string, of: string, end: string) => `${begin}${tables[of]}\n${end}`,
);
if (process.env.UPDATE) writeFileSync("docs/format.md", page);
const blocks = [...page.matchAll(/```yaml ?([^\n]*)\n([\s\S]*?)```/g)].map(([, about = "", text = ""]) => ({
  about,
  text,
}));
const flows = blocks.filter(({ about }) => about === "flow").map(({ text }) => text);
const named: Readonly<Record<string, string>> = {
  "billing.flow.yaml": flows[0] ?? "",
  "plans.flow.yaml": flows[1] ?? "",
};
const policies = blocks.filter(({ about }) => about === "policies").map(({ text }) => text);
const tests = blocks.filter(({ about }) => about.startsWith("flowtest "));

test("every example has its kind", () => {
  assert.equal(flows.length, 2);
  assert.equal(policies.length, 1);
  assert.equal(flows.length + tests.length + policies.length, blocks.length);
  assert.ok(page.length < 25_000, "one page");
});

test("its tables of keys are those of the reader; UPDATE=1 writes them", () => {
  if (!process.env.UPDATE) assert.equal(written, page);
  assert.equal(page.match(/ keys -->/g)?.length, 2);
});

test("its policies hold, and show all four kinds", async () => {
  const [text = ""] = policies;
  for (const { name } of policyKeys.kind) assert.match(text, new RegExp(`^ +(- )?${name}:`, "m"), name);
  const folder = folderWith({ ...named, "assistant-flow.policies.yaml": text });
  const { out } = await cli(["policies", "--format", "json"], { cwd: folder.path });
  folder.remove();
  const { verdicts, problems } = JSON.parse(out);
  assert.deepEqual(problems, []);
  assert.equal(verdicts.length, 5);
  for (const { policy, verdict } of verdicts) assert.match(verdict, /^proved|^excepted/, policy);
});

test("its flows have no findings, and its tests pass and cover what the page says", async () => {
  const files = Object.fromEntries(
    tests.map(({ about, text }) => [about.replace("flowtest ", "").replace(".flow.", ".flowtest."), text]),
  );
  const folder = folderWith({ ...named, ...files });
  const checked = await cli(["check", "--format", "json"], { cwd: folder.path });
  const tested = await cli(["test", "--format", "json"], { cwd: folder.path });
  folder.remove();
  assert.deepEqual(
    JSON.parse(checked.out).files.flatMap((each: { findings: unknown[] }) => each.findings),
    [],
  );
  const results: { status: string; name: string }[] = JSON.parse(tested.out).tests;
  assert.equal(results.length, 4);
  assert.deepEqual(
    results.filter(({ status }) => status !== "passed"),
    [],
  );
});

test("its tool definitions are those of the first flow, which uses them without findings", async () => {
  const [, tools = ""] = /```json tools\n([\s\S]*?)```/.exec(page) ?? [];
  const flow = "billing.flow.yaml";
  const folder = folderWith({ [flow]: named[flow] ?? "", "assistant-flow.tools.json": tools });
  const listed = await cli(["tools", "--format", "json"], { cwd: folder.path });
  const checked = await cli(["check"], { cwd: folder.path });
  folder.remove();
  const [{ used_by, ...tool }] = JSON.parse(listed.out).tools;
  assert.deepEqual(used_by, [{ file: flow, node: "look_up" }]);
  assert.deepEqual(tool, JSON.parse(tools).tools[0], "every key is written in the saved form");
  assert.equal(checked.code, 0, checked.out);
});

test("it names every type, key and field that the editor knows", () => {
  const names = [
    ...topFields.map(({ name }) => name),
    ...nodeTypes.flatMap(({ name, fields }) => [name, ...fields.map((field) => field.name)]),
    ...edgeFields.map(({ name }) => name),
    ...variableFields.map(({ name }) => name),
  ];
  for (const name of names) assert.ok(page.includes(`\`${name}\``), name);
});
