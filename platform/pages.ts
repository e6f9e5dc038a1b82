/** Iterates over pages, and stops if a server repeats itself. */

export interface Page<Item, Next> {
  readonly items: readonly Item[];
  /** The query of the next page; undefined on the last one. */
  readonly next?: Next;
}

/**
 * Yields each item once. Stops at the last page, at a repeated cursor, and at a page without new items, because a
 * faulty server could return cursors forever.
 */
export async function* pages<Item extends { readonly id: string }, Query extends object>(
  query: Query,
  log: ((line: string) => void) | undefined,
  read: (query: Query) => Promise<Page<Item, Partial<Query>>>,
): AsyncGenerator<Item, void, undefined> {
  const seenItems = new Set<string>();
  const seenCursors = new Set<string>();
  let at = query;
  for (;;) {
    const { items, next } = await read(at);
    const fresh = items.filter((item) => !seenItems.has(item.id));
    for (const item of fresh) {
      if (seenItems.has(item.id)) continue;
      seenItems.add(item.id);
      yield item;
    }
    if (!next) return;
    const cursor = JSON.stringify(next);
    if (seenCursors.has(cursor) || fresh.length === 0) {
      log?.("paging: the platform repeats itself; stopped");
      return;
    }
    seenCursors.add(cursor);
    at = { ...at, ...next };
  }
}
