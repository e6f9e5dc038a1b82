/** Tests from calls: which runs match, what a draft leaves open, and that no personal data is written. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { programOf } from "../../../flow/run";
import {
  type RecordedCall,
  readTestFile,
  runSuiteFile,
  testFileWith,
  testOfCall,
  whyNoneAgrees,
} from "../../../flow/test";

const billing = programOf(FlowDocument.read(readFileSync("examples/billing.flow.yaml", "utf8")));
const support = programOf(FlowDocument.read(readFileSync("test/support/flawed.flow.yaml", "utf8")));

const call = (variables: Record<string, unknown>, more: Partial<RecordedCall> = {}): RecordedCall => ({
  variables: new Map(Object.entries(variables)),
  ended: "end",
  entered: [],
  said: [],
  names: [],
  ...more,
});

function made(program: typeof billing, from: RecordedCall) {
  const found = testOfCall(program, from, (plain) => plain);
  assert.ok(found, "a run agrees");
  const text = testFileWith("a.flow.yaml", [found.lines.join("\n")]);
  const file = readTestFile(text);
  const { problem, results } = runSuiteFile({ path: "", file, flowPath: "", flow: program }, () => undefined);
  assert.equal(problem, undefined, text);
  return { ...found, text, result: results[0] };
}

test("a single matching run becomes a finished test that passes", () => {
  const said = ["I have a question about a bill.", "It's 4711.", "Thank you."];
  const { text, isDraft, result } = made(billing, call({ account_id: "4711", plan: "plus" }, { said }));
  assert.equal(isDraft, false);
  assert.equal(result?.status, "passed", text);
  assert.equal(
    text,
    `flow: a.flow.yaml
tests:
  - name: a call that ends at goodbye
    tools:
      look_up: {return: {plan: plus}}
    steps:
      - take: the caller asks about a bill
        says: I have a … about a bill.
      - give: {account_id: "7849"}
        says: It's …. Thank you.
    expect:
      path: [greet, ask_account, look_up, tell_plan, goodbye]
      variables: {account_id: "7849", plan: plus}
      ends: {node: goodbye, transfer: false}
`,
  );
});

test("how the call ended decides: a transfer, an end", () => {
  assert.deepEqual(made(billing, call({})).result?.path, ["greet", "goodbye"]);
  const transferred = made(billing, call({}, { ended: "transfer" }));
  assert.deepEqual([transferred.isDraft, transferred.result?.path], [false, ["greet", "ask_account", "hand_over"]]);
  const failing = made(billing, call({ account_id: "4711" }, { ended: "transfer" }));
  assert.deepEqual(failing.result?.path, ["greet", "ask_account", "look_up", "hand_over"]);
});

test("if no run matches, the mismatch is named", () => {
  const why = (variables: Record<string, unknown>, more: Partial<RecordedCall> = {}) => {
    const from = call(variables, more);
    assert.equal(
      testOfCall(billing, from, (plain) => plain),
      undefined,
    );
    return whyNoneAgrees(billing, from);
  };
  assert.equal(
    why({ account_id: "4711", plan: "plus" }, { ended: "transfer" }),
    "The call was transferred, but no run with its values is.",
  );
  assert.equal(
    why({ account_id: "4711" }, { entered: ["hand_over"] }),
    "The call ended without a transfer, but every run with its values is transferred.",
  );
  assert.equal(
    why({ account_id: "4711", plan: "plus" }, { entered: ["goodbye", "tell_plan"] }),
    'No run with the call\'s values enters the nodes whose text the assistant spoke: "goodbye", "tell_plan".',
  );
  assert.equal(why({ plan: "plus" }), `No other matching run ends with the call's value of "plan".`);
  assert.equal(
    why({ plan: "plus" }, { entered: ["goodbye", "tell_plan"] }),
    `More than one of these doesn't fit: the value of "plan", the nodes whose text the assistant spoke ("goodbye", "tell_plan"), how it ended.`,
  );
  const endless = programOf(FlowDocument.read("entry: a\nnodes:\n  a: {type: message, edges: [{to: a}]}\n"));
  assert.equal(whyNoneAgrees(endless, call({})), "No run of the flow ends.");
});

test("several runs become a draft: certain parts are written, and open choices are marked", () => {
  const said = ["Hello.", "I am Jo.", "No, I don't have the number."];
  const { text, isDraft, result } = made(support, call({ caller_name: "Jo" }, { ended: "transfer", said }));
  assert.equal(isDraft, true);
  assert.match(text, /- give: \{caller_name: Ab\}/);
  assert.match(text, /# Undecided: .* or /);
  assert.match(text, / {6}variables: \{caller_name: Ab\}\n {6}ends: hand_over\n/);
  assert.equal(result?.status, "failed");
  assert.match(result.failures[0]?.message ?? "", /`take` must be|A tool's answer/);
});

test("the assistant's own words decide between runs", () => {
  const only = made(support, call({}, { ended: "transfer", entered: ["find_by_phone"] }));
  assert.ok(only.text.includes("take: the caller does not have the number at hand"), only.text);
});

test("if no run matches, nothing is invented", () => {
  assert.equal(testOfCall(billing, call({ plan: "plus" }, { ended: "transfer" }), String), undefined);
});

test("values that the flow compares with are kept; other text gets placeholders", () => {
  const flow = programOf(
    FlowDocument.read(`entry: a
context_variables:
  amount: {type: number}
  home: {type: string}
  code: {type: string}
  seen: {type: boolean}
nodes:
  a: {type: collect, variable: amount, edges: [{to: b}]}
  b: {type: collect, variable: home, edges: [{to: c}]}
  c: {type: collect, variable: code, edges: [{to: d}]}
  d: {type: collect, variable: seen, edges: [{to: e, when: "{{amount}} > 20000 and {{code}} is 'X7001'"}, {to: f}]}
  e: {type: end}
  f: {type: end}
`),
  );
  const values = { amount: 31_250, home: "12 Elm Street", code: "X7001", seen: true };
  const { text, result } = made(flow, call(values, { said: ["I live at 12 elm street."] }));
  assert.equal(result?.status, "passed", text);
  assert.ok(result.path.includes("e"));
  assert.match(text, /variables: \{amount: (?!31250)[2-9]\d{4}, home: \d\d \w{3} \w{6}, code: X7001, seen: true\}/);
  assert.ok(!/elm/i.test(text), text);
});

test("a flow with many paths is searched in time", () => {
  const lines = ["entry: n0", "nodes:"];
  for (let n = 0; n < 200; n++)
    lines.push(
      `  n${n}: {type: message, edges: [{to: n${n + 1}, when: one}, {to: n${n + 1}, when: two}, {to: n${n + 1}}]}`,
    );
  lines.push("  n200: {type: end}", "");
  const flow = programOf(FlowDocument.read(lines.join("\n")));
  const begin = process.cpuUsage();
  testOfCall(flow, call({}), String);
  assert.ok(process.cpuUsage(begin).user < 20_000_000);
});
