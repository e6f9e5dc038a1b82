/**
 * The flow file as a JSON Schema (draft 7, which every YAML tool supports), generated from the field table. It covers
 * what a schema can express: the known keys, their types, and which are required. Like the editor it is open: unknown
 * keys and node types are allowed, and so is an empty value, which may be half-typed.
 */

import { edgeFields, type Field, type FieldKind, nodeTypes, outputFields, topFields, variableFields } from "./fields";
import { MAX_NAME_LENGTH, NAME } from "./grammar";

type Schema = { readonly [key: string]: unknown };

export function flowSchema(): Schema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Assistant flow",
    description:
      "The flow graph of one assistant revision: its persona, context variables, and the steps of the conversation.",
    type: "object",
    required: topFields.filter((field) => field.required).map((field) => field.name),
    properties: Object.fromEntries(topFields.map((field) => [field.name, topSchema(field)])),
    definitions: {
      id: { type: "string", pattern: `^${NAME}$`, maxLength: MAX_NAME_LENGTH },
      node: nodeSchema(),
      edge: { type: ["object", "null"], required: ["to"], properties: properties(edgeFields) },
      variable: { type: ["object", "null"], properties: properties(variableFields) },
      output: { type: ["object", "null"], properties: properties(outputFields, false) },
    },
  };
}

function topSchema(field: Field): Schema {
  const named = (items: string) => ({
    propertyNames: { $ref: "#/definitions/id" },
    additionalProperties: { $ref: `#/definitions/${items}` },
  });
  if (field.name === "nodes") return { description: field.doc, type: "object", minProperties: 1, ...named("node") };
  if (field.name === "context_variables")
    return { description: field.doc, type: ["object", "null"], ...named("variable") };
  if (field.name === "component_outputs")
    return { description: field.doc, type: ["array", "null"], items: { $ref: "#/definitions/output" } };
  return fieldSchema(field, field.required ?? false);
}

/** Fields that depend on the node's type are only checked for known types. */
function nodeSchema(): Schema {
  const shared = new Map<string, Field>();
  for (const { fields } of nodeTypes) for (const field of fields) shared.set(field.name, { ...field, required: false });
  return {
    type: "object",
    required: ["type"],
    properties: {
      type: {
        description: "What the node does.",
        type: ["string", "number", "boolean"],
        minLength: 1,
        examples: nodeTypes.map((type) => type.name),
      },
      ...Object.fromEntries([...shared].map(([name, { doc }]) => [name, { description: doc }])),
    },
    allOf: nodeTypes.map((type) => ({
      if: { required: ["type"], properties: { type: { const: type.name } } },
      // biome-ignore lint/suspicious/noThenProperty: `then` is a JSON Schema keyword.
      then: {
        required: type.fields.filter((field) => field.required).map((field) => field.name),
        properties: {
          type: { description: type.doc },
          ...Object.fromEntries(type.fields.map((field) => [field.name, nodeField(field)])),
        },
      },
    })),
  };
}

function nodeField(field: Field): Schema {
  if (field.name === "edges")
    return { description: field.doc, type: ["array", "null"], items: { $ref: "#/definitions/edge" } };
  // Empty instructions are a matter of style, not of structure.
  return fieldSchema(field, (field.required ?? false) && field.name !== "instructions");
}

function properties(fields: readonly Field[], needed = true): Schema {
  return Object.fromEntries(
    fields.map((field) => [field.name, fieldSchema(field, needed && (field.required ?? false))]),
  );
}

function fieldSchema(field: Field, filled: boolean): Schema {
  const kinds: Record<FieldKind, readonly string[]> = {
    text: ["string", "number", "boolean"],
    "long-text": ["string", "number", "boolean"],
    uuid: ["string"],
    "node-id": ["string", "number", "boolean"],
    "variable-name": ["string", "number", "boolean"],
    integer: ["integer"],
    map: ["object"],
    list: ["array"],
    "list-of-text": ["array"],
    any: [],
  };
  const types = kinds[field.kind];
  const empty = filled ? "" : "^$|";
  return {
    description: field.doc,
    ...(types.length > 0 ? { type: filled ? types : [...types, "null"] } : {}),
    ...(filled && types.includes("string") ? { minLength: 1 } : {}),
    ...(field.kind === "uuid" ? { pattern: `${empty}\\{\\{|${UUID}` } : {}),
    ...(field.closed && field.values ? { enum: field.values } : field.values ? { examples: field.values } : {}),
  };
}

const UUID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
