import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { checkDocument, FlowDocument, ruleCatalog, ruleDocUrl } from "../../../flow";
import { generated } from "../../../scripts/rules";

const root = join(__dirname, "../../..");
const page = (code: string) => readFileSync(join(root, "docs/rules", `${code}.md`), "utf8");
/** Rules whose problem does not fit on a page, or shows only across files. */
const untold = new Set([
  "limit",
  "instructions-too-long",
  "revision-claimed-twice",
  "batch-needs-chaining",
  "policy-broken",
  "component-of-itself",
  "unknown-component-input",
  "unknown-component-output",
]);

describe("the rules' pages", () => {
  it("are one for each rule, and no other", () => {
    const pages = readdirSync(join(root, "docs/rules")).filter((name) => name !== "README.md");
    assert.deepEqual(pages.sort(), ruleCatalog.map(({ code }) => `${code}.md`).sort());
    assert.equal(ruleDocUrl("dead-end", "file:///x/"), "file:///x/docs/rules/dead-end.md");
  });

  it("are as the scripts write them: index and settings", () => {
    for (const [path, text] of generated())
      assert.ok(readFileSync(join(root, path), "utf8") === text, `${path} is old: run npx tsx scripts/rules.ts`);
  });

  for (const { code, severity, title } of ruleCatalog) {
    it(`tell the truth about ${code}`, () => {
      const text = page(code);
      assert.ok(text.startsWith(`# ${code}\n\n${title}. Severity: ${severity}.\n`), "title and severity");
      const [bad = "", good = ""] = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1]);
      const found = (yaml: string) => checkDocument(FlowDocument.read(yaml)).map((problem) => problem.code);
      if (!untold.has(code)) assert.ok(found(bad).includes(code), `the example is reported\n${bad}`);
      assert.ok(!found(good).includes(code), `the better example is not\n${good}`);
    });
  }
});
