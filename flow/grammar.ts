/** The syntax of names in a flow: node IDs, variable names, templates, UUIDs. Node types are in fields.ts. */

/** The longest ID or name that the platform accepts. */
export const MAX_NAME_LENGTH = 64;

/** The regular expression source of an ID or a name, without its length. */
export const NAME = "[A-Za-z][A-Za-z0-9_-]*";

const WHOLE_NAME = new RegExp(`^${NAME}$`);

/** Whether a string has only characters of a name; it may be too long. */
export function isNameLike(text: string): boolean {
  return WHOLE_NAME.test(text);
}

export function isName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && isNameLike(text);
}

/** The regular expression source of a template, `{{name}}`; the name is its first group. */
export const TEMPLATE = String.raw`\{\{\s*(${NAME})\s*\}\}`;

/** All templates in a string. Only for `matchAll` and `replace`: a global expression is stateful. */
export const TEMPLATES = new RegExp(TEMPLATE, "g");

/** Everything in double braces, names or not. */
const BRACES = /\{\{([^{}]*)\}\}/g;

/** Where a name is first used in a template. The name may be anything. */
export function findTemplate(text: string, name: string): { readonly start: number; readonly end: number } | undefined {
  for (const { 0: whole, 1: inner = "", index } of text.matchAll(BRACES))
    if (inner.trim() === name) return { start: index, end: index + whole.length };
  return undefined;
}

/** The text with another name in the templates of a name. */
export function replaceTemplates(text: string, name: string, to: string): string {
  return text.replace(BRACES, (whole, inner: string) =>
    inner.trim() === name ? whole.replace(name, () => to) : whole,
  );
}

const ONE_TEMPLATE = new RegExp(`^${TEMPLATE}$`);

/** The variable of a string that consists of one template. */
export function onlyVariable(text: string): string | undefined {
  return ONE_TEMPLATE.exec(text)?.[1];
}

/** The regular expression source of a UUID; ignore case when matching. */
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** All UUIDs in a string. Only for `match`: a global expression is stateful. */
export const UUIDS = new RegExp(UUID, "gi");

const WHOLE_UUID = new RegExp(`^${UUID}$`, "i");

export function isUuid(text: string): boolean {
  return WHOLE_UUID.test(text);
}
