/** Exceptions to policies: which nodes and flows they exclude, until when, and which of them are mistakes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { problemsBeside, today } from "../../../files/suite";
import { FlowDocument } from "../../../flow";
import { demanded, demandKey, FlowPolicies, inForce, readPolicyFile } from "../../../flow/policy";

const FLOW = `entry: a
nodes:
  a: {type: message, edges: [{to: b, when: so}, {to: c}]}
  b: {type: message, edges: [{to: d, when: so}, {to: c}]}
  c: {type: end}
  d: {type: transfer}
`;
const PATH = "x.flow.yaml";

function verdict(rest: string, day = "2030-01-01"): string {
  const { policies, problems } = readPolicyFile(`policies:\n  - {id: p, ${rest}}\n`);
  assert.deepEqual(problems, []);
  const [policy] = inForce(policies, PATH, day);
  if (!policy) return "none";
  const judged = new FlowPolicies(FlowDocument.read(FLOW));
  judged.update([policy]);
  return judged.verdict(policy)?.verdict ?? "";
}

const except = (what: string, until = "2030-01-31") => `except: [{${what}, until: ${until}, because: For now.}]`;

test("an excepted node breaks no policy of any kind", () => {
  const cases: [string, string[]][] = [
    ["every_path_to: {type: end}, passes: {node: b}", ["c"]],
    ["never: {from: entry, to: {type: transfer}}", ["a", "d"]],
    ["after: {node: b}, always: {node: d}", ["b", "c"]],
    ["at_most: 0, from: {node: b}, to: {type: transfer}", ["b"]],
    ["at_most: 1, from: entry, to: {type: transfer}", ["a"]],
  ];
  for (const [rest, nodes] of cases) {
    assert.equal(verdict(rest), "broken", rest);
    for (const node of nodes)
      assert.match(verdict(`${rest}, ${except(`node: ${node}`)}`), /^proved/, `${rest} ${node}`);
    assert.equal(verdict(`${rest}, ${except("node: other")}`), "broken", rest);
  }
});

test("a run that continues past an excepted node is still checked", () => {
  const flow = FlowDocument.read(`entry: s
nodes:
  s: {type: message, edges: [{to: a}]}
  a: {type: message, edges: [{to: b, when: "{{v}} is known"}]}
  b: {type: end}
`);
  const [policy] = inForce(
    readPolicyFile(`policies: [{id: p, after: entry, always: {node: z}, ${except("node: a")}}]`).policies,
    PATH,
    "2030-01-01",
  );
  const judged = new FlowPolicies(flow);
  judged.update(policy ? [policy] : []);
  assert.deepEqual(policy && judged.verdict(policy)?.path, ["s", "a", "b"]);
});

test("an exception applies up to its last day, to the flows it names", () => {
  const broken = "every_path_to: {node: c}, passes: {node: b}";
  assert.match(verdict(`${broken}, ${except("node: c")}`, "2030-01-31"), /^proved/);
  assert.equal(verdict(`${broken}, ${except("node: c")}`, "2030-02-01"), "broken");
  assert.equal(verdict(`${broken}, ${except('flow: "*.flow.yaml"')}`), "none");
  assert.equal(verdict(`${broken}, ${except("flow: y.flow.yaml, node: c")}`), "broken");
  assert.match(verdict(`${broken}, ${except("flow: ./x.flow.yaml, node: c")}`), /^proved/);
});

test("the same exceptions demand the same, so verdicts stay cached", () => {
  const [policy] = readPolicyFile(
    `policies: [{id: p, after: entry, always: {node: z}, ${except("node: c")}}]`,
  ).policies;
  assert.ok(policy);
  const keyOn = (day: string) => demandKey(demanded(policy, PATH, day)?.demand ?? assert.fail());
  assert.equal(keyOn("2030-01-01"), keyOn("2030-01-02"));
  assert.notEqual(keyOn("2030-01-01"), keyOn("2031-01-01"));
  assert.equal(demanded(policy, PATH, "2031-01-01"), policy);
});

test("an incomplete exception has no effect and is a problem", () => {
  const wrong: [string, RegExp][] = [
    ["node: c, because: x", /needs `until`/],
    ["node: c, until: 2030-02-30, because: x", /^"2030-02-30" isn't a date\. Write `until`/],
    ["node: c, until: tomorrow, because: x", /^"tomorrow" isn't a date\. Write `until`/],
    ["node: c, until: 2030-01-31", /needs `because`/],
    ['node: c, until: 2030-01-31, because: ""', /needs `because`/],
    ["until: 2030-01-31, because: x", /needs `flow` or `node`/],
    ["node: ~, until: 2030-01-31, because: x", /`node` needs text/],
    ["node: [c], until: 2030-01-31, because: x", /`node` needs text/],
    ["node: c, untill: 2030-01-31, until: 2030-01-31, because: x", /no key "untill"/],
  ];
  for (const [exception, message] of wrong) {
    const { policies, problems } = readPolicyFile(
      `policies: [{id: p, after: entry, always: {node: z}, except: [{${exception}}]}]`,
    );
    assert.match(problems.map((each) => each.message).join(), message);
    assert.deepEqual(policies[0]?.exceptions, [], exception);
  }
  for (const list of ["except: {node: c}", "except: []", "except: ~", "except: [c]"])
    assert.equal(readPolicyFile(`policies: [{id: p, after: entry, always: {node: z}, ${list}}]`).problems.length, 1);
});

test("an expired exception, or one for a missing node, is reported at its position", () => {
  const text = `policies:
  - id: p
    every_path_to: {node: c}
    passes: {node: b}
    except:
      - {node: c, until: 2020-01-31, because: Long ago.}
      - {flow: z.flow.yaml, until: 2999-01-31, because: No such flow.}
      - {flow: x.flow.yaml, node: e, until: 2999-01-31, because: No such node.}
      - {node: b, until: 2999-01-31, because: Not the target.}
      - {node: c, until: 2999-01-31, because: Fine.}
`;
  const judged = new FlowPolicies(FlowDocument.read(FLOW));
  const [policy] = readPolicyFile(text).policies;
  assert.ok(policy);
  const problems = problemsBeside(policy, [{ path: PATH, judged }]);
  assert.deepEqual(
    problems.map(({ code, message, span }) => [code, text.slice(span.start, span.end), message]),
    [
      [
        "exception-expired",
        "2020-01-31",
        'This exception to "p" expired after 2020-01-31. Remove it, or give it another day.',
      ],
      ["exception-without-effect", "z.flow.yaml", '`flow` matches no flow of policy "p". Did you mean "x.flow.yaml"?'],
      ["exception-without-effect", "e", 'Node "e" doesn\'t exist in "x.flow.yaml".'],
      ["exception-without-effect", "b", 'Node "b" isn\'t matched by `every_path_to`, so the exception has no effect.'],
    ],
  );
});

test("a day is in local time, with two digits for month and day", () => {
  assert.equal(today(new Date(2026, 0, 5, 23, 59)), "2026-01-05");
});
