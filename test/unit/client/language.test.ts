/** In a pseudo-language that marks every translated string, untranslated ones are found. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inProject } from "../../../scripts/project";
import { vscodeStub } from "../../support/vscode";

const bundle: Record<string, string> = JSON.parse(readFileSync(inProject("l10n/bundle.l10n.json"), "utf8"));
const translation = Object.fromEntries(Object.keys(bundle).map((text) => [text, `⟦${text}⟧`]));
// Some strings are created when their file is loaded, so the language is set before, as in VS Code.
vscodeStub.translate = (text) => translation[text] ?? text;
(globalThis as { document?: unknown }).document = { body: { dataset: { words: JSON.stringify(translation) } } };

test("rows of the sidebar: every label and the name of every fact", async () => {
  const { keyRows } = await import("../../../client/views/keys/rows");
  const now = Date.parse("2026-03-01T00:00:00Z");
  const key = { id: "k", name: "CI", key_prefix: "afk_1", scopes: [], created_at: "2026-02-01T00:00:00Z" };
  const [row] = keyRows([{ ...key, expires_at: "2026-03-03T00:00:00Z" } as never], now, () => false);
  assert.match(row?.description ?? "", /^⟦expires soon⟧ · ⟦never used⟧/);
  const names = row?.facts?.().map(([name]) => name) ?? [];
  assert.deepEqual(
    names.filter((name) => !name.startsWith("⟦")),
    ["ID:"],
    "an ID is one everywhere",
  );
  const said = (row?.children ?? []).map(({ label }) => label);
  assert.ok(said.length > 0);
  for (const label of said) assert.match(label, /^⟦.*⟧$/);
});

test("sentences keep their arguments, wherever the translation puts them", async () => {
  const { limitProblem } = await import("../../../client/ui/checks");
  translation["Enter a whole number from {0} to {1}."] = "⟦{1} … {0}⟧";
  assert.equal(limitProblem("x"), "⟦100 … 1⟧");
});

test("pages: the translations that their host provides", async () => {
  const { t } = await import("../../../webview/page/l10n");
  assert.equal(t("Batch {0} of {1}", 1, 2), "⟦Batch 1 of 2⟧");
  assert.equal(t("not in the list"), "not in the list");
});
