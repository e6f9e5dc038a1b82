/** Walks pages to their end, and comes to an end on a server that repeats itself. */

export interface Page<Item, Next> {
  readonly items: readonly Item[];
  /** The part of the query that asks for the next page; undefined on the last one. */
  readonly next?: Next;
}

/**
 * Each item comes once. The walk ends at a page without a next one, at a cursor seen before, and at a page that brings
 * nothing new, because a server that invents cursors forever would else never let go.
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
      log?.("paging: the platform repeats itself; the list ends here");
      return;
    }
    seenCursors.add(cursor);
    at = { ...at, ...next };
  }
}
