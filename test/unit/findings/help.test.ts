/** The hover of a finding, and which findings are shown at all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDocument, FlowDocument } from "../../../flow";
import { FileFindings, mergeFindings, suggestedFix } from "../../../flow/findings";
import { findingHelp, lineDiff } from "../../../server/features/hover/finding-help";

const flow = `entry: greet
context_variables:
  tier: {type: string} # nobody asks
nodes:
  greet:
    type: mesage
    edges:
      - to: look_up
  look_up:
    type: tool
    edges:
      - to: bye
  bye:
    type: end
`;

function help(finding: Parameters<FileFindings["set"]>[0][number], link?: string): string {
  const document = FlowDocument.read(flow);
  const findings = new FileFindings();
  findings.set([finding], FlowDocument.read(flow));
  const [problem] = findings.problems();
  assert.ok(problem);
  const placed = findings.placed(problem);
  const fix = placed && suggestedFix(document, placed, () => []);
  return findingHelp(document, problem, fix, () => link);
}

test("a fix is shown as removed and added lines, with its category and a link", () => {
  const span = { start_line: 6, start_col: 11, end_line: 6, end_col: 17, raw_text_excerpt: "mesage" };
  const shown = help({ category: "nodes", node_id: "greet", source_span: span, suggested_fix: "message" }, "command:x");
  assert.equal(
    shown,
    [
      "Found by the platform, under nodes. Its fix would be:",
      "```diff\n- type: mesage\n+ type: message\n```",
      `[Apply this fix](command:x "Replace with 'message'")`,
    ].join("\n\n"),
  );
});

test("an insertion is shown below the line before it", () => {
  const shown = help({ node_id: "look_up", suggested_fix: "edges:\n  - to: bye\n    on: error" });
  assert.match(shown, /```diff\n {2}- to: bye\n\+ - to: bye\n\+ {3}on: error\n```/);
  assert.doesNotMatch(shown, /Apply this fix/, "an editor without the command has no link");
});

test("operations are shown as edits of the text, prose as text without links", () => {
  const ops = JSON.stringify([{ op: "remove_context_variable", name: "tier" }]);
  assert.match(
    help({ suggested_fix: ops }),
    /- {3}tier: \{type: string\} # nobody asks|- tier: \{type: string\} # nobody asks/,
  );
  const prose = help({ node_id: "bye", suggested_fix: "Ask [us](command:evil) for `more` information." });
  assert.equal(prose, "Found by the platform. Its advice: Ask \\[us\\]\\(command:evil\\) for \\`more\\` information.");
});

test("distant edits are shown separately, long ones are truncated, and a fence in the text doesn't end the block", () => {
  const at = (text: string) => ({ start: flow.indexOf(text), end: flow.indexOf(text) + text.length });
  const apart = lineDiff(flow, [
    { ...at("mesage"), text: "message" },
    { ...at("end\n"), text: "```\n" },
  ]);
  assert.deepEqual(apart, ["-     type: mesage", "+     type: message", "…", "-     type: end", "+     type: ```"]);
  const long = lineDiff(flow, [{ start: 0, end: 0, text: "# line\n".repeat(40) }]);
  assert.equal(long.length, 16);
  assert.equal(long.at(-1), "… 25 more lines");
  assert.match(
    help({ node_id: "bye", suggested_fix: JSON.stringify([{ op: "set_persona", persona: "Say ``` thrice." }]) }),
    /^````diff[\s\S]*^````$/m,
  );
});

test("the same problem from both sides is shown once, wherever the platform's is", () => {
  const document = FlowDocument.read(flow);
  const findings = new FileFindings();
  findings.set(
    [
      { rule_id: "variable.unused", message: "The context variable “tier” is never used." },
      { rule_id: "entry.missing", message: "The flow has no entry node." },
      { rule_id: "variable.unused", message: "The context variable “other” is never used." },
    ],
    document,
  );
  const shown = mergeFindings(checkDocument(document, {}), findings.problems(), document).findings.map(
    ({ message }) => message,
  );
  assert.deepEqual(shown, ["The flow has no entry node.", "The context variable “other” is never used."]);
});
