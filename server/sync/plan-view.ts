/** A plan as text: what each operation does, the line that causes it, and its batch. */
import { changedFields, type Graph, type GraphEdge, type GraphOp, type Plan, placeOfOp } from "../../flow";
import { t } from "../../text";
import type { PlanLine, PlanView } from "../messages";
import type { Converter } from "../protocol/to-protocol";

/** `from`: the graph that the plan starts at, to distinguish added from changed elements. */
export function planView(plan: Plan, converter: Converter, from: Graph): PlanView {
  const added = new Set(plan.ops.map(({ op }) => (op.op === "add_edge" ? op.edge.id : undefined)));
  return {
    summary: plan.ops.length === 0 ? t("Nothing to push.") : plan.summary.text,
    batches: plan.batches.length,
    renames: plan.renames,
    lines: plan.batches.flatMap((batch, index) =>
      batch.map(({ op, at }): PlanLine => {
        const place = placeOfOp(converter.document, at);
        const changes = changesOf(op, from);
        return {
          ...words(op, from, changes),
          ...(changes.length > 0 ? { changes } : {}),
          ...(op.op === "remove_edge" && added.has(op.edge_id) ? { isHalf: true } : {}),
          batch: index + 1,
          op,
          ...(place ? { range: converter.range(place.name) } : {}),
        };
      }),
    ),
  };
}

/** Old and new values, as the command line prints them. */
function changesOf(op: GraphOp, from: Graph): NonNullable<PlanLine["changes"]> {
  const change = (field: string, before: unknown, after: unknown) => ({
    field,
    before: brief(before),
    after: brief(after),
  });
  const between = (before: object | undefined, after: object) =>
    before
      ? changedFields(before, after).map((field) => change(field, fieldOf(before, field), fieldOf(after, field)))
      : [];
  switch (op.op) {
    case "update_node_fields": {
      const node = from.nodes.get(op.node_id);
      const fields = Object.entries(op.fields).filter(([field]) => field !== "source_span");
      return node ? fields.map(([field, after]) => change(field, fieldOf(node, field), after)) : [];
    }
    case "upsert_node":
      return between(from.nodes.get(op.node.id), op.node).filter(({ field }) => field !== "source_span");
    case "add_edge":
      return between(from.edges.get(op.edge.id), op.edge).map((each) =>
        each.field === "target" ? { ...each, field: "to" } : each,
      );
    case "upsert_context_variable":
      return between(from.variables.get(op.variable.name), op.variable);
    case "set_entry_node":
      return [change("entry", from.entry, op.node_id)];
    case "set_persona":
      return [change("persona", from.persona, op.persona)];
    case "set_component_outputs":
      return [change("outputs", from.outputs, op.outputs)];
    default:
      return [];
  }
}

function fieldOf(element: object, field: string): unknown {
  return (element as Record<string, unknown>)[field];
}

const LONGEST = 300;

function brief(value: unknown): string {
  if (value === undefined || value === null) return "(none)";
  const text = typeof value === "string" ? `"${value.trim()}"` : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function edgeWords({ source, target }: GraphEdge): string {
  return t("edge {0} → {1}", source, target);
}

function words(
  op: GraphOp,
  { nodes, edges, variables }: Graph,
  changes: NonNullable<PlanLine["changes"]>,
): { mark: "+" | "~" | "-"; text: string } {
  switch (op.op) {
    case "upsert_node":
      return nodes.has(op.node.id)
        ? { mark: "~", text: t("node {0} becomes {1}", op.node.id, op.node.type ?? t("a node without a type")) }
        : { mark: "+", text: t("node {0} ({1})", op.node.id, op.node.type ?? t("no type")) };
    case "remove_node":
      return { mark: "-", text: t("node {0}", op.node_id) };
    case "update_node_fields":
      return {
        mark: "~",
        text: `${t("node {0}", op.node_id)}: ${Object.keys(op.fields)
          .filter((field) => field !== "source_span")
          .join(", ")}`,
      };
    case "add_edge": {
      const fields = changes.map(({ field }) => field).join(", ");
      if (edges.has(op.edge.id)) return { mark: "~", text: `${edgeWords(op.edge)}: ${fields || t("order")}` };
      const { when, on } = op.edge;
      const which =
        when === undefined ? (on === undefined ? "" : ` ${t("on {0}", brief(on))}`) : ` ${t("when {0}", brief(when))}`;
      return { mark: "+", text: `${edgeWords(op.edge)}${which}` };
    }
    case "remove_edge": {
      const edge = edges.get(op.edge_id);
      return { mark: "-", text: edge ? edgeWords(edge) : t("edge {0}", op.edge_id) };
    }
    case "set_entry_node":
      return { mark: "~", text: op.node_id === null ? t("no entry") : t("entry is {0}", op.node_id) };
    case "upsert_context_variable":
      return { mark: variables.has(op.variable.name) ? "~" : "+", text: t("variable {0}", op.variable.name) };
    case "remove_context_variable":
      return { mark: "-", text: t("variable {0}", op.name) };
    case "set_persona":
      return { mark: "~", text: t("persona") };
    case "set_component_outputs":
      return { mark: "~", text: t("component outputs ({0})", op.outputs.length) };
  }
}
