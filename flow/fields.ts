/**
 * Every known key, with its type and meaning. Completion, hover, the typo rules, and the JSON Schema are all derived
 * from this table. The set is open: unknown keys and node types are sent unchanged.
 */

export type FieldKind =
  | "text"
  | "long-text"
  | "uuid"
  | "node-id"
  | "variable-name"
  | "integer"
  | "map"
  | "list"
  | "list-of-text"
  | "any";

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly doc: string;
  readonly required?: boolean;
  /** Suggested values. Other values are allowed unless `closed`. */
  readonly values?: readonly string[];
  readonly closed?: boolean;
  readonly example?: string;
}

export interface NodeType {
  readonly name: string;
  readonly doc: string;
  /** The conversation ends at these nodes, so they have no edges. */
  readonly terminal?: boolean;
  readonly fields: readonly Field[];
}

export const topFields: readonly Field[] = [
  {
    name: "assistant",
    kind: "uuid",
    doc: "The assistant this flow belongs to (its agent ID). Required to sync, not to edit.",
  },
  {
    name: "revision",
    kind: "uuid",
    doc: "The assistant revision this file belongs to. Required to sync, not to edit.",
  },
  { name: "persona", kind: "long-text", doc: "The assistant's identity and tone in every node of the flow." },
  { name: "entry", kind: "node-id", required: true, doc: "The node where every conversation starts." },
  {
    name: "context_variables",
    kind: "map",
    doc: "The variables of the conversation, by name. Use one in any text as `{{name}}`.",
  },
  {
    name: "nodes",
    kind: "map",
    required: true,
    doc: "The nodes of the conversation, by ID. Their order has no effect.",
  },
  {
    name: "component_outputs",
    kind: "list",
    doc: "The values this flow returns when another flow uses it as a component.",
  },
];

export const variableFields: readonly Field[] = [
  {
    name: "type",
    kind: "text",
    values: ["string", "number", "integer", "boolean", "date"],
    doc: "The type of the variable's value.",
  },
  {
    name: "source",
    kind: "text",
    values: ["derived"],
    doc: "Where the value comes from. `derived`: inferred from the conversation.",
  },
  {
    name: "enum_values",
    kind: "list-of-text",
    doc: "The allowed values of the variable.",
    example: "[basic, plus, max]",
  },
  { name: "reask_cap", kind: "integer", doc: "How many times the assistant may ask again before it gives up." },
  { name: "description", kind: "long-text", doc: "The meaning of the variable, for the assistant." },
];

export const edgeFields: readonly Field[] = [
  { name: "to", kind: "node-id", required: true, doc: "The node this edge leads to." },
  {
    name: "when",
    kind: "long-text",
    doc: "The condition. The first edge whose condition is true is taken; an edge without `when` or `on` is the default and comes last.",
  },
  {
    name: "on",
    kind: "text",
    values: ["error", "timeout"],
    doc: "Taken on an event rather than on a condition, such as the failure of a tool.",
  },
  { name: "label", kind: "text", doc: "A short label for the editor; it has no effect." },
  { name: "id", kind: "text", doc: "The edge's ID. Without it, the ID is built from the edge's source and target." },
];

export const outputFields: readonly Field[] = [
  { name: "name", kind: "text", required: true, doc: "The name under which the calling flow receives the value." },
  { name: "value", kind: "any", required: true, doc: 'The returned value, often a variable: `"{{account_id}}"`.' },
];

const name: Field = { name: "name", kind: "text", doc: "A display name." };
const description: Field = {
  name: "description",
  kind: "long-text",
  doc: "A note for readers; the assistant doesn't see it.",
};
const edges: Field = {
  name: "edges",
  kind: "list",
  doc: "Where the conversation goes next. The first matching edge wins, and the default comes last.",
};
const instructions: Field = {
  name: "instructions",
  kind: "long-text",
  doc: "What the assistant says or does here.",
};
const inputs: Field = {
  name: "inputs",
  kind: "map",
  doc: "The input values, by parameter name.",
  example: '{account: "{{account_id}}"}',
};
const saves: Field = {
  name: "saves",
  kind: "map",
  doc: "Context variables set from the result: variable name to a path in the result.",
  example: "{plan: $.plan}",
};

export const nodeTypes: readonly NodeType[] = [
  {
    name: "message",
    doc: "The assistant says something.",
    fields: [{ ...instructions, required: true }, name, description, edges],
  },
  {
    name: "collect",
    doc: "The assistant asks for the value of a context variable.",
    fields: [
      { name: "variable", kind: "variable-name", required: true, doc: "The context variable to fill." },
      { ...instructions, required: true },
      name,
      description,
      edges,
    ],
  },
  {
    name: "decision",
    doc: "Chooses the next step without saying anything.",
    fields: [instructions, name, description, edges],
  },
  {
    name: "tool",
    doc: "Calls a platform tool.",
    fields: [
      { name: "tool", kind: "uuid", required: true, doc: "The ID of the tool." },
      inputs,
      saves,
      instructions,
      name,
      description,
      edges,
    ],
  },
  {
    name: "component",
    doc: "Runs another flow and comes back.",
    fields: [
      { name: "component", kind: "uuid", required: true, doc: "The ID of the component's flow." },
      inputs,
      saves,
      name,
      description,
      edges,
    ],
  },
  {
    name: "transfer",
    doc: "Transfers the conversation to a person or another line.",
    terminal: true,
    fields: [
      {
        name: "destination",
        kind: "text",
        required: true,
        doc: "Where to transfer to: a phone number or an address.",
        example: '"+15550100"',
      },
      {
        name: "mode",
        kind: "text",
        values: ["cold", "warm"],
        doc: "`cold` transfers immediately; `warm` introduces the caller first.",
      },
      instructions,
      name,
      description,
    ],
  },
  { name: "end", doc: "The conversation ends.", terminal: true, fields: [instructions, name, description] },
];

const fieldNames = new Set(
  [...nodeTypes.flatMap(({ fields }) => fields), ...edgeFields].map(({ name }) => name).concat("type"),
);

/** Whether nodes of any type, or edges, have a field with this name. */
export function isKnownField(name: string): boolean {
  return fieldNames.has(name);
}

/** Names from other tools that mean one of our fields. */
const otherNames: Record<"top" | "node" | "edge" | "variable" | "output", Readonly<Record<string, string>>> = {
  top: {
    start: "entry",
    start_node: "entry",
    entry_node: "entry",
    entrypoint: "entry",
    initial: "entry",
    variables: "context_variables",
    vars: "context_variables",
    steps: "nodes",
    states: "nodes",
    node: "nodes",
    outputs: "component_outputs",
    agent: "assistant",
    agent_id: "assistant",
    assistant_id: "assistant",
    revision_id: "revision",
    personality: "persona",
    system_prompt: "persona",
  },
  // The platform may define fields of nodes, so these count only if a required field is missing.
  node: {
    prompt: "instructions",
    text: "instructions",
    say: "instructions",
    message: "instructions",
    content: "instructions",
    var: "variable",
    slot: "variable",
    variable_name: "variable",
    tool_id: "tool",
    tool_name: "tool",
    component_id: "component",
    flow: "component",
    phone: "destination",
    phone_number: "destination",
    number: "destination",
    to: "destination",
    target: "destination",
  },
  edge: {
    too: "to",
    target: "to",
    goto: "to",
    go_to: "to",
    next: "to",
    destination: "to",
    node: "to",
    if: "when",
    condition: "when",
    cond: "when",
    unless: "when",
    event: "on",
  },
  variable: {
    enum: "enum_values",
    enums: "enum_values",
    values: "enum_values",
    options: "enum_values",
    choices: "enum_values",
    allowed_values: "enum_values",
    desc: "description",
  },
  output: { key: "name", val: "value" },
};

/** The field that a name from another tool most likely means. */
export function habitOf(kind: keyof typeof otherNames, name: string): string | undefined {
  const names = otherNames[kind];
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

const keyNames = new Set([
  ...fieldNames,
  ...[...topFields, ...variableFields, ...outputFields].map(({ name }) => name),
]);

/** Whether any map of a flow has a key with this name. */
export function isKnownKey(name: string): boolean {
  return keyNames.has(name);
}

const typeNames = new Set([
  ...nodeTypes.map(({ name }) => name),
  ...variableFields.flatMap(({ name, values = [] }) => (name === "type" ? values : [])),
]);

/** Whether nodes or variables have this type. */
export function isKnownType(name: string): boolean {
  return typeNames.has(name);
}

const typesByName = new Map(nodeTypes.map((type) => [type.name, type]));

export function nodeType(type: string | undefined): NodeType | undefined {
  return type === undefined ? undefined : typesByName.get(type);
}
