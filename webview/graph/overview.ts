/** Paints the flow on a canvas as boxes and lines without text, for low zoom and the minimap. */
import type { GraphView } from "../../server/messages";
import { NODE_TYPES } from "./draw";
import { around, type Box, boxOf, meets, type Point } from "./geometry";
import type { Placing } from "./layout/placing";

/** The color of a custom property of the page. */
function colorOf(name: string, other = "#888"): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || other;
}

/** Paints a frame around a node, or a line between the ends of an edge, with the same thickness at every zoom. */
export function paintSelection(context: CanvasRenderingContext2D, [from, to]: readonly Point[], scale: number): void {
  if (!from) return;
  context.strokeStyle = colorOf("--flow-selected", "#08f");
  context.lineWidth = 3 / scale;
  context.beginPath();
  if (to) {
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
  } else {
    const gap = 4 / scale;
    const box = boxOf(from);
    context.rect(box.x - gap, box.y - gap, box.width + 2 * gap, box.height + 2 * gap);
  }
  context.stroke();
}

interface Detail {
  /** The nodes that aren't faded. */
  readonly focus?: ReadonlySet<string> | undefined;
  /** The visible part of the graph. */
  readonly seen?: Box;
  /** The smallest size at which a box is still visible. */
  readonly least: number;
  /** Whether the path of a run is shown. */
  readonly hasRun?: boolean;
}

/** Paints all edges and nodes. A run's path may lead across nodes that it skipped, so its lines are below all boxes. */
export function paintGraph(context: CanvasRenderingContext2D, view: GraphView, placing: Placing, detail: Detail): void {
  const { least, hasRun } = detail;
  paintEdges(context, view, placing, detail);
  if (hasRun) strokeRun(context, least, () => traceRunEdges(context, view, placing));
  paintNodes(context, view, placing, detail);
  if (hasRun) strokeRun(context, least, () => traceRunNodes(context, view, placing));
}

/** Strokes a part of a run's path, with the same thickness at every zoom. */
function strokeRun(context: CanvasRenderingContext2D, least: number, trace: () => void): void {
  context.strokeStyle = colorOf("--flow-way", "#08f");
  context.lineWidth = 2 * least;
  context.beginPath();
  trace();
  context.stroke();
}

function traceRunEdges(context: CanvasRenderingContext2D, { edges }: GraphView, { places }: Placing): void {
  for (const { source, target, way } of edges) {
    const [from, to] = [places.get(source), places.get(target)];
    if (way !== "passed" || !from || !to) continue;
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
  }
}

function traceRunNodes(context: CanvasRenderingContext2D, { nodes }: GraphView, { places }: Placing): void {
  for (const { id, way } of nodes) {
    const place = way && places.get(id);
    if (!place) continue;
    const { x, y, width, height } = boxOf(place);
    context.rect(x, y, width, height);
  }
}

/** Paints all edges as straight lines. */
function paintEdges(
  context: CanvasRenderingContext2D,
  view: GraphView,
  placing: Placing,
  { seen, least }: Detail,
): void {
  context.strokeStyle = colorOf("--flow-edge");
  context.lineWidth = Math.max(4, least / 3);
  context.globalAlpha = 0.5;
  context.beginPath();
  for (const edge of view.edges) {
    const source = placing.places.get(edge.source);
    const target = placing.places.get(edge.target);
    if (!source || !target || (seen && !meets(around([boxOf(source), boxOf(target)]), seen))) continue;
    context.moveTo(source.x, source.y);
    context.lineTo(target.x, target.y);
  }
  context.stroke();
  context.globalAlpha = 1;
}

/** Paints all nodes as boxes in the colors of their types. */
function paintNodes(
  context: CanvasRenderingContext2D,
  view: GraphView,
  placing: Placing,
  { focus, seen, least }: Detail,
): void {
  const colors = new Map(NODE_TYPES.map((type): [string, string] => [type, colorOf(`--flow-${type}`)]));
  const other = colorOf("--flow-other");
  const error = colorOf("--flow-error");
  const ground = colorOf("--vscode-editor-background");
  for (const node of view.nodes) {
    const place = placing.places.get(node.id);
    if (!place) continue;
    const box = boxOf(place);
    if (seen && !meets(box, seen)) continue;
    context.globalAlpha = focus && !focus.has(node.id) ? 0.2 : 1;
    context.fillStyle = colors.get(node.type ?? "") ?? other;
    context.fillRect(box.x, box.y, Math.max(least, box.width), Math.max(least, box.height));
    if (node.errors === 0) continue;
    // A dot at the end of the box. Its outline distinguishes it from a box of a similar color.
    const radius = Math.max(box.height / 4, 1.5 * least);
    context.fillStyle = error;
    context.strokeStyle = ground;
    context.lineWidth = radius / 2;
    context.beginPath();
    context.arc(box.x + box.width - box.height / 2, place.y, radius, 0, 2 * Math.PI);
    context.stroke();
    context.fill();
  }
  context.globalAlpha = 1;
}
