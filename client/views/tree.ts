/**
 * The base of all platform views: loading, empty, and error states, refresh, and polling while visible. A view supplies
 * a function that loads and one that creates rows. Each view loads on its own, so a failure affects no other view.
 */
import * as vscode from "vscode";
import { isDeepStrictEqual } from "../../system";
import type { Session } from "../connections";
import { setContext } from "../ui/context";
import { onCommand } from "../ui/notice";
import { countThings, foldLong, neighborOf, type Row, rowsFromArguments } from "../ui/row";
import { Drawing, type DrawnRow } from "./drawing";
import { Loader } from "./loader";
import { type Outcome, Poller } from "./poller";
import { problemRows } from "./problem";

export interface ViewOptions<Data> {
  /** The view `assistantFlow.keys`, for example, is named `keys` and has the command `assistantFlow.keys.refresh`. */
  readonly name: string;
  /** What the view lists, as a plural: "calls". */
  readonly things: string;
  load(signal: AbortSignal, partial: (data: Data) => void): Promise<Data>;
  rows(data: Data, now: number): readonly Row[];
  /** Shown if the list is empty; an empty string if the manifest has a welcome view. */
  readonly empty: string | (() => string);
  readonly manySelect?: boolean;
  /** No row has children, so there is nothing to collapse. */
  readonly isFlat?: boolean;
  readonly poll?: { readonly firstMs: number; readonly longestMs: number };
  /** True for views of the workspace, which work without a connection. */
  readonly local?: boolean;
  /** The count is shown even if the view is hidden, so a new connection loads it anyway. */
  readonly isCounted?: boolean;
  /** Whether the platform has more than was loaded, which the count then indicates. */
  readonly hasMore?: (data: Data) => boolean;
  /** A message above the rows. */
  readonly note?: (data: Data | undefined) => string | undefined;
  /** Called whenever rows are created, for views that show something besides the rows. */
  readonly drawn?: (data: Data | undefined) => void;
}

const MINUTE = 60_000;
/** How long VS Code may take to redraw its rows. */
const REDRAW_MS = 3000;

export class ListView<Data> implements vscode.Disposable {
  static readonly #views = new Map<string, ListView<never>>();

  /**
   * Returns the rows for a command that all views share: those of the menu, or the selection of the view where the key
   * was pressed. If VS Code lost the menu's row, it belonged to the view that was redrawn last.
   */
  static async chosenAnywhere(args: readonly unknown[]): Promise<readonly Row[]> {
    const [target] = args as [({ readonly view?: string } | null)?];
    if (target && "view" in target) return ListView.#views.get(target.view ?? "")?.selected() ?? [];
    const rows = rowsFromArguments(args) ?? [];
    if (rows !== "lost") return rows;
    const views = [...ListView.#views.values()].sort((a, b) => b.#drawing.drawnAt - a.#drawing.drawnAt);
    return views[0]?.chosen(args, "") ?? [];
  }

  /** Reloads all views that were shown before; the others load when they are first shown. */
  static async refreshAll(): Promise<void> {
    const shown = [...ListView.#views.values()].filter((view) => view.tree.visible || view.#loaded);
    await Promise.all(shown.map((view) => view.refresh()));
  }

  readonly tree: vscode.TreeView<DrawnRow>;
  readonly #options: ViewOptions<Data>;
  readonly #session: Session;
  readonly #drawing = new Drawing(
    () => this.#visibleRows(),
    () => this.#beginLoading(),
  );
  readonly #subscriptions: vscode.Disposable[] = [this.#drawing];
  readonly #loader: Loader<Data>;
  readonly #poller: Poller | undefined;
  #rows: readonly Row[] = [];
  /** Rows chosen by a key. If they disappear, the focus moves to the row that takes their place. */
  #chosenByKey: { readonly ids: readonly string[]; readonly at: number } | undefined;
  #loaded = false;
  #isEmpty = false;
  #generation: number;
  #clock: NodeJS.Timeout | undefined;

  constructor(context: vscode.ExtensionContext, session: Session, options: ViewOptions<Data>) {
    this.#options = options;
    this.#session = session;
    this.#generation = session.generation;
    this.#loader = new Loader<Data>(
      (signal, partial) => options.load(signal, partial),
      () => this.redraw(),
    );
    this.tree = vscode.window.createTreeView(`assistantFlow.${options.name}`, {
      treeDataProvider: this.#drawing,
      showCollapseAll: !options.isFlat,
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
    context.subscriptions.push(this);
    ListView.#views.set(options.name, this as unknown as ListView<never>);
  }

  /**
   * Returns the rows a command applies to. If VS Code lost the row because the list was being redrawn, asks the user to
   * choose one. `kind` is the beginning of the row's context value.
   */
  async chosen(args: readonly unknown[], kind: string): Promise<readonly Row[]> {
    const meant = rowsFromArguments(args);
    const rows = meant ?? (await this.selected());
    if (meant === undefined && rows !== "lost") this.#chosenByKey = { ids: idsOf(rows), at: Date.now() };
    if (rows !== "lost") return rows;
    const items = rowsOf(this.#rows, kind).map((row) => ({
      label: row.label,
      ...(row.description ? { description: row.description } : {}),
      row,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t("The list changed as you clicked. Select the row again"),
      matchOnDescription: true,
    });
    return picked ? [picked.row] : [];
  }

  /**
   * The rows for a key: the focused one, or the selected ones if it's one of them. VS Code reports only the selection, so
   * the focused row is the one that differs after toggling its selection and after toggling it back. While VS Code
   * redraws it may report no selection, so this repeats until it reports the same rows twice.
   */
  async selected(): Promise<readonly Row[]> {
    const toggled = async () => {
      await vscode.commands.executeCommand("list.toggleSelection");
      return this.tree.selection;
    };
    for (;;) {
      const [other, selection] = [await toggled(), await toggled()];
      const again = [await toggled(), await toggled()];
      const isCertain = isDeepStrictEqual([idsOf(other), idsOf(selection)], again.map(idsOf));
      const focused = selection.find((row) => !other.includes(row)) ?? other.find((row) => !selection.includes(row));
      if (isCertain && focused) {
        if (selection.includes(focused)) return selection;
        await this.tree.reveal(focused, { select: true, focus: true });
        return [focused];
      }
      if (isCertain && (selection.length > 0 || Date.now() - this.#drawing.drawnAt >= REDRAW_MS)) return selection;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  get data(): Data | undefined {
    return this.#loader.value;
  }

  /** Replaces the data after a local change, without loading. */
  set data(value: Data) {
    this.#loader.set(value);
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** Reloads; resolves when that has finished or failed. */
  async refresh(): Promise<void> {
    if (!this.#canAsk()) return this.redraw();
    const progress = { location: { viewId: `assistantFlow.${this.#options.name}` } };
    await vscode.window.withProgress(progress, () => this.#load());
    this.#poller?.hurry();
  }

  /**
   * Reloads after files have changed. Without progress, which would replace the badge of the sidebar with a spinner after
   * every save.
   */
  update(): Promise<void> {
    this.#loader.cancel();
    return this.#load();
  }

  /** Cancels a load in progress, since it started before the last change. */
  reload(): Promise<void> {
    this.#loader.cancel();
    return this.refresh();
  }

  redraw(): void {
    const { value, problem } = this.#loader;
    const { name, things, drawn, note } = this.#options;
    drawn?.(value);
    let rows = value === undefined ? [] : this.#options.rows(value, Date.now());
    const total = countThings(rows);
    const notes = [note?.(value)];
    // The row with the error may be scrolled out of view.
    if (problem !== undefined && value !== undefined) notes.push(vscode.l10n.t("Out of date: last refresh failed."));
    this.tree.message = notes.filter(Boolean).join(" · ") || undefined;
    const isMore = value !== undefined && this.#options.hasMore?.(value) === true;
    this.tree.description = value === undefined || !this.#canAsk() ? undefined : `${total}${isMore ? "+" : ""}`;
    rows = foldLong(rows, things);
    if (problem !== undefined) rows = [...problemRows(problem, name, things, { isFolded: rows.length > 0 }), ...rows];
    const before = this.#rows;
    this.#rows = rows;
    this.#drawing.redraw();
    this.#keepFocus(before);
    if (value === undefined) return;
    this.#loaded = true;
    // A view that opens counts as empty until its rows are requested. A welcome view shown in between would take the
    // focus, and it would be lost when the rows replace it.
    const isEmpty = rows.length === 0;
    if (isEmpty !== this.#isEmpty) void setContext(`empty.${name}`, isEmpty);
    this.#isEmpty = isEmpty;
  }

  async reveal(id: string): Promise<Row | undefined> {
    if (this.data === undefined) await this.refresh();
    const row = this.#drawing.find(id);
    if (row) await this.tree.reveal(row, { select: true, focus: true, expand: true });
    return row;
  }

  /** VS Code drops the focus when its row disappears. */
  #keepFocus(before: readonly Row[]): void {
    const { ids, at } = this.#chosenByKey ?? { ids: [], at: 0 };
    const gone = new Set(ids.filter((id) => !this.#drawing.find(id)));
    if (gone.size === 0) return;
    this.#chosenByKey = undefined;
    const next = Date.now() - at < MINUTE && this.tree.visible ? neighborOf(before, gone) : undefined;
    const row = next === undefined ? undefined : this.#drawing.find(next);
    if (row) void this.tree.reveal(row, { select: true, focus: true });
  }

  #beginLoading(): void {
    const { value, problem, isRunning } = this.#loader;
    if (value === undefined && problem === undefined && !isRunning && this.#canAsk()) void this.refresh();
  }

  async #load(): Promise<void> {
    const before = this.data;
    await this.#loader.load();
    if (this.data === before) this.#refreshTimes();
  }

  #visibleRows(): readonly Row[] {
    if (!this.#canAsk()) return [];
    const { value, problem } = this.#loader;
    if (value === undefined && problem === undefined)
      return [{ id: "loading", label: vscode.l10n.t("Loading…"), icon: "loading~spin" }];
    if (this.#rows.length > 0) return this.#rows;
    const { empty } = this.#options;
    const label = typeof empty === "string" ? empty : empty();
    return label === "" ? [] : [{ id: "empty", label, icon: "info" }];
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
      this.#clock = setInterval(() => this.#refreshTimes(), MINUTE);
      this.#refreshTimes();
    }
    if (!visible) this.#loader.cancel();
    // Restart a first load that was cancelled when the view was hidden.
    else if (this.data === undefined && !this.#loader.isRunning && this.#canAsk()) void this.refresh();
  }

  #sessionChanged(): void {
    if (this.#options.local || this.#session.generation === this.#generation) return;
    this.#generation = this.#session.generation;
    const wasLoaded = this.data !== undefined;
    this.#loader.reset();
    // Clear rows of the previous connection at once; an empty view is drawn when the new data arrives.
    if (wasLoaded || this.#rows.length > 0 || !this.#canAsk()) this.redraw();
    if ((this.tree.visible || (this.#options.isCounted && this.#loaded)) && this.#canAsk()) void this.refresh();
  }

  async #poll(): Promise<Outcome> {
    const before = this.data;
    if (!this.#canAsk() || before === undefined) return "same";
    await this.#loader.load();
    if (this.#loader.problem !== undefined) return "failed";
    if (this.data !== before) return "changed";
    this.#refreshTimes();
    return "same";
  }

  /** Updates relative times such as "5 min ago". Long lists are skipped, because redrawing them is slow. */
  #refreshTimes(): void {
    if (this.data !== undefined && this.#rows.length < 300) this.redraw();
  }
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

/** Returns the rows of a kind, at every level. */
function rowsOf(rows: readonly Row[], kind: string): readonly Row[] {
  return rows.flatMap((row) =>
    row.copy !== undefined && row.context?.startsWith(kind) ? [row] : rowsOf(row.children ?? [], kind),
  );
}
