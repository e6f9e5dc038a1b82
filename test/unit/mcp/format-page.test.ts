/** docs/format.md: its flows have nothing to complain about, its tests pass, and it names all there is to name. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { edgeFields, nodeTypes, topFields, variableFields } from "../../../flow";
import { cli, folderWith } from "../cli/cli";

const page = readFileSync("docs/format.md", "utf8");
const blocks = [...page.matchAll(/```yaml ?([^\n]*)\n([\s\S]*?)```/g)].map(([, about = "", text = ""]) => ({
  about,
  text,
}));
const flows = blocks.filter(({ about }) => about === "flow").map(({ text }) => text);
const named: Readonly<Record<string, string>> = {
  "billing.flow.yaml": flows[0] ?? "",
  "plans.flow.yaml": flows[1] ?? "",
};
const tests = blocks.filter(({ about }) => about.startsWith("flowtest "));

test("every example says what it is", () => {
  assert.equal(flows.length, 2);
  assert.equal(flows.length + tests.length, blocks.length);
  assert.ok(page.length < 12_000, "one page");
});

test("its flows have no findings, and its tests pass and leave out nothing but what the page says", async () => {
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

test("it names every type, key and field that the editor knows", () => {
  const names = [
    ...topFields.map(({ name }) => name),
    ...nodeTypes.flatMap(({ name, fields }) => [name, ...fields.map((field) => field.name)]),
    ...edgeFields.map(({ name }) => name),
    ...variableFields.map(({ name }) => name),
  ];
  for (const name of names) assert.ok(page.includes(`\`${name}\``), name);
});
