/**
 * Fixes of syntax errors in test, policy and project files, after a single character was deleted: they make the file
 * valid, and no key moves into the text above it or to another level; a fix of the indentation restores what was meant. `npm test` deletes every third character.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "yaml";
import { readListText } from "../../../flow/reading/list-text";
import { applyEdits } from "../../../flow/text";
import { sizeOf } from "../../support/cases";

const project = `default: staging
environments:
  staging:
    url: https://staging.example.com
    flows:
      billing.flow.yaml: {assistant: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001, revision: 0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002}
    names:
      look_up: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003
      front_desk: "+15550100"
  production: {url: "https://api.example.com", protected: true, names: {look_up: "x", front_desk: "+15550101"}}
`;

const files = [
  { list: "tests", text: readFileSync("examples/billing.flowtest.yaml", "utf8") },
  { list: "policies", text: readFileSync("examples/assistant-flow.policies.yaml", "utf8") },
  { list: "environments", text: project },
];

for (const { list, text } of files)
  test(`a fix for a deleted character in ${list} changes nothing else`, () => {
    let fixes = 0;
    for (let at = 0; at < text.length; at += sizeOf(3, 1)) {
      const broken = text.slice(0, at) + text.slice(at + 1);
      const { problems } = readListText(broken, list);
      const fix = problems.find(({ code }) => code === "yaml-syntax")?.data;
      if (!fix) continue;
      fixes++;
      const fixed = applyEdits(broken, fix.edits);
      const place = `${broken.slice(Math.max(0, at - 40), at)}▮${broken.slice(at, at + 40)}: ${fix.title}`;
      assert.deepEqual(
        readListText(fixed, list).problems.filter(({ code }) => code === "yaml-syntax"),
        [],
        place,
      );
      if (fix.title === "Fix indentation") assert.deepEqual(parse(fixed), parse(text), place);
      else assert.deepEqual(shape(fixed), shape(broken), place);
    }
    assert.ok(fixes > 0, "no fix was offered");
  });

for (const { list, text } of files)
  test(`a fix for a space added or removed before a line of ${list} restores its meaning`, () => {
    let [errors, fixes] = [0, 0];
    for (const { index } of text.matchAll(/^ +/gm))
      for (const broken of [
        `${text.slice(0, index)} ${text.slice(index)}`,
        text.slice(0, index) + text.slice(index + 1),
      ]) {
        const problem = readListText(broken, list).problems.find(({ code }) => code === "yaml-syntax");
        if (!problem) continue;
        errors++;
        if (problem.data?.title !== "Fix indentation") continue;
        fixes++;
        assert.deepEqual(parse(applyEdits(broken, problem.data.edits)), parse(text), broken);
      }
    assert.ok(fixes > errors / 2, `${fixes} of ${errors}`);
  });

test("a line whose dash may be missing isn't moved into the item above", () => {
  for (const { list, text } of files)
    for (const { index } of text.matchAll(/(?<=^ +)- /gm)) {
      const broken = `${text.slice(0, index)}${text.slice(index + 1)}`;
      const fix = readListText(broken, list).problems.find(({ code }) => code === "yaml-syntax")?.data;
      if (fix) assert.deepEqual(parse(applyEdits(broken, fix.edits)), parse(text), broken);
    }
});

test("in a file with very many broken items, the cause is searched for the first ones only", () => {
  const items = Array.from({ length: 50 }, (_, at) => `  - {id: p${at}, never: {from: entry, to: {node: b}\n`);
  const { problems } = readListText(`policies:\n${items.join("")}`, "policies");
  const broken = problems.filter(({ code }) => code === "yaml-syntax");
  assert.deepEqual(broken.map(({ data }) => data !== undefined).lastIndexOf(true), 19);
  assert.ok(broken.length >= 50);
});

/** The beginning of each line, up to its key. */
function shape(text: string): string[] {
  return text.split("\n").map((line) => /^[ -]*[^:]*/.exec(line)?.[0] ?? "");
}
