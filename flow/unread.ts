/**
 * What of a flow could not be read. Everything else of it is still worth showing, but nothing that depends on all of it can
 * be said: where a run goes, what holds on every path.
 */
import type { FlowDocument } from "./document";
import type { ReadProblem } from "./reading/problem";

/** The first place that could not be read. A key that stands twice was read, so it is none. */
export function unreadIn(document: FlowDocument): ReadProblem | undefined {
  if (document.problems.length === 0) return undefined;
  return [...document.explainedProblems, ...document.problems].find(({ code }) => code !== "duplicate-key");
}

/** The same as the end of a sentence that begins with the flow. */
export function unreadWords(document: FlowDocument): string | undefined {
  const problem = unreadIn(document);
  return problem && notInFull(document, problem);
}

export function notInFull(document: FlowDocument, { span, message }: ReadProblem): string {
  return `has syntax errors. Line ${document.positionAt(span.start).line + 1}: ${message}`;
}

/** Why no run of it can begin, as the end of a sentence that begins with the flow. */
export function whyNoRun(document: FlowDocument): string {
  return unreadWords(document) ?? "has no entry node, so it can't run. Set `entry` to the ID of a node.";
}
