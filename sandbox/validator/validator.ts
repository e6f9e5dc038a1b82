/** Runs the rules on a graph and converts their reports to findings. Deterministic. */
import { type Graph, graphToWire, type SourceSpan } from "../../flow";
import type { Finding, ValidationResult } from "../../platform";
import { nodeRules } from "./nodes";
import { pathRules } from "./paths";
import type { PlatformRule, Report } from "./rule";
import { narrow, spanOf } from "./spans";
import { structureRules } from "./structure";
import { variableRules } from "./variables";
import { viewOf } from "./view";

export const platformRules: readonly PlatformRule[] = [...structureRules, ...pathRules, ...variableRules, ...nodeRules];

export type Verdict = Required<ValidationResult>;

export function validate(graph: Graph): Verdict {
  const view = viewOf(graph);
  const findings: Finding[] = [];
  const counts = { error: 0, warning: 0, suggestion: 0, blocking: 0 };
  for (const rule of platformRules)
    rule.check(view, (report) => {
      findings.push(findingOf(graph, rule, report));
      counts[rule.severity] += 1;
      if (rule.blocking) counts.blocking += 1;
    });
  return {
    valid: counts.error === 0,
    error_count: counts.error,
    warning_count: counts.warning,
    suggestion_count: counts.suggestion,
    blocking_error_count: counts.blocking,
    findings,
    normalized_graph: { ...graphToWire(graph) },
  };
}

/** Inapplicable fields are omitted, because the contract doesn't allow null in findings. */
function findingOf(graph: Graph, rule: PlatformRule, report: Report): Finding {
  const finding: Finding = {
    severity: rule.severity,
    rule_id: rule.id,
    category: rule.category,
    message: report.message,
  };
  if (report.node !== undefined) finding.node_id = report.node;
  if (report.edge !== undefined) finding.edge_id = report.edge;
  if (report.relatedNodes?.length) finding.related_node_ids = [...report.relatedNodes];
  if (report.relatedEdges?.length) finding.related_edge_ids = [...report.relatedEdges];
  const home = spanOf(report.node === undefined ? undefined : graph.nodes.get(report.node));
  const words = home && report.words && narrow(home, report.words, report.nth);
  const span = words ?? home;
  if (span) finding.source_span = { ...span };
  const fix = words && report.replacement !== undefined ? report.replacement : report.fix;
  if (fix !== undefined) finding.suggested_fix = fix;
  const related = (report.relatedNodes ?? [])
    .map((id) => spanOf(graph.nodes.get(id)))
    .filter((each): each is SourceSpan => each !== undefined);
  if (related.length > 0) finding.related_spans = related.map((each) => ({ ...each }));
  return finding;
}
