/**
 * Gives VS Code the rows of a tree. While VS Code refreshes a row it forgets the rows below, and a button clicked in
 * between arrives without its row. So a row keeps its element as long as its ID exists, and only rows that look
 * different are refreshed.
 */
import * as vscode from "vscode";
import { isDeepStrictEqual } from "../../system";
import { factsMarkdown, idsForDuplicates, type Row } from "../ui/row";

/**
 * A tree element: an object whose prototype is the latest row with its ID, so that it always has that row's fields. After
 * the row is removed, it keeps the last one.
 */
export type DrawnRow = Row;

const rowOf = (element: DrawnRow): Row => Object.getPrototypeOf(element);

/** With more rows or changes than this, comparing costs more than refreshing the whole tree. */
const MOST_ROWS = 300;
const MOST_CHANGES = 50;

export class Drawing implements vscode.TreeDataProvider<DrawnRow>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<DrawnRow[] | undefined>();
  readonly onDidChangeTreeData = this.#changes.event;
  /** The rows VS Code received last; undefined until it requests them. */
  #shown: readonly Row[] | undefined;
  #elements = new Map<string, DrawnRow>();
  #otherIds: ReadonlyMap<Row, string> = new Map();
  #parents: ReadonlyMap<Row, Row> | undefined;
  #drawnAt = 0;

  /** `rows` returns the current rows; `asked` is called when VS Code requests them. */
  constructor(
    private readonly rows: () => readonly Row[],
    private readonly asked: () => void,
  ) {}

  /** When VS Code last started to refresh. Shortly after that, it may not know its rows. */
  get drawnAt(): number {
    return this.#drawnAt;
  }

  redraw(): void {
    const before = this.#shown;
    const after = this.#take(this.rows());
    const changed =
      before === undefined || after.length > MOST_ROWS
        ? undefined
        : changedRows(before, after, (row) => this.#idOf(row));
    // VS Code needs no refresh for rows it never requested.
    const known = changed?.flatMap((id) => this.#elements.get(id) ?? []);
    if (known?.length === 0) return;
    this.#drawnAt = Date.now();
    this.#changes.fire(known && known.length <= MOST_CHANGES ? known : undefined);
  }

  getChildren(element?: DrawnRow): DrawnRow[] {
    if (element) element.requested?.();
    else this.asked();
    this.#drawnAt = Date.now();
    const rows = element ? (element.children ?? []) : this.#take(this.rows());
    return rows.map((row) => this.#elementOf(row));
  }

  getTreeItem(element: DrawnRow): vscode.TreeItem {
    return treeItem(element);
  }

  resolveTreeItem(item: vscode.TreeItem, row: DrawnRow): vscode.TreeItem {
    if (row.facts) item.tooltip = new vscode.MarkdownString(factsMarkdown(row.label, row.facts()));
    return item;
  }

  getParent(element: DrawnRow): DrawnRow | undefined {
    this.#parents ??= parentsOf(this.#shown ?? []);
    const parent = this.#parents.get(rowOf(element));
    return parent && this.#elementOf(parent);
  }

  find(id: string): DrawnRow | undefined {
    const row = find(this.#shown ?? this.#take(this.rows()), id);
    return row && this.#elementOf(row);
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #elementOf(row: Row): DrawnRow {
    const id = this.#idOf(row);
    const element: DrawnRow = this.#elements.get(id) ?? Object.create(row, { id: { value: id } });
    this.#elements.set(id, element);
    return element;
  }

  #idOf(row: Row): string {
    return this.#otherIds.get(row) ?? row.id;
  }

  #take(rows: readonly Row[]): readonly Row[] {
    if (rows === this.#shown) return rows;
    this.#shown = rows;
    this.#parents = undefined;
    this.#otherIds = idsForDuplicates(rows);
    const kept = new Map<string, DrawnRow>();
    const visit = (row: Row) => {
      const element = this.#elements.get(this.#idOf(row));
      if (element) kept.set(element.id, Object.setPrototypeOf(element, row));
      for (const child of row.children ?? []) visit(child);
    };
    if (this.#elements.size > 0) for (const row of rows) visit(row);
    this.#elements = kept;
    return rows;
  }
}

/** Returns the IDs of rows that look different, topmost per branch; undefined if rows were added, removed, or moved. */
export function changedRows(
  before: readonly Row[],
  after: readonly Row[],
  idOf: (row: Row) => string = ({ id }) => id,
): readonly string[] | undefined {
  if (before.length !== after.length || before.some((row, index) => row.id !== after[index]?.id)) return undefined;
  return after.flatMap((row, index) => {
    const other = before[index] as Row;
    const below =
      looksSame(row, other) && (row.children === undefined) === (other.children === undefined)
        ? changedRows(other.children ?? [], row.children ?? [], idOf)
        : undefined;
    return below ?? [idOf(row)];
  });
}

function looksSame(row: Row, other: Row): boolean {
  return (
    row.label === other.label &&
    row.description === other.description &&
    row.icon === other.icon &&
    row.color === other.color &&
    row.context === other.context &&
    // Tooltips and commands depend on it.
    (row.thing === other.thing || isDeepStrictEqual(row.thing, other.thing))
  );
}

function treeItem(row: Row): vscode.TreeItem {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(row.label, row.children ? (row.expanded ? Expanded : Collapsed) : None);
  item.id = row.id;
  if (row.description) item.description = row.description;
  if (row.icon)
    item.iconPath = new vscode.ThemeIcon(row.icon, row.color ? new vscode.ThemeColor(row.color) : undefined);
  if (row.context) item.contextValue = row.context;
  if (row.command) item.command = row.command as vscode.Command;
  // Without facts, the tooltip repeats the row, which a narrow sidebar may cut off.
  if (!row.facts) item.tooltip = row.description ? `${row.label} · ${row.description}` : row.label;
  item.accessibilityInformation = { label: row.description ? `${row.label}, ${row.description}` : row.label };
  return item;
}

function find(rows: readonly Row[], id: string): Row | undefined {
  for (const row of rows) {
    const found = row.id === id ? row : find(row.children ?? [], id);
    if (found) return found;
  }
  return undefined;
}

function parentsOf(rows: readonly Row[], parents = new Map<Row, Row>()): Map<Row, Row> {
  for (const row of rows) {
    for (const child of row.children ?? []) parents.set(child, row);
    parentsOf(row.children ?? [], parents);
  }
  return parents;
}
