/**
 * The calls loaded so far, newest first, each once. The newest page comes again and again while somebody looks; older
 * ones come when asked for. Where so many calls were made between two looks that the newest page no longer touches what
 * is loaded, the list starts anew from that page rather than show a gap as if there were none.
 */
import type { Call, CallPage, CallQuery } from "../../../platform";

export interface CallList {
  readonly calls: readonly Call[];
  /** Asks for the page after the last one; undefined at the end. */
  readonly next: { readonly id?: string; readonly createdAt?: string } | undefined;
}

/** The newest page, laid over what is there; the very list where it brings nothing new. */
export function withNewest(list: CallList | undefined, page: CallPage): CallList {
  const fresh = new Map(page.calls.map((call) => [call.id, call]));
  const touches = list?.calls.some((call) => fresh.has(call.id)) ?? false;
  if (!list || (!touches && list.calls.length > 0 && cursor(page))) return { calls: page.calls, next: cursor(page) };
  const before = list.calls.filter((call) => fresh.has(call.id));
  if (before.length === page.calls.length && list.calls.length > 0 && same(before, page.calls)) return list;
  const older = list.calls.filter((call) => !fresh.has(call.id));
  return { calls: sorted([...fresh.values(), ...older]), next: list.calls.length === 0 ? cursor(page) : list.next };
}

/** One more page at the end. A page that brings nothing new is the end: a server may repeat itself forever. */
export function withMore(list: CallList, page: CallPage): CallList {
  const known = new Set(list.calls.map((call) => call.id));
  const fresh = page.calls.filter((call) => !known.has(call.id));
  if (fresh.length === 0) return { calls: list.calls, next: undefined };
  const next = cursor(page);
  const repeats = next !== undefined && next.id === list.next?.id && next.createdAt === list.next?.createdAt;
  return { calls: sorted([...list.calls, ...fresh]), next: repeats ? undefined : next };
}

/** The query for the page after the last one. */
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
