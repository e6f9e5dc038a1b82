/** From a broken policy to a run along its path. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  FlowDocument,
  FlowPolicies,
  pathOf,
  programOf,
  reachableFrom,
  readPolicyFile,
  runAlong,
  wayAlong,
  wayInto,
} from "../../../flow";
import { inProject } from "../../../scripts/project";
import { actionsAt } from "../../../server/features/code-actions";

const POLICIES = `policies:
  - {id: plan-first, every_path_to: {node: hand_over}, passes: {node: tell_plan}}
`;

test("the quick fixes of a broken policy play and debug its path, which a run can go", () => {
  const document = FlowDocument.read(readFileSync(inProject("examples/billing.flow.yaml"), "utf8"));
  const { policies } = readPolicyFile(POLICIES);
  const checked = new FlowPolicies(document);
  assert.ok(checked.update(policies, () => false));
  const problems = checked.problems(policies);
  const context = {
    document,
    problems,
    findings: [],
    suggestion: () => undefined,
    advises: false,
    lists: false,
    settings: {},
    wanted: () => true,
    named: () => false,
  };
  const span = problems[0]?.span ?? { start: 0, end: 0 };
  const runs = actionsAt({ ...context, plays: true }, span).flatMap(({ run, title }) =>
    run ? [{ ...run, title }] : [],
  );
  assert.deepEqual(
    runs.map(({ title, command, path }) => [title, command, path.at(-1)]),
    [
      ["Play This Path", "assistantFlow.playPath", "hand_over"],
      ["Debug This Path", "assistantFlow.debugPath", "hand_over"],
    ],
  );
  assert.ok(actionsAt({ ...context, plays: false }, span).every(({ run }) => run === undefined));
  const program = programOf(document);
  const path = runs[0]?.path ?? [];
  const way = wayAlong(program, path);
  assert.ok(way);
  const run = runAlong({ program, flowOf: () => undefined }, way);
  assert.ok(run);
  while (run.forward().kind === "moved");
  assert.deepEqual(pathOf(run.state), path);
});

test("every node of the examples that can be reached has a shortest way in, and a run that goes it arrives there", () => {
  for (const name of ["billing", "support-line"]) {
    const program = programOf(FlowDocument.read(readFileSync(inProject(`examples/${name}.flow.yaml`), "utf8")));
    for (const id of reachableFrom(program).nodes) {
      const way = wayInto(program, id);
      assert.ok(way, `${name}: ${id}`);
      const run = runAlong({ program, flowOf: () => undefined }, way);
      assert.ok(run);
      while (!pathOf(run.state).includes(id) && run.forward().kind === "moved");
      assert.equal(pathOf(run.state).at(-1), id, `${name}: ${id}`);
    }
  }
});
