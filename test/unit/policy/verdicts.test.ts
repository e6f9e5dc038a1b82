/** Policies over small flows: each kind, each verdict, and the effect of conditions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { FlowPolicies, Judge, matchedParts, readPolicyFile, verdictWords } from "../../../flow/policy";
import { programOf, Work } from "../../../flow/run";

const flow = (nodes: string, variables = "") =>
  programOf(FlowDocument.read(`entry: a\n${variables && `context_variables:\n${variables}`}nodes:\n${nodes}`));

function judged(program: ReturnType<typeof flow>, policy: string): string {
  const { policies, problems } = readPolicyFile(`policies:\n  - {id: p, ${policy}}\n`);
  assert.deepEqual(problems, []);
  const [first] = policies;
  assert.ok(first);
  if (matchedParts(first, program).includes(false)) return "matches-nothing";
  const verdict = new Judge(program).judge(first.demand);
  return verdict.verdict === "broken" ? `broken: ${verdict.path.nodes.map(({ id }) => id).join(" ")}` : verdict.verdict;
}

const YES_NO = "  v: {type: string, enum_values: [yes, no]}\n";

const diamond = flow(`  a: {type: message, edges: [{to: b, when: it is so}, {to: c}]}
  b: {type: message, edges: [{to: d}]}
  c: {type: message, name: The Notice, edges: [{to: d}]}
  d: {type: end}
`);

const guarded = flow(
  `  a: {type: decision, edges: [{to: b, when: "{{v}} is yes"}, {to: c}]}
  b: {type: message, edges: [{to: d}]}
  c: {type: message, edges: [{to: d}]}
  d: {type: decision, edges: [{to: e, when: "{{v}} is yes"}, {to: f}]}
  e: {type: end}
  f: {type: end}
`,
  YES_NO,
);

/** No run reaches `c`: the paths to it were excluded before. */
const dead = flow(
  `  a: {type: decision, edges: [{to: b, when: "{{v}} is yes"}, {to: e}]}
  b: {type: decision, edges: [{to: c, when: "{{v}} is no"}, {to: d}]}
  c: {type: message, edges: [{to: c}]}
  d: {type: message, edges: [{to: e}]}
  e: {type: end}
`,
  YES_NO,
);

const cases: readonly (readonly [string, ReturnType<typeof flow>, string, string])[] = [
  ["a path around", diamond, "every_path_to: {node: d}, passes: {node: c}", "broken: a b d"],
  ["no path around", diamond, "every_path_to: {node: d}, passes: {node: a}", "proved-by-shape"],
  ["the target itself counts", diamond, "every_path_to: {node: b}, passes: {node: b}", "proved-by-shape"],
  ["left by the edge", diamond, "every_path_to: {node: b}, passes: {node: a, by: it is so}", "proved-by-shape"],
  ["left by another edge", diamond, "every_path_to: {node: d}, passes: {node: a, by: b}", "broken: a c d"],
  ["no such edge", diamond, "every_path_to: {node: d}, passes: {node: a, by: x}", "matches-nothing"],
  ["a name in any case", diamond, 'every_path_to: {node: d}, passes: {name: "the n*"}', "broken: a b d"],
  ["part of a name", diamond, "every_path_to: {node: d}, passes: {name: notice}", "matches-nothing"],
  ["all keys must hold", diamond, "every_path_to: {node: d, type: message}, passes: {node: a}", "matches-nothing"],
  ["an enum value excludes", guarded, "every_path_to: {node: e}, passes: {node: b}", "proved-given-conditions"],
  ["a passed-over edge excludes", guarded, "every_path_to: {node: f}, passes: {node: c}", "proved-given-conditions"],
  ["without", diamond, "never: {from: entry, to: {type: end}, without: {node: c}}", "broken: a b d"],
  ["without the ends", diamond, "never: {from: {node: b}, to: {node: d}, without: {type: end}}", "broken: a b d"],
  ["not later", diamond, "never: {from: {node: d}, to: {node: d}}", "proved-by-shape"],
  ["always", diamond, "after: {node: a}, always: {node: b}", "broken: a c d"],
  ["always itself", diamond, "after: {node: a}, always: {type: message}", "proved-by-shape"],
  ["near enough", diamond, "at_most: 2, from: entry, to: {type: end}", "proved-by-shape"],
  ["too far", diamond, "at_most: 1, from: entry, to: {type: end}", "broken: a b d"],
  ["at once", diamond, "at_most: 0, from: {type: end}, to: {type: end}", "proved-by-shape"],
  ["at once from the entry", diamond, "at_most: 0, from: entry, to: {node: a}", "proved-by-shape"],
  ["conditions exclude arrival", dead, "at_most: 2, from: {node: c}, to: {node: e}", "proved-given-conditions"],
  [
    "conditions exclude the long way",
    dead,
    "at_most: 1, from: {type: message}, to: {node: e}",
    "proved-given-conditions",
  ],
  ["no way", diamond, "at_most: 9, from: {node: b}, to: {node: c}", "broken: a b"],
];
for (const [name, program, policy, expected] of cases)
  test(`${name}: ${policy}`, () => assert.equal(judged(program, policy), expected));

test("a saved or collected variable can have any value, unless the tool failed", () => {
  const program = flow(
    `  a: {type: decision, edges: [{to: b, when: "{{v}} is yes"}, {to: f}]}
  b: {type: tool, tool: t, saves: {v: $.v}, edges: [{to: c}, {to: d, on: error}]}
  c: {type: decision, edges: [{to: e, when: "{{v}} is no"}, {to: f}]}
  d: {type: decision, edges: [{to: e, when: "{{v}} is no"}, {to: f}]}
  e: {type: end}
  f: {type: end}
`,
    YES_NO,
  );
  assert.equal(judged(program, "every_path_to: {node: e}, passes: {node: d}"), "broken: a b c e");
  assert.equal(judged(program, "every_path_to: {node: e}, passes: {node: c}"), "proved-given-conditions");
});

test("a run gets stuck if every edge can be false, but not if a model must choose one", () => {
  const stuck = flow('  a: {type: message, edges: [{to: b, when: "{{v}} is yes"}]}\n  b: {type: end}\n', YES_NO);
  assert.equal(judged(stuck, "after: {node: a}, always: {node: b}"), "broken: a");
  const chosen = flow(
    '  a: {type: message, edges: [{to: b, when: "{{v}} is yes"}, {to: b, when: so}]}\n  b: {type: end}\n',
    YES_NO,
  );
  assert.equal(judged(chosen, "after: {node: a}, always: {node: b}"), "proved-by-shape");
  const handled = flow(
    '  a: {type: message, edges: [{to: b, when: "{{v}} is one of yes, no"}, {to: b, when: "{{v}} is unknown"}]}\n  b: {type: end}\n',
    YES_NO,
  );
  assert.equal(judged(handled, "after: {node: a}, always: {node: b}"), "proved-given-conditions");
  const either = flow(
    '  a: {type: message, edges: [{to: b, when: "{{v}} is known"}, {to: b, when: "{{v}} is unknown"}]}\n  b: {type: end}\n',
  );
  assert.equal(judged(either, "after: {node: a}, always: {node: b}"), "proved-given-conditions");
  const nowhere = flow("  a: {type: message, edges: [{to: x, when: so}, {to: b}]}\n  b: {type: end}\n");
  assert.equal(judged(nowhere, "after: {node: a}, always: {node: b}"), "broken: a");
});

test("edges after a default, and events of nodes that make no calls, are never taken", () => {
  const program = flow(
    "  a: {type: message, edges: [{to: b}, {to: c, when: so}, {to: c, on: error}]}\n  b: {type: end}\n  c: {type: end}\n",
  );
  assert.equal(judged(program, "never: {from: entry, to: {node: c}}"), "proved-by-shape");
});

test("a policy file with mistakes has its valid policies and a problem at each mistake", () => {
  const text = `policies:
  - {id: fine, never: {from: entry, to: {type: end}}}
  - {id: typo, every_path_to: {nod: a}, passes: {node: b}}
  - {id: two, never: {from: entry, to: {node: b}}, after: {node: a}}
  - {id: none}
  - {never: {from: entry, to: {node: b}}}
  - {id: far, at_most: many, from: entry, to: {node: b}}
  - {id: fine, never: {from: entry, to: {node: b}}}
  - text
`;
  const { policies, problems } = readPolicyFile(text);
  assert.deepEqual(
    policies.map(({ id }) => id),
    ["fine", "fine"],
  );
  assert.deepEqual(
    problems.map(({ message, span }) => [text.slice(0, span.start).split("\n").length, message.replace(/\. .*/, ".")]),
    [
      [3, '`every_path_to` has no key "nod".'],
      [4, "A policy has only one of `every_path_to`, `never`, `after` and `at_most`."],
      [5, "A policy needs one of `every_path_to`, `never`, `after` and `at_most`."],
      [6, "A policy needs an `id`."],
      [7, "`at_most` must be a whole number of steps."],
      [8, 'Two policies have the ID "fine".'],
      [9, "A policy must be a map of keys and values."],
    ],
  );
  for (const broken of ["", "policies", "policies: {", "[1]", "policies:\n - *x", "\u0000", "a: &a [*a]", "- - -"])
    assert.ok(readPolicyFile(broken).problems.length > 0, broken);
});

test("a policy file that is too large has its own message", () => {
  const line = "  - {id: x, never: {from: entry, to: {node: refund}}}\n";
  for (const length of [256 * 1024 + 1, 400 * 1024, 600 * 1024]) {
    const { policies, problems } = readPolicyFile(`policies:\n${line.repeat(length / line.length)}${" ".repeat(60)}`);
    assert.deepEqual([policies.length, problems.length], [0, 1]);
    assert.match(problems[0]?.message ?? "", /^This file is longer than 256 KB/);
  }
});

const said: readonly (readonly [string, string])[] = [
  [
    "every_path_to: {node: d}, passes: {name: The Notice, by: d}",
    'Every path to "d" must pass a node named "The Notice" and leave it by "d". A path reaches "d" without passing it.',
  ],
  [
    "never: {from: entry, to: {type: end}, without: {node: c, type: message}}",
    'No path may lead from the entry to a node of type end without passing "c" of type message. A path reaches "d".',
  ],
  ["never: {from: entry, to: {node: b}}", 'No path may lead from the entry to "b". A path reaches "b".'],
  [
    "after: {node: a}, always: {sets: v}",
    'After "a", every run must pass a node that sets "v". A run can end at "d" without passing it.',
  ],
  [
    "at_most: 1, from: entry, to: {type: end}",
    'The path from the entry to a node of type end may take at most 1 step. Every path from "a" takes more than 1 step; the shortest takes 2.',
  ],
  [
    "at_most: 9, from: {node: b}, to: {node: c}",
    'The path from "b" to "c" may take at most 9 steps. No path leads there from "b".',
  ],
  [
    "at_most: 4, from: entry, to: {type: transfer}",
    'The path from the entry to a node of type transfer may take at most 4 steps. No path leads there from "a", because the flow doesn\'t have a node of type transfer.',
  ],
];
for (const [policy, words] of said)
  test(`what is required and what is missing: ${policy}`, () => {
    const [first] = readPolicyFile(`policies:\n  - {id: p, ${policy}}\n`).policies;
    assert.ok(first);
    const judge = new FlowPolicies(diamond.document);
    judge.update([first]);
    const found = judge.verdict(first);
    assert.equal(found && verdictWords(first, found), words);
    const source = { uri: "file:///p.yaml", text: `policies:\n  - {id: p, ${policy}}\n` };
    const [place] = judge.problems([first], {}, source)[0]?.related ?? [];
    assert.deepEqual([place?.uri, place?.range?.start], ["file:///p.yaml", { line: 1, character: 9 }]);
  });

test("combinations of values are checked within a fixed budget, with the same result every time", () => {
  const numbers = Array.from({ length: 60 }, (_, index) => index);
  const variables = numbers.map((n) => `  v${n}: {type: string, enum_values: [x, y, z]}\n`).join("");
  const first = numbers.map(
    (n) =>
      `  a${n || ""}: {type: decision, edges: [{to: a${n + 1}, when: "{{v${n}}} is x"}, {to: m${n}}]}\n  m${n}: {type: message, edges: [{to: a${n + 1}}]}\n`,
  );
  const later = numbers.map(
    (n) =>
      `  q${n}: {type: decision, edges: [{to: q${n + 1}, when: "{{v${n}}} is x"}, {to: q${n + 1}, when: "{{v${n}}} is y"}, {to: bye}]}\n`,
  );
  const program = flow(
    `${first.join("")}  a60: {type: message, edges: [{to: q0}]}\n${later.join("")}  q60: {type: end}\n  bye: {type: end}\n`,
    variables,
  );
  const { policies } = readPolicyFile(
    "policies:\n  - {id: p, never: {from: {node: m0}, to: {node: q60}}}\n  - {id: q, every_path_to: {node: m0}, passes: {node: a}}\n",
  );
  const verdicts = () => {
    const judged = new FlowPolicies(program.document);
    judged.update(policies);
    return policies.map((policy) => judged.verdict(policy)?.verdict);
  };
  assert.deepEqual(verdicts(), verdicts());
  const judge = new Judge(program, () => undefined, new Work(200_000));
  assert.equal(policies[0] && judge.judge(policies[0].demand).verdict, "not-checked");
});
