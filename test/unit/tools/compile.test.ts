/** Compile results of a revision: state by name, the version they belong to, and the locations of messages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { compileResult, compileState, messagePlaces } from "../../../flow/compile";

test("states by words, whatever their case and separators", () => {
  const words = {
    running: [
      "pending",
      "QUEUED",
      "running",
      "processing",
      "Compiling",
      "in_progress",
      "in-progress",
      "In Progress",
      "NOT_STARTED",
      "notStarted",
    ],
    succeeded: ["succeeded", "success", "completed", "complete", "compiled", "done", "Ready "],
    failed: ["failed", "failure", "error", "errored", "invalid", "cancelled", "canceled", "timeout", "TIME_OUT"],
    unknown: ["", "partially_done", "warming up", "成功", "not done", "未done", "failed 成功"],
  };
  for (const [state, list] of Object.entries(words))
    for (const word of list) assert.equal(compileState(word), state, word);
});

test("a result belongs to the version it was compiled from", () => {
  const failed = { compilation_status: "failed", compilation_errors: ["x", 5, ""], warnings: ["w"], graph_version: 7 };
  assert.deepEqual(compileResult(failed), {
    state: "failed",
    status: "failed",
    version: 7,
    errors: ["x"],
    warnings: ["w"],
    isOutdated: false,
  });
  const older = compileResult({ ...failed, compiled_graph: { graph_version: 6 } });
  assert.deepEqual([older.state, older.version, older.errors, older.isOutdated], ["unknown", 6, [], true]);
  assert.equal(compileResult({ ...failed, compiled_graph: { graph_version: 7 } }).state, "failed");
  const running = compileResult({ ...failed, compilation_status: "running", compiled_graph: { graph_version: 6 } });
  assert.deepEqual([running.state, running.version, running.errors], ["running", 7, []]);
  assert.equal(compileResult({}).state, "unknown");
});

test("an input hash that didn't change since the last version marks an older result", () => {
  const before = compileResult({ compilation_status: "succeeded", compilation_input_hash: "h", graph_version: 6 });
  const now = { compilation_status: "succeeded", compilation_input_hash: "h", graph_version: 7 };
  assert.equal(compileResult(now, before).state, "unknown");
  assert.equal(compileResult({ ...now, compilation_input_hash: "i" }, before).state, "succeeded");
  assert.equal(compileResult({ ...now, graph_version: 6 }, before).state, "succeeded");
  assert.equal(compileResult(now, before).isSameInput, true, "it may be the result of the newest version");
  assert.equal(compileResult({ ...now, compiled_graph: { graph_version: 6 } }, before).isSameInput, undefined);
});

test("long messages are cut", () => {
  const { errors } = compileResult({ compilation_status: "failed", compilation_errors: ["x".repeat(6000)] });
  assert.equal(errors[0]?.length, 5001);
});

test("a message is shown on the element it names", () => {
  const document = FlowDocument.read(`revision: 0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002
context_variables:
  plan: {type: string}
  greet: {type: string}
nodes:
  greet: {type: message, name: First hello, edges: [{to: look_up}]}
  look_up: {type: tool, name: Twice, edges: [{to: done}]}
  done: {type: end, name: Twice}
  ask: {type: message, name: Begrüßung}
  code: {type: message, name: 2FA-code}
  three: {type: message, name: "3"}
`);
  const at = (message: string) => document.slice(messagePlaces(document)(message));
  const places: readonly [message: string, place: string][] = [
    ['Node "look_up" has no tool.', "look_up"],
    ["Node `look_up` comes before 'done'.", "look_up"],
    ["“First hello” is empty", "greet"],
    ['The variable "greet" is never set.', "greet"],
    ["Edge greet--look_up can't be compiled", "look_up"],
    ["look_up failed: timeout", "look_up"],
    ["Unknown variable plan", "plan"],
    ["Don't use \"done\", it isn't ready", "done"],
    ['Don\'t use "done"', "done"],
    ["Der Knoten Begrüßung ist leer", "ask"],
    ["2FA-code: timeout", "code"],
    ["‘look_up’ comes before ‘done’", "look_up"],
    ["«done» after «look_up»", "done"],
  ];
  for (const [message, place] of places) assert.equal(at(message), place, message);
  assert.equal(document.positionAt(messagePlaces(document)('variable "greet"').start).line, 3);
  assert.equal(document.positionAt(messagePlaces(document)('node "greet"').start).line, 5);
  assert.equal(document.positionAt(messagePlaces(document)("Edge greet--look_up").start).line, 5);
  for (const message of ["Something failed", "look_up or done", '"Twice" is broken', "", "lookup", "It has 3 errors"])
    assert.equal(at(message), "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002", message);
  assert.deepEqual(messagePlaces(FlowDocument.read("nodes: {}"))("x"), { start: 0, end: 0 });
});
