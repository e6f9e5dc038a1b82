/**
 * The graph preview beside the editor. It follows the active flow file unless it is locked. The language server creates
 * the graph from the unsaved text, and edits in the graph become edits of that text.
 */
import * as vscode from "vscode";
import { isFlowFile, withoutFlowEnding } from "../../flow/file-kind";
import {
  ask,
  DescribeRequest,
  GraphEditRequest,
  type GraphElement,
  GraphRequest,
  type GraphView,
  MermaidRequest,
} from "../../server/messages";
import { type ActiveFlow, chooseFlow, flowOf } from "../active-flow";
import type { Session } from "../connections";
import type { RunPlaces } from "../debug";
import { uriOf } from "../debug/debug-host";
import { versionOf } from "../environments";
import type { Server } from "../server";
import type { SyncStates } from "../sync";
import { fileOf } from "../sync/texts";
import type { FlowTests } from "../testing";
import { inform, onCommand, showUntilWithdrawn } from "../ui/notice";
import { GraphCalls } from "./graph-calls";
import { chooseOther, nameOf, type Other, OtherVersions, shownName, whichOf } from "./graph-comparison";
import { GraphCoverage } from "./graph-coverage";
import { askForNames } from "./graph-questions";
import { GRAPH_PAGE, hasTab, type RestoredState } from "./graph-tab";
import { GraphText } from "./graph-text";
import type { FromGraphPage, GraphEditKind, ToGraphPage } from "./messages";
import { type OpenPage, RecordPages } from "./record-page";
import { saveAs } from "./save";

/** How long undoing a deletion is offered. */
const UNDO_MS = 30_000;

export function registerGraphPreview(
  context: vscode.ExtensionContext,
  session: Session,
  server: Server,
  activeFlow: ActiveFlow,
  tests: FlowTests,
  places: RunPlaces,
  states: SyncStates,
): void {
  let preview: GraphPreview | undefined;
  const pages = new RecordPages<RestoredState, ToGraphPage, FromGraphPage>(context, {
    viewType: GRAPH_PAGE,
    bundle: "graph",
    worker: "graph-layout",
    identity: () => GRAPH_PAGE,
    title: () => vscode.l10n.t("Flow Graph"),
    column: () => vscode.ViewColumn.Beside,
    restore: (state) => (state as RestoredState | undefined) ?? {},
    serve: (state, page) => {
      preview?.dispose();
      const opened = new GraphPreview(session, server, activeFlow, tests, places, states, page, state);
      preview = opened;
      page.subscriptions.push(opened);
      return (message) => opened.receive(message);
    },
  });
  const show = (uri: vscode.Uri | undefined): GraphPreview | undefined => {
    const page = pages.get({});
    if (page && hasTab()) preview?.show(uri);
    else {
      page?.panel.dispose();
      pages.show(uri ? { uri: uri.toString() } : {}, true);
    }
    return preview;
  };
  onCommand(context, "openPreview", async (target?: unknown) => {
    const known = flowOf(target) ?? visibleFlow()?.uri;
    const uri = known ?? (pages.get({}) ? undefined : await chooseFlow(vscode.l10n.t("Open Flow Graph")));
    if (uri || pages.get({})) show(uri);
  });
  onCommand(context, "compareGraphs", async (target?: unknown, given?: Other) => {
    const uri = workingFile(flowOf(target) ?? activeFlow.uri ?? (await chooseFlow(vscode.l10n.t("Compare Graphs"))));
    if (!uri) return;
    if (!isFlowFile(uri.path))
      return void inform(
        vscode.l10n.t('"{0}" isn\'t a flow, so it has no graph.', vscode.workspace.asRelativePath(uri)),
      );
    await vscode.workspace.openTextDocument(uri);
    const other = isOther(given) ? given : await chooseOther(uri, server, versionOf(target));
    if (other) show(uri)?.compare(other);
  });
}

/** Menus pass other arguments too, such as the selected files. */
function isOther(given: unknown): given is Other {
  return typeof (given as Partial<Other> | undefined)?.kind === "string";
}

/** For a side of a Git diff, returns the file itself. */
function workingFile(uri: vscode.Uri | undefined): vscode.Uri | undefined {
  return uri?.scheme === "git" ? vscode.Uri.file(uri.path) : uri && fileOf(uri);
}

class GraphPreview implements vscode.Disposable {
  readonly #subscriptions: vscode.Disposable[] = [];
  #uri: vscode.Uri | undefined;
  #locked: boolean;
  #pending: NodeJS.Timeout | undefined;
  readonly #text: GraphText;
  readonly #coverage: GraphCoverage;
  readonly #calls: GraphCalls;
  readonly #others: OtherVersions;
  /** VS Code doesn't update code lenses if the editor loses the focus right after an edit, as it does after an undo here. */
  readonly #staleLenses = new vscode.EventEmitter<void>();
  /** The version the flow is compared with, if any. */
  #other: Other | undefined;

  constructor(
    session: Session,
    private readonly server: Server,
    private readonly activeFlow: ActiveFlow,
    tests: FlowTests,
    private readonly places: RunPlaces,
    states: SyncStates,
    private readonly page: OpenPage<ToGraphPage>,
    { uri, locked = false, other }: RestoredState,
  ) {
    const { panel } = page;
    this.#uri = uri === undefined ? visibleFlow()?.uri : vscode.Uri.parse(uri);
    this.#locked = locked;
    this.#other = isOther(other?.key) ? other.key : undefined;
    this.#text = new GraphText(server, panel, () => this.#uri);
    this.#coverage = new GraphCoverage(tests, () => this.#uri, page.send);
    this.#calls = new GraphCalls(session, server, tests, () => this.#uri, page.send);
    this.#others = new OtherVersions(server, states);
    this.#subscriptions.push(
      this.#coverage,
      this.#others,
      this.#staleLenses,
      vscode.languages.registerCodeLensProvider(
        { language: "assistant-flow" },
        { onDidChangeCodeLenses: this.#staleLenses.event, provideCodeLenses: () => [] },
      ),
      this.#others.onDidChange(() => this.#updateSoon()),
      places.onDidChange(() => this.#sendWay()),
    );
    panel.onDidChangeViewState(
      () => {
        this.#updateActiveFlow();
        if (panel.visible) this.#updateSoon();
      },
      undefined,
      this.#subscriptions,
    );
    const isThis = (uri: vscode.Uri) => uri.toString() === this.#uri?.toString();
    this.#subscriptions.push(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!isThis(document.uri)) return;
        this.#text.edited();
        this.#updateSoon();
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.some(isThis) && this.#updateSoon()),
      // The platform knows the names of tools.
      states.onDidChange((uri) => isThis(uri) && this.#updateSoon()),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (!this.#locked && editor && isFlow(editor.document)) this.#turnTo(editor.document.uri);
      }),
      vscode.window.onDidChangeTextEditorSelection((change) => void this.#followCursor(change)),
    );
  }

  /** Shows a flow on the user's request; only then does the page come to the front. */
  show(uri: vscode.Uri | undefined): void {
    this.#turnTo(uri);
    if (this.page.panel.visible) return;
    // If it covers the editor that has the focus, the page gets the focus, because otherwise nothing would have it.
    const covers = this.page.panel.viewColumn === vscode.window.tabGroups.activeTabGroup.viewColumn;
    if (covers) this.#text.focusPage();
    else this.page.panel.reveal(undefined, true);
  }

  /** Compares with another version; undefined compares with the last sync again. */
  compare(other: Other | undefined): void {
    this.#other = other;
    void this.#update();
  }

  #turnTo(uri: vscode.Uri | undefined): void {
    if (!uri || uri.toString() === this.#uri?.toString()) return;
    this.#uri = uri;
    this.#updateActiveFlow();
    void this.#update().then(() => this.#selectAtCursor());
  }

  #updateActiveFlow(): void {
    this.activeFlow.page(this, this.page.panel.active ? this.#uri : undefined);
  }

  dispose(): void {
    clearTimeout(this.#pending);
    this.activeFlow.page(this, undefined);
    for (const subscription of this.#subscriptions.splice(0)) subscription.dispose();
  }

  /** Collects a burst of changes; updates continue while the user types. */
  #updateSoon(): void {
    this.#pending ??= setTimeout(() => void this.#update(), 30);
  }

  /** Sends the graph. A hidden page has no content, and requests its graph when it is shown again. */
  async #update(isAsked = false): Promise<void> {
    clearTimeout(this.#pending);
    this.#pending = undefined;
    const uri = this.#uri;
    const title = uri ? vscode.workspace.asRelativePath(uri) : "";
    if (uri) this.page.panel.title = vscode.l10n.t("Graph: {0}", title.split("/").at(-1) ?? "");
    if (!this.page.panel.visible && !isAsked) return;
    if (!uri)
      return this.page.send({
        type: "empty",
        reason: vscode.l10n.t("Open a flow file (*.flow.yaml) to see its graph."),
      });
    try {
      await vscode.workspace.openTextDocument(uri);
    } catch {
      // The file may have been deleted since the last session.
      return this.page.send({ type: "empty", reason: vscode.l10n.t("Couldn't open {0}.", title) });
    }
    const compared = this.#other;
    const view = await this.#others.viewOf(uri, compared);
    if (uri !== this.#uri || compared !== this.#other) return;
    if (!view)
      return this.page.send({ type: "empty", reason: vscode.l10n.t("This isn't a flow file, so it has no graph.") });
    const shown = shownName(compared);
    const other = compared
      ? { other: { name: nameOf(compared), key: compared, which: whichOf(compared), ...(shown ? { shown } : {}) } }
      : {};
    this.page.send({ type: "graph", uri: uri.toString(), title, locked: this.#locked, view, ...other });
    this.#coverage.changed();
    if (this.places.place) this.#sendWay();
  }

  /** Sends the path of this flow's run, if there is one. */
  #sendWay(): void {
    const { place } = this.places;
    const uri = this.#uri;
    if (!uri) return;
    const isThis = place !== undefined && uriOf(place.file).toString() === uri.toString();
    this.page.send({ type: "way", uri: uri.toString(), way: isThis ? place : undefined });
  }

  async receive(message: FromGraphPage): Promise<void> {
    const uri = this.#uri?.toString();
    if (message.type === "ready") {
      await this.#update(true);
      return this.#selectAtCursor();
    }
    if (message.type === "focused") return this.#staleLenses.fire();
    if (message.type === "lock") {
      this.#locked = message.locked;
      if (!message.locked) this.#turnTo(visibleFlow()?.uri);
      return this.#update();
    }
    if (message.type === "coverage") return this.#coverage.show(message.isShown);
    if (message.type === "calls") return this.#calls.show(message.isShown);
    if (message.type === "open-call") return vscode.commands.executeCommand("assistantFlow.openCall", message.id);
    if (uri === undefined) return;
    if (shownName(this.#other) && ["edit", "save", "undo", "redo"].includes(message.type))
      return void inform(vscode.l10n.t("An earlier version is shown. Stop comparing to edit the flow."));
    switch (message.type) {
      case "selected":
        return this.#text.reveal(message.element, true);
      case "open":
        return this.#text.reveal(message.element, false);
      case "hover":
        return this.page.send({
          type: "hover",
          id: message.id,
          text: await ask(this.server, DescribeRequest, { uri, id: message.id }),
        });
      case "texts":
        return this.page.send({ ...message, runs: await this.#others.textsOf(uri, message.element) });
      case "compare":
        return vscode.commands.executeCommand("assistantFlow.compareGraphs", this.#uri);
      case "stop-comparing":
        return this.compare(undefined);
      case "take":
        return void this.places.take(message.element.id);
      case "play":
        return vscode.commands.executeCommand("assistantFlow.playFromHere", this.#uri, message.id);
      case "create-test":
        return vscode.commands.executeCommand("assistantFlow.createTest", this.#uri, message.id);
      case "edit":
        return this.#edit(message.edit);
      case "save":
        return this.#text.save();
      case "undo":
      case "redo":
        return this.#text.run(message.type);
      case "export":
        return this.#export(message.format, message.data);
    }
  }

  /** For another flow, or a new page: the cursor doesn't move, so the editor reports nothing. */
  async #selectAtCursor(): Promise<void> {
    // In a comparison, the page shows the first change instead of the cursor.
    if (this.#other) return;
    const uri = this.#uri?.toString();
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
    if (editor) await this.#followCursor({ textEditor: editor, selections: editor.selections }, true);
  }

  async #followCursor(
    change: Pick<vscode.TextEditorSelectionChangeEvent, "textEditor" | "selections">,
    already = false,
  ): Promise<void> {
    const found = await this.#text.elementAtCursor(change);
    if (found) this.page.send({ type: "select", element: found.element, already, follows: !found.isTyping });
  }

  async #edit(kind: GraphEditKind): Promise<void> {
    const uri = this.#uri;
    const edit = await askForNames(kind, async (meant) => {
      const result = uri && (await ask(this.server, GraphEditRequest, { uri: uri.toString(), edit: meant }));
      return result && "problem" in result ? result.problem : undefined;
    });
    // Answering a question moves the focus out of the page.
    this.#text.focusPage();
    const edges = edit?.kind === "delete" ? await this.#edgesOf(edit.element) : 0;
    if (!uri || !edit || !(await this.#text.apply(edit))) return;
    if (edit.kind === "delete" && edges > 1) void this.#offerUndo(uri, edit.element.id, edges);
    if (edit.kind === "connect") return this.#showNewEdge(edit.from, edit.to);
    if (edit.kind !== "add-after" && edit.kind !== "rename") return;
    const element: GraphElement = { kind: "node", id: edit.name };
    await this.#update();
    this.page.send({ type: "select", element });
    await this.#text.reveal(element, true);
  }

  /** The selection stays at the source, for which the user may add another edge. */
  async #showNewEdge(from: string, to: string): Promise<void> {
    const made = (await this.#edges()).findLast(({ source, target }) => source === from && target === to);
    await this.#update();
    if (made) this.page.send({ type: "select", element: { kind: "edge", node: from, id: made.id }, isOnlyShown: true });
  }

  /** Counts the edges that are deleted with a node. */
  async #edgesOf(element: GraphElement): Promise<number> {
    if (element.kind !== "node") return 0;
    return (await this.#edges()).filter(({ source, target }) => source === element.id || target === element.id).length;
  }

  async #edges(): Promise<GraphView["edges"]> {
    const view = this.#uri && (await ask(this.server, GraphRequest, { uri: this.#uri.toString() }));
    return view?.edges ?? [];
  }

  /** Offers undo, because the key also deleted edges that may not be visible. */
  async #offerUndo(uri: vscode.Uri, id: string, edges: number): Promise<void> {
    const notice = showUntilWithdrawn(
      vscode.l10n.t('Deleted node "{0}" and {1} edges.', id, edges),
      vscode.l10n.t("Undo"),
    );
    // After another change, Undo would undo that one.
    const changes = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && document.uri.toString() === uri.toString()) notice.withdraw();
    });
    const timer = setTimeout(() => notice.withdraw(), UNDO_MS);
    const choice = await notice.choice;
    clearTimeout(timer);
    changes.dispose();
    if (choice === undefined) return;
    await this.#text.run("undo");
  }

  async #export(format: "svg" | "png" | "mermaid", data: string | undefined): Promise<void> {
    const uri = this.#uri;
    if (!uri) return;
    const content =
      format === "mermaid"
        ? Buffer.from(await ask(this.server, MermaidRequest, { uri: uri.toString() }))
        : format === "png"
          ? Buffer.from((data ?? "").replace(/^data:image\/png;base64,/, ""), "base64")
          : Buffer.from(data ?? "");
    const ending = format === "mermaid" ? "mmd" : format;
    const suggested = uri.with({ path: withoutFlowEnding(uri.path) });
    await saveAs({ what: "graph", suggested, ending, content });
  }
}

function visibleFlow(): vscode.TextDocument | undefined {
  const active = vscode.window.activeTextEditor?.document;
  if (active && isFlow(active)) return active;
  return vscode.window.visibleTextEditors.map((editor) => editor.document).find(isFlow);
}

function isFlow(document: vscode.TextDocument): boolean {
  return document.languageId === "assistant-flow";
}
