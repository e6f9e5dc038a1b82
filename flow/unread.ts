/**
 * Syntax errors of a flow. The rest of it can still be shown, but nothing that depends on the whole flow is known:
 * where a run goes, or what holds on every path.
 */
import type { FlowDocument } from "./document";
import type { ReadProblem } from "./reading/problem";

/** The first syntax error. A repeated key doesn't count, because it was parsed. */
export function unreadIn(document: FlowDocument): ReadProblem | undefined {
  if (document.problems.length === 0) return undefined;
  return [...document.explainedProblems, ...document.problems].find(isUnread);
}

function isUnread({ code }: ReadProblem): boolean {
  return code !== "duplicate-key";
}

/** The same as the end of a sentence that begins with the flow's name. */
export function unreadWords(document: FlowDocument): string | undefined {
  const problem = unreadIn(document);
  return problem && notInFull(document, problem);
}

export function notInFull(document: FlowDocument, { span, message }: ReadProblem): string {
  return `${hasErrors(document)} Line ${document.positionAt(span.start).line + 1}: ${message}`;
}

/** The end of a sentence that begins with the flow's name. */
export function hasErrors(document: FlowDocument): string {
  return document.explainedProblems.filter(isUnread).length > 1 ? "has syntax errors." : "has a syntax error.";
}

/** Why the flow can't run, as the end of a sentence that begins with its name. */
export function whyNoRun(document: FlowDocument): string {
  return unreadWords(document) ?? "has no entry node, so it can't run. Set `entry` to the ID of a node.";
}
