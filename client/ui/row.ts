/**
 * A tree row as plain data. Views turn platform data into rows; tree.ts turns rows into VS Code's tree items. Text from
 * the platform is untrusted, so it is sanitized here, in one place.
 */
import { l10n } from "vscode";
import { safeText } from "../../platform";
import { escapeMarkdown } from "../../text";

export interface Row {
  /** Stable across refreshes, so that selection and expansion are kept. */
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** A codicon name, and the theme color for it. */
  readonly icon?: string | undefined;
  readonly color?: string | undefined;
  /** The context value that menus are selected by. */
  readonly context?: string | undefined;
  /** Lines of the tooltip, as bold name and value. Computed only when the tooltip is shown. */
  facts?(): readonly Fact[];
  readonly children?: readonly Row[] | undefined;
  /** Called when VS Code requests the children, so that they are loaded only if they are shown. */
  requested?(): void;
  readonly expanded?: boolean | undefined;
  /** Runs on click or Enter. */
  readonly command?:
    | { readonly command: string; readonly title: string; readonly arguments?: readonly unknown[] }
    | undefined;
  /** The platform object, for "Open as JSON" and the view's own commands. */
  readonly thing?: unknown;
  /** What "Copy ID" copies. */
  readonly copy?: string | undefined;
}

export type Fact = readonly [name: string, value: string | undefined | null];

/** A row below `parent` that shows one of its values; none without a value. */
export function detailRow(
  parent: string,
  label: string,
  description: string | undefined | null | false,
  { key, ...row }: Partial<Row> & { readonly key: string },
): readonly Row[] {
  return description ? [{ id: `${parent}${key}`, label, description, ...row }] : [];
}

/** Returns new IDs for rows whose ID is already used: VS Code renders nothing if two rows share an ID. */
export function idsForDuplicates(rows: readonly Row[]): ReadonlyMap<Row, string> {
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

/**
 * Returns the row to select after rows disappear: the next one that remains, else the previous one. Groups are skipped.
 */
export function neighborOf(rows: readonly Row[], gone: ReadonlySet<string>): string | undefined {
  const leaves = (all: readonly Row[]): readonly Row[] =>
    all.flatMap((row) => (gone.has(row.id) || row.thing !== undefined || !row.children ? [row] : leaves(row.children)));
  const list = leaves(rows);
  const first = list.findIndex(({ id }) => gone.has(id));
  const stays = ({ id }: Row) => !gone.has(id);
  return first < 0 ? undefined : (list.slice(first).find(stays) ?? list.slice(0, first).findLast(stays))?.id;
}

/** Longer lists are folded into groups, because VS Code creates an item for every row of an open level at once. */
const LONGEST = 1000;

/** Folds everything after the first rows of a long list into groups, recursively. `things` names what is listed. */
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

/** Counts rows that represent an object, leaving out groups and messages. */
export function countThings(rows: readonly Row[]): number {
  let count = 0;
  for (const row of rows) count += row.thing !== undefined ? 1 : countThings(row.children ?? []);
  return count;
}

/**
 * Paragraphs of plain text as Markdown. VS Code's `appendText` makes all spaces non-breaking, so that lines break within
 * words. Keys, which our messages have in backticks, get quotes, as in menus and placeholders.
 */
export function plainMarkdown(...paragraphs: readonly string[]): string {
  return paragraphs.map((text) => escapeMarkdown(text.replaceAll("`", '"'))).join("\n\n");
}

/** Builds the tooltip as Markdown without links, images, or HTML. */
export function factsMarkdown(title: string, facts: readonly Fact[]): string {
  const lines = facts.flatMap(([name, value]) =>
    value ? [`**${name}** ${escapeMarkdown(safeText(value, 400))}`] : [],
  );
  return [`**${escapeMarkdown(title)}**`, ...lines].join("\n\n");
}

/**
 * Returns the rows a command applies to, based on the arguments from VS Code. Row menus and row buttons pass their row
 * and the selection; "lost" means VS Code couldn't resolve the row, which must not fall back to the selection. View
 * buttons pass the focused row or nothing, and keys and the palette nothing: undefined means the selection.
 */
export function rowsFromArguments(args: readonly unknown[]): readonly Row[] | "lost" | undefined {
  const [row, rows] = args as [(Row | null)?, (readonly Row[])?];
  if (row) return rows?.includes(row) ? rows : [row];
  return args.length > 1 ? "lost" : undefined;
}
