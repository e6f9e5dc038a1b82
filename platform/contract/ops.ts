/** Schemas of the ten graph operations. Their types are in flow/graph/ops.ts, and a test keeps them equal. */
import * as z from "zod/mini";
import { limits } from "./limits";
import { type Infer, named, open, optional, resource, text, whole } from "./schema";

export const span = named("Span", () =>
  resource(
    { start_line: whole(), start_col: whole(), end_line: whole(), end_col: whole() },
    { raw_text_excerpt: text() },
  ),
);

export const node = named("FlowNode", () =>
  resource(
    { id: text() },
    { type: open("message", "collect", "decision", "tool", "component", "transfer", "end"), source_span: span() },
  ),
);

export const edge = named("FlowEdge", () => resource({ id: text(), source: text(), target: text() }, {}));

export const contextVariable = named("FlowContextVariable", () => resource({ name: text() }, {}));

export const componentOutput = named("FlowComponentOutput", () => optional({ name: text(), value: z.unknown() }));

function op<const Tag extends string, Shape extends z.core.$ZodLooseShape>(tag: Tag, shape: Shape) {
  return z.looseObject({ op: z.literal(tag), ...shape });
}

export const upsertNodeOp = named("UpsertNodeOp", () => op("upsert_node", { node: node() }));
export const removeNodeOp = named("RemoveNodeOp", () => op("remove_node", { node_id: text() }));
export const updateNodeFieldsOp = named("UpdateNodeFieldsOp", () =>
  op("update_node_fields", { node_id: text(), fields: z.record(z.string(), z.unknown()) }),
);
export const addEdgeOp = named("AddEdgeOp", () => op("add_edge", { edge: edge() }));
export const removeEdgeOp = named("RemoveEdgeOp", () => op("remove_edge", { edge_id: text() }));
export const setEntryNodeOp = named("SetEntryNodeOp", () => op("set_entry_node", { node_id: z.nullable(text()) }));
export const upsertContextVariableOp = named("UpsertContextVariableOp", () =>
  op("upsert_context_variable", { variable: contextVariable() }),
);
export const removeContextVariableOp = named("RemoveContextVariableOp", () =>
  op("remove_context_variable", { name: text() }),
);
export const setPersonaOp = named("SetPersonaOp", () => op("set_persona", { persona: z.nullable(text()) }));
export const setComponentOutputsOp = named("SetComponentOutputsOp", () =>
  op("set_component_outputs", { outputs: z.array(componentOutput()) }),
);

export const graphOp = named("GraphOp", () =>
  z.discriminatedUnion("op", [
    upsertNodeOp(),
    removeNodeOp(),
    updateNodeFieldsOp(),
    addEdgeOp(),
    removeEdgeOp(),
    setEntryNodeOp(),
    upsertContextVariableOp(),
    removeContextVariableOp(),
    setPersonaOp(),
    setComponentOutputsOp(),
  ]),
);
export type WireGraphOp = Infer<typeof graphOp>;

export const graphOpsRequest = named("GraphOpsRequest", () =>
  resource(
    { ops: z.array(graphOp()).check(z.minLength(1), z.maxLength(limits.opsPerBatch)) },
    { base_version: whole() },
  ),
);
