/** The project file as a JSON Schema (draft 7), generated from the table of its keys. Unknown keys are errors. */
import { closedSchema, type FileKey, type Schema } from "../file-keys";
import { NAME } from "../grammar";
import { projectKeys } from "./fields";

export function projectSchema(): Schema {
  const uuid = { type: "string", pattern: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$" };
  const url = { type: "string", pattern: "^https?://" };
  const flow = closed(projectKeys.flow, { assistant: uuid, revision: uuid });
  const environment = closed(projectKeys.environment, {
    url,
    calling_url: url,
    protected: { type: "boolean" },
    flows: { type: "object", additionalProperties: flow },
    names: byName({ type: "string", minLength: 1 }),
  });
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Environments of assistant flows",
    description: "The platforms that the flows of a repository are pushed to, and what differs between them.",
    ...closed(projectKeys.file, { default: { type: "string" }, environments: byName(environment) }),
  };
}

function byName(value: Schema): Schema {
  return { type: "object", propertyNames: { pattern: `^${NAME}$` }, additionalProperties: value };
}

function closed(keys: readonly FileKey[], schemas: Readonly<Record<string, Schema>>): Schema {
  const required = keys.filter((key) => key.required).map(({ name }) => name);
  return closedSchema(keys, schemas, required.length > 0 ? { required } : {});
}
