/** Splits long responses into pages, because an agent reads every word. */
import { createHash } from "node:crypto";
import { Stop } from "../command";

export type Json = Record<string, unknown>;

export interface PageInput {
  readonly limit?: number;
  readonly cursor?: string;
}

/** A response made of rows: all of them, or those of a page. */
export interface Rows<Row = unknown> {
  readonly rows: readonly Row[];
  readonly answer: (rows: readonly Row[]) => Json;
  /** The default page size. */
  readonly usual?: number;
}

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1000;

/** Approximate size limit of a page, which has at least one row. */
const MAX_PAGE_CHARACTERS = 60_000;

/** Returns a page, with `next_cursor` if there are more. A single page is returned without changes. */
export function pageOf<Row>({ rows, answer, usual = DEFAULT_LIMIT }: Rows<Row>, { limit = usual, cursor }: PageInput) {
  const texts = rows.map((row) => JSON.stringify(row));
  const stamp = createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 12);
  const first = cursor === undefined ? 0 : placeOf(cursor, stamp, rows.length);
  let end = first;
  for (let length = 0; end < rows.length && end - first < limit; end++) {
    length += (texts[end] as string).length;
    if (length > MAX_PAGE_CHARACTERS && end > first) break;
  }
  const made = answer(rows.slice(first, end));
  return end < rows.length ? { ...made, next_cursor: `${end}-${stamp}` } : made;
}

/** Concatenates several lists; every page contains each list, possibly empty. */
export function listRows(head: Json, lists: Readonly<Record<string, readonly unknown[]>>): Rows {
  const rows = Object.entries(lists).flatMap(([list, items]) => items.map((item) => ({ list, item })));
  const answer = (some: readonly { readonly list: string; readonly item: unknown }[]) => ({
    ...head,
    ...Object.fromEntries(
      Object.keys(lists).map((list) => [list, some.flatMap((row) => (row.list === list ? [row.item] : []))]),
    ),
  });
  return { rows, answer: answer as Rows["answer"] };
}

function placeOf(cursor: string, stamp: string, length: number): number {
  const [, place = "", of] = /^(\d{1,9})-([0-9a-f]{12})$/.exec(cursor) ?? [];
  if (of === undefined) throw new Stop("Invalid cursor for this tool. Use `next_cursor` from the previous response.");
  if (of !== stamp || Number(place) >= length)
    throw new Stop("The results have changed since the previous page. Call the tool again without a cursor.");
  return Number(place);
}
