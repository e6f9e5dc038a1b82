/** Suppressing a problem is offered after all fixes and explanations: editors preselect the first action. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDocument, FlowDocument, type Problem } from "../../../flow";
import { actionsAt } from "../../../server/features/code-actions";
import { flowsOfMarkers } from "../../support/marker-flows";

const FLOW = `entry: greet
nodes:
  greet:
    type: message
    instructions: Say {{name}} and call +15550100123.
    edges:
      - {to: bye}
      - {to: nowhere}
  alone:
    type: message
  bye:
    type: end
`;

test("suppression is the last action, for one problem and for all of them", () => {
  const document = FlowDocument.read(FLOW);
  const at = FLOW.indexOf("bye:");
  const broken: Problem = {
    code: "policy-broken",
    severity: "error",
    message: "Broken.",
    span: { start: at, end: at + 3 },
    data: { path: ["greet", "bye"], edges: ["greet--bye"] },
  };
  const problems = [...checkDocument(document), broken];
  const context = {
    document,
    problems,
    findings: [],
    suggestion: () => undefined,
    advises: true,
    lists: true,
    plays: true,
    settings: {},
    wanted: () => true,
    named: () => false,
  };
  const spans = [...problems.map(({ span }) => span), { start: 0, end: FLOW.length }];
  for (const span of spans) {
    const titles = actionsAt(context, span).map(({ title }) => title);
    const first = titles.findIndex((title) => title.startsWith("Ignore "));
    assert.ok(
      titles.slice(first < 0 ? titles.length : first).every((title) => title.startsWith("Ignore ")),
      titles.join("\n"),
    );
  }
  const kinds = (named: (kind: string) => boolean) =>
    actionsAt({ ...context, named }, broken.span).flatMap(({ title, kind }) =>
      title.startsWith("Ignore ") ? [kind] : [],
    );
  assert.deepEqual(
    kinds(() => false),
    ["suppress"],
    "in a menu of everything, after the refactorings",
  );
  assert.deepEqual(
    kinds((kind) => kind === "quickfix"),
    ["quickfix"],
    "in a menu of quick fixes",
  );
  const ofPolicy = actionsAt(context, broken.span).map(({ title }) => title);
  assert.equal(ofPolicy[0], "Show This Path in Graph");
  assert.match(ofPolicy.at(-1) ?? "", /^Ignore `policy-broken`/);
});

test("suppression is last and never preferred, for a finding of every rule", () => {
  const codes = new Set<string>();
  for (const { name, text } of flowsOfMarkers()) {
    const document = FlowDocument.read(text);
    const problems = checkDocument(document);
    for (const { code, span } of problems) {
      codes.add(code);
      for (const named of [() => false, (kind: string) => kind === "quickfix"]) {
        const context = { ...around, document, problems, named };
        const actions = actionsAt(context, span);
        const first = actions.findIndex(({ suppresses }) => suppresses);
        const rest = first < 0 ? [] : actions.slice(first);
        assert.ok(
          rest.every(({ suppresses, preferred }) => suppresses && !preferred),
          `${name}, ${code}: ${actions.map(({ title }) => title).join(" | ")}`,
        );
      }
    }
  }
  assert.ok(codes.size > 40, `${codes.size} rules`);
});

const around = {
  findings: [],
  suggestion: () => undefined,
  advises: true,
  lists: true,
  plays: true,
  settings: {},
  wanted: () => true,
};
