/**
 * Keyboard shortcuts of the graph. Arrow keys move along the flow (down to successors, up to predecessors, left and
 * right among siblings); Enter opens the line; F2, Insert (or A), Delete, C, and E edit, with C on both ends of a new
 * edge; P shows the paths to a node; / searches; 0 fits everything. Undo, redo, and save apply to the text, except in
 * inputs.
 */
import type { GraphElement, GraphView, GraphViewNode } from "../../server/messages";
import { t } from "../page/l10n";
import { neighborOf } from "./filter";
import type { Picture, Selection } from "./picture";
import type { Actions } from "./pointer";

interface NodeCommand {
  readonly label: string;
  /** As the menu shows it; empty without one. */
  readonly key: string;
  readonly keys: readonly string[];
  run(id: string, actions: Actions): void;
  /** Whether the menu has it; by default, it does. */
  isOffered?(node: GraphViewNode, view: GraphView): boolean;
}

/** What can be done with a node, in the order of its menu. */
export const nodeCommands: readonly NodeCommand[] = [
  { label: t("Play from here"), key: "", keys: [], run: (id, { send }) => send({ type: "play", id }) },
  { label: t("Create test"), key: "", keys: [], run: (id, { send }) => send({ type: "create-test", id }) },
  { label: t("Rename…"), key: "F2", keys: ["F2"], run: (id, { edit }) => edit({ kind: "rename", id }) },
  {
    label: t("Add node after…"),
    key: "A",
    keys: ["Insert", "a"],
    run: (id, { edit }) => edit({ kind: "add-after", id }),
    isOffered: ({ terminal }) => !terminal,
  },
  {
    label: t("Connect to…"),
    key: "C",
    keys: ["c"],
    run: (id, { connecting, connect, edit }) =>
      connecting === undefined ? connect(id) : edit({ kind: "connect", from: connecting, to: id }),
    isOffered: ({ terminal }) => !terminal,
  },
  {
    label: t("Set as entry"),
    key: "E",
    keys: ["e"],
    run: (id, { edit }) => edit({ kind: "set-entry", id }),
    isOffered: ({ id }, { entry }) => id !== entry,
  },
  { label: t("Show paths to this node"), key: "P", keys: ["p"], run: (id, { paths }) => paths(id) },
  {
    label: t("Delete node"),
    key: "Del",
    keys: ["Delete"],
    run: (id, { edit }) => edit({ kind: "delete", element: { kind: "node", id } }),
  },
];

/** Why no edge can leave a node; undefined if one can. */
export function whyNoEdge(view: Pick<GraphView, "nodes"> | undefined, id: string | undefined): string | undefined {
  const isEnd = view?.nodes.some((node) => node.id === id && node.terminal);
  return isEnd ? t("{0} ends the conversation, so no edge can leave it.", id) : undefined;
}

export function watchKeys(surface: HTMLElement, picture: Picture, actions: Actions): void {
  document.addEventListener("keydown", (event) => {
    const command = textCommand(event);
    if (!command || (command !== "save" && (event.target as Element).closest("input"))) return;
    actions.send({ type: command });
    // Otherwise VS Code would undo or save in the page.
    event.preventDefault();
    event.stopPropagation();
  });
  surface.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return actions.clear();
    const act = actionFor(event.key, picture, actions);
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  });
}

/** What a key does; undefined if it's no shortcut of the graph. */
function actionFor(key: string, picture: Picture, actions: Actions): (() => unknown) | undefined {
  const { selection } = picture;
  const id = selection?.kind === "node" ? selection.id : undefined;
  const edge = editableEdge(selection, picture);
  if (key === "Delete" && edge) return () => actions.edit({ kind: "delete", element: edge });
  const command = nodeCommands.find(({ keys }) => keys.includes(key));
  if (command) return () => id !== undefined && command.run(id, actions);
  switch (key) {
    case "ArrowDown":
    case "ArrowUp":
    case "ArrowLeft":
    case "ArrowRight": {
      const next = neighbor(picture, id, key);
      return () => next !== undefined && actions.select({ kind: "node", id: next });
    }
    case "Enter":
      return () => selection && actions.open(selection);
    case "/":
      return actions.search;
    case "0":
      return actions.fit;
    case "+":
      return () => actions.zoom(1.2);
    case "-":
      return () => actions.zoom(1 / 1.2);
    default:
      return undefined;
  }
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

/** The selected edge. The ID of a removed one may belong to another edge now. */
export function editableEdge(selection: Selection, picture: Picture): GraphElement | undefined {
  if (selection?.kind !== "edge" || picture.edge(selection.key)?.change === "removed") return undefined;
  return picture.elementOf(selection);
}

function neighbor(picture: Picture, id: string | undefined, key: string): string | undefined {
  const { view, placing } = picture;
  if (id === undefined) return view.entry ?? view.nodes[0]?.id;
  if (key === "ArrowDown") return neighborOf(view, id, "next");
  if (key === "ArrowUp") return neighborOf(view, id, "previous");
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
