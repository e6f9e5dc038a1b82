/** The Play page: a conversation with the flow. The run is in the extension; the page shows it and sends answers. */

import * as vscode from "vscode";
import type { Play, PlayFrom } from "../../debug";
import { ask, PlaceOfRequest } from "../../server/messages";
import type { ActiveFlow } from "../active-flow";
import { chooseFlow, flowIn, flowOf } from "../choose-flow";
import { nodeAtCursor } from "../node-at-cursor";
import type { FromPlayPage, ToPlayPage } from "../pages/messages";
import { pageHtml, pageIcon, pageOptions } from "../pages/page";
import { loadDebugger } from "../parts";
import type { Server } from "../server";
import { showError } from "../ui/notice";
import { startOf } from "../ui/ranges";
import { pathOf } from "../ui/workspace-files";
import { debugHost, folderOf } from "./debug-host";
import type { RunPlaces } from "./run-places";
import { saveRunAsTest } from "./save-test";

const TYPE = "assistantFlow.play";

export function registerPlay(
  context: vscode.ExtensionContext,
  server: Server,
  activeFlow: ActiveFlow,
  places: RunPlaces,
): void {
  let open: PlayPage | undefined;
  const show = async (uri: vscode.Uri | undefined, from: PlayFrom) => {
    const flow = uri ?? (await chooseFlow(vscode.l10n.t("Play Flow")));
    if (!flow) return;
    open ??= new PlayPage(context, server, activeFlow, places, () => {
      open = undefined;
    });
    await open.play(flow, from);
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("assistantFlow.play", (target?: unknown) => {
      const named = flowOf(target);
      // In the graph's title bar, the target is the webview panel instead of a flow.
      return show(named && named.scheme !== "webview-panel" ? named : flowIn(activeFlow), {});
    }),
    vscode.commands.registerCommand("assistantFlow.playFromHere", async (target?: unknown, node?: unknown) => {
      const uri = flowOf(target) ?? flowIn(activeFlow);
      const id = typeof node === "string" ? node : uri && (await nodeAtCursor(uri, server));
      if (id === undefined) return showError(vscode.l10n.t("Place the cursor in a node."));
      return show(uri, { node: id });
    }),
    vscode.commands.registerCommand("assistantFlow.playPath", (uri: string, path: readonly string[]) =>
      show(vscode.Uri.parse(uri), { path }),
    ),
  );
}

class PlayPage {
  readonly #panel: vscode.WebviewPanel;
  readonly #subscriptions: vscode.Disposable[] = [];
  #watching: { dispose(): void } | undefined;
  #play: Play | undefined;
  #uri: vscode.Uri | undefined;
  #problem: string | undefined;

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly activeFlow: ActiveFlow,
    private readonly places: RunPlaces,
    onClose: () => void,
  ) {
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false };
    this.#panel = vscode.window.createWebviewPanel(
      TYPE,
      vscode.l10n.t("Play"),
      column,
      pageOptions(context.extensionUri),
    );
    this.#panel.iconPath = pageIcon(context.extensionUri);
    this.#panel.webview.onDidReceiveMessage(
      (message: FromPlayPage) => this.#receive(message),
      undefined,
      this.#subscriptions,
    );
    this.#panel.webview.html = pageHtml(this.#panel.webview, context.extensionUri, {
      name: "play",
      title: vscode.l10n.t("Play"),
    });
    this.#panel.onDidChangeViewState(() => this.#updateActiveFlow(), undefined, this.#subscriptions);
    this.#panel.onDidDispose(() => {
      activeFlow.page(this, undefined);
      this.#watching?.dispose();
      for (const each of this.#subscriptions.splice(0)) each.dispose();
      this.places.hide(this);
      onClose();
    });
  }

  async play(uri: vscode.Uri, from: PlayFrom): Promise<void> {
    const adapter = await loadDebugger();
    this.#uri = uri;
    this.#panel.title = vscode.l10n.t("Play: {0}", uri.path.split("/").at(-1) ?? "");
    this.#watching?.dispose();
    this.#play = undefined;
    const host = debugHost(folderOf(uri), this.server);
    try {
      this.#play = await adapter.Play.begin(host, pathOf(uri), from);
      this.#watching = host.watch(this.#play.files, () => void this.#repeat());
      this.#problem = undefined;
    } catch (error) {
      if (!(error instanceof adapter.CannotStart)) throw error;
      this.#problem = error.message;
    }
    this.#panel.reveal(undefined, false);
    this.#updateActiveFlow();
    this.#show();
  }

  #updateActiveFlow(): void {
    this.activeFlow.page(this, this.#panel.active ? this.#uri : undefined);
  }

  async #repeat(): Promise<void> {
    await this.#play?.repeat();
    this.#show(true);
  }

  async #receive(message: FromPlayPage): Promise<void> {
    const play = this.#play;
    if (message.type === "ready") return this.#show();
    if (!play) return;
    switch (message.type) {
      case "answer":
        return this.#answer(message.text);
      case "back":
        play.back();
        return this.#show();
      case "restart":
        play.restart();
        return this.#show();
      case "save":
        return this.#uri && saveRunAsTest(this.#uri, (request) => play.save(request));
      case "open":
        return this.#reveal(message.at);
    }
  }

  #answer(text: string): void {
    const problem = this.#play?.answer(text);
    if (problem === undefined) this.#show();
    else this.#send({ type: "problem", text: problem });
  }

  /** A run that is repeated after an edit doesn't take the focus from the editor. */
  #show(isRepeated = false): void {
    if (!this.#play) {
      this.#send({ type: "failed", reason: this.#problem ?? vscode.l10n.t("Starting…") });
      return;
    }
    const { view } = this.#play;
    this.#send({ type: "play", title: vscode.workspace.asRelativePath(this.#uri ?? view.file), view, isRepeated });
    this.places.show(this, view.place, (text) => this.#answer(text));
  }

  /** Reveals the node in the editor, if it belongs to this flow. */
  async #reveal(at: string): Promise<void> {
    const id = at.split("/")[0] ?? at;
    if (!this.#uri) return;
    const element = { kind: "node", id } as const;
    const place = await ask(this.server, PlaceOfRequest, { uri: this.#uri.toString(), element });
    if (!place) return;
    const selection = startOf(place);
    await vscode.window.showTextDocument(this.#uri, { viewColumn: vscode.ViewColumn.One, selection });
  }

  #send(message: ToPlayPage): void {
    void this.#panel.webview.postMessage(message);
  }
}
