/** Adds calls to the graph: how many took each node and edge, where callers left, and the list of calls of an element. */

import type { GraphElement, GraphView } from "../../../server/messages";
import type { CallCountView, CallsView } from "../../../server/test-messages";
import { button, html, replaceChildren } from "../../page/dom";
import { t } from "../../page/l10n";

export function withCalls(view: GraphView, calls: CallsView | undefined): GraphView {
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

export function callsWords({ calls, placed, partly, unplaced }: CallsView): string {
  return calls === 1
    ? t("1 call: {0} placed, {1} partly, {2} unplaced", placed, partly, unplaced)
    : t("{0} calls: {1} placed, {2} partly, {3} unplaced", calls, placed, partly, unplaced);
}

/** The calls of the selected node or edge; those that ended there first. */
export class CallList {
  readonly element = html("aside", { class: "call-list", "aria-label": t("Calls"), hidden: true });
  #shown: GraphElement | undefined;

  constructor(private readonly open: (id: string) => void) {}

  show(element: GraphElement | undefined, calls: CallsView | undefined): void {
    this.#shown = element;
    const own = calls && element ? countsOf(element, calls) : undefined;
    this.element.hidden = !own;
    if (!own || !element) return;
    const left = new Set(own.leftIds);
    const others = own.ids.filter((id) => !left.has(id));
    replaceChildren(
      this.element,
      html(
        "header",
        {},
        html("h2", {}, element.id),
        button("×", () => this.show(undefined, undefined), { title: t("Close"), "aria-label": t("Close") }),
      ),
      html("p", {}, own.calls === 1 ? t("1 call") : t("{0} calls", own.calls)),
      own.left > 0 ? [html("h3", {}, t("Left here: {0}", own.left)), this.#rows(own.leftIds, calls)] : [],
      own.left > 0 && others.length > 0 ? [html("h3", {}, t("Continued: {0}", own.calls - own.left))] : [],
      this.#rows(others, calls),
    );
  }

  /** More calls arrived. */
  update(calls: CallsView | undefined): void {
    this.show(this.#shown, calls);
  }

  #rows(ids: readonly string[], calls: CallsView | undefined): HTMLElement {
    const row = (id: string) => {
      const words = `${id.slice(0, 8)} ${calls?.rows?.[id] ?? ""}`.trim();
      return html(
        "li",
        {},
        button(words, () => this.open(id), { title: t("Open call {0}", id) }),
      );
    };
    return html("ul", {}, ids.map(row));
  }
}

function countsOf(element: GraphElement, calls: CallsView): CallCountView | undefined {
  return element.kind === "node"
    ? calls.nodes.find(({ id }) => id === element.id)
    : calls.edges.find(({ source, id }) => source === element.node && id === element.id);
}
