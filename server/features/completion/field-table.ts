/** Looks up which keys are valid at a position, in the table of fields (flow/fields.ts). */
import {
  edgeFields,
  type Field,
  type FlowDocument,
  nodeType,
  nodeTypes,
  outputFields,
  topFields,
  variableFields,
} from "../../../flow";

const typeField: Field = {
  name: "type",
  kind: "text",
  required: true,
  values: nodeTypes.map((type) => type.name),
  doc: "What the node does. Unknown types are sent to the platform unchanged.",
};

/** The keys of the map at a path (place.ts); undefined if keys are user-defined. */
export function fieldsAt(document: FlowDocument, path: readonly string[]): readonly Field[] | undefined {
  const [section, id, list, item] = path;
  if (path.length === 0) return topFields;
  if (section !== "component_outputs" && id === "-") return undefined;
  if (section === "context_variables" && path.length === 2) return variableFields;
  if (section === "component_outputs" && path.length === 2 && id === "-") return outputFields;
  if (section !== "nodes" || id === undefined) return undefined;
  if (path.length === 2) return [typeField, ...nodeFields(document.node(id)?.type)];
  if (path.length === 4 && list === "edges" && item === "-") return edgeFields;
  return undefined;
}

/** The field of a value, by the path to the value. */
export function fieldAt(document: FlowDocument, path: readonly string[]): Field | undefined {
  return fieldsAt(document, path.slice(0, -1))?.find((field) => field.name === path.at(-1));
}

/** The fields of a type, or of every type if the type is unknown. */
function nodeFields(type: string | undefined): readonly Field[] {
  const known = nodeType(type);
  if (known) return known.fields;
  const all = new Map(nodeTypes.flatMap((each) => each.fields.map((field) => [field.name, field])));
  return [...all.values()].map((field) => ({ ...field, required: false }));
}
