/** Paints the flow on a canvas as boxes and lines without text, for low zoom and the minimap. */
import type { GraphView } from "../../server/messages";
import { NODE_TYPES } from "./draw";
import { around, type Box, boxOf, meets, type Point } from "./geometry";
import type { Placing } from "./layout/placing";

/** Paints a frame around a node, or a line between the ends of an edge, with the same thickness at every zoom. */
export function paintSelection(context: CanvasRenderingContext2D, [from, to]: readonly Point[], scale: number): void {
  if (!from) return;
  context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--flow-selected").trim() || "#08f";
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

/** Paints the path of a run: its edges, and frames around its nodes, with the same thickness at every zoom. */
export function paintRun(
  context: CanvasRenderingContext2D,
  { nodes, edges }: GraphView,
  { places }: Placing,
  scale: number,
): void {
  context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--flow-way").trim() || "#08f";
  context.lineWidth = 3 / scale;
  context.beginPath();
  for (const { source, target, way } of edges) {
    const [from, to] = [places.get(source), places.get(target)];
    if (way !== "passed" || !from || !to) continue;
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
  }
  for (const { id, way } of nodes) {
    const place = way && places.get(id);
    if (!place) continue;
    const { x, y, width, height } = boxOf(place);
    context.rect(x, y, width, height);
  }
  context.stroke();
}

/** Paints all boxes. `least` is the smallest size at which a box is still visible. */
export function paintBoxes(
  context: CanvasRenderingContext2D,
  view: GraphView,
  placing: Placing,
  { focus, seen, least }: { focus?: ReadonlySet<string> | undefined; seen?: Box; least: number },
): void {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim() || "#888";
  context.strokeStyle = color("--flow-edge");
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
  const colors = new Map(NODE_TYPES.map((type): [string, string] => [type, color(`--flow-${type}`)]));
  for (const node of view.nodes) {
    const place = placing.places.get(node.id);
    if (!place) continue;
    const box = boxOf(place);
    if (seen && !meets(box, seen)) continue;
    context.globalAlpha = focus && !focus.has(node.id) ? 0.2 : 1;
    context.fillStyle =
      node.errors > 0 ? color("--flow-error") : (colors.get(node.type ?? "") ?? color("--flow-other"));
    context.fillRect(box.x, box.y, Math.max(least, box.width), Math.max(least, box.height));
  }
  context.globalAlpha = 1;
}
