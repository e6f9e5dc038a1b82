/** How names are written in a flow: IDs of nodes, names of variables, templates, UUIDs. Node types are in fields.ts. */

/** The longest ID or name that the platform takes. */
export const MAX_NAME_LENGTH = 64;

/** An ID or a name as the source of a pattern. Its length is another matter. */
export const NAME = "[A-Za-z][A-Za-z0-9_-]*";

const WHOLE_NAME = new RegExp(`^${NAME}$`);

/** Whether a text has only what a name has; it may be too long for one. */
export function isNameLike(text: string): boolean {
  return WHOLE_NAME.test(text);
}

export function isName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && isNameLike(text);
}

/** A use of a variable, `{{name}}`, as the source of a pattern; the name is its first group. */
export const TEMPLATE = String.raw`\{\{\s*(${NAME})\s*\}\}`;

/** All uses in a text, for `matchAll` and `replace` alone: a pattern that looks for all remembers its place. */
export const TEMPLATES = new RegExp(TEMPLATE, "g");

const ONE_TEMPLATE = new RegExp(`^${TEMPLATE}$`);

/** The variable of a text that is one template and nothing else. */
export function onlyVariable(text: string): string | undefined {
  return ONE_TEMPLATE.exec(text)?.[1];
}

/** A UUID as the source of a pattern that ignores case. */
export const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

const WHOLE_UUID = new RegExp(`^${UUID}$`, "i");

export function isUuid(text: string): boolean {
  return WHOLE_UUID.test(text);
}
