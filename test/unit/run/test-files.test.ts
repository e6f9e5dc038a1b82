/** Test files by example: their content, their failures, and the failure messages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { programOf } from "../../../flow/run";
import { type FailureKind, readTestFile, reportOf, runSuiteFile } from "../../../flow/test";

const FLOW = `# The flow under test.
entry: greet
context_variables:
  account_id: {type: string}
  plan: {type: string, enum_values: [basic, plus, max]}
nodes:
  greet:
    type: message
    edges:
      - {to: ask, when: the caller asks about a bill}
      - {to: bye, when: the caller is done, label: done}
      - {to: route, label: other}
  ask:
    type: collect
    variable: account_id
    edges:
      - {to: look_up, when: "{{account_id}} is known"}
      - {to: hand_over}
  look_up:
    type: tool
    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003
    inputs: {account: "{{account_id}}"}
    saves: {plan: "$.plan"}
    edges:
      - {to: tell}
      - {to: hand_over, on: error}
  tell:
    type: message
    instructions: You are on {{plan}}.
    edges: [{to: bye}]
  route:
    type: decision
    edges:
      - {to: bye, when: "{{plan}} is basic"}
      - {to: hand_over, when: "{{plan}} is plus and the caller is angry"}
      - {to: loop, when: "{{plan}} is max"}
  loop: {type: message, edges: [{to: loop}]}
  hand_over: {type: transfer}
  bye: {type: end}
`;

const program = programOf(FlowDocument.read(FLOW));

function report(tests: string, flow: typeof program | undefined = program) {
  const file = readTestFile(`flow: x.flow.yaml\ntests:\n${tests}`);
  const run = runSuiteFile({ path: "x.flowtest.yaml", file, flowPath: "x.flow.yaml", flow }, () => undefined);
  return reportOf([run], () => undefined, true);
}

/** Runs one test with these steps, and returns the kinds and locations of its failures. */
function failures(lines: string): string[] {
  const text = `  - name: t\n${lines.replace(/^/gm, "    ")}`;
  return report(text).tests.flatMap((each) =>
    each.failures.map(({ kind, message, line, at }) => `${kind} ${line} ${at ? at.line : "-"} ${message}`),
  );
}

const BILL = "steps:\n  - take: the caller asks about a bill\n";

const rows: [name: string, lines: string, expected: RegExp[]][] = [
  [
    "a choice without a step",
    "",
    [
      /^step-missing 3 7 The run asks at "greet" for a choice\. Add a step with `take`: "the caller asks about a bill" or "the caller is done" or "other"\.$/,
    ],
  ],
  ["a collect without a step", BILL, [/^step-missing 5 13 The run asks at "ask" for a value for "account_id"/]],
  [
    "a take at a collect",
    `${BILL}  - take: x`,
    [/^wrong-step 6 13 .*asks at "ask" for "account_id", but the step takes "x"/],
  ],
  [
    "a give at a choice",
    "steps: [{give: {plan: basic}}]",
    [/^wrong-step 4 7 .*asks at "greet" for a choice, but the step gives "plan"/],
  ],
  ["a give of another variable", `${BILL}  - give: {plan: x}`, [/^wrong-step 6 13 .*but the step gives "plan"/]],
  [
    "a wrong at",
    "steps: [{take: other, at: ask}]",
    [/^wrong-step 4 7 The step is for "ask", but the run asks at "greet"/],
  ],
  [
    "an edge by its words with a slip",
    "steps: [{take: the caller asks about a bil}]",
    [
      /^edge-unknown 4 7 "greet" has no edge "the caller asks about a bil"\. Did you mean "the caller asks about a bill"\?$/,
    ],
  ],
  [
    "an edge whose words changed",
    "steps: [{take: the caller asks for a bill}]",
    [/Did you mean "the caller asks about a bill"\?$/],
  ],
  [
    "an edge of nowhere",
    "steps: [{take: xyz}]",
    [/^edge-unknown .*Its edges here: "the caller asks about a bill", "the caller is done", "other"\.$/],
  ],
  [
    "a false edge",
    "given: {plan: plus}\nsteps: [{take: other}, {take: bye}]",
    [/^edge-not-taken 5 34 The edge "bye" of "route" isn't taken: its condition is false, since "plan" is "plus"\.$/],
  ],
  [
    "an edge by its id, its label, its target",
    "given: {plan: plus}\nsteps: [{take: greet--route}, {take: hand_over}]",
    [],
  ],
  [
    "no stub",
    `${BILL}  - give: {account_id: "1"}`,
    [/^stub-missing 3 19 The test has no answer for the tool at "look_up"/],
  ],
  [
    "a used-up list of stubs",
    `tools: {look_up: []}\n${BILL}  - give: {account_id: "1"}`,
    [/^stub-missing 4 19 This is call 1 of "look_up", and the test has 0 answers/],
  ],
  [
    "a stub by tool id",
    `tools: {6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0003: {error: down}}\n${BILL}  - give: {account_id: "1"}\nexpect: {ends: hand_over}`,
    [],
  ],
  [
    "an event nobody waits for",
    `tools: {look_up: {event: timeout}}\n${BILL}  - give: {account_id: "1"}`,
    [/^stuck 3 19 The run is stuck at "look_up"/],
  ],
  [
    "stuck as expected",
    `tools: {look_up: {event: timeout}}\n${BILL}  - give: {account_id: "1"}\nexpect: {stuck: look_up, path: [greet, ask, look_up]}`,
    [],
  ],
  [
    "stuck elsewhere",
    `tools: {look_up: {event: timeout}}\n${BILL}  - give: {account_id: "1"}\nexpect: {stuck: ask}`,
    [/^wrong-end .*get stuck at "ask", but it got stuck at "look_up"/],
  ],
  [
    "not stuck",
    "steps: [{take: done}]\nexpect: {stuck: greet}",
    [/^wrong-end .*get stuck at "greet", but it ended at "bye"/],
  ],
  [
    "endless",
    "given: {plan: max}\nsteps: [{take: other}]",
    [/^endless 3 37 The run is endless: it didn't end within 10,000 nodes/],
  ],
  [
    "an unset read",
    `tools: {look_up: {return: {}}}\n${BILL}  - give: {account_id: "1"}`,
    [/^unset-read 3 29 "tell" reads "plan", which isn't set there/],
  ],
  [
    "an unset read that is expected",
    `tools: {look_up: {return: {}}}\n${BILL}  - give: {account_id: "1"}\nexpect: {unset: [plan], variables: {plan: null, account_id: "1"}}`,
    [],
  ],
  [
    "steps left over",
    "steps: [{take: done}, {take: a}, {take: b}]",
    [/^step-left-over 4 39 The run ended at "bye" with 2 steps left over/],
  ],
  [
    "another path",
    "steps: [{take: done}]\nexpect: {path: [greet, ask, ..., bye]}",
    [/^wrong-path 5 39 Expected "ask" after "greet", but the run entered "bye"\. The path was greet → bye\.$/],
  ],
  [
    "a path that goes on",
    "steps: [{take: done}]\nexpect: {path: [greet]}",
    [/^wrong-path .*Expected the path to end after "greet", but the run entered "bye"/],
  ],
  [
    "an empty path",
    "steps: [{take: done}]\nexpect: {path: []}",
    [/^wrong-path .*`path` is empty\. The path was greet → bye\.$/],
  ],
  [
    "a path that ends",
    "steps: [{take: done}]\nexpect: {path: [greet, bye, more]}",
    [/^wrong-path .*Expected "more" after "bye", but the run ended/],
  ],
  ["dots for any number of nodes", "steps: [{take: done}]\nexpect: {path: [..., greet, ..., bye, ...]}", []],
  [
    "another variable",
    "given: {n: 1}\nsteps: [{take: done}]\nexpect: {variables: {n: '1'}}",
    [/^wrong-variable 6 .*Expected "n" to be "1", but it is 1\./],
  ],
  [
    "another end",
    "steps: [{take: done}]\nexpect: {ends: hand_over}",
    [/^wrong-end 5 39 Expected the run to end at "hand_over", but it ended at "bye"\.$/],
  ],
  [
    "a forbidden node",
    "steps: [{take: done}]\nexpect: {never: [hand_over, bye]}",
    [/^entered-forbidden 5 39 The run entered "bye" by the edge "greet--bye"/],
  ],
  [
    "several failures at once",
    "steps: [{take: done}, {take: x}]\nexpect: {ends: hand_over, never: [bye]}",
    [/^wrong-end/, /^entered-forbidden/, /^step-left-over/],
  ],
  [
    "a key with a slip",
    "expects: {ends: bye}",
    [/^bad-test 4 - A test has no key "expects"\. Did you mean "expect"\?$/],
  ],
  [
    "both take and give",
    "steps: [{take: done, give: {a: 1}}]",
    [/^bad-test 4 - A step needs `take` or `give`, and not both/],
  ],
  ["two variables at once", "steps: [{give: {a: 1, b: 2}}]", [/^bad-test 4 - `give` needs one variable/]],
  ["a stub of no known kind", "tools: {look_up: {value: 1}}", [/^bad-test 4 - A tool's answer has no key "value"/]],
  ["a list where names belong", "given: [a]", [/^bad-test 4 - `given` must be a map of names and values/]],
];

for (const [name, lines, expected] of rows)
  test(name, () => {
    const found = failures(lines);
    assert.equal(found.length, expected.length, found.join("\n"));
    for (const [index, pattern] of expected.entries()) assert.match(found[index] as string, pattern);
  });

for (const nothing of ["null", "~", "", "{account_id: null}", "{account_id: }"])
  test(`"give: ${nothing}" means that the caller gave up`, () => {
    assert.deepEqual(
      failures(`${BILL}  - give: ${nothing}\nexpect: {path: [greet, ask, hand_over], ends: hand_over}`),
      [],
    );
  });

test("a caller who gives up at a choice is a wrong step", () => {
  assert.match(
    failures("steps: [{give: null}]")[0] ?? "",
    /^wrong-step 4 7 .*for a choice, but the step says that the caller gave up\. Use `take`/,
  );
});

/** Each has an unused part; `told` matches the reported error or warning. */
const unused: [name: string, lines: string, told: RegExp][] = [
  ["a key of a test", "steps: [{take: done}]\nowner: me", /A test has no key "owner"/],
  ["a key of a step", "steps: [{take: done, note: x}]", /A step has no key "note"/],
  ["a key of expect", "steps: [{take: done}]\nexpect: {note: x}", /`expect` has no key "note"/],
  ["a key of ends", "steps: [{take: done}]\nexpect: {ends: {node: bye, transferr: false}}", /Did you mean "transfer"/],
  ["a key of a case", "steps: [{take: done}]\ncases: [{name: a, note: x}]", /A case has no key "note"/],
  ["a key of an answer", "steps: [{take: done}]\ntools: {look_up: {return: {}, note: x}}", /has no key "note"/],
  ["two verbs in a step", "steps: [{take: done, give: null}]", /`take` or `give`, and not both/],
  ["no verb in a step", "steps: [{take: done}, {says: hello}]", /`take` or `give`, and not both/],
  ["two answers at once", "steps: [{take: done}]\ntools: {look_up: {return: {}, error: x}}", /must be one of `return`/],
  ["an empty step", "steps: [{take: done}, ~]", /A step must be a map of keys and values/],
  ["an empty answer", "steps: [{take: done}]\ntools: {look_up: }", /A tool's answer must be a map of/],
  ["an empty name in a path", "steps: [{take: done}]\nexpect: {path: [greet, ~, bye]}", /`path` is a list of names/],
  ["an empty case", "steps: [{take: done}]\ncases: [~]", /A case must be a map of keys and values/],
  ["words that are no text", "steps: [{take: done, says: [hello]}]", /`says` must be a string/],
  ["words that are missing", "steps: [{take: done, says: }]", /`says` must be a string/],
  ["a key without a value", "steps: [{take: done}]\ngiven:", /not-used `given` has no value/],
  ["steps without a value", "given: {plan: basic}\nsteps:", /not-used `steps` has no value/],
  ["a path without a value", "steps: [{take: done}]\nexpect: {path: }", /not-used `path` has no value/],
  ["a list without a value", "steps: [{take: done}]\nexpect: {never: }", /not-used `never` has no value/],
  ["a value that is none", "given: {plan: null}\nsteps: [{take: done}]", /not-used "plan" has no value anyway/],
  [
    "a variable that nothing reads",
    "given: {plan: plus}\nsteps: [{take: done}]",
    /not-used The run doesn't read "plan"/,
  ],
  [
    "an answer that nothing calls",
    "steps: [{take: done}]\ntools: {look_up: {error: x}}",
    /not-used The run doesn't call "look_up"/,
  ],
  [
    "more answers than calls",
    `tools: {look_up: [{return: {plan: plus}}, {error: x}]}\n${BILL}  - give: {account_id: "1"}`,
    /not-used The run calls "look_up" once, but the test has 2 answers/,
  ],
  [
    "an unset read that isn't one",
    "steps: [{take: done}]\nexpect: {unset: [plan]}",
    /not-used The run doesn't read "plan" without/,
  ],
  [
    "an answer for a node that isn't there",
    "steps: [{take: done}]\ntools: {lookup: {error: x}}",
    /unknown-node .*"look_up"/,
  ],
  [
    "a variable that isn't there",
    "steps: [{take: done}]\nexpect: {variables: {plam: null}}",
    /undefined-variable .*"plan"/,
  ],
  ["a node that isn't there", "steps: [{take: done}]\nexpect: {never: [tel]}", /unknown-node Node "tel" doesn't exist/],
  ["expectations that are none", "steps: [{take: done}]\nexpect: {}", /not-used `expect` is empty/],
  [
    "steps that every case replaces",
    "steps: [{take: nowhere}]\ncases: [{steps: [{take: done}]}, {skip: later, steps: []}]",
    /not-used Every case has its own `steps`, so this has no effect\. 4/,
  ],
  [
    "an answer that every case replaces",
    `tools: {look_up: {error: x}}\n${BILL}  - give: {account_id: "1"}\ncases: [{tools: {look_up: {error: y}}}]`,
    /not-used Every case has its own answer of "look_up", so this has no effect\. 4/,
  ],
  [
    "an end that every case replaces",
    "steps: [{take: done}]\nexpect: {stuck: greet}\ncases: [{expect: {ends: bye}}]",
    /not-used Every case has its own end, so this has no effect\. 5/,
  ],
  ["cases that are none", "steps: [{take: done}]\ncases: []", /`cases` is empty/],
  ["a skip without a reason", "steps: [{take: done}]\nskip: true", /`skip` needs the reason/],
];

for (const [name, lines, told] of unused)
  test(`not used, and told: ${name}`, () => {
    const { tests } = report(`  - name: t\n${lines.replace(/^/gm, "    ")}\n`);
    const all = tests.flatMap((each) => [...each.failures, ...(each.warnings ?? [])]);
    const found = all.map(({ kind, message, line }) => `${kind} ${message} ${line}`);
    assert.ok(
      found.some((each) => told.test(each)),
      found.join("\n"),
    );
    assert.ok(all.every(({ line }) => line >= 3));
  });

test("unused and reported: a key of the file, unless tests share its content", () => {
  const first = (text: string) => readTestFile(text).problems.map(({ message }) => message);
  assert.deepEqual(first("flow: a\nowner: me\ntests: []\n"), [
    '"owner" isn\'t a key of a test file. Known keys: flow, tests.',
  ]);
  assert.deepEqual(first("flow: a\nshared: &plus {plan: plus}\ntests:\n  - {name: t, given: *plus}\n"), []);
  assert.equal(first("flow: a\nshared: &plus {plan: plus}\ntests:\n  - {name: t, given: {a: '*plussed'}}\n").length, 1);
});

test("parts shared by anchors or cases may be unused in some tests", () => {
  const shared = `  - name: a
    tools: &answers {look_up: {error: x}}
    steps: [{take: done}]
  - name: b
    tools: *answers
    steps: [{take: the caller asks about a bill}, {give: {account_id: "1"}}]
  - name: c
    tools: {look_up: {error: x}, other: {error: x}}
    cases:
      - {name: one, steps: [{take: done}]}
      - {name: two, steps: [{take: the caller asks about a bill}, {give: {account_id: "1"}}]}
`;
  const { tests } = report(shared);
  assert.deepEqual(
    tests.map(({ name, status, warnings = [] }) => [name, status, ...warnings.map(({ message }) => message)]),
    [
      ["a", "passed"],
      ["b", "passed"],
      ["c (one)", "passed", 'Node "other" doesn\'t exist.'],
      ["c (two)", "passed"],
    ],
  );
});

test("a key of a case without a value doesn't replace that of the test", () => {
  const { tests } = report(`  - name: t
    given: {plan: plus}
    steps: [{take: done}]
    expect: {variables: {plan: plus}, never: [look_up]}
    cases: [{steps: }, {given: }, {tools: ~}, {expect: {path: , variables: , never: }}]
`);
  assert.deepEqual(
    tests.map(({ status }) => status),
    ["passed", "passed", "passed", "passed"],
  );
  assert.equal(tests.flatMap(({ warnings = [] }) => warnings).length, 6);
});

test("a test can distinguish an end from a transfer", () => {
  const ends = (expected: string) => failures(`steps: [{take: done}]\nexpect: {ends: ${expected}}`);
  assert.deepEqual([ends("bye"), ends("{node: bye}"), ends("{node: bye, transfer: false}")], [[], [], []]);
  assert.match(
    ends("{node: bye, transfer: true}")[0] ?? "",
    /^wrong-end 5 39 Expected the run to be transferred at "bye", but it ended at "bye"\.$/,
  );
  assert.match(
    ends("{node: hand_over, transfer: true}")[0] ?? "",
    /be transferred at "hand_over", but it ended at "bye"/,
  );
  assert.match(ends("{node: bye, transfer: 1}")[0] ?? "", /^bad-test .*`transfer` must be true or false/);
  assert.match(ends("{transfer: true}")[0] ?? "", /^bad-test .*`ends` needs the node/);
  const moved = failures(`${BILL}  - give: null\nexpect: {ends: {node: hand_over, transfer: false}}`);
  assert.match(moved[0] ?? "", /Expected the run to end at "hand_over", but it was transferred at "hand_over"\.$/);
});

test("the report has the documented fields", () => {
  const { tests, coverage } = report("  - name: t\n    steps: [{take: done}]\n    expect: {ends: hand_over}\n");
  assert.deepEqual(JSON.parse(JSON.stringify(tests)), [
    {
      file: "x.flowtest.yaml",
      flow: "x.flow.yaml",
      name: "t",
      status: "failed",
      path: ["greet", "bye"],
      edges: ["greet--bye"],
      variables: {},
      ended: { kind: "end", node: "bye" },
      failures: [
        {
          kind: "wrong-end",
          message: 'Expected the run to end at "hand_over", but it ended at "bye".',
          file: "x.flowtest.yaml",
          line: 5,
          column: 20,
          at: { file: "x.flow.yaml", line: 39, column: 3 },
        },
      ],
    },
  ]);
  assert.deepEqual(coverage?.[0]?.flow, "x.flow.yaml");
  assert.deepEqual(coverage?.[0]?.nodes.covered, ["greet", "bye"]);
  assert.deepEqual(coverage?.[0]?.edges.unreachable, []);
});

test("an unreadable file has one entry", () => {
  const one = (text: string, flow: typeof program | undefined = program) => {
    const run = runSuiteFile({ path: "x", file: readTestFile(text), flowPath: "y", flow }, () => undefined);
    return reportOf([run], () => undefined, false).tests.map((each) => [
      each.name,
      each.failures.map(({ kind }) => kind),
      each.failures[0]?.message,
    ]);
  };
  const kinds = (rows: unknown[][]) => rows.map(([name, all]) => [name, all]);
  const bad: [string, FailureKind[]][] = [["", ["bad-test"]]];
  assert.deepEqual(kinds(one("tests: []")), bad);
  assert.deepEqual(kinds(one("flow: a\ntests: 5")), bad);
  assert.deepEqual(kinds(one("flow: a\ntests:\n  - name: [unclosed\n  - name: b\n")), bad);
  assert.deepEqual(kinds(one("[1, 2")), bad);
  assert.deepEqual(kinds(one("")), bad);
  assert.deepEqual(kinds(one("\u0000\u0001")), bad);
  assert.deepEqual(kinds(one(`flow: a\ntests:\n${"  - {name: x}\n".repeat(400_000)}`)), bad);
  assert.match(String(one("flow: a\ntests: []", undefined)[0]?.[2] ?? ""), /^$|"a" isn't a flow file/);
});

test("tests share parts by anchors and merge keys", () => {
  const text = `
  - name: a
    given: &plus {plan: plus}
    steps: &angry
      - take: other
      - take: hand_over
    expect: {ends: hand_over}
  - name: b
    given: {<<: *plus, extra: 1}
    steps: *angry
    expect: {ends: hand_over, variables: {plan: plus, extra: 1}}
`;
  assert.deepEqual(
    report(text).tests.map(({ name, status }) => `${name} ${status}`),
    ["a passed", "b passed"],
  );
});

test("a flow without an entry is an invalid test, and so are two matching edges", () => {
  const none = programOf(FlowDocument.read("entry: gone\nnodes: {a: {type: end}}\n"));
  assert.deepEqual(report("  - name: t\n", none).tests[0]?.failures[0]?.kind, "bad-test");
  const twice = programOf(
    FlowDocument.read(
      "entry: a\nnodes:\n  a: {type: decision, edges: [{to: b, when: x}, {to: b, when: y}]}\n  b: {type: end}\n",
    ),
  );
  const found = report("  - name: t\n    steps: [{take: b}]\n", twice).tests[0];
  assert.equal(found?.failures[0]?.message, '"b" names 2 edges of "a". Use the edge ID: "a--b", "a--b--2".');
  assert.deepEqual(found?.ended, { kind: "waiting", node: "a" });
});

test("edges with explicit IDs count in the numbering of the others", () => {
  const flow = programOf(
    FlowDocument.read(
      "entry: a\nnodes:\n  a: {type: decision, edges: [{to: b, id: own, when: x}, {to: b}]}\n  b: {type: end}\n",
    ),
  );
  const tests = ["own", "a--b--2"].map((id) => `  - name: ${id}\n    steps: [{take: ${id}}]\n`).join("");
  assert.deepEqual(
    report(tests, flow).tests.map(({ status, edges }) => [status, ...edges]),
    [
      ["passed", "own"],
      ["passed", "a--b--2"],
    ],
  );
});

test("aliases that expand too much are an invalid test, without delay", () => {
  const levels = Array.from({ length: 12 }, (_, level) =>
    level === 0
      ? "l0: &l0 [a, b, c, d, e, f, g, h]"
      : `l${level}: &l${level} [${Array(8)
          .fill(`*l${level - 1}`)
          .join(", ")}]`,
  );
  const begin = process.cpuUsage();
  const { problems } = readTestFile(`${levels.join("\n")}\nflow: a\ntests:\n  - {name: t, given: {a: *l11}}\n`);
  assert.match(problems[0]?.message ?? "", /^The file has more than 10000 aliases/);
  assert.ok(process.cpuUsage(begin).user < 20_000_000);
});
