/** The graph page: takes views of the flow from the host, shows them, and tells the host what the person does. */
import type { FromGraphPage, ToGraphPage } from "../../client/pages/messages";
import type { GraphElement, GraphView } from "../../server/messages";
import { html, replaceChildren } from "../shared/dom";
import { connect } from "../shared/host";
import { startArranging } from "./arranger";
import { toPng, toSvg } from "./export";
import { type Filter, inFocus, search } from "./focus";
import { boxOf } from "./geometry";
import { watchKeys } from "./keys";
import { Minimap } from "./minimap";
import { Picture, type Selection } from "./picture";
import { adapt, fromLayout, needsLayout, nowhere, type Placing } from "./placing";
import { watchPointer } from "./pointer";
import { Toolbar } from "./toolbar";
import { type View, Viewport } from "./viewport";

interface KeptState {
  readonly uri: string;
  readonly view: View;
  readonly places: readonly (readonly [string, { readonly x: number; readonly y: number }])[];
  readonly filter: Filter;
  readonly locked: boolean;
}

const host = connect<ToGraphPage, FromGraphPage, KeptState>();
const surface = html("div", { class: "surface", tabindex: 0 });
const canvas = html("canvas", { class: "far", hidden: true, "aria-hidden": "true" });
const notice = html("div", { class: "notice", role: "status" });
const announcer = html("div", { class: "announcer", "aria-live": "polite" });
surface.append(canvas);
document.body.append(surface, notice, announcer);

const viewport = new Viewport(surface, host.state.view);
const picture = new Picture(surface, canvas, viewport);
const minimap = new Minimap(picture);
surface.append(minimap.element);
const arrange = startArranging();
let placing: Placing = host.state.places ? { places: new Map(host.state.places), routes: new Map() } : nowhere;
let uri = host.state.uri ?? "";
let filter: Filter = host.state.filter ?? { kind: "all" };
/** A view that came in waits here until its layout is made; the picture before stays until then. */
let latest: GraphView | undefined;

const toolbar = new Toolbar({
  fit: () => viewport.fit(picture.boxes()),
  zoom: (factor) => viewport.zoom(factor),
  arrange: () => void arrangeAll(),
  lock: (locked) => host.send({ type: "lock", locked }),
  search: (words) => showMatches(words),
  nextMatch: (words, step) => selectMatch(words, step),
  filter: (next) => setFilter(next),
  export: (format) => exportAs(format),
});
document.body.prepend(toolbar.element);

const actions = {
  select: (selection: Selection) => select(selection, true),
  open: (selection: Selection) => tell(selection, (element) => host.send({ type: "open", element })),
  edit: (edit: Parameters<typeof send>[0]) => send(edit),
  hover: (id: string) => host.send({ type: "hover", id }),
  search: () => toolbar.focusSearch(),
  fit: () => viewport.fit(picture.boxes()),
  paths: (id: string) => setFilter({ kind: "paths", id }),
  clear: () => {
    setFilter({ kind: "all" });
    toolbar.clearSearch();
  },
};
watchKeys(surface, picture, actions);
watchPointer(surface, picture, actions);

viewport.onChange(() => keepSoon());
host.onMessage((message) => {
  if (message.type === "graph") void receive(message);
  else if (message.type === "select") select(selectionOf(message.element), false);
  else if (message.type === "hover") showHover(message.id, message.text);
  else say(message.reason);
});
host.send({ type: "ready" });

async function receive(message: Extract<ToGraphPage, { type: "graph" }>): Promise<void> {
  const other = message.uri !== uri;
  if (other) placing = nowhere;
  uri = message.uri;
  latest = message.view;
  toolbar.update(message.view, { locked: message.locked, filter });
  document.title = message.title;
  say(
    message.view.nodes.length === 0
      ? "This flow has no nodes yet. Add one under nodes: in the file."
      : message.view.broken
        ? "Parts of the file cannot be read. They are left out until they can."
        : "",
  );
  if (needsLayout(message.view, placing)) {
    const first = placing.places.size === 0;
    const answer = await arrange(message.view);
    // A newer view may have come while the layout was made: its own call shows it.
    if (!answer || latest !== message.view) return;
    placing = fromLayout(answer);
    show(message.view);
    const entry = placing.places.get(message.view.entry ?? "") ?? [...placing.places.values()][0];
    if (first && entry && (other || !host.state.view)) viewport.startAt(entry, picture.boxes());
    return;
  }
  placing = adapt(message.view, placing);
  show(message.view);
}

function show(view: GraphView): void {
  picture.show(view, placing);
  picture.focus(inFocus(view, filter));
  minimap.draw();
  document.body.dataset.version = String(view.version);
  keepSoon();
}

async function arrangeAll(): Promise<void> {
  const view = picture.view;
  const answer = await arrange(view);
  if (!answer) return;
  placing = fromLayout(answer);
  show(view);
  viewport.fit(picture.boxes());
}

function setFilter(next: Filter): void {
  filter = next;
  const ids = inFocus(picture.view, filter);
  picture.focus(ids);
  toolbar.showFilter(filter, ids?.size);
  keepSoon();
}

function showMatches(words: string): void {
  const found = search(picture.view, words);
  picture.focus(words.trim() === "" ? inFocus(picture.view, filter) : new Set(found));
  toolbar.showMatches(words.trim() === "" ? undefined : found.length);
}

function selectMatch(words: string, step: 1 | -1): void {
  const found = search(picture.view, words);
  if (found.length === 0) return;
  const selection = picture.selection;
  const at = selection?.kind === "node" ? found.indexOf(selection.id) : -1;
  const next = found[(at + step + found.length) % found.length] as string;
  select({ kind: "node", id: next }, true);
}

/** `byPerson`: chosen in the picture, so the editor follows; else the editor's cursor is followed. */
function select(selection: Selection, byPerson: boolean): void {
  picture.select(selection);
  const box = picture.boxOfSelection();
  if (box)
    viewport.reveal(
      selection?.kind === "edge" ? { ...box, width: Math.min(box.width, 400), height: Math.min(box.height, 300) } : box,
    );
  picture.drawNow();
  if (byPerson) tell(selection, (element) => host.send({ type: "selected", element }));
  if (selection?.kind === "node") {
    const element = picture.nodeElement(selection.id);
    announcer.textContent = element?.getAttribute("aria-label") ?? "";
    if (byPerson) element?.focus({ preventScroll: true });
  }
}

function tell(selection: Selection, run: (element: GraphElement) => void): void {
  if (selection?.kind === "node") run(selection);
  const edge = selection?.kind === "edge" ? picture.edge(selection.key) : undefined;
  if (edge) run({ kind: "edge", node: edge.source, id: edge.id });
}

function send(edit: Extract<FromGraphPage, { type: "edit" }>["edit"]): void {
  host.send({ type: "edit", edit });
}

function selectionOf(element: GraphElement | undefined): Selection {
  if (!element) return undefined;
  if (element.kind === "node") return element;
  const key = picture.edgeKeyOf(element.node, element.id);
  return key === undefined ? { kind: "node", id: element.node } : { kind: "edge", key };
}

const hover = html("div", { class: "hover", role: "tooltip", hidden: true });
document.body.append(hover);
function showHover(id: string, text: string): void {
  const place = placing.places.get(id);
  hover.hidden = text === "" || !place || !surface.querySelector("[data-node]:hover");
  if (hover.hidden || !place) return;
  replaceChildren(hover, text);
  const { x, y, scale } = viewport.view;
  const box = boxOf(place);
  hover.style.left = `${Math.max(8, Math.min(surface.clientWidth - 340, box.x * scale + x))}px`;
  hover.style.top = `${(box.y + box.height) * scale + y + toolbar.element.offsetHeight + 8}px`;
}
surface.addEventListener("pointerout", () => {
  hover.hidden = true;
});

async function exportAs(format: "svg" | "png" | "mermaid"): Promise<void> {
  if (format === "mermaid") return host.send({ type: "export", format });
  const drawing = toSvg(picture);
  host.send({ type: "export", format, data: format === "svg" ? drawing.text : await toPng(drawing) });
}

function say(text: string): void {
  notice.textContent = text;
  notice.hidden = text === "";
}

let keeping = 0;
function keepSoon(): void {
  window.clearTimeout(keeping);
  keeping = window.setTimeout(() => host.keep({ uri, view: viewport.view, places: [...placing.places], filter }), 200);
}
