/**
 * Loads calls of the flow for the graph. The language server traces them in portions, in a thread, so nothing waits for
 * thousands of calls. Only IDs, times, end reasons and counts reach the page.
 */
import * as vscode from "vscode";
import { type Call, PlatformError } from "../../platform";
import { ask } from "../../server/messages";
import { type CallCountView, type CallsView, TraceCallsRequest } from "../../server/test-messages";
import { tracedFields, workflowsOf } from "../calls";
import type { Session } from "../connections";
import type { Server } from "../server";
import type { FlowTests } from "../testing";
import { unsavedTexts } from "../testing/test-server";
import { ago, plainWords } from "../ui/words";
import type { ToGraphPage } from "./messages";

type Shown = Extract<ToGraphPage, { type: "calls" }>;

/** The newest calls that are traced, and how many of them at a time. */
const MAX_CALLS = 10_000;
const PORTION = 500;

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
    const show = (shown: Pick<Shown, "calls" | "reason" | "isLoading">) => {
      if (mine === this.#asked) this.send({ type: "calls", uri: flow.toString(), ...shown });
    };
    try {
      for await (const shown of this.#load(flow)) {
        if (mine !== this.#asked) return;
        show(shown);
      }
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      show({ reason: error.message });
    }
  }

  /** The calls so far, after each portion. */
  async *#load(flow: vscode.Uri): AsyncGenerator<Pick<Shown, "calls" | "reason" | "isLoading">, void, undefined> {
    const { client } = this.session;
    const workflows = await workflowsOf(flow, client, this.server);
    const tested = await this.#testedEdges(flow);
    let total: CallsView | undefined;
    let portion: Call[] = [];
    let count = 0;
    const trace = async (): Promise<boolean> => {
      const calls = portion;
      portion = [];
      const view = await ask(this.server, TraceCallsRequest, {
        flow: flow.toString(),
        calls: calls.map(tracedFields),
        unsaved: unsavedTexts(),
      });
      if (!view) return false;
      const edges = view.edges.map((edge) => ({ ...edge, tested: tested.has(`${edge.source} ${edge.id}`) }));
      const own = { ...view, edges, rows: rowsOf(calls) };
      total = total ? plusCalls(total, own) : own;
      return true;
    };
    const unable = { reason: vscode.l10n.t("The flow has errors, so calls can't be traced.") };
    for await (const call of workflows.size > 0 ? client.calls() : []) {
      if (!workflows.has(call.workflowId ?? "")) continue;
      portion.push(call);
      if (portion.length === PORTION) {
        if (!(await trace())) return yield unable;
        yield { ...(total ? { calls: total } : {}), isLoading: true };
      }
      if (++count === MAX_CALLS) break;
    }
    if (portion.length > 0 && !(await trace())) return yield unable;
    yield total ? { calls: total } : { reason: vscode.l10n.t("No calls belong to this flow.") };
  }

  async #testedEdges(flow: vscode.Uri): Promise<ReadonlySet<string>> {
    const tested = await this.tests.of(flow).catch(() => undefined); // Without tests, no edge is tested.
    const nodes = tested?.coverage?.nodes ?? [];
    return new Set(
      nodes.flatMap(({ id, edges }) => edges.flatMap((edge) => (edge.state === "covered" ? `${id} ${edge.id}` : []))),
    );
  }
}

/** When calls began and how they ended: nothing of any caller. */
function rowsOf(calls: readonly Call[]): Record<string, string> {
  const now = Date.now();
  return Object.fromEntries(
    calls.map(({ id, callStartedAt, createdAt, callEndedReason }) => {
      const ended = callEndedReason ? plainWords(callEndedReason) : vscode.l10n.t("in progress");
      return [id, [ago(callStartedAt ?? createdAt, now), ended].filter((part) => part !== "").join(", ")];
    }),
  );
}

/** The most calls that are listed for one node or edge. */
const MAX_LISTED = 200;

/** `b` is the later portion: if the flow was edited in between, its nodes and edges are those of the flow now. */
function plusCalls(a: CallsView, b: CallsView): CallsView {
  const nodesBefore = new Map(a.nodes.map((node) => [node.id, node]));
  const nodes = b.nodes.map((node) => ({ ...node, ...plusCounts(nodesBefore.get(node.id), node) }));
  const keyOf = ({ source, id }: CallsView["edges"][number]) => JSON.stringify([source, id]);
  const edgesBefore = new Map(a.edges.map((edge) => [keyOf(edge), edge]));
  const edges = b.edges.map((edge) => ({ ...edge, ...plusCounts(edgesBefore.get(keyOf(edge)), edge) }));
  const listed = new Set([...nodes, ...edges].flatMap(({ ids, leftIds }) => [...ids, ...leftIds]));
  const rows = Object.entries({ ...a.rows, ...b.rows }).filter(([id]) => listed.has(id));
  return {
    calls: a.calls + b.calls,
    placed: a.placed + b.placed,
    partly: a.partly + b.partly,
    unplaced: a.unplaced + b.unplaced,
    rows: Object.fromEntries(rows),
    nodes,
    edges,
  };
}

function plusCounts(a: CallCountView | undefined, b: CallCountView): CallCountView {
  if (!a) return b;
  return {
    calls: a.calls + b.calls,
    left: a.left + b.left,
    ids: [...a.ids, ...b.ids].slice(0, MAX_LISTED),
    leftIds: [...a.leftIds, ...b.leftIds].slice(0, MAX_LISTED),
  };
}
