/** *Debug This Call*: the run of a call is repeated from its entry, with the call's values. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Controller } from "../../../debug/controller";
import { Sources } from "../../../debug/sources";
import { variablesOf } from "../../../flow/run/machine";
import { inProject } from "../../../scripts/project";

const flow = readFileSync(inProject("examples/billing.flow.yaml"), "utf8");
const host = { breakpoints: () => [], troubles: () => new Set<never>(), log: () => undefined };

test("the run stops at the entry, and each step repeats an answer of the call", async () => {
  const files = {
    cwd: "/",
    textOf: async () => flow,
    watch: () => ({ dispose: () => undefined }),
    toolsFor: async () => undefined,
  };
  const path = ["greet", "ask_account", "look_up", "tell_plan", "goodbye"];
  const values = { account_id: "90210-77", plan: "plus", undeclared: "x", other: null };
  const launch = { program: "/billing.flow.yaml", path, values, stopOnEntry: true };
  const controller = new Controller(await new Sources(files, "/").load(launch), launch, host as never);
  assert.equal(controller.begin().reason, "entry");
  assert.equal(controller.run.state.at, "greet");
  const visited = ["greet"];
  while (!controller.run.state.ended) {
    assert.equal(controller.resume("over").asks, undefined);
    const { at } = controller.run.state;
    // A step may also stop at the edge that was chosen.
    if (at !== visited.at(-1)) visited.push(at);
  }
  assert.deepEqual(visited, path);
  assert.deepEqual(Object.fromEntries(variablesOf(controller.run.state)), { account_id: "90210-77", plan: "plus" });
});
