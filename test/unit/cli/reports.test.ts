/** The reports for machines: SARIF by its own schema, workflow commands, JUnit. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { cli, folderWith } from "./cli";

const flawed = readFileSync("test/support/flawed.flow.yaml", "utf8");
const odd = 'entry: "a,b:%\\n<&"\nnodes:\n  ähnlich 😀:\n    type: message\n    edges:\n      - to: "<script>\\"&"\n';
let folder: ReturnType<typeof folderWith>;

before(() => {
  folder = folderWith({
    "a folder/flawed.flow.yaml": flawed,
    "odd, names: 100%.flow.yaml": odd,
    "same.flow.yaml": flawed,
  });
});
after(() => folder.remove());

const report = async (format: string) => (await cli(["check", "--format", format], { cwd: folder.path })).out;

/** The schema is draft 4, but uses none of its differences from later drafts except for its own name. */
function sarifValidator() {
  const file = "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, "utf8"));
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats(ajv);
  return ajv.compile(schema);
}

test("SARIF is valid by its official schema, which rejects invalid input", async () => {
  const validate = sarifValidator();
  const log = JSON.parse(await report("sarif"));
  assert.ok(validate(log), JSON.stringify(validate.errors, null, 2));
  const wrong = JSON.parse(await report("sarif"));
  wrong.runs[0].results[0].level = "loud";
  assert.ok(!validate(wrong));
  const empty = await cli(["check", "-", "--format", "sarif"], {
    input: readFileSync("examples/billing.flow.yaml", "utf8"),
  });
  assert.ok(validate(JSON.parse(empty.out)), "no findings");
});

test("SARIF contains every finding with its rule, location and fix", async () => {
  const [run] = JSON.parse(await report("sarif")).runs;
  const json = JSON.parse(await report("json"));
  const findings = json.files.flatMap((file: { findings: object[] }) => file.findings);
  assert.equal(run.results.length, findings.length);
  for (const [index, result] of run.results.entries()) {
    const { code, message, range } = findings[index];
    assert.equal(run.tool.driver.rules[result.ruleIndex].id, code);
    assert.equal(result.message.text, message);
    const { region, artifactLocation } = result.locations[0].physicalLocation;
    assert.deepEqual([region.startLine, region.startColumn], [range.start.line + 1, range.start.character + 1]);
    assert.ok(!/[ ,]/.test(artifactLocation.uri), artifactLocation.uri);
  }
  assert.ok(run.results.some((result: { fixes?: object[] }) => result.fixes));
  assert.ok(run.results.some((result: { relatedLocations?: object[] }) => result.relatedLocations));
});

test("workflow commands: one line each, with nothing that could start another", async () => {
  const lines = (await report("github")).trimEnd().split("\n");
  const json = JSON.parse(await report("json"));
  assert.equal(lines.length, json.files.flatMap((file: { findings: object[] }) => file.findings).length);
  for (const line of lines)
    assert.match(
      line,
      /^::(error|warning|notice) file=[^,:\n]+,line=\d+,endLine=\d+(,col=\d+,endColumn=\d+)?,title=[^,:\n]+::./u,
    );
  assert.ok(lines.some((line) => line.includes("file=odd%2C names%3A 100%25.flow.yaml")));
});

test("JUnit: well-formed, a suite for each flow, as many failures as it says", async () => {
  const text = await report("junit");
  const tags = [...text.matchAll(/<(\/?)([a-z]+)((?:\s+[a-z]+="[^"<]*")*)\s*(\/?)>/g)];
  assert.equal(
    text
      .replace(/<\?xml[^?]*\?>/, "")
      .replace(/<\/?[a-z]+(?:\s+[a-z]+="[^"<]*")*\s*\/?>/g, "")
      .includes("<"),
    false,
  );
  const open: string[] = [];
  for (const [, closing, name, , single] of tags)
    if (closing) assert.equal(open.pop(), name);
    else if (!single) open.push(name as string);
  assert.deepEqual(open, []);
  const suites = [...text.matchAll(/<testsuite name="([^"]*)" tests="(\d+)" failures="(\d+)"/g)];
  assert.equal(suites.length, 3);
  const said = suites.reduce((sum, suite) => sum + Number(suite[3]), 0);
  assert.equal((text.match(/<failure /g) ?? []).length, said);
});
