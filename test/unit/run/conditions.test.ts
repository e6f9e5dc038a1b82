/** The parser of conditions, row by row. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anyValue, type Condition, evaluate, type Facts, narrowed, partsOf, readCondition } from "../../../flow/run";

const enums: Record<string, string[]> = {
  plan: ["basic", "plus", "max", "known", "very high"],
  mood: ["calm", "not sure", "black and white"],
};
const read = (text: string) => readCondition(text, (name) => enums[name]);
const truth = (text: string, values: Record<string, unknown> = {}) => evaluate(read(text), (name) => values[name]);

/** A condition, and its result for some values: T, F or ?. */
const rows: [when: string, values: Record<string, unknown>, expected: "T" | "F" | "?"][] = [
  ["{{v}} is known", { v: 1 }, "T"],
  ["{{v}} IS  Known", {}, "F"],
  ["{{ v }} is unknown", {}, "T"],
  ["{{v}} is set", { v: "" }, "T"],
  ["{{v}} is set", { v: null }, "F"],
  ["{{v}} is not set", {}, "T"],
  ["{{v}} is not known", {}, "T"],
  ["{{v}} is not unknown", {}, "F"],
  ["{{v}} is missing", { v: 0 }, "F"],
  ["{{v}} is not missing", { v: false }, "T"],
  ["{{v}} is not not known", {}, "?"],
  ["{{v}} is known.", { v: 1 }, "T"],
  ["{{v}} is known .", { v: 1 }, "T"],
  ["{{v}} is known!", { v: 1 }, "?"],
  ["{{v}} is known for sure", { v: 1 }, "?"],

  ["{{plan}} is basic", { plan: "basic" }, "T"],
  ["{{plan}} is basic", { plan: "plus" }, "F"],
  ["{{plan}} is basic", {}, "F"],
  ["{{plan}} is not basic", {}, "T"],
  ["{{plan}} is not basic", { plan: "basic" }, "F"],
  ["{{plan}} is Basic", { plan: "basic" }, "?"],
  ['{{plan}} is "Basic"', { plan: "basic" }, "F"],
  ["{{plan}} is gold", { plan: "gold" }, "?"],
  ["{{plan}} is very high", { plan: "very high" }, "T"],
  ["{{plan}} is known", { plan: "basic" }, "T"],
  ['{{plan}} is "known"', { plan: "known" }, "T"],
  ['{{plan}} is "known"', { plan: "basic" }, "F"],
  ["{{mood}} is not sure", { mood: "not sure" }, "T"],
  ["{{mood}} is black and white", { mood: "black and white" }, "T"],
  ["{{v}} is furious", { v: "furious" }, "?"],
  ["{{v}} is 'furious'", { v: "furious" }, "T"],
  ["{{v}} is 'it's'", { v: "it's" }, "T"],
  ["{{v}} is 'a", { v: "a" }, "?"],
  ["{{v}} equals 5", { v: 5 }, "T"],
  ["{{v}}==5.0", { v: 5 }, "T"],
  ["{{v}} = 5", { v: "5" }, "T"],
  ["{{v}} = 5", { v: "5.0" }, "F"],
  ['{{v}} == "5.0"', { v: 5 }, "F"],
  ['{{v}} == "5"', { v: 5 }, "T"],
  ["{{v}} != 5", {}, "T"],
  ["{{v}} != -5", { v: -5 }, "F"],
  ["{{v}} is 5%", { v: 5 }, "?"],
  ["{{v}} is true", { v: true }, "T"],
  ["{{v}} is true", { v: "true" }, "T"],
  ["{{v}} is not false", { v: false }, "F"],
  ["{{v}} is True", { v: true }, "?"],
  ["{{v}} is {{w}}", { v: 1, w: 1 }, "?"],
  ["{{v}} === 5", { v: 5 }, "?"],
  ["{{v}} isn't 5", { v: 5 }, "?"],

  ["{{v}} < 5", { v: 4 }, "T"],
  ["{{v}} <= 5", { v: 5 }, "T"],
  ["{{v}} > 5", { v: 5 }, "F"],
  ["{{v}}>=5", { v: 5 }, "T"],
  ["{{v}} < 5", {}, "F"],
  ["{{v}} >= 5", {}, "F"],
  ["{{v}} < 5", { v: "4" }, "F"],
  ["{{v}} < five", { v: 4 }, "?"],
  ["{{v}} <> 5", { v: 4 }, "?"],

  ["{{plan}} is one of basic, plus or max", { plan: "max" }, "T"],
  ["{{plan}} is one of basic, plus, or max", { plan: "max" }, "T"],
  ["{{plan}} is one of basic, plus", { plan: "max" }, "F"],
  ["{{plan}} is not one of basic or plus", { plan: "max" }, "T"],
  ["{{plan}} is not one of basic or plus", {}, "T"],
  ["{{plan}} is one of basic", { plan: "basic" }, "T"],
  ["{{plan}} is one of basic, gold or plus", { plan: "basic" }, "?"],
  ["{{plan}} is one of basic, plus or gold", { plan: "plus" }, "T"],
  ["{{plan}} is one of basic, plus or gold", { plan: "max" }, "?"],
  ["{{plan}} is one of basic, plus or {{v}} is 1", { plan: "max", v: 1 }, "T"],
  ["{{plan}} is one of basic, plus and {{v}} is 1", { plan: "plus", v: 2 }, "F"],
  ["{{v}} is one of 1, 'a' or true", { v: true }, "T"],
  ["{{v}} is one of many", { v: 1 }, "?"],
  ["{{plan}} is basic or plus", { plan: "basic" }, "T"],
  ["{{plan}} is basic or plus", { plan: "plus" }, "?"],

  ["{{v}} is 1 and the caller is angry", { v: 2 }, "F"],
  ["{{v}} is 1 and the caller is angry", { v: 1 }, "?"],
  ["the caller is angry or {{v}} is 1", { v: 1 }, "T"],
  ["the caller is angry or {{v}} is 1", { v: 2 }, "?"],
  ["{{v}} is 1 or {{v}} is 2 and {{w}} is 3", { v: 1 }, "T"],
  ["({{v}} is 1 or {{v}} is 2) and {{w}} is 3", { v: 1 }, "F"],
  ["not {{v}} is 1 and {{w}} is 1", { v: 2, w: 2 }, "F"],
  ["not ({{v}} is 1 or {{w}} is 1)", { v: 2, w: 2 }, "T"],
  ["not not {{v}} is 1", { v: 1 }, "T"],
  ["NOT {{v}} is 1 AND({{w}} is 1)", { v: 2, w: 1 }, "T"],
  ["not the caller is angry", {}, "?"],
  ["(({{v}} is 1))", { v: 1 }, "T"],
  ["({{v}} is 1", { v: 2 }, "?"],
  ["({{v}} is 1) somehow", { v: 2 }, "?"],
  ["the caller (or {{v}} is 1) asks", { v: 1 }, "?"],
  ['the caller says "yes or no" and {{v}} is 1', { v: 2 }, "F"],
  ["the caller doesn't or can't pay and {{v}} is 1", { v: 2 }, "?"],
  ["if {{v}} is 1", { v: 1 }, "?"],
  ["", {}, "?"],
  [" . ", {}, "?"],
  ["and", {}, "?"],
  ["{{v}} is 1 and", { v: 2 }, "F"],
  ["{{undeclared}} is unknown", {}, "T"],
  ["the caller asks about a bill", {}, "?"],
];

for (const [when, values, expected] of rows)
  test(`${when} | ${JSON.stringify(values)} | ${expected}`, () => {
    assert.equal(truth(when, values), { T: true, F: false, "?": undefined }[expected]);
  });

test("every part has its position, and free text has a reason", () => {
  const text = "not {{plan}} is gold or ({{v}} is 1 and the caller asks)";
  const parts = partsOf(read(text));
  assert.deepEqual(
    parts.map((part) => [part.kind, text.slice(part.span.start, part.span.end)]),
    [
      ["prose", "{{plan}} is gold"],
      ["clause", "{{v}} is 1"],
      ["prose", "the caller asks"],
    ],
  );
  const reason = (when: string) => partsOf(read(when)).flatMap((part) => (part.kind === "prose" ? part.reason : []))[0];
  assert.equal(reason("{{plan}} is gold"), '"gold" isn\'t a value of "plan".');
  assert.equal(reason("{{v}} is gold"), '"gold" is neither quoted nor a number, and "v" has no enum_values.');
  assert.equal(reason("{{plan}} is basic for now"), 'More words follow "basic".');
  assert.equal(reason("{{v}} is {{w}}"), "It compares two variables.");
  assert.equal(reason("{{v}} matters"), 'What it says of "v" isn\'t a comparison.');
  assert.equal(reason("the caller asks"), "It's prose.");
});

/** True or false for all possible values, undefined if it depends on them. */
function certainly(condition: Condition, facts: Facts): boolean | undefined {
  if (!narrowed(condition, facts, false)) return true;
  return narrowed(condition, facts, true) ? undefined : false;
}

test("over possible values: certain if all agree, narrowed by the outcome", () => {
  const facts: Facts = new Map([["plan", [undefined, "basic", "plus", "max"]]]);
  assert.equal(certainly(read("{{plan}} is gold"), facts), undefined);
  assert.equal(certainly(read('{{plan}} is "gold"'), facts), false);
  assert.equal(certainly(read("{{plan}} is one of basic, plus, max or {{plan}} is unknown"), facts), true);
  assert.equal(certainly(read("{{plan}} is basic and {{plan}} is plus"), facts), false);
  assert.equal(certainly(read("{{other}} is known or {{other}} is unknown"), facts), true);
  assert.equal(certainly(read("{{other}} is 5"), new Map([["other", [undefined]]])), false);
  assert.equal(certainly(read("{{other}} is 5"), new Map([["other", [anyValue]]])), undefined);
  const left = narrowed(read("{{plan}} is one of basic, plus"), facts, true) as Facts;
  assert.deepEqual(left.get("plan"), ["basic", "plus"]);
  assert.deepEqual(narrowed(read("{{plan}} is basic"), left, false)?.get("plan"), ["plus"]);
  assert.equal(narrowed(read("{{plan}} is max"), left, true), undefined);
  const prose = narrowed(read("{{plan}} is basic and the caller asks"), left, false);
  assert.deepEqual(prose?.get("plan"), ["basic", "plus"]);
});

test("too many combinations: clause by clause", () => {
  const names = Array.from({ length: 14 }, (_, index) => `v${index}`);
  const all = readCondition(names.map((name) => `{{${name}}} is known`).join(" and "));
  assert.equal(certainly(all, new Map()), undefined);
  assert.equal(certainly(all, new Map([["v3", [undefined]]])), false);
  assert.equal(narrowed(all, new Map([["v3", [undefined]]]), true), undefined);
});

test("hostile text is parsed in time", () => {
  for (const text of ["(", "not ", '"', "'a ", "{{v}} is ", "{{v}} is one of 1, ", "(a and ", " ", ". ", "a or "]) {
    const begin = process.cpuUsage();
    readCondition(text.repeat(20_000));
    assert.ok(process.cpuUsage(begin).user < 2_000_000, text);
  }
});
