/** Draws the SVG elements of nodes and edges in the theme's colors. */

import type { GraphViewEdge, GraphViewNode } from "../../server/messages";
import { svg } from "../page/dom";
import { t } from "../page/l10n";
import type { Curve } from "./curves";
import { fit, fitLines, widthOf } from "./fit";
import { EDGE_LABEL, labelHeight, NODE, type Point } from "./geometry";

/** Node types that have their own color. */
export const NODE_TYPES = ["message", "collect", "decision", "tool", "component", "transfer", "end"] as const;

/** The width for text in a node. */
const TEXT = NODE.width - 28;

/** The font size of edge labels. */
const LABEL_SIZE = 11;

export interface NodeLook {
  readonly isEntry: boolean;
  readonly selected: boolean;
  readonly faded: boolean;
}

export function drawNode(node: GraphViewNode, place: Point, look: NodeLook): SVGGElement {
  const left = -NODE.width / 2;
  const top = -NODE.height / 2;
  const badge = badgeOf(node);
  const titleWidth = badge ? TEXT - 22 : TEXT;
  const title = fitLines(node.name ?? node.id, 2, { width: titleWidth, size: 13, weight: 600 });
  const kind = [node.type ?? t("no type"), node.tool, node.name && node.id].filter(Boolean).join(" · ");
  // The type takes one of four lines; title and text share the rest.
  const words = fitLines(node.text ?? "", 3 - title.length, { width: node.change ? TEXT - 14 : TEXT, size: 11 });
  const below = top + 22 + title.length * 16;
  const group = svg(
    "g",
    {
      "data-node": node.id,
      class: classes("node", {
        entry: look.isEntry,
        terminal: node.terminal,
        selected: look.selected,
        faded: look.faded,
        [`change-${node.change}`]: node.change !== undefined,
        unread: node.unread === true,
        [`cover-${node.cover}`]: node.cover !== undefined,
        [`way-${node.way}`]: node.way !== undefined,
      }),
      transform: `translate(${place.x},${place.y})`,
      role: "button",
      tabindex: look.selected ? 0 : -1,
      "aria-label": describeNode(node, look.isEntry),
    },
    svg("rect", { class: "body", x: left, y: top, width: NODE.width, height: NODE.height, rx: node.terminal ? 22 : 6 }),
    !node.terminal && svg("path", { class: "stripe", d: stripe(left, top) }),
    node.type === "component" && svg("path", { class: "fold", d: `M${-left - 8},${top}V${-top}` }),
    // Above the middle of the side, where edges arrive.
    look.isEntry && svg("path", { class: "entry-mark", d: `M${left - 16},${top + 12}l12,8l-12,8z` }),
    title.map((line, index) => svg("text", { class: "title", x: left + 16, y: top + 22 + index * 16 }, line)),
    svg("text", { class: "kind", x: left + 16, y: below }, fit(kind, { width: TEXT, size: 11 })),
    words.map((line, index) => svg("text", { class: "words", x: left + 16, y: below + 16 + index * 14 }, line)),
    badge && svg("circle", { class: `badge ${badge.kind}`, cx: -left - 18, cy: top + 18, r: 9 }),
    badge &&
      svg("text", { class: "badge-count", x: -left - 18, y: top + 22 }, badge.count > 9 ? "9+" : String(badge.count)),
    node.change !== undefined && svg("text", { class: "change-mark", x: -left - 14, y: -top - 9 }, MARKS[node.change]),
    node.cover !== undefined && coverMark(node.cover, left, top),
    node.calls &&
      svg("text", { class: "call-count", x: -left - 8, y: top - 5 }, callsText(node.calls.count, node.calls.share)),
    node.calls &&
      node.calls.left > 0 &&
      svg("text", { class: "left-mark", x: left + 4, y: -top + 13 }, t("↓ {0} left", node.calls.left)),
    !node.terminal && svg("circle", { class: "port", "data-port": node.id, cx: 0, cy: -top, r: 5 }),
  );
  return withTypeColor(group, node.type);
}

/** Gives an element the color of a node type, which its styles use. */
export function withTypeColor<E extends SVGElement>(element: E, type: string | undefined): E {
  element.style.setProperty("--type", `var(--flow-${known(type)})`);
  return element;
}

export function drawEdge(
  edge: GraphViewEdge,
  key: string,
  shape: Curve,
  look: { readonly selected: boolean; readonly faded: boolean },
): SVGGElement {
  const label = labelOf(edge);
  const lines = labelLines(edge);
  const height = labelHeight(lines.length);
  // As wide as its text: on a line that is almost horizontal, a wider one would hide most of the line.
  const width = Math.min(EDGE_LABEL.width, widthOf(lines, LABEL_SIZE) + 2 * EDGE_LABEL.margin);
  return svg(
    "g",
    {
      "data-edge": key,
      class: classes("edge", `edge-${edge.kind}`, shareClass(edge), {
        dangling: edge.dangling,
        selected: look.selected,
        faded: look.faded,
        [`change-${edge.change}`]: edge.change !== undefined,
        unread: edge.unread === true,
        [`cover-${edge.cover}`]: edge.cover !== undefined,
        [`way-${edge.way}`]: edge.way !== undefined,
        "calls-none": edge.calls?.count === 0,
        "calls-untested": edge.calls !== undefined && edge.calls.count > 0 && !edge.calls.tested,
      }),
      role: "button",
      tabindex: -1,
      "aria-label": t(
        "Edge from {0} to {1}{2}{3}{4}{5}",
        edge.source,
        edge.target,
        label ? `, ${label}` : t(", default"),
        edge.change ? `, ${edge.change}` : "",
        edge.cover ? `, ${COVERS[edge.cover]}` : "",
        (edge.way ? `, ${WAYS[edge.way]}` : "") +
          (edge.calls ? `, ${callsTitle(edge.calls.count, edge.calls.share, 0)}` : ""),
      ),
    },
    svg("path", { class: "grip", d: shape.path }),
    svg("path", { class: "line", d: shape.path, "marker-end": "url(#arrow)" }),
    label !== undefined &&
      svg("rect", {
        class: "label-back",
        x: shape.label.x - width / 2,
        y: shape.label.y - height / 2,
        width,
        height,
        rx: 4,
      }),
    lines.map((line, index) =>
      svg(
        "text",
        { class: "label", x: shape.label.x, y: shape.label.y - height / 2 + 13 + index * EDGE_LABEL.line },
        line,
      ),
    ),
    (label !== undefined || edge.calls !== undefined) && svg("title", {}, edgeTitle(edge, label)),
    edge.calls !== undefined &&
      svg(
        "text",
        {
          class: classes("call-count edge-calls", { "beside-line": label === undefined || edge.cover !== undefined }),
          // Beside the coverage mark, if the label has one.
          x: shape.label.x + (label === undefined || edge.cover !== undefined ? 10 : 0),
          y: shape.label.y - (label === undefined ? 4 : height / 2 + 4),
        },
        callsText(edge.calls.count, edge.calls.share) + (edge.calls.count > 0 && !edge.calls.tested ? " ○" : ""),
      ),
    edge.change !== undefined &&
      label === undefined &&
      svg("text", { class: "change-mark", x: shape.label.x, y: shape.label.y + 5 }, MARKS[edge.change]),
    edge.cover !== undefined &&
      coverMark(edge.cover, shape.label.x, shape.label.y - (label === undefined ? 0 : height / 2 + 6)),
  );
}

/** The class for the width and the shade of an edge, in five steps by its share of calls. */
function shareClass({ calls }: GraphViewEdge): string {
  return calls && calls.count > 0 ? `calls-share-${Math.min(5, Math.max(1, Math.ceil(calls.share * 5)))}` : "";
}

function callsText(count: number, share: number): string {
  return `${count} (${Math.round(100 * share)}%)`;
}

export function callsTitle(count: number, share: number, left: number): string {
  const percent = Math.round(100 * share);
  const all =
    count === 1
      ? t("1 call, {0} % of the traced calls", percent)
      : t("{0} calls, {1} % of the traced calls", count, percent);
  if (left === 0) return all;
  return `${all}\n${left === 1 ? t("1 caller left here") : t("{0} callers left here", left)}`;
}

function edgeTitle({ calls }: GraphViewEdge, label: string | undefined): string {
  if (!calls) return label ?? "";
  const tested = calls.tested ? t("A test takes this edge") : t("No test takes this edge");
  return [label ?? "", callsTitle(calls.count, calls.share, 0), tested].filter((line) => line !== "").join("\n");
}

function labelOf(edge: GraphViewEdge): string | undefined {
  if (edge.kind === "on") return t("on {0}", edge.label ?? "event");
  return edge.label;
}

/** Returns the lines of an edge's label. */
export function labelLines(edge: GraphViewEdge): readonly string[] {
  const label = labelOf(edge);
  return label === undefined ? [] : fitLines(marked(edge, label), 2, { width: EDGE_LABEL.width - 8, size: LABEL_SIZE });
}

function marked({ change }: GraphViewEdge, label: string): string {
  return change === undefined ? label : `${MARKS[change]} ${label}`;
}

export const MARKS = { added: "+", changed: "~", removed: "−", moved: "↕" } as const;

const WAYS = {
  here: t("the run is here"),
  passed: t("on the run's path"),
  open: t("press Enter to take this edge"),
} as const;

export const COVERS = { covered: t("covered"), missing: t("not covered"), unreachable: t("unreachable") } as const;

/** A tick, an empty ring, or a crossed ring, so that the marks can be distinguished without color. */
export function coverMark(cover: keyof typeof COVERS, x: number, y: number): SVGElement {
  const sign = { covered: "M-3.5,0l2.5,3l4.5,-6", missing: "", unreachable: "M-4.2,4.2L4.2,-4.2" }[cover];
  return svg(
    "g",
    { class: `cover-mark ${cover}`, transform: `translate(${x},${y})` },
    svg("circle", { r: cover === "covered" ? 7 : 6 }),
    sign !== "" && svg("path", { d: sign }),
  );
}

function badgeOf(node: GraphViewNode): { kind: string; count: number } | undefined {
  if (node.errors > 0) return { kind: "error", count: node.errors };
  if (node.warnings > 0) return { kind: "warning", count: node.warnings };
  return node.hints > 0 ? { kind: "hint", count: node.hints } : undefined;
}

/** The colored stripe on the left, following the rounded corners. */
function stripe(left: number, top: number): string {
  return `M${left + 6},${top}a6,6 0 0 0 -6,6V${-top - 6}a6,6 0 0 0 6,6Z`;
}

function known(type: string | undefined): string {
  return type !== undefined && (NODE_TYPES as readonly string[]).includes(type) ? type : "other";
}

/** Describes a node for screen readers. */
export function describeNode(node: GraphViewNode, isEntry: boolean): string {
  const parts = [[node.name ?? node.id, node.type ?? t("no type"), node.tool].filter(Boolean).join(", ")];
  if (isEntry) parts.push("entry");
  if (node.errors) parts.push(node.errors === 1 ? t("1 error") : t("{0} errors", node.errors));
  if (node.warnings) parts.push(node.warnings === 1 ? t("1 warning") : t("{0} warnings", node.warnings));
  if (node.change) parts.push(node.change);
  if (node.cover) parts.push(COVERS[node.cover]);
  if (node.way) parts.push(WAYS[node.way]);
  if (node.calls) parts.push(callsTitle(node.calls.count, node.calls.share, node.calls.left));
  if (node.unread) parts.push(t("can't be parsed"));
  return parts.join(", ");
}

function classes(...names: (string | Readonly<Record<string, boolean>>)[]): string {
  return names
    .flatMap((name) => (typeof name === "string" ? name : Object.keys(name).filter((key) => name[key])))
    .join(" ");
}
