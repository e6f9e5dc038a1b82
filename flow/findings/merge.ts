/**
 * Our problems and the platform's findings of one file, each matter once: where both complain of the same thing the more
 * severe of the two decides, and both are named. A finding that is hidden behind a milder problem would still keep the
 * flow from running.
 */
import type { FlowDocument } from "../document";
import type { Problem, Severity } from "../rules/rule";
import { isSameRule } from "./same-rule";
import { SEVERITY_RANK } from "./shown";

export interface Merged {
  readonly problems: readonly Problem[];
  /** What only the platform says. */
  readonly findings: readonly Problem[];
}

export function mergeFindings(
  problems: readonly Problem[],
  findings: readonly Problem[],
  document: FlowDocument,
): Merged {
  if (findings.length === 0) return { problems, findings };
  const merged = [...problems];
  const alone = findings.filter((finding) => {
    const same = problems.flatMap((own, index) =>
      isSameRule(own.code, finding.code) && isSamePlace(own, finding, document) ? [index] : [],
    );
    // One finding makes one of our problems worse, and two of the platform's two of them.
    const at = same.find((index) => !merged[index]?.alsoBy) ?? same[0];
    if (at === undefined) return true;
    merged[at] = both(merged[at] as Problem, finding);
    return false;
  });
  return { problems: merged, findings: alone };
}

function both(own: Problem, finding: Problem): Problem {
  // What was edited since is no longer the platform's word on this text.
  if (finding.unnecessary) return own;
  if (SEVERITY_RANK[finding.severity] >= SEVERITY_RANK[own.severity]) return { ...own, alsoBy: "platform" };
  const message = `${own.message} Platform ${said[finding.severity]}: ${finding.message}`;
  return { ...own, severity: finding.severity, message, alsoBy: "platform" };
}

const said: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note", hint: "hint" };

/** A finding without a place stands at the start of the file; what it says is then true of the file. */
function isSamePlace(own: Problem, finding: Problem, document: FlowDocument): boolean {
  return finding.span.start === 0 || document.entryAt(own.span.start) === document.entryAt(finding.span.start);
}
