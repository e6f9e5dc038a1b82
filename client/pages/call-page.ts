/** The call page. Polled with backoff while the call is active and the page visible. */
import * as vscode from "vscode";
import { type Call, PlatformError } from "../../platform";
import { ask, PlaceOfRequest, type TurnLink, TurnLinksRequest } from "../../server/messages";
import { chooseFlowOfCall, flowOfCall, pathOfCall } from "../calls";
import type { Session } from "../connections";
import type { Server } from "../server";
import { onCommand } from "../ui/notice";
import { startOf } from "../ui/ranges";
import { callerName, isLive } from "../views/calls/rows";
import type { CallPath, FromCallPage, ToCallPage } from "./messages";
import { type OpenPage, RecordPages } from "./record-page";
import { inWorkspace, saveAs } from "./save";

export function registerCallPage(
  context: vscode.ExtensionContext,
  session: Session,
  server: Server,
  log: Pick<vscode.LogOutputChannel, "warn">,
): void {
  const pages = new RecordPages<string, ToCallPage, FromCallPage>(context, {
    viewType: "assistantFlow.call",
    bundle: "call",
    identity: (id) => id,
    title: () => vscode.l10n.t("Call"),
    restore: (state) => (state as { id?: string } | undefined)?.id,
    serve: (id, page) => {
      const follower = new CallFollower(id, page, session, server, log);
      page.subscriptions.push(follower);
      return (message) => follower.receive(message);
    },
  });
  onCommand(context, "openCall", (target?: string | { readonly id?: string }, preserveFocus?: boolean) => {
    const id = typeof target === "string" ? target : target?.id;
    if (id) pages.show(id, preserveFocus === true);
  });
}

type ShownCall = Extract<ToCallPage, { type: "call" }>;

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15_000;

export class CallFollower implements vscode.Disposable {
  #timer: NodeJS.Timeout | undefined;
  #wait = FIRST_WAIT;
  #shown = "";
  /** What the page shows. VS Code recreates a hidden page, which then gets this at once, even offline. */
  #last: ShownCall | undefined;
  #live = false;
  /** Details that are loaded after the call, and kept while the call changes. */
  #details: Pick<ShownCall, "workflow" | "links" | "path"> = { workflow: undefined, links: [] };
  readonly #abort = new AbortController();

  constructor(
    private readonly id: string,
    private readonly page: Pick<OpenPage<ToCallPage>, "panel" | "send">,
    private readonly session: Pick<Session, "client">,
    private readonly server: Server,
    private readonly log: Pick<vscode.LogOutputChannel, "warn">,
  ) {
    page.panel.onDidChangeViewState(({ webviewPanel }) => {
      if (webviewPanel.visible) this.#schedule(0);
      else clearTimeout(this.#timer);
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  async receive(message: FromCallPage): Promise<void> {
    switch (message.type) {
      case "ready":
        if (this.#last) this.page.send(this.#last);
        return this.receive({ type: "refresh" });
      case "refresh":
        this.#shown = "";
        this.#wait = FIRST_WAIT;
        return this.#load();
      case "copy":
        await vscode.env.clipboard.writeText(message.text);
        return void vscode.window.setStatusBarMessage(vscode.l10n.t("Copied the call as Markdown."), 3000);
      case "export":
        return saveAs({
          what: "call",
          suggested: inWorkspace(`call-${this.id}`),
          ending: "md",
          content: Buffer.from(message.text),
        });
      case "open-node":
        return openNode(this.server, message.uri, message.node);
      case "create-test":
        return void vscode.commands.executeCommand("assistantFlow.createTestFromCall", this.id);
      case "debug":
        return void vscode.commands.executeCommand("assistantFlow.debugCall", this.id);
      case "choose-flow":
        if (this.#last && (await chooseFlowOfCall(this.#last.call))) return this.receive({ type: "refresh" });
        return;
      case "open-workflow":
        return void vscode.commands.executeCommand("assistantFlow.showWorkflow", message.id);
    }
  }

  async #load(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const call = await this.session.client.getCall(this.id, { signal: this.#abort.signal });
      const text = JSON.stringify(call);
      // Back off while nothing changes.
      this.#wait = text === this.#shown ? Math.min(LONGEST_WAIT, this.#wait * 1.5) : FIRST_WAIT;
      this.#live = isLive(call);
      const isNew = text !== this.#shown;
      this.#shown = text;
      if (this.#live) this.#schedule(this.#wait);
      if (!isNew) return;
      this.page.panel.title = vscode.l10n.t("Call: {0}", callerName(call));
      // Show the call at once, and add the details later, unless the call has changed meanwhile.
      const shown = { type: "call", call, live: this.#live } as const;
      this.#show({ ...shown, ...this.#details });
      const [workflow, links, path] = await Promise.all([
        this.#workflowName(call),
        this.#links(call),
        this.#path(call),
      ]);
      if (text !== this.#shown || this.#abort.signal.aborted) return;
      this.#details = { workflow, links, ...(path ? { path } : {}) };
      this.#show({ ...shown, ...this.#details });
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (error.kind === "cancelled") return;
      this.page.send({ type: "failed", reason: error.message });
      // Keep polling an active call after a failure, with backoff.
      this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
      if (this.#live) this.#schedule(this.#wait);
    }
  }

  #show(call: ShownCall): void {
    this.#last = call;
    this.page.send(call);
  }

  #schedule(wait: number): void {
    clearTimeout(this.#timer);
    if (this.page.panel.visible) this.#timer = setTimeout(() => void this.#load(), wait);
  }

  async #workflowName(call: Call): Promise<string | undefined> {
    if (!call.workflowId) return undefined;
    try {
      return (await this.session.client.getWorkflow(call.workflowId, { signal: this.#abort.signal })).name;
    } catch (error) {
      if (error instanceof PlatformError) return undefined; // The page shows the ID instead.
      throw error;
    }
  }

  async #path(call: Call): Promise<CallPath | undefined> {
    if (!call.workflowId) return undefined;
    try {
      const flow = await flowOfCall(call, this.session.client, this.server, this.#abort.signal);
      if (!flow) return { kind: "unlinked" };
      const view = await pathOfCall(this.server, flow, call);
      const name = vscode.workspace.asRelativePath(flow);
      return view ? { kind: "path", uri: flow.toString(), flow: name, view } : { kind: "broken", flow: name };
    } catch (error) {
      // The page works without the path.
      if (!(error instanceof PlatformError))
        this.log.warn("A call wasn't traced: the language server didn't respond.", error);
      return undefined;
    }
  }

  async #links(call: Call): Promise<readonly TurnLink[]> {
    const turns = (call.transcript ?? []).map(({ text }) => ({ text: text ?? "" }));
    try {
      return await ask(this.server, TurnLinksRequest, { turns, variables: call.variables ?? {} });
    } catch (error) {
      this.log.warn("The turns of a call have no links: the language server didn't respond.", error);
      return [];
    }
  }
}

async function openNode(server: Server, uri: string, node: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const place = await ask(server, PlaceOfRequest, { uri, element: { kind: "node", id: node } });
  await vscode.window.showTextDocument(document, {
    ...(place ? { selection: startOf(place) } : {}),
    viewColumn: vscode.ViewColumn.Beside,
  });
}
