/** Mistakes as people make them: each is told, on its line, and by few findings. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { checkDocument, checkWorkspace, FlowDocument, type Problem, summarise } from "../../../flow";
import { type Mistake, mistakes } from "../../mistakes/list";

const folder = join(__dirname, "../../mistakes");
const base = readFileSync(join(folder, "base.flow.yaml"), "utf8");
const beside = FlowDocument.read(readFileSync(join(folder, "beside.flow.yaml"), "utf8"));

/** What is said of a flow that has the component beside it. */
function check(document: FlowDocument): Problem[] {
  const files = [summarise("file:///base.flow.yaml", document), summarise("file:///beside.flow.yaml", beside)];
  return [...(checkWorkspace(files).get("file:///base.flow.yaml") ?? []), ...checkDocument(document)];
}

interface Told {
  readonly text: string;
  readonly line: number;
  readonly problems: readonly { readonly line: number; readonly problem: Problem }[];
}

function tell([what, from, to, at]: Mistake): Told {
  const start = base.indexOf(from);
  assert.ok(start >= 0 && base.indexOf(from, start + 1) < 0, `${what}: the text stands in the flow once`);
  const text = base.slice(0, start) + to + base.slice(start + from.length);
  assert.notEqual(text, base, what);
  const document = FlowDocument.read(text);
  const shared = [...to].findIndex((char, index) => char !== from[index]);
  const place = at === undefined ? start + Math.max(0, shared) : text.indexOf(at);
  assert.ok(place >= 0, `${what}: the line to look at`);
  const problems = check(document).map((problem) => ({ line: document.positionAt(problem.span.start).line, problem }));
  return { text, line: document.positionAt(place).line, problems };
}

describe("mistakes", () => {
  it("are put into flows that have none", () => {
    assert.deepEqual(check(FlowDocument.read(base)), []);
    assert.deepEqual(checkDocument(beside), []);
  });

  it("are told on their lines", () => {
    const missed: string[] = [];
    for (const mistake of mistakes) {
      const { line, problems } = tell(mistake);
      if (problems.some((each) => each.line === line)) continue;
      const said = problems.map((each) => `${each.line + 1}: ${each.problem.code}`).join(", ");
      missed.push(`${mistake[0]} (line ${line + 1}; said: ${said || "nothing"})`);
    }
    if (process.env.SHOW) console.log(missed.join("\n"), `\n${missed.length} of ${mistakes.length} missed`);
    assert.ok(mistakes.length >= 128);
    assert.ok(missed.length <= 80, missed.join("\n"));
  });
});
