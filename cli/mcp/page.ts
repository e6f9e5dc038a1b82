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

/** The size limit of an answer: a single row, or an answer without rows, may have any size. */
const MAX_ANSWER_CHARACTERS = 75_000;

/** A shape has fewer fields; an object with more is a map. */
const MAX_FIELDS = 30;

/** Shortens long lists, maps and strings until the answer is small enough, and adds a note. */
export function shortened(answer: Json): Json {
  if (sizeOf(answer) <= MAX_ANSWER_CHARACTERS) return answer;
  const notes = Array.isArray(answer.notes) ? answer.notes.slice(0, 10) : [];
  for (let most = 1000; ; most = Math.floor(most / 3)) {
    const short = cut(answer, most) as Json;
    if (sizeOf(short) > MAX_ANSWER_CHARACTERS && most > 3) continue;
    const note = `Shortened, because it's too long: lists have at most ${most} entries, and strings ${20 * most} characters.`;
    return { ...short, notes: [...(cut(notes, most) as unknown[]), note] };
  }
}

const sizeOf = (value: unknown) => JSON.stringify(value).length;

function cut(value: unknown, most: number): unknown {
  if (typeof value === "string") return value.length > 20 * most ? `${value.slice(0, 20 * most)}…` : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, most).map((each) => cut(each, most));
  const entries = Object.entries(value).slice(0, Math.max(most, MAX_FIELDS));
  // A part of a fix must not be applied.
  const whole = entries.filter(([name, each]) => name !== "fix" || sizeOf(each) <= 20 * most);
  return Object.fromEntries(whole.map(([name, each]) => [name.slice(0, 20 * most), cut(each, most)]));
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
