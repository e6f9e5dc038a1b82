/** Where elements end: before the empty lines and comments that lead to what follows. */
import type { Entry, FlowDocument } from "../../flow";

/** The end of what an entry says: that of a section is the end of its last child; comments below belong to what follows. */
export function endOfEntry(document: FlowDocument, entry: Entry): number {
  if (entry.section === "top" && (entry.key === "nodes" || entry.key === "context_variables")) {
    const extent = document.extentOf(entry);
    const last = (entry.key === "nodes" ? document.nodes : document.variables).at(-1);
    if (last && document.startOf(last) < extent.end && document.startOf(last) > extent.start)
      return endOfEntry(document, last);
  }
  const end = Math.max(
    entry.value?.kind === "map" && entry.section === "top" && entry.value.pairs.length === 0
      ? 0
      : (entry.value?.span.end ?? 0),
    entry.keySpan.end,
  );
  return document.startOf(entry) + Math.max(entry.keySpan.end, endOfText(entry.text, Math.min(end, entry.text.length)));
}

/** The end of what is written before an offset: white space left out. */
export function endOfText(text: string, end: number, start = 0): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1] as string)) at--;
  return at;
}
