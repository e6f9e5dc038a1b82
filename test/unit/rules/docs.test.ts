import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { checkDocument, checkTools, FlowDocument, ruleCatalog, ruleDocUrl } from "../../../flow";
import { KnownTools, toolsOfRevision } from "../../../flow/tools";
import { generated } from "../../../scripts/rules";

const root = join(__dirname, "../../..");
const page = (code: string) => readFileSync(join(root, "docs/rules", `${code}.md`), "utf8");
/** Rules whose problem doesn't fit on a page, or occurs only across files. */
const untold = new Set([
  "limit",
  "instructions-too-long",
  "revision-claimed-twice",
  "batch-needs-chaining",
  "policy-broken",
  "unknown-name",
  "foreign-id",
  "literal-for-name",
  "component-of-itself",
  "unknown-component-input",
  "unknown-component-output",
]);

/** The tool that the pages of the rules about tools describe. */
const tools = new KnownTools([
  toolsOfRevision({
    tools: [
      {
        tool: {
          id: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003",
          name: "Look up account",
          active_revision: {
            configuration: {
              variables: [
                { name: "account", type: "str", required: true },
                { name: "limit", type: "int" },
                { name: "zip", type: "str" },
              ],
            },
            response_schema: { field_mappings: [{ path: "$.plan", alias: "plan" }] },
            stale_input_fields: ["phone"],
            compatibility: {
              findings: [{ detail: "The type changed.", graph_node_id: "a", field_path: "inputs.zip" }],
            },
          },
        },
      },
    ],
  }),
]);

describe("the rules' pages", () => {
  it("exist for each rule, and for nothing else", () => {
    const pages = readdirSync(join(root, "docs/rules")).filter((name) => name !== "README.md");
    assert.deepEqual(pages.sort(), ruleCatalog.map(({ code }) => `${code}.md`).sort());
    assert.equal(ruleDocUrl("dead-end", "file:///x/"), "file:///x/docs/rules/dead-end.md");
  });

  it("match the generated index and settings", () => {
    for (const [path, text] of generated())
      assert.ok(readFileSync(join(root, path), "utf8") === text, `${path} is old: run npx tsx scripts/rules.ts`);
  });

  for (const { code, severity, title } of ruleCatalog) {
    it(`tell the truth about ${code}`, () => {
      const text = page(code);
      assert.ok(text.startsWith(`# ${code}\n\n${title}. Severity: ${severity}.\n`), "title and severity");
      const [bad = "", good = ""] = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1]);
      const found = (yaml: string) => {
        const document = FlowDocument.read(yaml);
        return [...checkDocument(document), ...checkTools(document, tools)].map((problem) => problem.code);
      };
      if (!untold.has(code)) assert.ok(found(bad).includes(code), `the example is reported\n${bad}`);
      assert.ok(!found(good).includes(code), `the better example is not\n${good}`);
    });
  }
});
