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
        const { mark, text, changes } = described(op, from);
        return {
          mark,
          text,
          changes: changes?.length ? changes : undefined,
          isHalf: op.op === "remove_edge" && added.has(op.edge_id) ? true : undefined,
          batch: index + 1,
          op,
          range: place && converter.range(place.name),
        };
      }),
    ),
  };
}

interface Described {
  readonly mark: "+" | "~" | "-";
  readonly text: string;
  readonly changes?: NonNullable<PlanLine["changes"]>;
}

/** What an operation does, with old and new values as the command line prints them. */
function described(op: GraphOp, { nodes, edges, variables, ...top }: Graph): Described {
  switch (op.op) {
    case "upsert_node": {
      const { id, type } = op.node;
      const node = nodes.get(id);
      if (!node) return { mark: "+", text: t("node {0} ({1})", id, type ?? t("no type")) };
      const changes = between(node, op.node);
      return { mark: "~", text: t("node {0} becomes {1}", id, type ?? t("a node without a type")), changes };
    }
    case "remove_node":
      return { mark: "-", text: t("node {0}", op.node_id) };
    case "update_node_fields": {
      const node = nodes.get(op.node_id);
      const fields = Object.entries(op.fields).filter(([field]) => field !== "source_span");
      const text = `${t("node {0}", op.node_id)}: ${fields.map(([field]) => field).join(", ")}`;
      return {
        mark: "~",
        text,
        changes: node && fields.map(([field, after]) => change(field, fieldOf(node, field), after)),
      };
    }
    case "add_edge": {
      const edge = edges.get(op.edge.id);
      if (edge) {
        const changes = between(edge, op.edge).map((each) =>
          each.field === "target" ? { ...each, field: "to" } : each,
        );
        const fields = changes.map(({ field }) => field).join(", ");
        return { mark: "~", text: `${edgeWords(op.edge)}: ${fields || t("order")}`, changes };
      }
      const { when, on } = op.edge;
      const which =
        when === undefined ? (on === undefined ? "" : ` ${t("on {0}", brief(on))}`) : ` ${t("when {0}", brief(when))}`;
      return { mark: "+", text: `${edgeWords(op.edge)}${which}` };
    }
    case "remove_edge": {
      const edge = edges.get(op.edge_id);
      return { mark: "-", text: edge ? edgeWords(edge) : t("edge {0}", op.edge_id) };
    }
    case "set_entry_node": {
      const text = op.node_id === null ? t("no entry") : t("entry is {0}", op.node_id);
      return { mark: "~", text, changes: [change("entry", top.entry, op.node_id)] };
    }
    case "upsert_context_variable": {
      const variable = variables.get(op.variable.name);
      const text = t("variable {0}", op.variable.name);
      return variable ? { mark: "~", text, changes: between(variable, op.variable) } : { mark: "+", text };
    }
    case "remove_context_variable":
      return { mark: "-", text: t("variable {0}", op.name) };
    case "set_persona":
      return { mark: "~", text: t("persona"), changes: [change("persona", top.persona, op.persona)] };
    case "set_component_outputs": {
      const [before, after] = [top.outputs, op.outputs].map(outputsInWords) as [string, string];
      return { mark: "~", text: t("outputs"), changes: [{ field: "outputs", before, after }] };
    }
  }
}

function change(field: string, before: unknown, after: unknown) {
  return { field, before: brief(before), after: brief(after) };
}

/** Returns, for example, `topic = {{topic}}, ticket = {{ticket}}`. An output with other fields is shown as JSON. */
function outputsInWords(outputs: Graph["outputs"]): string {
  const words = outputs.map((output) => {
    const { name, value, ...rest } = output;
    const isPlain = typeof name === "string" && typeof value === "string" && Object.keys(rest).length === 0;
    return isPlain ? `${name} = ${value}` : JSON.stringify(output);
  });
  return words.length === 0 ? NONE : shortened(words.join(", "));
}

function between(before: object, after: object) {
  return changedFields(before, after).map((field) => change(field, fieldOf(before, field), fieldOf(after, field)));
}

function fieldOf(element: object, field: string): unknown {
  return (element as Record<string, unknown>)[field];
}

const NONE = "(none)";

function brief(value: unknown): string {
  if (value === undefined || value === null) return NONE;
  return shortened(typeof value === "string" ? `"${value.trim()}"` : JSON.stringify(value));
}

const LONGEST = 300;

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function edgeWords({ source, target }: GraphEdge): string {
  return t("edge {0} → {1}", source, target);
}
