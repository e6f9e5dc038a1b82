/** First impressions, in each kind of theme; with UPDATE=1 the pictures of the documents are written. */
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { writeCompressedPng } from "../../scripts/png";
import { inProject } from "../../scripts/project";
import { openCode } from "./harness";
import { themes, useTheme } from "./pages";

test("a flow file with a problem, in each kind of theme", async () => {
  const flow = readFileSync(inProject("examples/billing.flow.yaml"), "utf8");
  const misspelt = flow.replace("to: goodbye", "to: godbye");
  assert.notEqual(misspelt, flow);
  const files = { "billing.flow.yaml": misspelt, ".vscode/settings.json": "{}" };
  const code = await openCode({ files, open: "billing.flow.yaml" });
  try {
    const problems = await code.problems();
    await problems.filter({ hasText: "godbye" }).first().click(); // Leads to the line.
    await code.squiggles("error").first().waitFor();
    for (const theme of themes) {
      await useTheme(code, theme);
      const picture = await code.screenshot(`editor-${theme}`);
      assert.ok(statSync(picture).size > 10_000);
      if (process.env.UPDATE) writeCompressedPng(picture, inProject(`docs/images/editor-${theme}.png`));
    }
  } finally {
    await code.close();
  }
});
