/** The schema of test files agrees with the parser. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import Ajv from "ajv";
import { parse } from "yaml";
import { readTestFile, testSchema } from "../../../flow/test";

const file = "schemas/assistant-flow-test.schema.json";
const valid = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: false }).compile(
  JSON.parse(readFileSync(file, "utf8")),
);

test("the schema in the repository is generated from the table", () => {
  assert.equal(
    readFileSync(file, "utf8"),
    `${JSON.stringify(testSchema(), null, 2)}\n`,
    "Run: node --import tsx scripts/generate-schema.ts",
  );
});

test("the schema and the reader agree", () => {
  const one = (lines: string) => `flow: a.flow.yaml\ntests:\n  - name: t\n${lines.replace(/^/gm, "    ")}\n`;
  const texts: [text: string, isRight: boolean][] = [
    [readFileSync("examples/billing.flowtest.yaml", "utf8"), true],
    [readFileSync("examples/support-line.flowtest.yaml", "utf8"), true],
    ["flow: a\ntests: []\n", true],
    ["tests: []\n", false],
    ["flow: a\n", false],
    ["flow: a\ntests: {}\n", false],
    ["flow: a\ntests: [{steps: []}]\n", false],
    [one("given: {a: 1}"), true],
    [one("given: [a]"), false],
    [one("expects: {}"), false],
    [one("steps: [{take: a}, {give: {a: null}, says: b, at: c}]"), true],
    [one("steps: [{take: a, give: {a: 1}}]"), false],
    [one("steps: [{says: a}]"), false],
    [one("steps: [{give: {a: 1, b: 2}}]"), false],
    [one("tools: {a: {return: 1}, b: [{error: x}, {event: y}]}"), true],
    [one("tools: {a: {return: 1, error: 2}}"), false],
    [one("tools: {a: {value: 1}}"), false],
    [one("expect: {path: [a, ..., b], never: [c], unset: [d], variables: {e: null}, ends: f}"), true],
    [one("expect: {ends: a, stuck: b}"), false],
    [one("expect: {ends: {node: a, transfer: true}}"), true],
    [one("expect: {ends: {transfer: true}}"), false],
    [one("expect: {ends: {node: a, transfer: maybe}}"), false],
    [one("steps: [{give: null}, {give: }]"), true],
    [one("steps: [{take: a, says: [b]}]"), false],
    [one("tags: [a, b]\nskip: it waits for the new tariff"), true],
    [one("tags: a"), true],
    [one("skip: true"), false],
    [
      one(
        "cases: [{name: a, given: {b: 1}}, {skip: c, steps: [{take: d}], tools: {e: {error: f}}, expect: {ends: g}}]",
      ),
      true,
    ],
    [one("cases: []"), false],
    [one("cases: [{tags: [a]}]"), false],
    [one("expect: {path: a}"), false],
  ];
  for (const [text, isRight] of texts) {
    const { problems, tests } = readTestFile(text);
    assert.equal(problems.length === 0 && tests.every((each) => each.problems.length === 0), isRight, text);
    assert.equal(valid(parse(text, { merge: true })), isRight, `${text}\n${JSON.stringify(valid.errors)}`);
  }
});
