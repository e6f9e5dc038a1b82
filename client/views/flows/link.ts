/** What a flow file says about where it belongs: enough for a row, without reading the whole flow. */
export interface FlowLink {
  readonly assistant: string | undefined;
  readonly revision: string | undefined;
}

/** The two keys stand at the margin, before anything long; a value may be quoted and followed by a comment. */
export function linkOf(text: string): FlowLink {
  const value = (key: string) => {
    const [, quoted, plain] =
      new RegExp(`^${key}:[ \\t]*(?:["']([^"'\\n]*)["']|([^\\s#"'][^\\s#]*))`, "m").exec(text) ?? [];
    return (quoted ?? plain)?.trim() || undefined;
  };
  return { assistant: value("assistant"), revision: value("revision") };
}

/** The page of an assistant or a revision; undefined without an address for it, or with one that is not of the web. */
export function pageOf(template: string | undefined, id: string): string | undefined {
  const address = template?.replaceAll("{id}", encodeURIComponent(id));
  return address && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined;
}
