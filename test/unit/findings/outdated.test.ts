/** A finding is shown only if its element is the same as in the version of the finding. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyGraph, FlowDocument, graphOf, plan } from "../../../flow";
import { CompileMessages } from "../../../flow/compile";
import { FileFindings, mergeFindings, type PlatformFinding } from "../../../flow/findings";

const pushed = `assistant: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0101
revision: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0102
entry: greet
persona: Be short.
context_variables:
  tier: {type: string}
nodes:
  greet:
    type: message
    instructions: Hello {{foo}}.
    edges:
      - {id: to_ask, to: ask}
  ask:
    type: collect
    instructions: Ask for the name.
    edges:
      - {id: to_bye, to: bye}
  bye: {type: end}
`;

/** How a finding of version 9, whose graph is `before`, is shown in a text. */
function shown(finding: PlatformFinding, text: string, before = graphOf(FlowDocument.read(pushed))): string {
  const document = FlowDocument.read(text);
  const findings = new FileFindings();
  findings.set([finding], document, { version: 9, ops: plan(before, graphOf(document)).ops });
  const [problem] = findings.problems();
  assert.ok(problem);
  assert.equal(findings.outdatedErrors, problem.severity === "error" ? 0 : 1);
  if (problem.severity === "info") {
    assert.equal(findings.placed(problem), undefined, "it has no fix");
    const own = { ...problem, severity: "warning" as const, data: undefined };
    assert.equal(mergeFindings([own], [problem], document).findings.length, 1, "it isn't taken for our own problem");
  }
  return `${problem.severity} at ${document.slice(problem.span)}: ${problem.message}`;
}

const finding = (message: string, more: PlatformFinding = {}): PlatformFinding => ({
  severity: "error",
  message,
  ...more,
});
const edited = (from: string | RegExp, to: string) => {
  const text = pushed.replace(from, to);
  assert.notEqual(text, pushed);
  return text;
};
const unknown = finding('The variable "foo" is not declared.', { rule_id: "variable.unknown", node_id: "greet" });
const unused = edited("Ask for the name.", "Ask for the first name.");

test("an unchanged element keeps its finding, wherever it is in the file", () => {
  const atGreet = 'error at greet: The variable "foo" is not declared.';
  assert.equal(shown(unknown, pushed), atGreet);
  assert.equal(shown(unknown, unused), atGreet);
  assert.equal(shown(unknown, `# One line more.\n${pushed}`), atGreet);
  const moved = edited("  bye: {type: end}\n", "").replace("nodes:\n", "nodes:\n  bye: {type: end}\n");
  assert.equal(shown(unknown, moved), atGreet);
  const persona = finding("Too short.", { rule_id: "persona.short" });
  assert.match(shown(persona, unused), /^error at Be short\.:/);
  assert.match(shown(finding("It never ends.", { edge_id: "to_bye", node_id: "ask" }), unused), /^error at/);
});

test("a finding about a changed element is listed as the platform's", () => {
  const listed = 'info at revision: On the platform, v9: The variable "foo" is not declared.';
  assert.equal(shown(unknown, edited("Hello {{foo}}.", "Hello.")), listed, "its text is gone");
  assert.equal(shown(unknown, edited(/greet/g, "hello")), listed, "it has another ID");
  assert.equal(
    shown(unknown, edited("  tier: {type: string}", "  foo: {type: string}")),
    listed,
    "foo is declared now",
  );
  assert.equal(shown(unknown, edited("      - {id: to_ask, to: ask}", "      - {id: to_ask, to: bye}")), listed);
  const { node_id: _, ...nameless } = unknown;
  assert.equal(shown(nameless, edited("Hello {{foo}}.", "Hello.")), listed);
  assert.equal(shown(nameless, pushed), 'error at {{foo}}: The variable "foo" is not declared.');
  const edge = finding("It never ends.", { edge_id: "to_ask", node_id: "greet" });
  assert.match(shown(edge, edited("{id: to_ask, to: ask}", "{id: to_ask, to: bye}")), /^info at revision/);
  assert.match(shown(edge, edited("{id: to_ask, to: ask}", "{id: other, to: ask}")), /^info at revision/);
  const related = finding("Both say the same.", { node_id: "greet", related_node_ids: ["ask"] });
  assert.match(shown(related, unused), /^info at revision/);
  assert.match(shown(finding("Too short.", { rule_id: "persona.short" }), edited("Be short", "Be brief")), /^info/);
});

test("a finding about the whole flow applies only to the identical flow", () => {
  const empty = finding("The flow has no nodes.", { rule_id: "graph.empty", category: "structure" });
  assert.equal(shown(empty, pushed, emptyGraph), "info at revision: On the platform, v9: The flow has no nodes.");
  assert.match(shown(finding("Something is wrong."), unused), /^info at revision/);
  assert.match(shown(finding("Something is wrong."), pushed), /^error at assistant/);
});

test("findings of an unknown version aren't shown", () => {
  const findings = new FileFindings();
  findings.set([unknown], FlowDocument.read(pushed), { version: undefined, ops: undefined });
  assert.equal(findings.problems()[0]?.message, 'On the platform: The variable "foo" is not declared.');
});

test("an error of a compile is the platform's state once its element has changed, and is listed once", () => {
  const error = 'variable.unknown: The variable "foo" is not declared.';
  const inText = (text: string, reported: readonly PlatformFinding[]) => {
    const document = FlowDocument.read(text);
    const since = { version: 9, ops: plan(graphOf(FlowDocument.read(pushed)), graphOf(document)).ops };
    const findings = new FileFindings();
    findings.set(reported, document, since);
    const messages = new CompileMessages();
    messages.set({ errors: [error], warnings: [] }, document, since);
    const all = [...findings.problems(), ...messages.problems(findings.problems(), document)];
    return all.map(({ severity, code, message }) => `${severity} ${code} ${message}`);
  };
  const repaired = pushed.replace("Hello {{foo}}.", "Hello.");
  assert.deepEqual(inText(pushed, []), [`error compile-error ${error}`]);
  assert.deepEqual(inText(repaired, []), [`info compile-error On the platform, v9: ${error}`]);
  const ruled = { ...unknown, rule_id: "variable.unknown" };
  assert.deepEqual(inText(pushed, [ruled]), ['error variable.unknown The variable "foo" is not declared.']);
  assert.deepEqual(inText(repaired, [ruled]), [
    'info variable.unknown On the platform, v9: The variable "foo" is not declared.',
  ]);
});
