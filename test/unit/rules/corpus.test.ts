/** Correct flows have no findings. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { checkComponents, checkDocument, FlowDocument, type Problem } from "../../../flow";

const root = join(__dirname, "../../..");

/** Notes that aren't mistakes: a value left to the default, and a caller that may give up anywhere. */
function isNote({ code, severity }: Problem): boolean {
  return (code === "enum-value-unhandled" && severity === "hint") || (code === "may-be-unset" && severity === "info");
}

it("finds the mistakes in the flawed support line", () => {
  const document = FlowDocument.read(readFileSync(join(root, "test/support/flawed.flow.yaml"), "utf8"));
  assert.deepEqual(
    checkDocument(document)
      .filter(({ severity }) => severity !== "info")
      .map((problem) => problem.code)
      .sort(),
    [
      "duplicate-edge",
      "enum-value-unhandled",
      "may-be-unset",
      "missing-default",
      "tool-without-error-edge",
      "undefined-variable",
      "unreachable-node",
      "unused-variable",
    ],
  );
});

/** Five flows in each of six languages, with typical prose: percent signs, all kinds of quotes, brackets, passwords. */
const languages = ["ar", "de", "en", "es", "fr", "ja"];

it("has five flows in each of six languages", () => {
  const files = readdirSync(join(root, "test/corpus/languages"));
  for (const language of languages) assert.equal(files.filter((file) => file.startsWith(`${language}-`)).length, 5);
});

for (const folder of ["examples", "test/corpus/valid", "test/corpus/languages"])
  describe(folder, () => {
    const files = readdirSync(join(root, folder)).filter((name) => name.endsWith(".flow.yaml"));
    if (folder === "test/corpus/valid") it("has 50 flows", () => assert.ok(files.length >= 50, `${files.length}`));
    for (const file of files)
      it(`has nothing to complain about in ${file}`, () => {
        const document = FlowDocument.read(readFileSync(join(root, folder, file), "utf8"));
        assert.ok(document.nodes.length >= 3, "it is a flow");
        assert.deepEqual(
          [...checkDocument(document), ...checkComponents(document, () => undefined)]
            .filter((problem) => folder === "examples" || !isNote(problem))
            .map((problem) => `${problem.code}: ${problem.message}`),
          [],
        );
      });
  });
