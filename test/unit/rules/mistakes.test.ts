/** Typical mistakes: each is reported on its line, with few findings. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  applyEdits,
  checkComponents,
  checkDocument,
  componentFacts,
  componentsIn,
  FlowDocument,
  fixesFor,
  type Problem,
} from "../../../flow";
import { type Mistake, mistakes } from "../../mistakes/list";

const folder = join(__dirname, "../../mistakes");
const base = readFileSync(join(folder, "base.flow.yaml"), "utf8");
const beside = FlowDocument.read(readFileSync(join(folder, "beside.flow.yaml"), "utf8"));

/** The findings of a flow with the component next to it. */
function check(document: FlowDocument): Problem[] {
  const component = componentsIn(() => [componentFacts("file:///beside.flow.yaml", beside)]);
  // Variables that may be unset because a caller gives up are reported in correct flows, too.
  const isUnset = ({ code, severity }: Problem) => code === "may-be-unset" && severity === "info";
  return [...checkDocument(document), ...checkComponents(document, component)].filter((each) => !isUnset(each));
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
  it("are planted in clean flows", () => {
    assert.deepEqual(check(FlowDocument.read(base)), []);
    assert.deepEqual(check(beside), []);
  });

  it("are reported on their lines", () => {
    const missed: string[] = [];
    for (const mistake of mistakes) {
      const { line, problems } = tell(mistake);
      if (problems.some((each) => each.line === line)) continue;
      const said = problems.map((each) => `${each.line + 1}: ${each.problem.code}`).join(", ");
      missed.push(`${mistake[0]} (line ${line + 1}; said: ${said || "nothing"})`);
    }
    if (process.env.SHOW) console.log(`${missed.length} of ${mistakes.length} missed`);
    assert.ok(mistakes.length >= 128);
    assert.deepEqual(missed, []);
  });

  it("are reported once: at most two findings, and one for broken YAML", () => {
    const loud = mistakes.flatMap((mistake) => {
      const { problems } = tell(mistake);
      const limit = problems.some(({ problem }) => problem.code === "yaml-syntax") ? 1 : 3;
      return problems.length > limit
        ? [`${mistake[0]}: ${problems.map(({ line, problem }) => `${line + 1} ${problem.code}`).join(", ")}`]
        : [];
    });
    assert.deepEqual(loud, []);
  });

  it("are solved by the first fix if the YAML is broken", () => {
    const unmended = mistakes.flatMap((mistake) => {
      const { text, problems } = tell(mistake);
      const broken = problems.find(({ problem }) => problem.code === "yaml-syntax")?.problem;
      if (!broken || withoutFix.has(mistake[0])) return [];
      const [fix] = fixesFor(broken, FlowDocument.read(text));
      const after = fix && FlowDocument.read(applyEdits(text, fix.edits));
      return after && after.problems.length === 0 ? [] : [mistake[0]];
    });
    assert.deepEqual(unmended, []);
  });
});

/** Only the author knows which key or document was meant. */
const withoutFix = new Set([
  "a key that was deleted",
  "a key that is a list",
  "a second document",
  "a text that starts with a star",
]);
