/** A document prepared for editing: its text, its style, and its blocks with places in the file. */
import type { Block, FlowDocument } from "../document";
import { type Span, shift } from "../text";
import type { MapValue, Pair, ScalarValue, Value } from "../values";
import { colonEnd } from "./containers";
import { columnOf } from "./lines";
import { moved } from "./moved";
import type { Slot } from "./slot";
import { type Style, styleOf } from "./style";

export interface Page {
  readonly document: FlowDocument;
  readonly text: string;
  readonly style: Style;
}

export function open(document: FlowDocument): Page {
  const text = document.text;
  return { document, text, style: styleOf(document, text) };
}

/** The value of a block with places in the file. */
export function valueIn(page: Page, block: Block): Value | undefined {
  return block.value && moved(block.value, page.document.startOf(block));
}

/** The slot of a node's or a variable's value. */
export function slotOf(page: Page, block: Block): Slot {
  const { pairs, flow } = mapOf(page, [block]);
  const pair = pairs[0] as Pair;
  const from = colonEnd(page.text, pair) ?? pair.key.span.end;
  return { from, column: columnOf(page.text, pair.key.span.start), flow, key: block.key };
}

/** The blocks of a section, or the top-level keys, as one map. Values are left out, because most are never used. */
export function mapOf(
  page: Page,
  blocks: readonly Block[],
): Pick<MapValue, "pairs" | "flow"> & { of: Map<Pair, Block> } {
  const of = new Map<Pair, Block>();
  const pairs = blocks.map((block) => {
    const start = page.document.startOf(block);
    const key: ScalarValue = { kind: "scalar", value: block.key, style: "plain", span: shift(block.keySpan, start) };
    const pair: Pair = { key, value: undefined, span: { start: key.span.start, end: endOf(page, block) } };
    of.set(pair, block);
    return pair;
  });
  return { pairs, flow: isInFlow(page, blocks[0]), of };
}

/** The end of a block's value; for a section, the end of its last child. */
function endOf(page: Page, block: Block): number {
  const { document } = page;
  const start = document.startOf(block);
  if (block.section === "top" && (block.key === "nodes" || block.key === "context_variables")) {
    const { end } = document.extentOf(block);
    const last = (block.key === "nodes" ? document.nodes : document.variables).at(-1);
    if (last && document.startOf(last) < end) {
      const closed = isInFlow(page, last);
      return closed ? closingBrace(page, last, end) : endOf(page, last);
    }
    if (block.value?.kind === "map")
      return emptyBraces(page.text, start + block.keySpan.end)?.end ?? start + block.keySpan.end;
  }
  return start + Math.max(block.value?.span.end ?? 0, block.keySpan.end);
}

/** The range of `{}` after a key. */
export function emptyBraces(text: string, keyEnd: number): Span | undefined {
  const found = /^["']?\s*(?::\s*)?(\{\s*\})/.exec(text.slice(keyEnd, keyEnd + 200));
  const end = keyEnd + (found?.[0].length ?? 0);
  return found ? { start: end - (found[1] as string).length, end } : undefined;
}

/** The end of a section's closing brace, given the last block in the section. */
export function closingBrace(page: Page, last: Block, end: number): number {
  const from = page.document.startOf(last) + Math.max(last.value?.span.end ?? 0, last.keySpan.end);
  const rest = page.text.slice(from, end).replace(/(^|\s)#.*$/gm, (comment) => " ".repeat(comment.length));
  const at = rest.indexOf("}");
  return at < 0 ? from : from + at + 1;
}

/** Whether the block is in `{}`: its section, or the whole file, is in flow style. */
export function isInFlow({ document, text }: Pick<Page, "document" | "text">, block: Block | undefined): boolean {
  if (!block) return false;
  const section = block.section === "top" ? undefined : document.top(block.section);
  if (!section)
    return document.header
      .replace(/(^|\s)#.*$/gm, "")
      .trimEnd()
      .endsWith("{");
  const from = document.startOf(section) + section.keySpan.end;
  const before = text.slice(from, Math.min(document.startOf(block), from + 1000)).replace(/(^|\s)#.*$/gm, "");
  return /^\s*:\s*\{/.test(before);
}
