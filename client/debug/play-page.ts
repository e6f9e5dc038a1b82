/** The Play page: a conversation with the flow. The run is in the extension; the page shows it and sends answers. */

import * as vscode from "vscode";
import type { Play, PlayFrom } from "../../debug";
import { ask, PlaceOfRequest } from "../../server/messages";
import { type ActiveFlow, chooseFlow, flowIn, flowOf } from "../active-flow";
import { nodeAtCursor } from "../node-at-cursor";
import type { FromPlayPage, ToPlayPage } from "../pages/messages";
import { type OpenPage, RecordPages } from "../pages/record-page";
import { loadDebugger } from "../parts";
import type { Server } from "../server";
import { onCommand, showError } from "../ui/notice";
import { startOf } from "../ui/ranges";
import { pathOf } from "../ui/workspace-files";
import { debugHost, folderOf } from "./debug-host";
import type { RunPlaces } from "./run-places";
import { saveRunAsTest } from "./save-test";

export function registerPlay(
  context: vscode.ExtensionContext,
  server: Server,
  activeFlow: ActiveFlow,
  places: RunPlaces,
): void {
  let player: Player | undefined;
  const pages = new RecordPages<"play", ToPlayPage, FromPlayPage>(context, {
    viewType: "assistantFlow.play",
    bundle: "play",
    identity: () => "play",
    title: () => vscode.l10n.t("Play"),
    column: () => vscode.ViewColumn.Beside,
    serve: (_key, page) => {
      const opened = new Player(page, server, activeFlow, places);
      player = opened;
      page.subscriptions.push(opened);
      return (message) => opened.receive(message);
    },
  });
  const show = async (uri: vscode.Uri | undefined, from: PlayFrom) => {
    const flow = uri ?? (await chooseFlow(vscode.l10n.t("Play Flow")));
    if (!flow) return;
    if (!pages.get("play")) pages.show("play");
    await player?.play(flow, from);
  };
  onCommand(context, "play", (target?: unknown) => {
    const named = flowOf(target);
    // In the graph's title bar, the target is the webview panel instead of a flow.
    return show(named && named.scheme !== "webview-panel" ? named : flowIn(activeFlow), {});
  });
  onCommand(context, "playFromHere", async (target?: unknown, node?: unknown) => {
    const uri = flowOf(target) ?? flowIn(activeFlow);
    const id = typeof node === "string" ? node : uri && (await nodeAtCursor(uri, server));
    if (id === undefined) return showError(vscode.l10n.t("Place the cursor in a node."));
    return show(uri, { node: id });
  });
  onCommand(context, "playPath", (uri: string, path: readonly string[]) => show(vscode.Uri.parse(uri), { path }));
}

class Player implements vscode.Disposable {
  #watching: { dispose(): void } | undefined;
  #play: Play | undefined;
  #uri: vscode.Uri | undefined;
  #problem: string | undefined;

  constructor(
    private readonly page: OpenPage<ToPlayPage>,
    private readonly server: Server,
    private readonly activeFlow: ActiveFlow,
    private readonly places: RunPlaces,
  ) {
    page.panel.onDidChangeViewState(() => this.#updateActiveFlow(), undefined, page.subscriptions);
  }

  dispose(): void {
    this.activeFlow.page(this, undefined);
    this.#watching?.dispose();
    this.places.hide(this);
  }

  async play(uri: vscode.Uri, from: PlayFrom): Promise<void> {
    const adapter = await loadDebugger();
    this.#uri = uri;
    this.page.panel.title = vscode.l10n.t("Play: {0}", uri.path.split("/").at(-1) ?? "");
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
    this.page.panel.reveal(undefined, false);
    this.#updateActiveFlow();
    this.#show();
  }

  #updateActiveFlow(): void {
    this.activeFlow.page(this, this.page.panel.active ? this.#uri : undefined);
  }

  async #repeat(): Promise<void> {
    await this.#play?.repeat();
    this.#show(true);
  }

  async receive(message: FromPlayPage): Promise<void> {
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
        return (
          this.#uri &&
          saveRunAsTest(
            this.#uri,
            (request) => play.save(request),
            (name) => this.page.send({ type: "saved", name }),
          )
        );
      case "open":
        return this.#reveal(message.at);
    }
  }

  #answer(text: string): void {
    const problem = this.#play?.answer(text);
    if (problem === undefined) this.#show();
    else this.page.send({ type: "problem", text: problem });
  }

  /** A run that is repeated after an edit doesn't take the focus from the editor. */
  #show(isRepeated = false): void {
    const title = this.#uri ? vscode.workspace.asRelativePath(this.#uri) : vscode.l10n.t("Play");
    if (!this.#play) {
      this.page.send({ type: "failed", title, reason: this.#problem ?? vscode.l10n.t("Starting…") });
      return;
    }
    const { view } = this.#play;
    this.page.send({ type: "play", title, view, isRepeated });
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
}
