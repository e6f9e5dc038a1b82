/**
 * The policy file as a JSON Schema (draft 7), generated from the table of its keys. It's closed: an unknown key is an
 * error.
 */
import { nodeTypes } from "../fields";
import { closedSchema as closed, type Schema } from "../file-keys";
import { SEVERITIES } from "../rules/engine/rule";
import { policyKeys } from "./fields";

const text = { type: ["string", "number", "boolean"] };

export function policySchema(): Schema {
  const selector = { anyOf: [{ const: "entry" }, { $ref: "#/definitions/nodes" }] };
  const kinds = (Object.keys(policyKeys.with) as (keyof typeof policyKeys.with)[]).map((kind) =>
    closed(
      [...policyKeys.kind.filter(({ name }) => name === kind), ...policyKeys.with[kind], ...policyKeys.common],
      {
        every_path_to: selector,
        passes: { anyOf: [{ const: "entry" }, { $ref: "#/definitions/passed" }] },
        never: closed(
          policyKeys.never,
          { from: selector, to: selector, without: selector },
          {
            required: ["from", "to"],
          },
        ),
        after: selector,
        always: selector,
        at_most: { type: "integer", minimum: 0 },
        from: selector,
        to: selector,
        id: text,
        because: text,
        flows: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" }, minItems: 1 }] },
        severity: { enum: SEVERITIES },
        except: { type: "array", items: { $ref: "#/definitions/exception" }, minItems: 1 },
        holds: { $ref: "#/definitions/paths" },
        breaks: { $ref: "#/definitions/paths" },
      },
      { required: ["id", kind, ...policyKeys.with[kind].map(({ name }) => name)] },
    ),
  );
  const nodes = { ...Object.fromEntries(policyKeys.selector.map(({ name }) => [name, text])), type: types };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Policies of assistant flows",
    description: "What must hold on every path through flows.",
    ...closed(policyKeys.file, { policies: { type: "array", items: { anyOf: kinds } } }, { required: ["policies"] }),
    definitions: {
      exception: closed(
        policyKeys.exception,
        { flow: text, node: text, until: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" }, because: text },
        // Beside the two required keys, `flow` or `node`.
        { required: ["until", "because"], minProperties: 3 },
      ),
      paths: {
        type: "array",
        minItems: 1,
        items: { type: "array", minItems: 1, items: { anyOf: [text, { $ref: "#/definitions/passed" }] } },
      },
      nodes: closed(policyKeys.selector, nodes, { minProperties: 1 }),
      passed: closed([...policyKeys.selector, ...policyKeys.by], { ...nodes, by: text }, { minProperties: 1 }),
    },
  };
}

const types = { anyOf: [{ enum: nodeTypes.map(({ name }) => name) }, text] };
