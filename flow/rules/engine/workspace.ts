/** The rules that need more than one file, or more than the file: what they need comes from outside. */
import type { FlowDocument } from "../../document";
import { topText } from "../../graph/graph-of";
import { MAX_OPS_PER_BATCH } from "../../graph/ops";
import { fileNameIn, type Span } from "../../text";
import { batchNeedsChaining } from "../batch-needs-chaining";
import { type Component, checkComponentNodes } from "../components";
import { revisionClaimedTwice } from "../revision-claimed-twice";
import { severityOf } from "./engine";
import { isSilenced, withoutIgnored } from "./ignore";
import type { Problem, RuleSettings } from "./rule";

/** What the other files of a workspace have to know of a file. Small enough to be kept for thousands of files. */
export interface FileSummary {
  readonly uri: string;
  /** As the file is called in messages. */
  readonly name: string;
  readonly assistant?: string;
  readonly revision?: string;
  readonly revisionSpan?: Span;
  /** A comment in the file says that others may name its revision too. */
  readonly isSilent?: boolean;
}

export function summarize(uri: string, document: FlowDocument): FileSummary {
  const name = fileNameIn(uri);
  const block = document.top("revision");
  const assistant = topText(document, "assistant");
  const revision = topText(document, "revision")?.toLowerCase();
  if (!block?.value || !revision) return { uri, name };
  const revisionSpan = document.absolute(block, block.value.span);
  const isSilent = isSilenced(document, { code: revisionClaimedTwice.code, span: revisionSpan });
  return { uri, name, ...(assistant ? { assistant } : {}), revision, revisionSpan, ...(isSilent ? { isSilent } : {}) };
}

/** The problems that arise between files, by uri; files without any are left out. */
export function checkWorkspace(files: Iterable<FileSummary>, settings: RuleSettings = {}): Map<string, Problem[]> {
  const problems = new Map<string, Problem[]>();
  const severity = severityOf(revisionClaimedTwice, settings);
  if (!severity) return problems;
  const claims = new Map<string, FileSummary[]>();
  for (const file of files) {
    if (!file.revision || !file.revisionSpan) continue;
    const claiming = claims.get(file.revision);
    if (claiming) claiming.push(file);
    else claims.set(file.revision, [file]);
  }
  for (const claiming of claims.values()) {
    if (claiming.length < 2) continue;
    for (const file of claiming) {
      if (file.isSilent) continue;
      const others = claiming.filter((other) => other !== file).slice(0, 8);
      const names = others.map((other) => `"${other.name}"`).join(", ");
      problems.set(file.uri, [
        {
          code: revisionClaimedTwice.code,
          severity,
          message: `${names} ${others.length > 1 ? "name" : "names"} the same revision. One revision has one file: change or remove "revision" in all but one.`,
          span: file.revisionSpan as Span,
          related: others.map((other) => ({
            message: `"${other.name}" names the revision here.`,
            span: other.revisionSpan as Span,
            uri: other.uri,
          })),
        },
      ]);
    }
  }
  return problems;
}

/** The problems of component nodes; `find` knows the flows of the workspace by their assistant or revision. */
export function checkComponents(
  document: FlowDocument,
  find: (id: string) => Component | undefined,
  settings: RuleSettings = {},
): Problem[] {
  const problems: Problem[] = [];
  if (document.isInConflict) return problems;
  checkComponentNodes(document, find, (rule, finding) => {
    const severity = severityOf(rule, settings);
    const problem = severity && { code: rule.code, severity, ...finding };
    if (problem) problems.push(problem);
  });
  return withoutIgnored(document, problems);
}

/** Says that a plan of so many operations takes several batches; nothing where one is enough. */
export function batchProblem(
  document: FlowDocument,
  operations: number,
  settings: RuleSettings = {},
): Problem | undefined {
  const severity = severityOf(batchNeedsChaining, settings);
  const batches = Math.ceil(operations / MAX_OPS_PER_BATCH);
  if (!severity || batches < 2) return undefined;
  const nodes = document.top("nodes");
  const span = nodes ? document.absolute(nodes, nodes.keySpan) : { start: 0, end: 0 };
  if (isSilenced(document, { code: batchNeedsChaining.code, span })) return undefined;
  return {
    code: batchNeedsChaining.code,
    severity,
    message: `This change is ${operations} operations. The platform takes ${MAX_OPS_PER_BATCH} at once, so it is sent in ${batches} batches, one after the other.`,
    span,
    data: { operations, batches },
  };
}
