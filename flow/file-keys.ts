/**
 * The keys of test, policy and project files, with their documentation. The readers, completion, hover and the JSON
 * Schemas use the same tables.
 */
export interface FileKey<Name extends string = string> {
  readonly name: Name;
  readonly doc: string;
  readonly required?: boolean;
}

export function keysOf<Name extends string>(docs: Readonly<Record<Name, string>>): readonly FileKey<Name>[] {
  return Object.entries<string>(docs).map(([name, doc]) => ({ name: name as Name, doc }));
}

export type Schema = { readonly [key: string]: unknown };

/** The JSON Schema (draft 7) of a map with these keys and no others. */
export function closedSchema(
  keys: readonly FileKey[],
  schemas: Readonly<Record<string, Schema>>,
  more: Schema = {},
): Schema {
  const described = ({ name, doc }: FileKey): Schema => {
    const schema = schemas[name] as Schema;
    // Draft 7 ignores siblings of a reference.
    return schema.$ref ? { description: doc, allOf: [schema] } : { description: doc, ...schema };
  };
  return {
    type: "object",
    properties: Object.fromEntries(keys.map((key) => [key.name, described(key)])),
    additionalProperties: false,
    ...more,
  };
}
