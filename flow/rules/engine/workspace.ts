/** Rules that need more than one file, or facts from outside the file. */
import { addTo } from "../../collections";
import type { FlowDocument } from "../../document";
import { topText } from "../../graph/graph-of";
import { MAX_OPS_PER_BATCH } from "../../graph/ops";
import { fileNameBeside, type Span } from "../../text";
import { batchNeedsChaining } from "../batch-needs-chaining";
import { type Component, checkComponentNodes } from "../components";
import { revisionClaimedTwice } from "../revision-claimed-twice";
import { severityOf } from "./engine";
import { isSilenced, withoutIgnored } from "./ignore";
import type { Problem, RuleSettings } from "./rule";

/** The facts about a file that checks of other files need. Small enough to keep for thousands of files. */
export interface FileSummary {
  readonly uri: string;
  readonly assistant?: string;
  readonly revision?: string;
  readonly revisionSpan?: Span;
  /** A comment in the file allows other files to use its revision. */
  readonly isSilent?: boolean;
}

export function summarize(uri: string, document: FlowDocument): FileSummary {
  const block = document.top("revision");
  const assistant = topText(document, "assistant");
  const revision = topText(document, "revision")?.toLowerCase();
  if (!block?.value || !revision) return { uri };
  const revisionSpan = document.absolute(block, block.value.span);
  const isSilent = isSilenced(document, { code: revisionClaimedTwice.code, span: revisionSpan });
  return { uri, ...(assistant ? { assistant } : {}), revision, revisionSpan, ...(isSilent ? { isSilent } : {}) };
}

/** Problems between files, by URI; files without problems are left out. */
export function checkWorkspace(files: Iterable<FileSummary>, settings: RuleSettings = {}): Map<string, Problem[]> {
  const problems = new Map<string, Problem[]>();
  const severity = severityOf(revisionClaimedTwice, settings);
  if (!severity) return problems;
  const claims = new Map<string, FileSummary[]>();
  for (const file of files) {
    if (file.revision && file.revisionSpan) addTo(claims, file.revision, file);
  }
  for (const claiming of claims.values()) {
    if (claiming.length < 2) continue;
    for (const file of claiming) {
      if (file.isSilent) continue;
      const others = claiming.filter((other) => other !== file).slice(0, 8);
      const nameOf = (other: FileSummary) => `"${fileNameBeside(other.uri, file.uri)}"`;
      const names = others.map(nameOf).join(", ");
      problems.set(file.uri, [
        {
          code: revisionClaimedTwice.code,
          severity,
          message: `${names} ${others.length > 1 ? "have" : "has"} the same revision. Change or remove \`revision\` in all files but one.`,
          span: file.revisionSpan as Span,
          related: others.map((other) => ({
            message: `${nameOf(other)} has the revision here.`,
            span: other.revisionSpan as Span,
            uri: other.uri,
          })),
        },
      ]);
    }
  }
  return problems;
}

/** Problems of component nodes; `find` returns the flow with a given assistant or revision ID. */
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

/** Reports that a plan needs several batches; undefined if one is enough. */
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
    message: `This change has ${operations} operations and the platform accepts ${MAX_OPS_PER_BATCH} at once, so it's sent in ${batches} batches.`,
    span,
    data: { operations, batches },
  };
}
