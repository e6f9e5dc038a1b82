/** Test files cache the problems of their tests. A place in the flow is the current one, whatever changed above it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KeptProblems } from "../../../files/suite";
import { FlowDocument } from "../../../flow";
import { programOf } from "../../../flow/run";
import { readTestFile, testsWithCases } from "../../../flow/test";

const flow = `entry: greet
nodes:
  greet:
    type: message
    edges:
      - {to: bye}
  bye: {type: end}
`;
const tests = `flow: a.flow.yaml
tests:
  - name: goes elsewhere
    expect:
      path: [greet]
      ends: greet
`;

test("a failure's place in the flow follows a comment that is added or edited above", () => {
  const document = FlowDocument.read(flow);
  const kept = new KeptProblems();
  const places = () => {
    const program = programOf(document);
    kept.begin([program]);
    const [cases = []] = testsWithCases(readTestFile(tests).tests);
    const found = kept.of(tests, cases, program, () => undefined);
    kept.end();
    return found
      .flatMap(({ related }) => related)
      .map(({ span }) => document.slice(span as { start: number; end: number }));
  };
  const before = places();
  assert.equal(before[0], "bye");
  for (const [at, text] of [
    [0, "# A comment.\n"],
    ["# A comment".length, " that is longer"],
  ] as const) {
    document.edit([{ start: at, end: at, text }]);
    assert.deepEqual(places(), before, `after "${text}"`);
  }
});
