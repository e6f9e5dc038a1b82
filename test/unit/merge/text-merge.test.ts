/** File merges by example: what merges, what conflicts, and which lines are marked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeTexts } from "../../../flow";

const base = `# Billing.
assistant: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001
entry: greet

nodes:
  # Says hello.
  greet:
    type: message
    name: Greeting
    instructions: |
      Welcome the caller.
    edges:
      - to: bye
        when: done
      - {to: help}
  help:
    type: message
    instructions: Help.
    edges: [{to: bye}]
  bye: {type: end, name: Bye}
`;

function check(ours: [string, string][], theirs: [string, string][], expected: string, conflicts = 0): void {
  const changed = (changes: [string, string][]) =>
    changes.reduce((text, [from, to]) => {
      assert.ok(text.includes(from), from);
      return text.replace(from, to);
    }, base);
  const merged = mergeTexts(base, changed(ours), changed(theirs));
  assert.equal(merged.text, expected);
  assert.equal(merged.conflicts, conflicts);
}

test("fields of one node on adjacent lines merge", () => {
  check(
    [["name: Greeting", "name: Hello"]],
    [["type: message\n    name", "type: decision\n    name"]],
    base.replace("name: Greeting", "name: Hello").replace("type: message", "type: decision"),
  );
});

test("fields of one line merge, and so do a value and the comment after it", () => {
  check(
    [["bye: {type: end, name: Bye}", "bye: {type: end, name: Goodbye}"]],
    [["bye: {type: end, name: Bye}", "bye: {type: transfer, name: Bye}"]],
    base.replace("{type: end, name: Bye}", "{type: transfer, name: Goodbye}"),
  );
  check(
    [["name: Greeting", "name: Greeting # short"]],
    [["name: Greeting", "name: Hello"]],
    base.replace("name: Greeting", "name: Hello # short"),
  );
});

test("nodes and comments of both sides are kept", () => {
  check(
    [
      ["  # Says hello.", "  # Says hello.\n  # And smiles."],
      ["  bye:", "  left: {type: end}\n  bye:"],
    ],
    [
      ["  # Says hello.", "  # Says hello.\n  # In English."],
      ["  bye:", "  right: {type: end}\n  bye:"],
    ],
    base
      .replace("  # Says hello.", "  # Says hello.\n  # And smiles.\n  # In English.")
      .replace("  bye:", "  left: {type: end}\n  right: {type: end}\n  bye:"),
  );
});

test("one field changed on both sides is marked, and nothing else", () => {
  check(
    [["name: Greeting", "name: Hello"]],
    [["name: Greeting", "name: Hi"]],
    base.replace("    name: Greeting\n", "<<<<<<< ours\n    name: Hello\n=======\n    name: Hi\n>>>>>>> theirs\n"),
    1,
  );
});

test("a node removed here and changed there is a conflict", () => {
  const help = base.slice(base.indexOf("  help:"), base.indexOf("  bye:"));
  check(
    [
      [help, ""],
      ["      - {to: help}\n", ""],
    ],
    [["instructions: Help.", "instructions: Help them."]],
    base
      .replace("      - {to: help}\n", "")
      .replace(help, `<<<<<<< ours\n=======\n${help.replace("Help.", "Help them.")}>>>>>>> theirs\n`),
    1,
  );
});

test("keys that aren't part of the graph merge too", () => {
  check(
    [["0001\n", "0009\n"]],
    [["entry: greet", "entry: help"]],
    base.replace("0001\n", "0009\n").replace("entry: greet", "entry: help"),
  );
  check(
    [["0001\n", "0009\n"]],
    [["0001\n", "0008\n"]],
    base.replace(
      /assistant: (.*)0001\n/,
      "<<<<<<< ours\nassistant: $10009\n=======\nassistant: $10008\n>>>>>>> theirs\n",
    ),
    1,
  );
});

test("a one-sided change is kept byte for byte", () => {
  const other = base.replaceAll("\n", "\r\n").replace("Greeting", "Hello");
  assert.deepEqual(mergeTexts(base, base, other), { text: other, conflicts: 0 });
  assert.deepEqual(mergeTexts(base, other, base), { text: other, conflicts: 0 });
  assert.deepEqual(mergeTexts(base, other, other), { text: other, conflicts: 0 });
});

test("flows added on both sides are merged without a base", () => {
  const { text, conflicts } = mergeTexts(
    "",
    "entry: a\nnodes:\n  a: {type: end}\n",
    "entry: a\nnodes:\n  a: {type: end}\n  b: {type: end}\n",
  );
  assert.equal(conflicts, 0);
  assert.equal(text, "entry: a\nnodes:\n  a: {type: end}\n  b: {type: end}\n");
});

/** A flow of forty nodes, so that a conflict about more than one element is noticed by its size. */
const COUNT = 40;
const nodeText = (at: number) => `  n${at}:
    type: message
    instructions: Say ${at}.
    edges:
      - to: n${(at + 1) % COUNT}
        when: a
      - {to: n${(at + 5) % COUNT}, when: b}
      - to: end
`;
const all = Array.from({ length: COUNT }, (_, at) => nodeText(at)).join("");
const large = `entry: n0\nnodes:\n${all}  end:\n    type: end\n`;
const PLACES = [4, 14, 24, 34];

type Edit = (node: string, at: number) => string;
const inNodes = (edit: Edit) => PLACES.reduce((text, at) => text.replace(nodeText(at), edit(nodeText(at), at)), large);
const field: Edit = (node) => node.replace("Say", "Speak");
const gone: Edit = () => "";
const firstEdge = / {6}- to: n\d+\n {8}when: a\n/;
const added =
  (edge: string): Edit =>
  (node) =>
    `${node}      - ${edge}\n`;

const disagreements: Record<string, readonly [ours: Edit, theirs: Edit, lines: number]> = {
  "a field changed twice": [field, (node) => node.replace("Say", "Tell"), 2],
  "a node removed and changed": [gone, field, 8],
  "a node changed and removed": [field, gone, 8],
  "a node added twice": [
    (node, at) => `${node}  x${at}:\n    type: end\n`,
    (node, at) => `${node}  x${at}:\n    type: message\n`,
    2,
  ],
  "two edges at one place": [added("{to: n1, when: y}"), added("{to: n2, when: z}"), 2],
  "two edges at one place, on lines of their own": [
    added("to: n1\n        when: y"),
    added("to: n2\n        when: z"),
    4,
  ],
  "an edge added twice": [added("{to: n2, when: y}"), added("{to: n2, when: z}"), 2],
  "an edge removed and changed": [
    (node) => node.replace(firstEdge, ""),
    (node) => node.replace("when: a", "when: d"),
    2,
  ],
  "an edge changed and removed": [
    (node) => node.replace("when: a", "when: d"),
    (node) => node.replace(firstEdge, ""),
    2,
  ],
  "an edge led elsewhere twice": [
    (node) => node.replace("- to: end", "- to: n1"),
    (node) => node.replace("- to: end", "- to: n2"),
    2,
  ],
};

for (const [name, [ours, theirs, lines]] of Object.entries(disagreements))
  test(`a conflict is as small as what it is about: ${name}`, () => {
    const merged = mergeTexts(large, inNodes(ours), inNodes(theirs));
    assert.equal(merged.conflicts, PLACES.length);
    const sizes = [...merged.text.matchAll(/^<{7} ours\n([\s\S]*?)^={7}\n([\s\S]*?)^>{7} theirs\n/gm)].map(
      ([, mine = "", other = ""]) => `${mine}${other}`.split("\n").length - 1,
    );
    assert.deepEqual(
      sizes,
      PLACES.map(() => lines),
    );
  });

test("edges added at different positions of one list merge, in any style", () => {
  const ours = inNodes((node) => node.replace("edges:\n", "edges:\n      - {to: n1, when: y}\n"));
  const { text, conflicts } = mergeTexts(large, ours, inNodes(added("{to: n2, when: z}")));
  assert.equal(conflicts, 0);
  assert.equal(text.match(/edges:\n {6}- \{to: n1, when: y\}\n {6}- to: n\d+\n/g)?.length, PLACES.length);
  assert.equal(text.match(/ {6}- to: end\n {6}- \{to: n2, when: z\}\n/g)?.length, PLACES.length);
});

const parallel = (...edges: string[]) =>
  `entry: a\nnodes:\n  a:\n    type: message\n    edges:\n${edges.map((edge) => `      - ${edge}\n`).join("")}  tell: {type: end}\n  person: {type: end}\n`;

test("an edge that both sides moved is a conflict, even if another one has the same target", () => {
  const [tell, error, person] = ["{to: tell}", "{to: person, on: error}", "{to: person}"] as const;
  const { conflicts } = mergeTexts(
    parallel(tell, error, person),
    parallel(tell, person, error),
    parallel(error, tell, person),
  );
  assert.equal(conflicts, 1);
});

test("a label stays with its edge where the other side adds one to the same node", () => {
  const [p, q] = ["{to: person, when: p}", "{to: person, when: q}"] as const;
  const [n, labeled] = ["{to: person, when: n}", "{to: person, when: p, label: L}"] as const;
  assert.deepEqual(mergeTexts(parallel(p, q), parallel(n, p, q), parallel(labeled, q)), {
    text: parallel(n, labeled, q),
    conflicts: 0,
  });
  assert.deepEqual(mergeTexts(parallel(p, q), parallel(labeled, q), parallel(q)).conflicts, 1);
  assert.deepEqual(mergeTexts(parallel(p, q), parallel(labeled, q), parallel(p)), {
    text: parallel(labeled),
    conflicts: 0,
  });
});

test("indistinguishable edges are a conflict only if both sides change them", () => {
  const twin = "{to: person}";
  const twins = (...edges: string[]) => parallel("{to: tell, when: p}", ...edges);
  assert.equal(
    mergeTexts(twins(twin, twin), twins(twin, "{to: person, label: A}"), twins("{to: person, label: B}", twin))
      .conflicts,
    1,
  );
  assert.equal(mergeTexts(twins(twin, twin), twins(twin), twins("{to: person, label: B}", twin)).conflicts, 1);
  const other = twins(twin, twin).replace("when: p", "when: q");
  assert.deepEqual(mergeTexts(twins(twin, twin), twins(twin, "{to: person, label: A}"), other), {
    text: twins(twin, "{to: person, label: A}").replace("when: p", "when: q"),
    conflicts: 0,
  });
});

test("an edge that both sides seem to add may be a changed one, which is a conflict", () => {
  const [basic, plus, none] = ["{to: person, when: the plan is basic}", "{to: person, when: silence}", "{to: person}"];
  // Each side dropped the condition of another edge.
  assert.equal(mergeTexts(parallel(basic, plus), parallel(none, plus), parallel(basic, none)).conflicts, 1);
  // One side added an edge, the other one dropped a condition.
  assert.equal(mergeTexts(parallel(basic, plus), parallel(basic, plus, none), parallel(basic, none)).conflicts, 1);
  assert.equal(mergeTexts(parallel(basic, plus), parallel(none, plus), parallel(none, plus)).conflicts, 0);
});

test("where a condition was dropped, any removed edge may be the one, so moving it is a conflict", () => {
  const [first, error, last] = ["{to: b, when: a refund}", "{to: b, on: error}", "{to: b, when: silence}"];
  const merged = mergeTexts(parallel(first, error, last), parallel(error, "{to: b}"), parallel(first, last, error));
  assert.equal(merged.conflicts, 1);
});

test("a changed edge and a copy of the original are ambiguous if the other side changed it too", () => {
  const [edge, other] = ["{to: person, when: silence}", "{to: tell, when: p}"];
  const copied = parallel("{to: person, when: silence, label: one}", other, edge);
  const changed = parallel("{to: person, when: silence now}", other);
  assert.equal(mergeTexts(parallel(edge, other), copied, changed).conflicts, 1);
  assert.equal(mergeTexts(parallel(edge, other), copied, parallel(edge, "{to: tell, when: q}")).conflicts, 0);
});

test("a new default doesn't come before edges that the other side adds", () => {
  const [p, q, r] = ["{to: tell, when: p}", "{to: person, when: q}", "{to: tell, when: r}"] as const;
  assert.equal(mergeTexts(parallel(p, q), parallel(p, "{to: person}"), parallel(p, q, r)).conflicts, 1);
});

test("an edge that is moved and changed keeps its comments, in either style", () => {
  const base = parallel("to: person # one\n        when: p", "to: person # two\n        when: q", "{to: tell}");
  const ours = parallel("to: person # two\n        when: q", "to: person # one\n        when: p", "{to: tell}");
  const theirs = parallel(
    "to: person # one\n        when: p\n        label: L",
    "to: person # two\n        when: q",
    "{to: tell}",
  );
  assert.deepEqual(mergeTexts(base, ours, theirs), {
    text: parallel(
      "to: person # two\n        when: q",
      "to: person # one\n        when: p\n        label: L",
      "{to: tell}",
    ),
    conflicts: 0,
  });
  const inline = (...edges: string[]) => parallel("x").replace("\n      - x\n", ` [${edges.join(", ")}]\n`);
  const [p, q] = ["{to: person, when: p}", "{to: person, when: q}"] as const;
  assert.deepEqual(mergeTexts(inline(p, q), inline(q, p), inline("{to: person, when: p, label: L}", q)), {
    text: inline(q, "{to: person, when: p, label: L}"),
    conflicts: 0,
  });
});

test("an edge with an anchor keeps its content at the alias", () => {
  const of = (first: string, ...edges: string[]) =>
    parallel(first, ...edges).replace("  tell: {type: end}", "  tell:\n    type: message\n    edges:\n      - *shared");
  const [shared, q] = ["&shared {to: person, when: p}", "{to: person, when: q}"] as const;
  assert.deepEqual(
    mergeTexts(of(shared, q), of(shared, "{to: person, when: n}", q), of(shared, "{to: person, when: q, label: L}")),
    {
      text: of(shared, "{to: person, when: n}", "{to: person, when: q, label: L}"),
      conflicts: 0,
    },
  );
});

test("outputs appended by both sides are merged, ours first", () => {
  const outputs = (...lines: string[]) =>
    `entry: a\nnodes:\n  a: {type: end}\ncomponent_outputs:\n${lines.map((line) => `  ${line}\n`).join("")}`;
  const [a, b, c] = [
    "- {name: a, value: 1}",
    "- {name: b, value: 2} # ours",
    "- {name: c, value: 3} # theirs",
  ] as const;
  assert.deepEqual(mergeTexts(outputs(a), outputs(a, b), outputs(a, c)), { text: outputs(a, b, c), conflicts: 0 });
  const none = outputs().replace("component_outputs:\n", "");
  assert.deepEqual(mergeTexts(none, outputs(b), outputs(c)), { text: outputs(b, c), conflicts: 0 });
  assert.equal(mergeTexts(outputs(a), outputs(a, b), outputs(a, "- {name: b, value: 9}")).conflicts, 1);
});
