/**
 * A row of a tree as plain data. Views turn what the platform says into rows; tree.ts turns rows into VS Code's items.
 * Everything in a row that came from the platform is somebody else's text: it is made safe here, once.
 */
import { safeText } from "../../platform";

export interface Row {
  /** The same for the same thing after every refresh, so that selection and expansion stay. */
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** A codicon's name, and a colour of the theme for it. */
  readonly icon?: string | undefined;
  readonly color?: string | undefined;
  /** What menus go by. */
  readonly context?: string;
  /** The lines of the tooltip: a name in bold and its value. Made only when the tooltip is shown. */
  facts?(): readonly Fact[];
  readonly children?: readonly Row[];
  readonly expanded?: boolean;
  /** Run by a click or Enter. */
  readonly command?: { readonly command: string; readonly title: string; readonly arguments?: readonly unknown[] };
  /** The thing itself, for "Open as JSON" and the view's own commands. */
  readonly thing?: unknown;
  /** What "Copy Id" copies. */
  readonly copy?: string | undefined;
}

export type Fact = readonly [name: string, value: string | undefined | null];

/** Rows whose own text, or that of a row below them, holds every word of the filter. */
export function filterRows(rows: readonly Row[], filter: string): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? rows : rows.flatMap((row) => kept(row, words) ?? []);
}

function kept(row: Row, words: readonly string[]): Row | undefined {
  const text = `${row.label} ${row.description ?? ""} ${row.copy ?? ""}`.toLowerCase();
  if (words.every((word) => text.includes(word))) return row;
  const children = row.children?.flatMap((child) => kept(child, words) ?? []) ?? [];
  return children.length > 0 ? { ...row, children, expanded: true } : undefined;
}

/** Other ids for rows whose id another row has already: of a tree with an id twice VS Code shows nothing at all. */
export function idsOfRepeated(rows: readonly Row[]): ReadonlyMap<Row, string> {
  const taken = new Set<string>();
  const others = new Map<Row, string>();
  const look = (row: Row) => {
    const { id: own, children = [] } = row;
    let id = own;
    for (let count = 2; taken.has(id); count++) id = `${own}#${count}`;
    taken.add(id);
    if (id !== own) others.set(row, id);
    for (const child of children) look(child);
  };
  for (const row of rows) look(row);
  return others;
}

/** More rows than this beside each other are folded: VS Code makes an item of every row of an open level at once. */
const LONGEST = 1000;

/** Long lists with everything after the first rows folded into groups, level by level; `things` is what they list. */
export function foldLong(rows: readonly Row[], things: string, under = ""): readonly Row[] {
  const open = rows.map((row) =>
    row.children && row.children.length > LONGEST
      ? { ...row, children: foldLong(row.children, things, `${row.id}/`) }
      : row,
  );
  const listed = open.filter((row) => row.thing !== undefined);
  if (listed.length <= LONGEST) return open;
  const groups: Row[] = [];
  for (let start = LONGEST; start < listed.length; start += LONGEST) {
    const children = listed.slice(start, start + LONGEST);
    const [first, last] = [start + 1, start + children.length].map((place) => place.toLocaleString("en-US"));
    groups.push({
      id: `${under}from/${first}`,
      label: `${capital(things)} ${first} to ${last}`,
      icon: "list-unordered",
      children,
    });
  }
  return [...listed.slice(0, LONGEST), ...groups, ...open.filter((row) => row.thing === undefined)];
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** How many rows have a thing: what a person would count. */
export function countThings(rows: readonly Row[]): number {
  let count = 0;
  for (const row of rows) count += row.thing !== undefined ? 1 : countThings(row.children ?? []);
  return count;
}

/** The tooltip as Markdown without anything in it that could act: no links, no images, no HTML. */
export function factsMarkdown(title: string, facts: readonly Fact[]): string {
  const lines = facts.flatMap(([name, value]) =>
    value ? [`**${name}** ${escapeMarkdown(safeText(value, 400))}`] : [],
  );
  return [`**${escapeMarkdown(title)}**`, ...lines].join("\n\n");
}

/** The same words, without anything that VS Code would make a link of in a message. */
export function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}

export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+\-.!|~$^]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/:(?=\/\/)/g, "\\:")
    .replaceAll("@", "&#64;");
}

/** Whether a list would be drawn just as another one is. */
export function looksSame(rows: readonly Row[] = [], others: readonly Row[] = []): boolean {
  return (
    rows === others ||
    (rows.length === others.length &&
      rows.every((row, index) => {
        const other = others[index] as Row;
        return (
          row.id === other.id &&
          row.label === other.label &&
          row.description === other.description &&
          row.icon === other.icon &&
          row.color === other.color &&
          row.context === other.context &&
          (row.children === undefined) === (other.children === undefined) &&
          looksSame(row.children, other.children)
        );
      }))
  );
}

/**
 * The rows a command is for, by what it was called with: those of the menu or the button; without any, as by a key or
 * from the palette, those selected. VS Code forgets its rows for a moment while it draws them anew: a button pressed
 * then comes without its row, and must not mean the selected one.
 */
export function rowsMeant(args: readonly unknown[], selected: readonly Row[]): readonly Row[] | undefined {
  if (args.length === 0) return selected;
  const [row, rows] = args as [Row?, (readonly Row[])?];
  return row && (rows?.includes(row) ? rows : [row]);
}
