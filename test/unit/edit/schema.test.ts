import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import Ajv from "ajv";
import { parse } from "yaml";
import { checkDocument, FlowDocument, flowSchema } from "../../../flow";
import { policySchema } from "../../../flow/policy";
import { parseMarkers } from "../../markers/parse";

const file = "schemas/assistant-flow.schema.json";
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strict: true });
const valid = ajv.compile(JSON.parse(readFileSync(file, "utf8")));

/** Rules that a schema can express completely. */
const expressible = ["wrong-type", "missing-field", "invalid-id", "invalid-uuid", "missing-entry", "empty-flow"];
/** Rules about the text rather than the data, which a schema can't see. */
const textual = ["yaml-syntax", "duplicate-key", "limit", "malformed-template"];

test("the schema in the repository is generated from the field table", () => {
  assert.equal(
    readFileSync(file, "utf8"),
    `${JSON.stringify(flowSchema(), null, 2)}\n`,
    "Run: node --import tsx scripts/generate-schema.ts",
  );
});

test("flow files have one language, so no other YAML extension checks them", () => {
  const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
  assert.deepEqual(
    contributes.languages.map((language: { id: string }) => language.id),
    ["assistant-flow", "assistant-flow-test", "assistant-flow-policies", "assistant-flow-project"],
  );
  const selected = readFileSync("client/language-client.ts", "utf8").match(/"assistant-flow(-[a-z]+)?"/g) ?? [];
  assert.deepEqual(
    [...new Set(selected)],
    ['"assistant-flow"', '"assistant-flow-test"', '"assistant-flow-policies"', '"assistant-flow-project"'],
  );
  assert.equal(contributes.yamlValidation[0].url, `./${file}`);
});

test("policy files have a schema, and the example is valid", () => {
  const path = "schemas/assistant-flow-policies.schema.json";
  assert.equal(readFileSync(path, "utf8"), `${JSON.stringify(policySchema(), null, 2)}\n`);
  const validPolicies = ajv.compile(policySchema());
  const parsed = (text: string) => parse(text) as unknown;
  assert.ok(validPolicies(parsed(readFileSync("examples/assistant-flow.policies.yaml", "utf8"))));
  const one = (rest: string) => validPolicies(parsed(`policies: [{id: x, ${rest}}]`));
  assert.ok(one("every_path_to: {tool: t}, passes: {node: a, by: so}, severity: hint, flows: [a, b]"));
  assert.ok(one("never: {from: entry, to: {type: transfer}, without: {name: n}}"));
  assert.ok(one("after: {reads: v}, always: {sets: v}"));
  assert.ok(one("at_most: 3, from: entry, to: {type: end}"));
  for (const wrong of [
    "every_path_to: {node: a}",
    "after: {node: a}, always: {node: b}, never: {from: entry, to: entry}",
    "at_most: -1, from: entry, to: entry",
    "never: {from: entry, to: {nod: a}}",
    "after: {node: a, by: x}, always: {node: b}",
    "after: {}, always: {node: b}",
    "after: {node: a}, always: {node: b}, severity: bad",
  ])
    assert.ok(!one(wrong), wrong);
});

test("the examples are valid", () => {
  for (const name of readdirSync("examples"))
    if (/\.flow\.ya?ml$/.test(name)) {
      const ok = valid(parse(readFileSync(join("examples", name), "utf8"), { merge: true }));
      assert.ok(ok, `${name}: ${ajv.errorsText(valid.errors)}`);
    }
});

test("the schema and the editor agree on the marker corpus", () => {
  let compared = 0;
  let refused = 0;
  for (const folder of ["test/markers/rules", "test/language/markers"])
    for (const name of readdirSync(folder)) {
      if (!/\.flow\.ya?ml$/.test(name)) continue;
      for (const each of parseMarkers(readFileSync(join(folder, name), "utf8")).cases) {
        const document = FlowDocument.read(each.text);
        const codes = new Set(checkDocument(document).map((problem) => problem.code));
        if (each.text.includes("flow-ignore") || textual.some((code) => codes.has(code))) continue;
        const found = expressible.filter((code) => codes.has(code));
        const ok = valid(
          parse(each.text.replace(/^\uFEFF/, ""), { merge: true, uniqueKeys: false, maxAliasCount: -1 }) ?? null,
        );
        const where = `${name}, "${each.name}":\n${each.text}\neditor: ${found.join(", ") || "nothing"}\nschema: ${ajv.errorsText(valid.errors)}`;
        assert.equal(ok, found.length === 0, where);
        compared++;
        if (!ok) refused++;
      }
    }
  assert.ok(compared > 100, `only ${compared} cases compared`);
  assert.ok(refused > 20, `only ${refused} cases that both refuse`);
});
