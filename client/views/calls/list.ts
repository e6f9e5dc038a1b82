/**
 * The calls loaded so far, newest first, without duplicates. The newest page is polled; older pages are loaded on
 * request. If the newest page no longer overlaps the list, the list restarts from that page, because there may be a
 * gap.
 */
import type { Call, CallPage, CallQuery } from "../../../platform";

export interface CallList {
  readonly calls: readonly Call[];
  /** Parameters of the next page; undefined at the end. */
  readonly next: { readonly id?: string; readonly createdAt?: string } | undefined;
}

/** Merges in the newest page. Returns the same list if there is nothing new. */
export function withNewest(list: CallList | undefined, page: CallPage): CallList {
  const fresh = new Map(page.calls.map((call) => [call.id, call]));
  const touches = list?.calls.some((call) => fresh.has(call.id)) ?? false;
  if (!list || (!touches && list.calls.length > 0 && cursor(page))) return { calls: page.calls, next: cursor(page) };
  const before = list.calls.filter((call) => fresh.has(call.id));
  if (before.length === page.calls.length && list.calls.length > 0 && same(before, page.calls)) return list;
  const older = list.calls.filter((call) => !fresh.has(call.id));
  return { calls: sorted([...fresh.values(), ...older]), next: list.calls.length === 0 ? cursor(page) : list.next };
}

/** Appends a page. A page without new calls ends the list, since a server might repeat pages forever. */
export function withMore(list: CallList, page: CallPage): CallList {
  const known = new Set(list.calls.map((call) => call.id));
  const fresh = page.calls.filter((call) => !known.has(call.id));
  if (fresh.length === 0) return { calls: list.calls, next: undefined };
  const next = cursor(page);
  const repeats = next !== undefined && next.id === list.next?.id && next.createdAt === list.next?.createdAt;
  return { calls: sorted([...list.calls, ...fresh]), next: repeats ? undefined : next };
}

/** Returns the query for the next page. */
export function nextQuery(filter: CallQuery, list: CallList): CallQuery {
  return { ...filter, ...list.next };
}

function same(before: readonly Call[], now: readonly Call[]): boolean {
  return before.every((call, index) => JSON.stringify(call) === JSON.stringify(now[index]));
}

function cursor({ nextCursorId }: CallPage): CallList["next"] {
  if (!nextCursorId?.id) return undefined;
  const { id, createdAt } = nextCursorId;
  return createdAt === undefined ? { id } : { id, createdAt };
}

function sorted(calls: Call[]): Call[] {
  return calls.sort((a, b) => {
    const [left, right] = [a.createdAt ?? "", b.createdAt ?? ""];
    return left < right ? 1 : left > right ? -1 : 0;
  });
}
