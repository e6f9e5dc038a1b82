/**
 * Findings with any text get a location, a message and at most an edit, and no text makes a request fail. Each text is
 * tried in each field; the result of a fix is parsed again.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits, checkDocument, FlowDocument } from "../../../flow";
import { FileFindings, mergeFindings, type PlatformFinding, shownOf, suggestedFix } from "../../../flow/findings";
import { findingHelp } from "../../../server/features/hover/finding-help";
import { ANY_TEXTS, anyTexts, findingsWith } from "../../support/any-findings";
import { cases } from "../../support/cases";

const flow = `entry: greet
context_variables:
  tier: {type: string} # nobody asks
nodes:
  greet:
    type: mesage
    instructions: Ask for {{acount_id}}.
    edges:
      - to: look_up
        when: the caller answers
      - to: bye
  look_up:
    type: tool
    edges:
      - {to: bye} # done
  bye:
    type: end
component_outputs:
  - {name: tier, value: "{{tier}}"}
`;

/** Every use of a finding. */
function goThrough(finding: PlatformFinding): void {
  const document = FlowDocument.read(flow);
  const findings = new FileFindings();
  findings.set([finding], FlowDocument.read(flow));
  const [problem] = findings.problems();
  assert.ok(problem);
  shownOf(mergeFindings(checkDocument(document, {}), [problem], document));
  const placed = findings.placed(problem);
  const fix = placed && suggestedFix(document, placed, (text) => checkDocument(text, {}));
  findingHelp(document, problem, fix, () => "command:x");
  if (fix?.kind === "edit")
    assert.equal(FlowDocument.read(applyEdits(flow, fix.edits)).problems.length, 0, JSON.stringify(finding));
  findings.edit([{ start: 0, end: 5, text: "entry" }]);
  findings.problems();
}

test("any text in every field of a finding", () => {
  for (const text of [...ANY_TEXTS, ...anyTexts(cases(60, "ANY_TEXTS"))])
    for (const finding of findingsWith(text))
      try {
        goThrough(finding);
      } catch (error) {
        throw new Error(`${JSON.stringify(finding).slice(0, 500)}: ${(error as Error).stack}`);
      }
});
