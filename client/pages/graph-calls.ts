/** Loads calls of the flow for the graph, traced by the language server. Only IDs and counts reach the page. */
import * as vscode from "vscode";
import { type Call, type CallingWorkflow, PlatformError } from "../../platform";
import { type CallsView, TraceCallsRequest, type TracedCallView } from "../../server/test-messages";
import type { Session } from "../connections";
import type { Server } from "../server";
import type { FlowTests } from "../testing";
import type { ToGraphPage } from "./messages";

type Shown = Extract<ToGraphPage, { type: "calls" }>;

/** The newest calls that are traced. */
const MAX_CALLS = 2_000;

export class GraphCalls {
  #asked = 0;

  constructor(
    private readonly session: Session,
    private readonly server: Server,
    private readonly tests: FlowTests,
    private readonly uri: () => vscode.Uri | undefined,
    private readonly send: (message: Shown) => void,
  ) {}

  async show(isShown: boolean): Promise<void> {
    const mine = ++this.#asked;
    const flow = this.uri();
    if (!isShown || !flow) return;
    const uri = flow.toString();
    try {
      const view = await this.#load(flow);
      if (mine !== this.#asked) return;
      if (view && view.calls > 0) this.send({ type: "calls", uri, calls: view });
      else this.send({ type: "calls", uri, reason: vscode.l10n.t("No calls belong to this flow.") });
    } catch (error) {
      if (mine !== this.#asked) return;
      if (!(error instanceof PlatformError)) throw error;
      this.send({ type: "calls", uri, reason: error.message });
    }
  }

  async #load(flow: vscode.Uri): Promise<CallsView | undefined> {
    const { client } = this.session;
    const calls: Call[] = [];
    for await (const call of client.calls()) if (calls.push(call) >= MAX_CALLS) break;
    const workflows = new Map<string, CallingWorkflow>();
    for await (const workflow of client.workflows()) workflows.set(workflow.id, workflow);
    const mapped = vscode.workspace
      .getConfiguration("assistantFlow", flow)
      .get<Record<string, string>>("calls.flows", {});
    const path = vscode.workspace.asRelativePath(flow, false);
    const views = calls.map((call) => callView(call, workflows, mapped, path));
    const view = await this.#trace(flow, views);
    if (view && view.calls > 0) return view;
    const chosen = await this.#choose(flow, [...workflows.values()], mapped, path);
    if (!chosen) return view;
    return this.#trace(
      flow,
      calls.map((call) => callView(call, workflows, { ...mapped, [chosen]: path }, path)),
    );
  }

  async #trace(flow: vscode.Uri, calls: readonly TracedCallView[]): Promise<CallsView | undefined> {
    const unsaved = vscode.workspace.textDocuments
      .filter((document) => document.isDirty && document.uri.toString() === flow.toString())
      .map((document) => ({ uri: document.uri.toString(), text: document.getText() }));
    const view = (await this.server.sendRequest(TraceCallsRequest.method, {
      flow: flow.toString(),
      calls,
      unsaved,
    })) as CallsView | null;
    if (!view) return undefined;
    const tested = await this.tests.of(flow).catch(() => undefined);
    const covered = new Set(
      tested?.coverage?.nodes.flatMap(({ id, edges }) =>
        edges.filter(({ state }) => state === "covered").map((edge) => `${id} ${edge.id}`),
      ),
    );
    const edges = view.edges.map((edge) => ({ ...edge, tested: covered.has(`${edge.source} ${edge.id}`) }));
    return { ...view, edges };
  }

  /** No workflow is linked to the flow: asks once, and stores the answer in the settings. */
  async #choose(
    flow: vscode.Uri,
    workflows: readonly CallingWorkflow[],
    mapped: Readonly<Record<string, string>>,
    path: string,
  ): Promise<string | undefined> {
    if (workflows.length === 0 || Object.values(mapped).includes(path)) return undefined;
    const rows = workflows.map(({ id, name }) => ({ label: name ?? id, description: name ? id : "", id }));
    const chosen = await vscode.window.showQuickPick(rows, {
      title: vscode.l10n.t("Calls of This Flow"),
      placeHolder: vscode.l10n.t("Select the calling workflow that runs this flow"),
    });
    if (!chosen) return undefined;
    const settings = vscode.workspace.getConfiguration("assistantFlow", flow);
    await settings.update("calls.flows", { ...mapped, [chosen.id]: path }, vscode.ConfigurationTarget.Workspace);
    return chosen.id;
  }
}

function callView(
  call: Call,
  workflows: ReadonlyMap<string, CallingWorkflow>,
  mapped: Readonly<Record<string, string>>,
  path: string,
): TracedCallView {
  const workflow = call.workflowId ?? "";
  const promptId = workflows.get(workflow)?.promptId;
  // The rest of a call isn't needed to trace it.
  const { id, transcript, variables, callEndedReason, callEndedBy } = call;
  return {
    call: { id, transcript, variables, callEndedReason, callEndedBy },
    ...(promptId === undefined ? {} : { promptId }),
    isOwn: mapped[workflow] === path,
  };
}
