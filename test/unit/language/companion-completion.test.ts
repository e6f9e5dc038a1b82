/**
 * Completion all over a test, policy and project file, and in files that are being typed: an accepted
 * suggestion never breaks the file, and none is offered twice.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocument } from "yaml";
import { applyEdits, FlowDocument } from "../../../flow";
import { FlowPolicies, readPolicyFile } from "../../../flow/policy";
import { readProjectFile } from "../../../flow/project";
import { programOf } from "../../../flow/run";
import { readTestFile } from "../../../flow/test";
import { insertionOf, type Suggestions } from "../../../server/features/completion/insertion";
import { completePolicy } from "../../../server/features/policies/completion";
import { completeProject } from "../../../server/features/project/loaded";
import { completeTest } from "../../../server/features/tests/completion";
import { ONE_IN } from "../../support/cases";

const FLOW = FlowDocument.read(`entry: greet
context_variables:
  plan: {type: string, enum_values: [basic, plus]}
  ok: {type: boolean}
nodes:
  greet:
    type: message
    edges: [{to: find, when: the caller asks}, {to: bye}]
  find:
    type: tool
    tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0005
    edges: [{to: bye}, {to: "no", on: error}]
  "no": {type: transfer, destination: "+15550100"}
  bye: {type: end}
`);
const program = programOf(FLOW);
const PATH = "main.flow.yaml";

interface Kind {
  readonly text: string;
  complete(text: string, offset: number): Suggestions;
}

const kinds: Readonly<Record<string, Kind>> = {
  tests: {
    text: `# Tests.
flow: ${PATH}
tests:
  - name: one
    tags: [smoke]
    given: {plan: basic}
    tools:
      find: {return: {plan: plus}}
    steps:
      - take: the caller asks
        says: Hi
    expect:
      path: [greet, find, bye]
      variables:
        plan: plus
      ends: bye
      never: ["no"]
  - name: two
    steps:
    - {take: bye, at: greet}
    expect: {ends: bye, unset: [ok]}
    cases:
      - name: a
        given: {ok: true}
      - name: b
        skip: later
`,
    complete: (text, offset) =>
      completeTest(
        {
          text,
          file: readTestFile(text),
          program,
          flowOf: () => undefined,
          tools: undefined,
          flows: () => [PATH],
          tags: () => ["smoke", "two words"],
        },
        offset,
      ),
  },
  policies: {
    text: `policies:
  - id: one
    every_path_to: {node: find}
    passes: {node: greet, by: default}
    flows: ${PATH}
    severity: warning
    except:
      - {flow: ${PATH}, node: find, until: 2027-01-01, because: later}
    holds: [[greet, find]]
    breaks:
      - - greet
        - node: find
  - id: two
    never:
      from: entry
      to: {node: "no"}
      without:
        sets: plan
  - id: three
    at_most: 4
    from: entry
    to: {type: transfer}
`,
    complete: (text, offset) =>
      completePolicy(
        {
          text,
          file: readPolicyFile(text),
          flows: [{ uri: `file:///${PATH}`, path: PATH, program, judged: new FlowPolicies(FLOW) }],
        },
        offset,
      ),
  },
  project: {
    text: `default: staging
environments:
  staging:
    url: https://staging.example.com
    flows:
      ${PATH}: {assistant: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0001, revision: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0002}
    names:
      "yes": "+15550100"
  "on":
    url: https://api.example.com
    protected: true
    flows: {}
    names: {look_up: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0005}
`,
    complete: (text, offset) =>
      completeProject(
        {
          project: readProjectFile(text),
          flows: () => new Map([[PATH, { assistant: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0001" }]]),
          uriOf: () => undefined,
        },
        offset,
      ),
  },
};

/** Positions of a text, and what may be typed on each line and below it. */
function* typing(text: string): Generator<{ typed: string; offset: number }> {
  for (let offset = 0; offset <= text.length; offset += STEP) yield { typed: text, offset };
  const lines = text.split("\n");
  let start = 0;
  for (const [number, line] of lines.entries()) {
    const put = (written: string, cursor: number, replaced: 0 | 1) => ({
      typed: [...lines.slice(0, number + 1 - replaced), written, ...lines.slice(number + 1)].join("\n"),
      offset: start + cursor + (replaced ? 0 : line.length + 1),
    });
    const lead = /^ *(?:- )?/.exec(line)?.[0] ?? "";
    const key = /^ *(?:- )?[^\s:{[]+:/.exec(line)?.[0];
    if (key)
      for (const [value, cursor] of [
        ["", 0],
        [" ", 1],
        [" {}", 2],
        [" []", 2],
        [' ""', 2],
        [" x", 2],
        [" *x", 3],
        [" |", 2],
      ] as const)
        yield put(key + value, key.length + cursor, 1);
    for (const word of ["", "e", "# ", "- ", "-", "*", "&x", '""', "{}"])
      yield put(lead + word, lead.length + (/""|\{\}/.test(word) ? 1 : word.length), 1);
    const deep = lead.replace("-", " ");
    for (const below of [deep, `${deep}  `, `${deep}- `, `${deep}e`, deep.slice(2), `${deep.slice(2)}- `])
      yield put(below, below.length, 0);
    start += line.length + 1;
  }
}

const STEP = ONE_IN === 1 ? 1 : 8;
const errorsIn = (text: string) => parseDocument(text).errors.length;

for (const [name, kind] of Object.entries(kinds))
  test(`in ${name}`, () => {
    const failures: string[] = [];
    let count = 0;
    for (const { typed, offset } of typing(kind.text)) {
      const found = kind.complete(typed, offset);
      const place = () => `${JSON.stringify(typed.slice(Math.max(0, offset - 60), offset))}▮`;
      const labels = found.items.map(({ label }) => label);
      if (new Set(labels).size < labels.length) failures.push(`twice: ${labels} at ${place()}`);
      if (found.items.length === 0) continue;
      const before = errorsIn(typed);
      const lines = FlowDocument.read(typed);
      for (const item of found.items) {
        count++;
        const { text } = insertionOf(lines, found, item, { snippets: false, adjusts: false });
        const after = applyEdits(typed, [{ ...found.replace, text }]);
        if (errorsIn(after) > before) failures.push(`broken by ${JSON.stringify(text)} at ${place()}`);
      }
    }
    assert.deepEqual(failures.slice(0, 5), []);
    assert.ok(count > 150, `${count} suggestions`);
  });

test("a flow is added with its own IDs, unless another environment has its revision", () => {
  const own = { assistant: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0001", revision: "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0002" };
  const added = (text: string) =>
    completeProject(
      { project: readProjectFile(text), flows: () => new Map([[PATH, own]]), uriOf: () => undefined },
      text.length,
    ).items.map(({ insert }) => insert);
  const first = `environments:\n  staging:\n    url: https://staging.example.com\n    flows:\n      `;
  const entry = `${PATH}: {assistant: ${own.assistant}, revision: ${own.revision}}`;
  assert.deepEqual(added(first), [entry]);
  const second = `${first}${entry}\n  production:\n    url: https://api.example.com\n    flows:\n      `;
  assert.deepEqual(added(second), [`${PATH}: {assistant: $1, revision: $2}`]);
  assert.deepEqual(added(`${second}${PATH}: {assistant: `), []);
});
