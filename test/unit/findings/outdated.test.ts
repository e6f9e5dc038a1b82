/** A finding is shown only if its element is the same as in the version of the finding. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyGraph, FlowDocument, graphOf } from "../../../flow";
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
  findings.set([finding], document, { version: 9, before, now: graphOf(document) });
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

/** `aside` isn't reachable, and `tier` isn't used. */
const withAside = pushed.replace(
  "  bye: {type: end}",
  "  aside:\n    type: message\n    instructions: Wait.\n    edges:\n      - {to: late}\n  late:\n    type: message\n    edges:\n      - {to: bye}\n  bye: {type: end}",
);
const change = (from: string, to: string) => {
  const text = withAside.replace(from, to);
  assert.notEqual(text, withAside);
  return text;
};
const was = graphOf(FlowDocument.read(withAside));
const edgeToAside = change("- {id: to_ask, to: ask}", "- {id: to_ask, to: ask}\n      - {to: aside, when: they wait}");

const isOnText = (each: PlatformFinding, text: string) => shown(each, text, was).startsWith("error");

test("a finding at a node applies while the node is connected in the same way, whatever the platform calls it", () => {
  const loopAtBye = change("bye: {type: end}", "bye: {type: message, edges: [{id: again, to: ask}]}");
  for (const [rule_id, message] of [
    ["node.unreachable", "It isn't reachable from the entry."],
    ["loop.no-exit", "The conversation never ends here."],
    ["GRAPH-17", "Dead code."],
    ["quality", "Nobody will ever hear this."],
    [undefined, "Callers are trapped."],
  ] as const) {
    const at = (node_id: string): PlatformFinding => ({
      ...finding(message, { ...(rule_id ? { rule_id } : {}), category: "any" }),
      node_id,
    });
    for (const id of ["aside", "late"]) {
      const title = `${message} ${id}`;
      assert.equal(isOnText(at(id), withAside), true, title);
      assert.equal(isOnText(at(id), change("Ask for the name.", "Ask for a name.")), true, `${title}: other words`);
      assert.equal(isOnText(at(id), edgeToAside), false, `${title}: an edge leads to aside`);
      assert.equal(isOnText(at(id), change("entry: greet", "entry: aside")), false, `${title}: another entry`);
    }
    const isAtGreet = (text: string) => isOnText(at("greet"), text);
    assert.equal(isAtGreet(change("{id: to_bye, to: bye}", "{id: to_bye, to: ask}")), false, "an edge further on");
    assert.equal(isAtGreet(change("bye: {type: end}", "bye: {type: message}")), false, "another type");
    assert.equal(isAtGreet(loopAtBye), false, "no end any more");
    assert.equal(
      isAtGreet(change("      - {to: bye}", "      - {to: ask}")),
      true,
      "an edge that greet doesn't lead to",
    );
  }
  const long = finding("The instructions are long.", { rule_id: "instructions.long", node_id: "ask" });
  assert.equal(isOnText(long, edgeToAside), true, "ask is connected as before");
  const compiled = finding('node.unreachable: "aside" isn\'t reachable from the entry.');
  assert.equal(isOnText(compiled, edgeToAside), false, "the message of a compile names the rule");
});

test("a finding in a loop doesn't apply once the loop is another one", () => {
  const looping = pushed.replace(
    "      - {id: to_bye, to: bye}",
    "      - {id: to_bye, to: bye}\n      - {id: back, to: greet}",
  );
  const before = graphOf(FlowDocument.read(looping));
  const circle = finding("Callers may go around.", { node_id: "greet" });
  const exit = looping.replace("{id: back, to: greet}", '{id: back, to: greet, when: "they are late"}');
  assert.match(shown(circle, looping, before), /^error at greet/);
  assert.match(shown(circle, exit, before), /^info at revision/);
  const beyond = looping.replace("bye: {type: end}", "bye: {type: message, edges: [{to: done}]}\n  done: {type: end}");
  assert.match(shown({ ...circle, node_id: "ask" }, beyond, before), /^info at revision/, "its edge leads to bye");
  assert.match(shown(circle, beyond, before), /^error at greet/, "after the loop");
});

test("a finding about a variable at a node doesn't apply once a path to the node has changed", () => {
  const skipping = edgeToAside.replace("they wait", "they know");
  const unset = finding('"tier" may have no value yet.', { node_id: "bye" });
  assert.equal(isOnText(unset, withAside), true);
  assert.equal(isOnText(unset, skipping), false);
  assert.equal(isOnText({ ...unset, message: "Too short." }, skipping), true, "it names no variable");
  const never = finding('"tier" has no value anywhere.', { rule_id: "variable.empty" });
  assert.equal(isOnText(never, skipping), false, "at its declaration");
});

test("many findings in a large flow are compared in linear time", () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `n${index}`);
  const node = (id: string, to: string) => `  ${id}: {type: message, edges: [{id: e_${id}, to: ${to}}]}\n`;
  const text = `entry: n0\nnodes:\n${ids.map((id, index) => node(id, ids[index + 1] ?? "last")).join("")}  last: {type: end}\n`;
  const before = graphOf(FlowDocument.read(text));
  const document = FlowDocument.read(text.replace("to: n2500}", "to: n0}"));
  const findings = new FileFindings();
  const started = process.cpuUsage();
  const all = ids.map((node_id) => finding('Said of "n4000".', { node_id }));
  findings.set(all, document, { version: 9, before, now: graphOf(document) });
  const { user } = process.cpuUsage(started);
  assert.ok(user < 3_000_000, `${user} µs`);
  const onText = findings.problems().filter(({ severity }) => severity === "error");
  assert.equal(onText.length, 0, "nothing ends any more before it, and nothing is reached after it");
});

test("a finding about a node or an edge doesn't apply once a node that an edge leads to has come, gone or changed its type", () => {
  const dangling = finding("The target of the edge doesn't exist.", { edge_id: "to_ask", node_id: "greet" });
  const without = graphOf(FlowDocument.read(pushed.replace(/ {2}ask:[\s\S]*?(?= {2}bye)/, "")));
  assert.match(shown(dangling, pushed, without), /^info at revision/, "the target was added");
  const stuck = finding("It leads nowhere.", { rule_id: "node.stuck", node_id: "ask" });
  assert.match(shown(stuck, edited("bye: {type: end}", "bye: {type: message}")), /^info at revision/);
  assert.match(shown(stuck, edited("Hello {{foo}}.", "Hello.")), /^error at ask/);
});

test("a finding about a variable doesn't apply once it is used elsewhere, or no longer", () => {
  const unread = finding('"tier" is never read.', { rule_id: "variable.unused" });
  assert.match(shown(unread, pushed), /^error at tier/);
  assert.match(shown(unread, edited("Hello {{foo}}.", "Hello.")), /^error at tier/);
  assert.match(shown(unread, edited("Ask for the name.", "Ask for the {{tier}}.")), /^info at revision/);
  assert.match(shown(unread, edited("instructions: Ask for the name.", "variable: tier")), /^info at revision/);
  assert.match(shown(unread, edited("to: bye}", 'to: bye, when: "{{ tier }} is gold"}')), /^info at revision/);
  assert.match(shown(unread, edited("Be short.", "Be {{tier}}.")), /^info at revision/);
  const before = graphOf(FlowDocument.read(edited("Ask for the name.", "Ask for the {{tier}}.")));
  const unset = finding('"tier" is read, but never set.', { rule_id: "variable.unset" });
  assert.match(shown(unset, pushed, before), /^info at revision/, "it is no longer read");
  const both = graphOf(FlowDocument.read(edited("Ask for the name.", "Ask for their {{tier}}.")));
  assert.match(
    shown(unset, edited("Ask for the name.", "Ask for the {{tier}}."), both),
    /^error at tier/,
    "other words",
  );
});

test("an element that was moved keeps its finding; a duplicate has none, and a renamed node loses it", () => {
  const ofAsk = finding("Too short.", { node_id: "ask" });
  const ask = /^ {2}ask:[\s\S]*?(?=^ {2}bye)/m.exec(pushed)?.[0] ?? "";
  assert.match(shown(ofAsk, edited(ask, "").replace("nodes:\n", `nodes:\n${ask}`)), /^error at ask/);
  const copy = ask.replace("ask:", "ask_2:").replace("to_bye", "to_bye_2");
  const text = pushed + copy;
  const document = FlowDocument.read(text);
  const findings = new FileFindings();
  findings.set([ofAsk], document, { version: 9, before: graphOf(FlowDocument.read(pushed)), now: graphOf(document) });
  assert.deepEqual(
    findings.problems().map(({ span }) => span.start),
    [text.indexOf("  ask:") + 2],
  );
  const renamed = pushed.replace("to: ask}", "to: ask_name}").replace("  ask:", "  ask_name:");
  assert.match(shown(ofAsk, renamed), /^info at revision/);
});

test("a finding about the whole flow applies only to the identical flow", () => {
  const empty = finding("The flow has no nodes.", { rule_id: "graph.empty", category: "structure" });
  assert.equal(shown(empty, pushed, emptyGraph), "info at revision: On the platform, v9: The flow has no nodes.");
  assert.match(shown(finding("Something is wrong."), unused), /^info at revision/);
  assert.match(shown(finding("Something is wrong."), pushed), /^error at assistant/);
});

test("findings of an unknown version aren't shown", () => {
  const findings = new FileFindings();
  const document = FlowDocument.read(pushed);
  findings.set([unknown], document, { version: undefined, before: undefined, now: graphOf(document) });
  assert.equal(findings.problems()[0]?.message, 'On the platform: The variable "foo" is not declared.');
});

test("an error of a compile is the platform's state once its element has changed, and is listed once", () => {
  const error = 'variable.unknown: The variable "foo" is not declared.';
  const inText = (text: string, reported: readonly PlatformFinding[]) => {
    const document = FlowDocument.read(text);
    const since = { version: 9, before: graphOf(FlowDocument.read(pushed)), now: graphOf(document) };
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
