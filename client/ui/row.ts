/**
 * A row of a tree as plain data. Views turn what the platform says into rows; tree.ts turns rows into VS Code's items.
 * Everything in a row that came from the platform is somebody else's text: it is made safe here, once.
 */
import { l10n } from "vscode";
import { safeText } from "../../platform";
import { escapeMarkdown } from "../../text";

export interface Row {
  /** The same for the same thing after every refresh, so that selection and expansion stay. */
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** A codicon's name, and a color of the theme for it. */
  readonly icon?: string | undefined;
  readonly color?: string | undefined;
  /** What menus go by. */
  readonly context?: string | undefined;
  /** The lines of the tooltip: a name in bold and its value. Made only when the tooltip is shown. */
  facts?(): readonly Fact[];
  readonly children?: readonly Row[] | undefined;
  readonly expanded?: boolean | undefined;
  /** Run by a click or Enter. */
  readonly command?:
    | { readonly command: string; readonly title: string; readonly arguments?: readonly unknown[] }
    | undefined;
  /** The thing itself, for "Open as JSON" and the view's own commands. */
  readonly thing?: unknown;
  /** What "Copy ID" copies. */
  readonly copy?: string | undefined;
}

export type Fact = readonly [name: string, value: string | undefined | null];

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

/** The row that takes the place of rows that go: the next one that stays, else the one before. Groups don't count. */
export function neighborOf(rows: readonly Row[], gone: ReadonlySet<string>): string | undefined {
  const leaves = (all: readonly Row[]): readonly Row[] =>
    all.flatMap((row) => (gone.has(row.id) || !row.children ? [row] : leaves(row.children)));
  const list = leaves(rows);
  const first = list.findIndex(({ id }) => gone.has(id));
  const stays = ({ id }: Row) => !gone.has(id);
  return first < 0 ? undefined : (list.slice(first).find(stays) ?? list.slice(0, first).findLast(stays))?.id;
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
    const [first = "", last = ""] = [start + 1, start + children.length].map((place) => place.toLocaleString("en-US"));
    groups.push({
      id: `${under}from/${first}`,
      label: l10n.t("{0} {1} to {2}", capital(things), first, last),
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

/**
 * The rows a command is for, by what VS Code called it with. The menu or the button of a row gives that row and those
 * selected: "lost" when VS Code did not know the row at that moment, which must not mean the selected one. The view's own
 * buttons give the focused row or nothing, keys and the palette nothing: undefined, for those selected.
 */
export function rowsMeant(args: readonly unknown[]): readonly Row[] | "lost" | undefined {
  const [row, rows] = args as [(Row | null)?, (readonly Row[])?];
  if (row) return rows?.includes(row) ? rows : [row];
  return args.length > 1 ? "lost" : undefined;
}
