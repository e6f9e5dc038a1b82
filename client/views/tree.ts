/**
 * The base of every view that shows what the platform says: loading, empty and failed states, refresh, polling while
 * visible. A view gives it two functions: one that loads, and one that turns what was loaded into rows. Each view
 * has a loader of its own, so that one that fails leaves the others alone.
 */
import * as vscode from "vscode";
import type { Session } from "../connections";
import { onCommand } from "../ui/act";
import { countThings, foldLong, neighborOf, type Row, rowsMeant } from "../ui/row";
import { Drawing, type DrawnRow } from "./drawing";
import { Loader } from "./loader";
import { type Outcome, Poller } from "./poller";
import { problemRows } from "./problem";

export interface ViewOptions<Data> {
  /** `keys` is the view `assistantFlow.keys` with the command `assistantFlow.keys.refresh`. */
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
  /** Its count is seen where the view is not: it is loaded for another connection even while nobody looks. */
  readonly isCounted?: boolean;
  /** Whether the platform has more than was loaded: the count says so. */
  readonly hasMore?: (data: Data) => boolean;
  /** Words above the rows. */
  readonly note?: (data: Data | undefined) => string | undefined;
  /** For what a view shows outside its rows: called whenever they are made anew, with nothing where there is nothing. */
  readonly drawn?: (data: Data | undefined) => void;
}

const MINUTE = 60_000;
/** VS Code knows its rows again after this time at the latest. */
const REDRAW_MS = 3000;

export class ListView<Data> implements vscode.Disposable {
  static readonly #views = new Map<string, ListView<never>>();

  /**
   * The rows that a command of every view is for: those of the menu, or those selected in the view whose key was pressed.
   * A menu that comes without its row was of the view that got other rows last.
   */
  static async chosenAnywhere(args: readonly unknown[]): Promise<readonly Row[]> {
    const [target] = args as [({ readonly view?: string } | null)?];
    if (target && "view" in target) return ListView.#views.get(target.view ?? "")?.selected() ?? [];
    const rows = rowsMeant(args) ?? [];
    if (rows !== "lost") return rows;
    const views = [...ListView.#views.values()].sort((a, b) => b.#drawing.drawnAt - a.#drawing.drawnAt);
    return views[0]?.chosen(args, "") ?? [];
  }

  /** Loads every view again that was shown before; the others load when they are shown. */
  static async refreshAll(): Promise<void> {
    const shown = [...ListView.#views.values()].filter((view) => view.tree.visible || view.#loaded);
    await Promise.all(shown.map((view) => view.refresh()));
  }

  readonly tree: vscode.TreeView<DrawnRow>;
  readonly #options: ViewOptions<Data>;
  readonly #session: Session;
  readonly #drawing = new Drawing(
    () => this.#present(),
    () => this.#beginLoading(),
  );
  readonly #subscriptions: vscode.Disposable[] = [this.#drawing];
  readonly #loader: Loader<Data>;
  readonly #poller: Poller | undefined;
  #rows: readonly Row[] = [];
  /** The rows that a key was pressed on: where they go, the focus goes to the row in their place. */
  #chosenByKey: { readonly ids: readonly string[]; readonly at: number } | undefined;
  #loaded = false;
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
    context.subscriptions.push(this);
    ListView.#views.set(options.name, this as unknown as ListView<never>);
  }

  /**
   * The rows a command is for. Where VS Code lost the row of a button, because the list got other rows at that very
   * moment, the person says which one it was: of `kind`, by the beginning of the context.
   */
  async chosen(args: readonly unknown[], kind: string): Promise<readonly Row[]> {
    const meant = rowsMeant(args);
    const rows = meant ?? (await this.selected());
    if (meant === undefined && rows !== "lost") this.#chosenByKey = { ids: rows.map(({ id }) => id), at: Date.now() };
    if (rows !== "lost") return rows;
    const items = rowsOf(this.#rows, kind).map((row) => ({
      label: row.label,
      ...(row.description ? { description: row.description } : {}),
      row,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t("The list changed as you clicked. Select the {0}", this.#options.things[0]),
      matchOnDescription: true,
    });
    return picked ? [picked.row] : [];
  }

  /** While VS Code draws the list anew it says that nothing is selected, so that is waited for. */
  async selected(): Promise<readonly Row[]> {
    while (this.tree.selection.length === 0 && Date.now() - this.#drawing.drawnAt < REDRAW_MS)
      await new Promise((resolve) => setTimeout(resolve, 50));
    return this.tree.selection;
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

  redraw(): void {
    const { value, problem } = this.#loader;
    const { name, things, drawn, note } = this.#options;
    drawn?.(value);
    let rows = value === undefined ? [] : this.#options.rows(value, Date.now());
    const total = countThings(rows);
    const notes = [note?.(value)];
    // The row that says why may be out of sight.
    if (problem !== undefined && value !== undefined) notes.push(vscode.l10n.t("Out of date: last refresh failed."));
    this.tree.message = notes.filter(Boolean).join(" · ") || undefined;
    const isMore = value !== undefined && this.#options.hasMore?.(value) === true;
    this.tree.description = value === undefined || !this.#canAsk() ? undefined : `${total}${isMore ? "+" : ""}`;
    rows = foldLong(rows, things[1]);
    if (problem !== undefined)
      rows = [...problemRows(problem, name, things[1], { isFolded: rows.length > 0 }), ...rows];
    const before = this.#rows;
    this.#rows = rows;
    this.#drawing.redraw();
    this.#keepFocus(before);
    if (value === undefined || this.#loaded) return;
    this.#loaded = true;
    // A welcome text that says there is nothing waits until that is known.
    void vscode.commands.executeCommand("setContext", `assistantFlow.loaded.${name}`, true);
  }

  async reveal(id: string): Promise<Row | undefined> {
    if (this.data === undefined) await this.refresh();
    const row = this.#drawing.find(id);
    if (row) await this.tree.reveal(row, { select: true, focus: true, expand: true });
    return row;
  }

  /** VS Code drops the focus with the row that had it. */
  #keepFocus(before: readonly Row[]): void {
    const { ids, at } = this.#chosenByKey ?? { ids: [], at: 0 };
    const gone = new Set(ids.filter((id) => !this.#drawing.find(id)));
    if (gone.size === 0) return;
    this.#chosenByKey = undefined;
    const next = Date.now() - at < MINUTE && this.tree.visible ? neighborOf(before, gone) : undefined;
    if (next !== undefined) void this.reveal(next);
  }

  #beginLoading(): void {
    const { value, problem, isRunning } = this.#loader;
    if (value === undefined && problem === undefined && !isRunning && this.#canAsk()) void this.refresh();
  }

  #present(): readonly Row[] {
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
    if ((this.tree.visible || (this.#options.isCounted && this.#loaded)) && this.#canAsk()) void this.refresh();
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
    if (this.data !== undefined && this.#rows.length < 300) this.redraw();
  }
}

/** The rows of a kind, at every level. */
function rowsOf(rows: readonly Row[], kind: string): readonly Row[] {
  return rows.flatMap((row) =>
    row.copy !== undefined && row.context?.startsWith(kind) ? [row] : rowsOf(row.children ?? [], kind),
  );
}
