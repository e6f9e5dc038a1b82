/** Rules about conditions report nothing that only a model can decide. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDocument, FlowDocument } from "../../../flow";

const subjects = ["the caller", "{{plan}}", "somebody who has {{plan}}", "the order", "{{mood}}", "if {{plan}}"];
const verbs = [
  "is furious",
  "wants to cancel",
  "sounds like basic",
  "isn't sure",
  "is more or less plus",
  "asks twice",
];
const tails = [
  "",
  " and is not happy",
  " or says so",
  ", unless {{mood}} is odd",
  " at {{hour}} o'clock",
  " (see above)",
];
const heads = ["", "maybe ", "clearly, ", "when ", "not sure whether "];

test("1,000 free-text conditions: no findings of the two rules", () => {
  const prose = heads.flatMap((head) =>
    subjects.flatMap((subject) => verbs.flatMap((verb) => tails.map((tail) => `${head}${subject} ${verb}${tail}`))),
  );
  assert.ok(prose.length >= 1000, `${prose.length}`);
  const nodes = prose.map((when, index) => {
    const others = [prose[(index + 7) % prose.length], when.toUpperCase()] as string[];
    const edges = [when, ...others].map((each) => `      - {to: bye, when: ${JSON.stringify(each)}}`);
    return `  n${index}:\n    type: decision\n    edges:\n${edges.join("\n")}\n      - {to: bye}`;
  });
  const text = `entry: n0
context_variables:
  plan: {type: enum, enum_values: [basic, plus, pro]}
  mood: {type: enum, enum_values: [good, bad]}
  hour: {type: number}
nodes:
${nodes.join("\n")}
  bye: {type: end}
`;
  const found = checkDocument(FlowDocument.read(text)).filter(({ code }) =>
    ["enum-value-unhandled", "condition-never-true"].includes(code),
  );
  assert.deepEqual(found.slice(0, 3), []);
});
