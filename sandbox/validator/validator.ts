/** Runs the rules on a graph and converts their reports to findings. Deterministic. */
import { type Graph, graphToWire, type SourceSpan } from "../../flow";
import type { Finding, ValidationResult } from "../../platform";
import { nodeRules } from "./nodes";
import { pathRules } from "./paths";
import { narrow, spanOf } from "./spans";
import { structureRules } from "./structure";
import { variableRules } from "./variables";
import { type PlatformRule, type Report, viewOf } from "./view";

const rulesByCategory: Readonly<Record<string, readonly PlatformRule[]>> = {
  structure: structureRules,
  paths: pathRules,
  variables: variableRules,
  nodes: nodeRules,
};

export const platformRules = Object.values(rulesByCategory).flat();

export type Verdict = Required<ValidationResult>;

export function validate(graph: Graph): Verdict {
  const view = viewOf(graph);
  const findings: Finding[] = [];
  const counts = { error: 0, warning: 0, suggestion: 0, blocking: 0 };
  for (const [category, rules] of Object.entries(rulesByCategory))
    for (const rule of rules) {
      const severity = rule.severity === "blocking" ? "error" : rule.severity;
      const add = (report: Report) => {
        findings.push(findingOf(graph, { severity, rule_id: rule.id, category }, report));
        counts[severity] += 1;
        if (rule.severity === "blocking") counts.blocking += 1;
      };
      if ("check" in rule) rule.check(view, add);
      else
        for (const node of graph.nodes.values()) {
          const report = rule.checkNode(node, view);
          if (report) add({ ...report, node: node.id });
        }
    }
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
function findingOf(graph: Graph, rule: Pick<Finding, "severity" | "rule_id" | "category">, report: Report): Finding {
  const finding: Finding = { ...rule, message: report.message };
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
