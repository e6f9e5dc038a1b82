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
  return t("{0} calls: {1} placed, {2} partly, {3} unplaced", calls, placed, partly, unplaced);
}

/** The calls of the selected node or edge. */
export class CallList {
  readonly element = html("aside", { class: "call-list floating", "aria-label": t("Calls"), hidden: true });

  constructor(private readonly open: (id: string) => void) {}

  show(element: GraphElement | undefined, calls: CallsView | undefined): void {
    const own = calls && element ? countsOf(element, calls) : undefined;
    this.element.hidden = !own;
    if (!own || !element) return;
    const head = own.left > 0 ? t("{0} calls, {1} left here", own.calls, own.left) : t("{0} calls", own.calls);
    replaceChildren(
      this.element,
      html("h2", {}, element.id),
      html("p", {}, head),
      html(
        "ul",
        {},
        ...own.ids.map((id) =>
          html(
            "li",
            {},
            button(id, () => this.open(id), { title: t("Open this call") }),
          ),
        ),
      ),
    );
  }
}

function countsOf(element: GraphElement, calls: CallsView): CallCountView | undefined {
  return element.kind === "node"
    ? calls.nodes.find(({ id }) => id === element.id)
    : calls.edges.find(({ id }) => id === element.id);
}
