/**
 * Keyboard shortcuts of the graph. Arrow keys move along the flow (down to successors, up to predecessors, left and
 * right among siblings); Enter opens the line; F2, Insert (or A), Delete, C, and E edit, with C on both ends of a new
 * edge; P shows the paths to a node; / searches; 0 fits everything. Undo, redo, and save apply to the text, except in
 * inputs.
 */
import type { GraphElement } from "../../server/messages";
import { neighbors } from "./filter";
import type { Picture, Selection } from "./picture";
import type { Actions } from "./pointer";

export function watchKeys(surface: HTMLElement, picture: Picture, actions: Actions): void {
  document.addEventListener("keydown", (event) => {
    const command = textCommand(event);
    if (!command || (command !== "save" && (event.target as Element).closest("input"))) return;
    actions.inText(command);
    // Otherwise VS Code would undo or save in the page.
    event.preventDefault();
    event.stopPropagation();
  });
  surface.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const selection = picture.selection;
    const id = selection?.kind === "node" ? selection.id : undefined;
    const done = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
      case "ArrowLeft":
      case "ArrowRight": {
        const next = neighbor(picture, id, event.key);
        if (next !== undefined) actions.select({ kind: "node", id: next });
        return done();
      }
      case "Enter":
        if (selection) actions.open(selection);
        return done();
      case "F2":
        if (id !== undefined) actions.edit({ kind: "rename", id });
        return done();
      case "Insert":
      case "a":
        if (id !== undefined) actions.edit({ kind: "add-after", id });
        return done();
      case "Delete": {
        const element = elementOf(picture, selection);
        if (element) actions.edit({ kind: "delete", element });
        return done();
      }
      case "e":
        if (id !== undefined) actions.edit({ kind: "set-entry", id });
        return done();
      case "c":
        if (id === undefined) return;
        if (actions.connecting === undefined) actions.connect(id);
        else actions.edit({ kind: "connect", from: actions.connecting, to: id });
        return done();
      case "p":
        if (id !== undefined) actions.paths(id);
        return done();
      case "/":
        actions.search();
        return done();
      case "0":
        actions.fit();
        return done();
      case "+":
        actions.zoom(1.2);
        return done();
      case "-":
        actions.zoom(1 / 1.2);
        return done();
      case "Escape":
        actions.clear();
        return;
    }
  });
}

/** Ctrl+Z, Ctrl+Y or Ctrl+Shift+Z, and Ctrl+S; Cmd on a Mac. */
function textCommand(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">,
): "undo" | "redo" | "save" | undefined {
  if (event.altKey || event.ctrlKey === event.metaKey) return undefined;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  if (event.shiftKey) return undefined;
  return key === "y" ? "redo" : key === "s" ? "save" : undefined;
}

function elementOf(picture: Picture, selection: Selection): GraphElement | undefined {
  if (selection?.kind === "node") return selection;
  const edge = selection ? picture.edge(selection.key) : undefined;
  // A removed edge's ID may belong to another edge now.
  return edge && edge.change !== "removed" ? { kind: "edge", node: edge.source, id: edge.id } : undefined;
}

function neighbor(picture: Picture, id: string | undefined, key: string): string | undefined {
  const { view, placing } = picture;
  if (id === undefined) return view.entry ?? view.nodes[0]?.id;
  if (key === "ArrowDown") return neighbors(view, "next").get(id)?.[0];
  if (key === "ArrowUp") return neighbors(view, "previous").get(id)?.[0];
  const here = placing.places.get(id);
  if (!here) return undefined;
  let best: { id: string; distance: number } | undefined;
  for (const [other, place] of placing.places) {
    const dx = place.x - here.x;
    if (other === id || (key === "ArrowRight" ? dx <= 0 : dx >= 0)) continue;
    const distance = Math.abs(dx) + 4 * Math.abs(place.y - here.y);
    if (!best || distance < best.distance) best = { id: other, distance };
  }
  return best?.id;
}
