/**
 * The base of every view that shows what the platform says: loading, empty and failed states, refresh, filter, polling
 * while visible. A view gives it two functions: one that loads, and one that turns what was loaded into rows. Each view
 * has a loader of its own, so that one that fails leaves the others alone.
 */
import * as vscode from "vscode";
import type { Session } from "../connections";
import { onCommand } from "../ui/act";
import { inform } from "../ui/notice";
import {
  countThings,
  factsMarkdown,
  filterRows,
  foldLong,
  idsOfRepeated,
  looksSame,
  type Row,
  rowsMeant,
} from "../ui/row";
import { plural } from "../ui/words";
import { Loader } from "./loader";
import { type Outcome, Poller } from "./poller";
import { problemRows } from "./problem";

export interface ViewOptions<Data> {
  /** `keys` is the view `assistantFlow.keys` with the commands `assistantFlow.keys.refresh`, `.filter`, `.clearFilter`. */
  readonly name: string;
  /** One and many of what the view lists. */
  readonly things: readonly [one: string, many: string];
  load(signal: AbortSignal, partial: (data: Data) => void): Promise<Data>;
  rows(data: Data, now: number): readonly Row[];
  /** Said when there is nothing; empty where a welcome text of the manifest says it. */
  readonly empty: string | (() => string);
  readonly manySelect?: boolean;
  readonly poll?: { readonly firstMs: number; readonly longestMs: number };
  /** Whether it needs the platform; a view of the workspace works without a connection. */
  readonly local?: boolean;
  /** Words above the rows beside those about the filter. */
  readonly note?: (data: Data | undefined) => string | undefined;
  /** For what a view shows outside its rows: called whenever they are made anew, with nothing where there is nothing. */
  readonly drawn?: (data: Data | undefined) => void;
}

const MINUTE = 60_000;

export class ListView<Data> implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  static readonly #trees = new Map<string, vscode.TreeView<Row>>();

  /** The rows selected in a view: what its keys act on. */
  static selectedIn(view: string): readonly Row[] {
    return ListView.#trees.get(view)?.selection ?? [];
  }

  readonly tree: vscode.TreeView<Row>;
  readonly #options: ViewOptions<Data>;
  readonly #session: Session;
  readonly #changes = new vscode.EventEmitter<undefined>();
  readonly #subscriptions: vscode.Disposable[] = [this.#changes];
  readonly #loader: Loader<Data>;
  readonly #poller: Poller | undefined;
  #rows: readonly Row[] = [];
  #parents: Map<string, Row> | undefined;
  #otherIds: ReadonlyMap<Row, string> = new Map();
  #filter = "";
  #loaded = false;
  #generation: number;
  #clock: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.#changes.event;

  constructor(context: vscode.ExtensionContext, session: Session, options: ViewOptions<Data>) {
    this.#options = options;
    this.#session = session;
    this.#generation = session.generation;
    this.#loader = new Loader<Data>(
      (signal, partial) => options.load(signal, partial),
      () => this.redraw(),
    );
    this.tree = vscode.window.createTreeView(`assistantFlow.${options.name}`, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: options.manySelect ?? false,
    });
    if (options.poll) this.#poller = new Poller(() => this.#poll(), options.poll);
    this.#subscriptions.push(
      this.tree,
      this.tree.onDidChangeVisibility(({ visible }) => this.#shown(visible)),
      session.onDidChange(() => this.#sessionChanged()),
      { dispose: () => this.#poller?.dispose() },
      { dispose: () => clearInterval(this.#clock) },
      { dispose: () => this.#loader.cancel() },
    );
    this.#shown(this.tree.visible);
    onCommand(context, `${options.name}.refresh`, () => this.refresh());
    onCommand(context, `${options.name}.filter`, () => this.#askFilter());
    onCommand(context, `${options.name}.clearFilter`, () => this.#setFilter(""));
    context.subscriptions.push(this);
    ListView.#trees.set(options.name, this.tree);
  }

  /** The rows a command is for. Undefined: that is not known, and was said. */
  chosen(args: readonly unknown[]): readonly Row[] | undefined {
    const rows = rowsMeant(args, this.tree.selection);
    if (!rows) void inform("The list was being refreshed at that moment, so nothing was done. Try again.");
    return rows;
  }

  get data(): Data | undefined {
    return this.#loader.value;
  }

  /** Replaces what is shown, for a change that is known without asking. */
  set data(value: Data) {
    this.#loader.set(value);
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** Loads again; resolves when that is done, well or not. */
  async refresh(): Promise<void> {
    if (!this.#canAsk()) return this.redraw();
    const progress = { location: { viewId: `assistantFlow.${this.#options.name}` } };
    const before = this.data;
    await vscode.window.withProgress(progress, () => this.#loader.load());
    if (this.data === before) this.#keepTime();
    this.#poller?.hurry();
  }

  /** A load that still runs has nothing of what just happened in it: it is thrown away. */
  reload(): Promise<void> {
    this.#loader.cancel();
    return this.refresh();
  }

  redraw({ onlyIfOther = false } = {}): void {
    const { value, problem } = this.#loader;
    this.#options.drawn?.(value);
    let rows = value === undefined ? [] : this.#options.rows(value, Date.now());
    const total = countThings(rows);
    if (this.#filter !== "") rows = filterRows(rows, this.#filter);
    const [one, many] = this.#options.things;
    const notes = [this.#options.note?.(value)];
    if (this.#filter !== "")
      notes.push(`Filter "${this.#filter}": ${countThings(rows)} of ${plural(total, one, many)}`);
    // The row that says why may be out of sight.
    if (problem !== undefined && value !== undefined) notes.push("Not up to date: the last refresh failed.");
    this.tree.message = notes.filter(Boolean).join(" · ") || undefined;
    this.tree.description = value === undefined || !this.#canAsk() ? undefined : String(total);
    rows = foldLong(rows, many);
    if (problem !== undefined)
      rows = [...problemRows(problem, this.#options.name, many, { isFolded: rows.length > 0 }), ...rows];
    if (onlyIfOther && looksSame(rows, this.#rows)) return;
    this.#rows = rows;
    this.#parents = undefined;
    this.#otherIds = idsOfRepeated(rows);
    this.#changes.fire(undefined);
    if (value === undefined || this.#loaded) return;
    this.#loaded = true;
    // A welcome text that says there is nothing waits until that is known.
    void vscode.commands.executeCommand("setContext", `assistantFlow.loaded.${this.#options.name}`, true);
  }

  async reveal(id: string): Promise<Row | undefined> {
    if (this.data === undefined) await this.refresh();
    const row = find(this.#rows, id);
    if (row) await this.tree.reveal(row, { select: true, focus: true, expand: true });
    return row;
  }

  getChildren(row?: Row): Row[] {
    if (row) return [...(row.children ?? [])];
    if (!this.#canAsk()) return [];
    const { value, problem, isRunning } = this.#loader;
    if (value === undefined && problem === undefined) {
      if (!isRunning) void this.refresh();
      return [{ id: "loading", label: "Loading…", icon: "loading~spin" }];
    }
    if (this.#rows.length > 0) return [...this.#rows];
    const { empty } = this.#options;
    if (empty === "" && this.#filter === "") return [];
    const label = this.#filter !== "" ? "Nothing fits the filter." : typeof empty === "string" ? empty : empty();
    return [{ id: "empty", label, icon: "info" }];
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return treeItem(row, this.#otherIds.get(row));
  }

  resolveTreeItem(item: vscode.TreeItem, row: Row): vscode.TreeItem {
    if (row.facts) item.tooltip = new vscode.MarkdownString(factsMarkdown(row.label, row.facts()));
    return item;
  }

  getParent(row: Row): Row | undefined {
    this.#parents ??= parentsOf(this.#rows);
    return this.#parents.get(row.id);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #canAsk(): boolean {
    return this.#options.local === true || this.#session.canAsk;
  }

  #shown(visible: boolean): void {
    this.#poller?.show(visible);
    clearInterval(this.#clock);
    if (visible) {
      this.#clock = setInterval(() => this.#keepTime(), MINUTE).unref();
      this.#keepTime();
    }
    if (!visible) this.#loader.cancel();
    // A first load that was cancelled when the view was hidden is begun anew.
    else if (this.data === undefined && !this.#loader.isRunning && this.#canAsk()) void this.refresh();
  }

  #sessionChanged(): void {
    if (this.#options.local || this.#session.generation === this.#generation) return;
    this.#generation = this.#session.generation;
    const wasLoaded = this.data !== undefined;
    this.#loader.reset();
    // What another connection showed goes at once; where nothing was shown the first thing to draw is what comes.
    if (wasLoaded || this.#rows.length > 0 || !this.#canAsk()) this.redraw();
    if (this.tree.visible && this.#canAsk()) void this.refresh();
  }

  async #poll(): Promise<Outcome> {
    const before = this.data;
    if (!this.#canAsk() || before === undefined) return "same";
    await this.#loader.load();
    if (this.#loader.problem !== undefined) return "failed";
    if (this.data !== before) return "changed";
    this.#keepTime();
    return "same";
  }

  /** "5 min ago", "calling now" and "expires soon" grow old by themselves; where mending that would cost much, they may. */
  #keepTime(): void {
    if (this.data !== undefined && this.#rows.length < 300) this.redraw({ onlyIfOther: true });
  }

  #setFilter(filter: string): void {
    this.#filter = filter;
    void vscode.commands.executeCommand("setContext", `assistantFlow.filtered.${this.#options.name}`, filter !== "");
    this.redraw();
  }

  #askFilter(): void {
    const before = this.#filter;
    const input = vscode.window.createInputBox();
    input.title = `Filter ${this.#options.things[1]}`;
    input.placeholder = "Words that a row must have; empty shows everything";
    input.value = before;
    let kept = false;
    input.onDidChangeValue((value) => this.#setFilter(value.trim()));
    input.onDidAccept(() => {
      kept = true;
      input.hide();
    });
    input.onDidHide(() => {
      if (!kept) this.#setFilter(before);
      input.dispose();
    });
    input.show();
  }
}

/** A row as VS Code shows it. */
export function treeItem(row: Row, id = row.id): vscode.TreeItem {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(row.label, row.children ? (row.expanded ? Expanded : Collapsed) : None);
  item.id = id;
  if (row.description) item.description = row.description;
  if (row.icon) item.iconPath = iconOf(row.icon, row.color);
  if (row.context) item.contextValue = row.context;
  if (row.command) item.command = row.command as vscode.Command;
  // Without words of its own a tooltip repeats the row in full, for rows cut short by a narrow sidebar.
  if (!row.facts) item.tooltip = row.description ? `${row.label} · ${row.description}` : row.label;
  item.accessibilityInformation = { label: row.description ? `${row.label}, ${row.description}` : row.label };
  return item;
}

const icons = new Map<string, vscode.ThemeIcon>();

function iconOf(name: string, color: string | undefined): vscode.ThemeIcon {
  const key = `${name} ${color ?? ""}`;
  let icon = icons.get(key);
  if (!icon) {
    icon = new vscode.ThemeIcon(name, color ? new vscode.ThemeColor(color) : undefined);
    icons.set(key, icon);
  }
  return icon;
}

function find(rows: readonly Row[], id: string): Row | undefined {
  for (const row of rows) {
    const found = row.id === id ? row : find(row.children ?? [], id);
    if (found) return found;
  }
  return undefined;
}

function parentsOf(rows: readonly Row[], parents = new Map<string, Row>()): Map<string, Row> {
  for (const row of rows) {
    for (const child of row.children ?? []) parents.set(child.id, row);
    parentsOf(row.children ?? [], parents);
  }
  return parents;
}
