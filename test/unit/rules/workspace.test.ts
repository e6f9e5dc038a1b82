import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { batchProblem, checkWorkspace, FlowDocument, summarize } from "../../../flow";

const file = (name: string, revision: string) =>
  summarize(`file:///w/${name}`, FlowDocument.read(`revision: ${revision}\nnodes: {}\n`));
const one = "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002";

describe("rules across files", () => {
  it("report each file that names a revision of another one, with the positions of the others", () => {
    const files = [
      file("a.flow.yaml", one),
      file("b.flow.yaml", "3d6b1f0e-2a94-4f8e-b1d7-52c6a8e40007"),
      file("c%20d.flow.yaml", one.toUpperCase()),
    ];
    const problems = checkWorkspace(files);
    assert.deepEqual([...problems.keys()], ["file:///w/a.flow.yaml", "file:///w/c%20d.flow.yaml"]);
    const problem = problems.get("file:///w/a.flow.yaml")?.[0];
    assert.equal(problem?.code, "revision-claimed-twice");
    assert.match(problem?.message ?? "", /"c d\.flow\.yaml" has the same revision/);
    assert.deepEqual(problem?.span, { start: 10, end: 46 });
    assert.equal(problem?.related?.[0]?.uri, "file:///w/c%20d.flow.yaml");
  });

  it("name files of one name with their folders", () => {
    const problems = checkWorkspace([file("a/x.flow.yaml", one), file("b/x.flow.yaml", one)]);
    const [problem] = problems.get("file:///w/a/x.flow.yaml") ?? [];
    assert.match(problem?.message ?? "", /^"b\/x\.flow\.yaml" has the same revision/);
    assert.equal(problem?.related?.[0]?.message, '"b/x.flow.yaml" has the revision here.');
  });

  it("report nothing if no revision is claimed twice, or the rule is off", () => {
    assert.equal(
      checkWorkspace([file("a.flow.yaml", one), summarize("file:///w/b", FlowDocument.read("nodes: {}\n"))]).size,
      0,
    );
    assert.equal(checkWorkspace([file("a", one), file("b", one)], { "revision-claimed-twice": "off" }).size, 0);
  });

  it("report how many batches a plan needs", () => {
    const document = FlowDocument.read("entry: a\nnodes: {a: {type: end}}\n");
    assert.equal(batchProblem(document, 200), undefined);
    assert.match(batchProblem(document, 401)?.message ?? "", /401 operations.*200 at once.*3 batches/);
    assert.equal(batchProblem(document, 401)?.severity, "info");
    assert.equal(batchProblem(document, 401, { "batch-needs-chaining": "off" }), undefined);
  });
});
