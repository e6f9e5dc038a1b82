/** Mouse actions in the graph: click selects, double click opens the line, dragging from a node's port adds an edge. */
import type { FromGraphPage } from "../../client/pages/messages";
import { svg } from "../page/dom";
import { boxOf } from "./geometry";
import type { Picture, Selection } from "./picture";

export interface Actions {
  select(selection: Selection): void;
  open(selection: Selection): void;
  /** Takes an edge that a run asks about; false if it doesn't ask. */
  take(selection: Selection): boolean;
  /** For what needs nothing else of the page. */
  send(message: FromGraphPage): void;
  /** Starts an edge at this node; the next selected node is its target. */
  connect(from: string): void;
  /** The source of the edge that is being added. */
  readonly connecting: string | undefined;
  edit(edit: Extract<FromGraphPage, { type: "edit" }>["edit"]): void;
  search(): void;
  fit(): void;
  paths(id: string): void;
  zoom(factor: number): void;
  clear(): void;
}

export function watchPointer(surface: HTMLElement, picture: Picture, actions: Actions): void {
  surface.addEventListener("click", (event) => {
    const hit = selectionAt(event, picture);
    const from = actions.connecting;
    if (from !== undefined && hit?.kind === "node") actions.edit({ kind: "connect", from, to: hit.id });
    else if (hit && !actions.take(hit)) actions.select(hit);
  });
  surface.addEventListener("dblclick", (event) => {
    const hit = selectionAt(event, picture);
    if (hit) actions.open(hit);
  });
  let timer = 0;
  let at = { x: -1, y: -1 };
  surface.addEventListener("pointermove", ({ clientX: x, clientY: y }) => {
    at = { x, y };
  });
  surface.addEventListener("pointerover", (event) => {
    // An element that moved under a resting pointer doesn't count as hovered.
    if (event.clientX === at.x && event.clientY === at.y) return;
    window.clearTimeout(timer);
    // A drag may end here: its hover would cover what it connects.
    if (event.buttons !== 0) return;
    const hit = elementAt(event);
    if (hit?.kind === "node") timer = window.setTimeout(() => actions.send({ type: "hover", id: hit.id }), 400);
  });
  surface.addEventListener("pointerdown", (event) => {
    const from = (event.target as Element).getAttribute("data-port");
    if (from !== null && event.button === 0) dragEdge(surface, picture, from, event, actions);
  });
}

export function selectionAt(event: MouseEvent, picture: Picture): Selection {
  const hit = elementAt(event);
  // A menu opened by a key has no position.
  if (hit || !isByMouse(event) || (event.target as Element).closest(".minimap")) return hit;
  const id = picture.farNodeAt(event.clientX, event.clientY);
  return id === undefined ? undefined : { kind: "node", id };
}

/** Whether the mouse caused the event; on a Mac, Ctrl and a click open a menu. */
export function isByMouse(event: MouseEvent): boolean {
  return event.type !== "contextmenu" || event.button === 2 || event.ctrlKey;
}

function elementAt(event: Event): Selection {
  const target = event.target as Element;
  const node = target.closest("[data-node]")?.getAttribute("data-node");
  if (node !== null && node !== undefined) return { kind: "node", id: node };
  const key = target.closest("[data-edge]")?.getAttribute("data-edge");
  return key !== null && key !== undefined ? { kind: "edge", key } : undefined;
}

function dragEdge(surface: HTMLElement, picture: Picture, from: string, down: PointerEvent, actions: Actions): void {
  const place = picture.placing.places.get(from);
  if (!place) return;
  down.preventDefault();
  const line = svg("line", { class: "connecting" });
  surface.querySelector("svg.graph")?.append(line);
  const { viewport } = picture;
  const box = boxOf(place);
  const move = (event: PointerEvent) => {
    const { x, y, scale } = viewport.view;
    const frame = surface.getBoundingClientRect();
    line.setAttribute("x1", String(place.x * scale + x));
    line.setAttribute("y1", String((box.y + box.height) * scale + y));
    line.setAttribute("x2", String(event.clientX - frame.left));
    line.setAttribute("y2", String(event.clientY - frame.top));
  };
  const end = (event: PointerEvent) => {
    line.remove();
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", end);
    const to = document
      .elementFromPoint(event.clientX, event.clientY)
      ?.closest("[data-node]")
      ?.getAttribute("data-node");
    if (to) actions.edit({ kind: "connect", from, to });
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
}
