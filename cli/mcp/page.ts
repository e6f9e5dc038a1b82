/** Answers of many rows, a page at a time: an agent reads every word it is given. */
import { createHash } from "node:crypto";
import { Stop } from "../command";

export type Json = Record<string, unknown>;

export interface PageInput {
  readonly limit?: number;
  readonly cursor?: string;
}

/** An answer that is made of rows: of all of them, or of those of a page. */
export interface Rows<Row = unknown> {
  readonly rows: readonly Row[];
  readonly answer: (rows: readonly Row[]) => Json;
  /** How many rows a page has unless something else is asked for. */
  readonly usual?: number;
}

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1000;

/** About as much text as an answer should have; a page has one row at least. */
const MAX_PAGE_CHARACTERS = 60_000;

/** The answer of a page, with `next_cursor` where more follows. An answer of one page is the whole one and nothing else. */
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

/** Several lists, one after the other; each is part of every page, be it empty there. */
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
  if (of === undefined) throw new Stop("This cursor isn't one of this tool. Use `next_cursor` of the answer before.");
  if (of !== stamp || Number(place) >= length)
    throw new Stop("The answer has changed since the page before. Call the tool again without a cursor.");
  return Number(place);
}
