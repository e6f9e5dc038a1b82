/** Trying the fixes of a file one by one runs the rules each time, so only fixes that would be applied are tried. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument, fixAll } from "../../flow";
import { undefinedVariable } from "../../flow/rules/undefined-variable";

/** How many times the rules run during fix-all. */
function runsFor(text: string): number {
  const document = FlowDocument.read(text);
  const { checkGraph } = undefinedVariable;
  const rule = undefinedVariable as { checkGraph?: typeof checkGraph };
  let runs = 0;
  rule.checkGraph = (...args) => {
    runs++;
    checkGraph?.(...args);
  };
  try {
    fixAll(document);
  } finally {
    if (checkGraph) rule.checkGraph = checkGraph;
  }
  return runs;
}

const list = (count: number, entry: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => entry(at)).join("");
const END = "  bye: {type: end}\n";

const shapes: Record<string, (count: number) => string> = {
  "variables that a text reads and nothing declares": (count) =>
    `entry: greet\ncontext_variables:\n  w: {type: string}\nnodes:\n  greet:\n    type: message\n    instructions: |\n${list(count, (at) => `      {{v${at}}}\n`)}    edges: [{to: bye}]\n${END}`,
  "the same in texts of their own": (count) =>
    `entry: n0\ncontext_variables:\n  w: {type: string}\nnodes:\n${list(count, (at) => `  n${at}: {type: message, instructions: "{{v${at}}}", edges: [{to: ${at < count - 1 ? `n${at + 1}` : "bye"}}]}\n`)}${END}`,
  "the same in conditions": (count) =>
    `entry: greet\ncontext_variables:\n  w: {type: string}\nnodes:\n  greet:\n    type: decision\n    edges:\n${list(count, (at) => `      - {to: bye, when: "{{v${at}}} is x"}\n`)}      - {to: bye}\n${END}`,
};

for (const [name, shape] of Object.entries(shapes))
  test(`fixing ${name} runs the rules a limited number of times`, () => {
    const [few, many] = [runsFor(shape(10)), runsFor(shape(80))];
    assert.ok(few > 0, "the rules run");
    assert.ok(many <= few + 40, `${few} times for 10, ${many} times for 80`);
  });
