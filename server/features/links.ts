/** Document links: platform IDs, if the user configured the URLs of its pages, and `https` URLs in text. */
import { type Block, type FlowDocument, isNode, isUuid, type Span, textOf, trimmedEnd, type Value } from "../../flow";
import { t } from "../../text";
import { bare } from "./names/occurrences";

export interface Link {
  readonly span: Span;
  readonly target: string;
  readonly tooltip?: string;
}

/** URLs by kind; `{id}` is replaced with the UUID. */
export type LinkTemplates = Readonly<Record<"assistant" | "revision" | "tool" | "component", string>>;

const ADDRESS = /https:\/\/[^\s"'<>`{}|\\^]+/g;

export function links(document: FlowDocument, templates: LinkTemplates): Link[] {
  const found: Link[] = [];
  for (const block of document.blocks) {
    const start = document.startOf(block);
    for (const link of addresses(block))
      found.push({ ...link, span: { start: start + link.span.start, end: start + link.span.end } });
    for (const [key, value] of ids(block)) {
      const id = textOf(value);
      const target = id !== undefined && isUuid(id) ? fill(templates[key], id) : undefined;
      if (target && value)
        found.push({
          span: bare(document, document.absolute(block, value.span)),
          target,
          tooltip: t("Open this {0} on the platform", key),
        });
    }
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

function ids(block: Block): [keyof LinkTemplates, Value | undefined][] {
  if (isNode(block))
    return (["tool", "component"] as const).flatMap((key) => {
      const pair = block.fields.get(key);
      return pair ? [[key, pair.value] as [typeof key, Value | undefined]] : [];
    });
  return block.key === "assistant" || block.key === "revision" ? [[block.key, block.value]] : [];
}

/** Only web URLs are links: a template from a workspace's settings must not start anything else. */
function fill(template: string, id: string): string | undefined {
  return /^https?:\/\//.test(template) ? template.replaceAll("{id}", id) : undefined;
}

function addresses({ text }: Block): Link[] {
  if (!text.includes("https://")) return [];
  return [...text.matchAll(ADDRESS)].flatMap((match) => {
    // A URL that contains a template isn't known before the conversation.
    if (text.startsWith("{{", match.index + match[0].length)) return [];
    const target = trimmedEnd(match[0], ".,;:!?)]");
    return [{ span: { start: match.index, end: match.index + target.length }, target }];
  });
}
