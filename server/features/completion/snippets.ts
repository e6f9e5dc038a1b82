/** Snippets for new parts of a flow, with lines relative to the first column. */
import { nodeType } from "../../../flow";
import { yamlWord } from "../../../flow/edit";
import type { ToolDefinition } from "../../../flow/tools";
import { t } from "../../../text";
import { firstWords } from "../hover/describe";
import { asSnippet, type Suggestion, suggestSnippet } from "./insertion";

/** A complete first flow, for an empty file. */
export function flowSnippet(): Suggestion {
  return suggestSnippet("flow", t("a flow with an entry and an end"), FIRST_FLOW);
}

const FIRST_FLOW = `entry: \${1:greet}

nodes:
  \${1:greet}:
    type: message
    instructions: \${2:Welcome the caller and ask how you can help.}
    edges:
      - to: \${3:goodbye}
  \${3:goodbye}:
    type: end
    instructions: \${4:Thank the caller and say goodbye.}`;

/** A new edge in each of its forms; `dash` is empty if the list item has a dash already. */
export function edgeSnippets(dash: "- " | ""): Suggestion[] {
  const next = dash === "" ? "\n" : "\n  ";
  const edge = (label: string, detail: string, insert: string) => suggestSnippet(dash + label, detail, dash + insert);
  return [
    edge("to … when", t("an edge with a condition"), `to: \${1:node}${next}when: \${2:condition}`),
    edge("to", t("the default edge"), `to: \${1:node}`),
    edge("to … on error", t("an edge for failures"), `to: \${1:node}${next}on: error`),
  ];
}

/** A new node of a type, with its required fields. */
export function nodeSnippet(type: string, id?: string): Suggestion {
  const known = nodeType(type);
  let stop = 1;
  const lines = [id === undefined ? `\${${stop++}:${type}_node}:` : `${asSnippet(yamlWord(id))}:`];
  lines.push(id === undefined ? `  type: ${type}` : `  type: \${${stop++}:${type}}`);
  for (const field of known?.fields ?? []) if (field.required) lines.push(`  ${field.name}: \${${stop++}}`);
  if (!known?.terminal) lines.push("  edges:", `    - to: \${${stop++}}`);
  return suggestSnippet(`${type} node`, known?.doc ?? "", lines.join("\n"));
}

/** A node that calls a tool, with its required inputs and its mapped outputs. */
export function toolSnippet({ id, name, description, inputs, outputs }: ToolDefinition): Suggestion {
  let stop = 1;
  const lines = [`\${${stop++}:${wordIn(name) || "tool_node"}}:`, "  type: tool", `  tool: ${asSnippet(yamlWord(id))}`];
  const required = (inputs ?? []).filter((input) => input.required && !input.hasDefault);
  if (required.length > 0) lines.push("  inputs:");
  for (const { name } of required)
    lines.push(`    ${asSnippet(yamlWord(name))}: "{{\${${stop++}:${wordIn(name) || "variable"}}\\}\\}"`);
  if (outputs.length > 0) lines.push("  saves:");
  const variables = new Set<string>();
  for (const [index, { path, alias }] of outputs.entries()) {
    const word = wordIn(alias ?? /\w+(?=\W*$)/.exec(path)?.[0] ?? "") || "output";
    const variable = variables.has(word) ? `${word}_${index + 1}` : word;
    variables.add(variable);
    lines.push(`    \${${stop++}:${variable}}: ${asSnippet(yamlWord(path))}`);
  }
  lines.push("  edges:", `    - to: \${${stop++}}`);
  const shape = String([required.length > 0, outputs.length > 0]);
  return { ...suggestSnippet(`tool node: ${name || id}`, firstWords(description), lines.join("\n")), shape };
}

/** A name as an ID: `Look up account` becomes `look_up_account`. */
function wordIn(name: string): string {
  const word = name.toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return word.slice(0, 60).replace(/^[_0-9]+|(?<!_)_+$/g, "");
}

export function variableSnippet(name?: string): Suggestion {
  const head = name === undefined ? `\${1:name}` : asSnippet(yamlWord(name));
  const insert = `${head}:\n  type: \${2:string}\n  description: \${3}`;
  return suggestSnippet("variable", t("a new context variable"), insert);
}

export function outputSnippet(dash: "- " | ""): Suggestion {
  const insert = `${dash}name: \${1:name}${dash === "" ? "\n" : "\n  "}value: "{{\${2:variable}}}"`;
  return suggestSnippet(`${dash}output`, t("a returned value"), insert);
}
