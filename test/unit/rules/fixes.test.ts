/** Properties of every fix, tested on every problem of every marker file. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  applyEdits,
  checkDocument,
  type Fix,
  FlowDocument,
  fixAll,
  fixesFor,
  type Problem,
  type RuleSettings,
} from "../../../flow";
import { rules } from "../../../flow/rules";
import { CHOICES } from "../../../flow/rules/engine/fixes";
import { type MarkerCase, parseMarkers } from "../../markers/parse";
import { settingsOf } from "../../markers/rules";

const folder = join(__dirname, "../../markers/rules");
const files = readdirSync(folder).sort();
const cases = files.flatMap((file) =>
  parseMarkers(readFileSync(join(folder, file), "utf8")).cases.map((each) => ({ file, each })),
);

// Removing an edge renumbers those after it.
const key = (problem: Problem) => `${problem.code} ${problem.message.replace(/\d+/g, "")}`;
const countOf = (problems: readonly Problem[], problem: Problem) =>
  problems.filter((other) => key(other) === key(problem)).length;
const check = (text: string, settings: RuleSettings = {}) => checkDocument(FlowDocument.read(text), settings);
const broken = (text: string) =>
  FlowDocument.read(text).problems.filter((problem) => problem.code === "yaml-syntax").length;

interface Try {
  readonly each: MarkerCase;
  readonly file: string;
  readonly before: readonly Problem[];
  readonly problem: Problem;
  readonly fix: Fix;
}

const everyFix: readonly Try[] = cases.flatMap(({ file, each }) => {
  const document = FlowDocument.read(each.text);
  const before = checkDocument(document);
  return before.flatMap((problem) => fixesFor(problem, document).map((fix) => ({ each, file, before, problem, fix })));
});

function eachFix(visit: (tried: Try) => void) {
  for (const tried of everyFix) visit(tried);
}

describe("fixes", () => {
  it("are preferred only for rules that fix-all uses", () => {
    const preferring = new Set<string>();
    eachFix(({ problem, fix }) => {
      if (fix.preferred) preferring.add(problem.code);
    });
    const known = new Set(rules.map(({ code }) => code));
    assert.deepEqual(
      [...CHOICES].filter((code) => preferring.has(code) || !known.has(code)),
      [],
    );
  });

  it("solve their problem and leave the file valid", () => {
    let tried = 0;
    const failures: string[] = [];
    eachFix(({ each, file, before, problem, fix }) => {
      const after = applyEdits(each.text, fix.edits);
      const where = `${file}, "${each.name}": ${fix.title}\n${problem.code}: ${problem.message}\n${after}`;
      if (countOf(check(after), problem) >= countOf(before, problem)) failures.push(`the problem stays: ${where}`);
      if (broken(after) > broken(each.text)) failures.push(`the file is broken: ${where}`);
      tried++;
    });
    assert.deepEqual(failures, []);
    assert.ok(tried > 500, `${tried} fixes tried`);
  });

  it("are sorted, disjoint and inside the text", () => {
    eachFix(({ each, file, fix }) => {
      let last = 0;
      for (const edit of fix.edits) {
        assert.ok(
          edit.start >= last && edit.end >= edit.start && edit.end <= each.text.length,
          `${file}: ${fix.title}`,
        );
        last = edit.end;
      }
    });
  });

  it("change only the comment if they suppress", () => {
    eachFix(({ each, file, fix }) => {
      if (!fix.title.startsWith("Ignore")) return;
      const bare = (text: string) => text.replace(/^[ \t]*# flow-ignore .*\r?\n|, [a-z-]+$/gm, "");
      assert.equal(bare(applyEdits(each.text, fix.edits)), bare(each.text), file);
    });
  });

  it("applied all at once leave no fixable problems, and never a broken file", () => {
    for (const { file, each } of cases)
      for (const settings of [{}, settingsOf(each, file)]) {
        const once = applyEdits(each.text, fixAll(FlowDocument.read(each.text), settings));
        const where = `${file}, "${each.name}"\n${once}`;
        assert.deepEqual(fixAll(FlowDocument.read(once), settings), [], where);
        assert.ok(broken(once) <= broken(each.text), where);
        const document = FlowDocument.read(once);
        for (const problem of checkDocument(document, settings))
          assert.ok(!fixesFor(problem, document).some((fix) => fix.preferred), `${problem.code} is left in ${where}`);
      }
  });

  it("can be limited to some codes", () => {
    const text = "entry: grete\nnodes:\n  greet: {type: mesage}\n";
    const fixed = applyEdits(text, fixAll(FlowDocument.read(text), {}, ["near-miss-type"]));
    assert.equal(fixed, "entry: grete\nnodes:\n  greet: {type: message}\n");
  });
});
