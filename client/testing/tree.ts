/** The tree of the Test Explorer: test files and their tests, updated while the user types. */
import * as vscode from "vscode";
import type { TestFileView } from "../../server/test-messages";
import { rangeOf } from "../ui/ranges";
import { findFiles, TEST_PATTERN } from "../ui/workspace-files";
import { affectsRuns, type TestServer } from "./test-server";

/** How long to collect a burst of changes; updates continue while the user types. */
const SOON_MS = 100;

export class TestTree implements vscode.Disposable {
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #views = new Map<string, TestFileView>();
  readonly #stale = new Map<string, vscode.Uri>();
  #pending: NodeJS.Timeout | undefined;
  #found: Promise<void> | undefined;
  readonly #changes = new vscode.EventEmitter<void>();
  /** Fires when the content of a test file changed. */
  readonly onDidChange = this.#changes.event;

  constructor(
    private readonly controller: vscode.TestController,
    private readonly server: TestServer,
    private readonly failed: (error: unknown) => void,
  ) {
    controller.resolveHandler = (item) => (item?.uri ? this.read([item.uri]) : this.discover());
    controller.refreshHandler = () => {
      this.#found = undefined;
      return this.discover();
    };
    const watcher = vscode.workspace.createFileSystemWatcher(TEST_PATTERN);
    this.#subscriptions.push(
      watcher,
      watcher.onDidCreate((uri) => this.#changed(uri)),
      watcher.onDidChange((uri) => this.#changed(uri)),
      watcher.onDidDelete((uri) => this.#gone(uri)),
      vscode.workspace.onDidOpenTextDocument((document) => this.#shown(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#shown(document)),
    );
    for (const document of vscode.workspace.textDocuments) this.#shown(document);
  }

  dispose(): void {
    clearTimeout(this.#pending);
    for (const subscription of [...this.#subscriptions, this.#changes]) subscription.dispose();
  }

  /** Finds all test files in the workspace, once. */
  discover(): Promise<void> {
    const found = this.#found ?? this.#find();
    this.#found = found;
    // Retry after a failure.
    found.catch(() => {
      if (this.#found === found) this.#found = undefined;
    });
    return found;
  }

  async #find(): Promise<void> {
    const files = await findFiles("test", "**/{node_modules,dist,out,build}/**", 5000);
    await this.read(files);
  }

  /** Returns the test files that name a flow, among those read so far. */
  filesOf(flow: vscode.Uri): vscode.Uri[] {
    const flowUri = flow.toString();
    return [...this.#views.values()]
      .filter((view) => view.flow !== undefined && vscode.Uri.parse(view.flow).toString() === flowUri)
      .map(({ uri }) => vscode.Uri.parse(uri));
  }

  async read(files: readonly vscode.Uri[]): Promise<void> {
    if (files.length === 0) return;
    for (const view of await this.server.list(files)) this.show(view);
  }

  /**
   * Updates the items of a file; tests that remain keep their results. The problem of a run is one of its results: as
   * the item's error, it would remain after the flow was repaired.
   */
  show(view: TestFileView, isRun = false): vscode.TestItem {
    const uri = vscode.Uri.parse(view.uri);
    const id = uri.toString();
    this.#views.set(id, view);
    let file = this.controller.items.get(id);
    if (!file) {
      file = this.controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
      file.canResolveChildren = true;
      this.controller.items.add(file);
    }
    if (!isRun) file.error = view.problem?.message;
    file.range = new vscode.Range(0, 0, 0, 0);
    const known = file.children;
    const rows = view.tests.map(({ id: test, name, range }, index) => {
      const row = known.get(test) ?? this.controller.createTestItem(test, name, uri);
      row.label = name;
      row.range = rangeOf(range);
      // Keeps the order of the file.
      row.sortText = String(index).padStart(6, "0");
      return row;
    });
    const ids = new Set(rows.map((row) => row.id));
    if (known.size !== ids.size || rows.some((row) => known.get(row.id) !== row)) known.replace(rows);
    return file;
  }

  #shown(document: vscode.TextDocument): void {
    if (document.languageId === "assistant-flow-test" && affectsRuns(document)) this.#changed(document.uri);
  }

  #changed(uri: vscode.Uri): void {
    this.#stale.set(uri.toString(), uri);
    this.#pending ??= setTimeout(() => {
      this.#pending = undefined;
      const files = [...this.#stale.values()];
      this.#stale.clear();
      this.read(files).then(() => this.#changes.fire(), this.failed);
    }, SOON_MS);
  }

  #gone(uri: vscode.Uri): void {
    this.#views.delete(uri.toString());
    this.#stale.delete(uri.toString());
    this.controller.items.delete(uri.toString());
    this.#changes.fire();
  }
}
