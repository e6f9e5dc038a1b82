/** Reads the assistant and revision of a flow file without parsing the whole flow. */
export interface FlowLink {
  readonly assistant: string | undefined;
  readonly revision: string | undefined;
}

const ASSISTANT = /^assistant:[ \t]*(?:["']([^"'\n]*)["']|([^\s#"'][^\s#]*))/m;
const REVISION = /^revision:[ \t]*(?:["']([^"'\n]*)["']|([^\s#"'][^\s#]*))/m;

/** Both keys are unindented and near the top. Values may be quoted and followed by a comment. */
export function linkOf(text: string): FlowLink {
  const value = (line: RegExp) => {
    const [, quoted, plain] = line.exec(text) ?? [];
    return (quoted ?? plain)?.trim() || undefined;
  };
  return { assistant: value(ASSISTANT), revision: value(REVISION) };
}

/** Returns the page URL of an assistant or revision; undefined without a template, or if it isn't a web address. */
export function pageOf(template: string | undefined, id: string): string | undefined {
  const address = template?.replaceAll("{id}", encodeURIComponent(id));
  return address && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined;
}
