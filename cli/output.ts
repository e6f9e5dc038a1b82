/** Prints platform responses: tables for people, JSON for programs. */
import { visibleLine } from "../text";
import { type Terminal, table } from "./terminal";

export interface FormatOptions {
  readonly format?: string;
}

/** Prints a list as a table; `columns` maps each heading to its cell. */
export function showRows<Item>(
  items: readonly Item[],
  { format }: FormatOptions,
  terminal: Terminal,
  none: string,
  columns: Readonly<Record<string, (item: Item) => unknown>>,
): void {
  if (format === "json") showJson(items, terminal);
  else if (items.length === 0) terminal.err(`${none}\n`);
  else {
    const rows = items.map((item) => Object.values(columns).map((cell) => cellText(cell(item))));
    terminal.out(table(Object.keys(columns), rows, terminal));
  }
}

/** Prints the fields of a record. */
export function showRecord(record: object, { format }: FormatOptions, terminal: Terminal): void {
  if (format === "json") {
    showJson(record, terminal);
    return;
  }
  const fields = Object.entries(record).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const width = fields.reduce((most, [name]) => Math.max(most, name.length), 0);
  for (const [name, value] of fields)
    terminal.out(`${visibleLine(name).padEnd(width)}  ${visibleLine(cellText(value))}\n`);
}

export function showJson(value: unknown, terminal: Terminal): void {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`);
}

function cellText(value: unknown): string {
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "—";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
