/** Adds calls to the graph: how many took each node and edge, where callers left, and the list of calls of an element. */

import type { FromGraphPage, ToGraphPage } from "../../../client/pages/messages";
import type { GraphElement, GraphView } from "../../../server/messages";
import type { CallCountView, CallsView } from "../../../server/test-messages";
import { button, html, replaceChildren } from "../../page/dom";
import { t } from "../../page/l10n";
import { callsSentence } from "./calls-sentence";

function withCalls(view: GraphView, calls: CallsView | undefined): GraphView {
  if (!calls) return view;
  const known = Math.max(1, calls.placed + calls.partly);
  const nodes = new Map(calls.nodes.map((node) => [node.id, node]));
  const edges = new Map(calls.edges.map((edge) => [`${edge.source}\u0000${edge.id}`, edge]));
  return {
    ...view,
    nodes: view.nodes.map((node) => {
      const own = nodes.get(node.id);
      return own ? { ...node, calls: { count: own.calls, left: own.left, share: own.calls / known } } : node;
    }),
    edges: view.edges.map((edge) => {
      const own = edges.get(`${edge.source}\u0000${edge.id}`);
      if (!own) return edge;
      return { ...edge, calls: { count: own.calls, share: own.calls / known, tested: own.tested === true } };
    }),
  };
}

/** The **Calls** switch of the graph: asks for calls, keeps them, and lists those of the selected element. */
export class CallsSwitch {
  /** The totals, or why there are none. */
  readonly status = html("div", { class: "calls-status", role: "status", hidden: true });
  /** The calls of the selected node or edge; those that ended there first. */
  readonly list = html("aside", { class: "call-list", "aria-label": t("Calls"), hidden: true });
  #isShown = false;
  #calls: CallsView | undefined;
  #listed: GraphElement | undefined;

  constructor(
    private readonly send: (message: FromGraphPage) => void,
    private readonly changed: (isShown: boolean) => void,
  ) {}

  set(isShown: boolean): void {
    this.#isShown = isShown;
    this.#calls = undefined;
    this.status.hidden = !isShown;
    this.status.textContent = isShown ? t("Loading calls…") : "";
    this.#show(undefined);
    this.send({ type: "calls", isShown });
    this.changed(isShown);
  }

  receive({ calls, reason, isLoading }: Extract<ToGraphPage, { type: "calls" }>): void {
    if (!this.#isShown) return;
    this.#calls = calls;
    const words = calls ? callsSentence(calls) : (reason ?? "");
    this.status.textContent = isLoading ? `${words} ${t("Loading more…")}` : words;
    this.#show(this.#listed);
    this.changed(true);
  }

  /** The calls of another flow aren't known yet. */
  reset(): void {
    if (this.#isShown) this.set(true);
  }

  choose(element: GraphElement): void {
    if (this.#isShown) this.#show(element);
  }

  over(view: GraphView): GraphView {
    return this.#isShown ? withCalls(view, this.#calls) : view;
  }

  #show(element: GraphElement | undefined): void {
    this.#listed = element;
    const own = this.#calls && element ? countsOf(element, this.#calls) : undefined;
    this.list.hidden = !own;
    if (!own || !element) return;
    const left = new Set(own.leftIds);
    const others = own.ids.filter((id) => !left.has(id));
    replaceChildren(
      this.list,
      html(
        "header",
        {},
        html("h2", {}, element.id),
        button("×", () => this.#show(undefined), { title: t("Close"), "aria-label": t("Close") }),
      ),
      html("p", {}, own.calls === 1 ? t("1 call") : t("{0} calls", own.calls)),
      own.left > 0 ? [html("h3", {}, t("Left here: {0}", own.left)), this.#rows(own.leftIds)] : [],
      own.left > 0 && others.length > 0 ? [html("h3", {}, t("Continued: {0}", own.calls - own.left))] : [],
      this.#rows(others),
    );
  }

  #rows(ids: readonly string[]): HTMLElement {
    const row = (id: string) => {
      const words = `${id.slice(0, 8)} ${this.#calls?.rows?.[id] ?? ""}`.trim();
      const open = () => this.send({ type: "open-call", id });
      return html("li", {}, button(words, open, { title: t("Open call {0}", id) }));
    };
    return html("ul", {}, ids.map(row));
  }
}

function countsOf(element: GraphElement, calls: CallsView): CallCountView | undefined {
  return element.kind === "node"
    ? calls.nodes.find(({ id }) => id === element.id)
    : calls.edges.find(({ source, id }) => source === element.node && id === element.id);
}
