/** The graph page: shows the views it receives from the extension, and sends the user's actions back. */

import type { FromGraphPage, SelectMessage, ToGraphPage } from "../../client/pages/messages";
import type { RunPlace } from "../../debug/messages";
import type { GraphElement, GraphView } from "../../server/messages";
import type { FlowCoverageView } from "../../server/test-messages";
import { html } from "../page/dom";
import { connect } from "../page/host";
import { t } from "../page/l10n";
import { exported } from "./export";
import { type Filter, inFocus, nextMatch, search } from "./filter";
import { watchFocus } from "./focus";
import type { Point } from "./geometry";
import { NodeHover } from "./hover";
import { watchKeys, whyNoEdge } from "./keys";
import { startArranging } from "./layout/arranger";
import type { Route } from "./layout/layout-messages";
import { adapt, emptyPlacing, fromLayout, needsLayout, type Placing } from "./layout/placing";
import { watchMenu } from "./menu";
import { Minimap } from "./minimap";
import { CallsSwitch } from "./overlays/calls";
import { ChangeList } from "./overlays/changes";
import { coverageSentence, withCoverage } from "./overlays/coverage";
import { withLastGood } from "./overlays/last-good";
import { Legend } from "./overlays/legend";
import { boxesOf, withRun } from "./overlays/run-overlay";
import { Picture, type Selection } from "./picture";
import { type Actions, watchPointer } from "./pointer";
import { Toolbar } from "./toolbar";
import { Viewport } from "./viewport";
import { followed, found, revealed, started, type View } from "./views";

interface KeptState {
  readonly uri: string;
  readonly view: View;
  readonly places: readonly (readonly [string, Point])[];
  readonly routes: readonly (readonly [string, Route])[];
  readonly filter: Filter;
  readonly locked: boolean;
  readonly coverage: boolean;
  readonly whole: number;
  /** The version the flow is compared with. */
  readonly other: Extract<ToGraphPage, { type: "graph" }>["other"];
}

const host = connect<ToGraphPage, FromGraphPage, KeptState>();
const surface = html("div", {
  class: "surface",
  tabindex: 0,
  role: "application",
  "aria-label": t("Flow graph. Arrow keys move along the flow, Enter goes to the line, the menu key shows actions."),
});
const canvas = html("canvas", { class: "far", hidden: true, "aria-hidden": "true" });
const notice = html("div", { class: "notice", role: "status" });
const announcer = html("div", { class: "announcer", "aria-live": "polite" });
surface.append(canvas);
const changes = new ChangeList({
  go: ({ kind, element }) => select(selectionOf(element, kind === "removed"), "revealed"),
  texts: (element) => host.send({ type: "texts", element }),
  other: () => host.send({ type: "compare" }),
  stop: () => {
    host.send({ type: "stop-comparing" });
    surface.focus({ preventScroll: true });
  },
});

/** The page was restored and keeps its viewport, until it shows another flow. */
let isRestored = host.state.view !== undefined;
const viewport = new Viewport(surface, host.state.view);
const picture = new Picture(surface, canvas, viewport);
const minimap = new Minimap(picture);
const legend = new Legend();
/** The coverage summary, or why there is none. */
const covered = html("div", { class: "covered", role: "status", hidden: true });
const calls = new CallsSwitch(host.send, (isShown) => {
  toolbar.showCalls(isShown);
  if (latest && !arranging) show(latest);
});
surface.append(minimap.element, legend.element);
document.body.append(calls.status, covered, surface, calls.list, changes.element, notice, announcer);
const hover = new NodeHover(surface, viewport, picture);
const arrange = startArranging();
let placing: Placing = host.state.places
  ? { places: new Map(host.state.places), left: new Map(), routes: new Map(host.state.routes ?? []) }
  : emptyPlacing;
let uri = host.state.uri ?? "";
let filter: Filter = host.state.filter ?? { kind: "all" };
let searchText = "";
/** The newest view. Until its layout is ready, the previous one stays visible. */
let latest: GraphView | undefined;
/** The last view without parse errors. */
let lastGood: GraphView | undefined;
/** The flow's test coverage, once received. */
let coverage: FlowCoverageView | undefined;
/** The path of a run that is debugged or played. */
let way: RunPlace | undefined;
let showsCoverage = host.state.coverage ?? false;
/** The source of the edge that is being added. */
let connecting: string | undefined;
/** The layout in progress, its file, and what to select then. */
let arranging: { readonly uri: string; selects?: SelectMessage } | undefined;

const toolbar = new Toolbar({
  fit: () => viewport.fit(picture.boxes()),
  zoom: (factor) => viewport.zoomAround(factor, picture.boxOfSelection()),
  arrange: () => void arrangeAll(),
  lock: (locked) => host.send({ type: "lock", locked }),
  search: (words) => showMatches(words),
  leaveSearch: () => surface.focus({ preventScroll: true }),
  nextMatch: (words, step) => selectMatch(words, step),
  filter: (next) => setFilter(next),
  coverage: (isShown) => setCoverage(isShown),
  calls: (isShown) => calls.set(isShown),
  legend: () => legend.toggle(),
  export: (format) => exportAs(format),
});
document.body.prepend(toolbar.element);

const actions: Actions = {
  select: (selection) => {
    if (connecting === undefined) connectFrom(undefined);
    select(selection, "chosen");
  },
  open: (selection) => {
    if (!actions.take(selection)) withElement(selection, (element) => host.send({ type: "open", element }));
  },
  take: (selection) => {
    const edge = selection?.kind === "edge" ? picture.edge(selection.key) : undefined;
    if (edge?.way !== "open") return false;
    withElement(selection, (element) => host.send({ type: "take", element }));
    return true;
  },
  send: host.send,
  get connecting() {
    return connecting;
  },
  connect: (from) => connectFrom(from),
  edit: (edit) => {
    connectFrom(undefined);
    const reason = edit.kind === "add-after" ? whyNoEdge(latest, edit.id) : undefined;
    if (reason) return void showNotice(reason);
    host.send({ type: "edit", edit });
  },
  search: () => toolbar.focusSearch(),
  fit: () => viewport.fit(picture.boxes()),
  paths: (id) => setFilter({ kind: "paths", id }),
  zoom: (factor) => viewport.zoomAround(factor, picture.boxOfSelection()),
  clear: () => {
    connectFrom(undefined);
    setFilter({ kind: "all" });
    toolbar.clearSearch();
  },
};
watchKeys(surface, picture, actions);
watchPointer(surface, picture, actions);
watchMenu(surface, picture, actions);
const expectFocus = watchFocus(surface, () => host.send({ type: "focused" }));

viewport.onChange(() => saveSoon());
host.onMessage((message) => {
  if (message.type === "graph") void receive(message);
  else if (message.type === "select") selectElement(message);
  else if (message.type === "hover") hover.show(message.id, message.text, placing.places.get(message.id));
  else if (message.type === "coverage") receiveCoverage(message);
  else if (message.type === "calls") message.uri === uri && calls.receive(message);
  else if (message.type === "way") receiveWay(message);
  else if (message.type === "texts") changes.showTexts(message.element, message.runs);
  else if (message.type === "focus") expectFocus();
  else showNothing(message.reason);
});
host.send({ type: "ready" });
if (showsCoverage) setCoverage(true);

/** Shows why there is no graph, and hides the controls. */
function showNothing(reason: string): void {
  document.body.classList.add("empty");
  showNotice(reason);
}

async function receive(message: Extract<ToGraphPage, { type: "graph" }>): Promise<void> {
  const other = message.uri !== uri;
  const isNewComparison = JSON.stringify(message.other) !== JSON.stringify(host.state.other);
  document.body.classList.remove("empty");
  // A comparison has other nodes than a single flow, so it needs a new layout.
  if (other || isNewComparison) placing = emptyPlacing;
  if (other) {
    lastGood = undefined;
    coverage = undefined;
    way = undefined;
    // The selection, searches and filters are reset for another flow, but kept when the page is restored.
    if (uri !== "") {
      isRestored = false;
      picture.select(undefined);
      actions.clear();
    }
  }
  uri = message.uri;
  if (other) calls.reset();
  const view = withLastGood(message.view, lastGood);
  if (!view.broken) lastGood = view;
  latest = view;
  toolbar.update(view, { locked: message.locked, filter });
  document.title = message.title;
  host.keep({ uri, locked: message.locked, other: message.other });
  changes.show(view.comparison, message.other, other || isNewComparison);
  document.body.classList.toggle("no-nodes", view.nodes.length === 0);
  const state = view.broken
    ? t("Parts of the file can't be parsed. Their last valid state is shown with dashed lines.")
    : view.nodes.length === 0
      ? t("No nodes yet. Add one under nodes: in the file.")
      : "";
  showNotice(state);
  // The layout in progress will show the latest view.
  if (arranging?.uri === uri) return;
  const isFirst = placing.places.size === 0 && (other || isNewComparison || !host.state.view);
  if (needsLayout(view, placing)) return layOut(state, isFirst);
  placing = adapt(view, placing);
  show(view);
}

async function layOut(state: string, isFirst: boolean): Promise<void> {
  const mine: NonNullable<typeof arranging> = { uri };
  const asked = latest as GraphView;
  arranging = mine;
  if (asked.nodes.length > 500) showNotice(t("Arranging {0} nodes…", asked.nodes.length));
  const answer = await arrange(asked, viewport.room);
  if (arranging !== mine) return;
  arranging = undefined;
  if (uri !== mine.uri || !latest || !answer) return;
  showNotice(state);
  placing = fromLayout(answer);
  if (latest !== asked) placing = adapt(latest, placing);
  show(latest);
  const entry = placing.places.get(latest.entry ?? "") ?? [...placing.places.values()][0];
  if (isFirst && entry) viewport.move((_, room) => started(entry, picture.boxes(), room));
  fitPath();
  if (mine.selects) selectElement({ ...mine.selects, follows: false });
  if (isFirst) changes.start();
}

function connectFrom(id: string | undefined): void {
  const reason = whyNoEdge(latest, id);
  if (reason) return void showNotice(reason);
  connecting = id;
  surface.toggleAttribute("data-connecting", id !== undefined);
  if (id !== undefined)
    showNotice(t("Select the target of the edge from {0}: click a node, or move to it and press C. Esc cancels.", id));
  else if (latest && !latest.broken) showNotice("");
}

function setCoverage(isShown: boolean): void {
  showsCoverage = isShown;
  toolbar.showCoverage(isShown);
  covered.hidden = true;
  host.send({ type: "coverage", isShown });
  host.keep({ coverage: isShown });
  if (!isShown && latest && !arranging) show(latest);
}

function receiveCoverage(message: Extract<ToGraphPage, { type: "coverage" }>): void {
  if (!showsCoverage || message.uri !== uri) return;
  coverage = message.coverage;
  covered.textContent = coverage ? coverageSentence(coverage) : (message.reason ?? "");
  covered.hidden = false;
  if (latest && !arranging) show(latest);
}

function receiveWay(message: Extract<ToGraphPage, { type: "way" }>): void {
  if (message.uri !== uri) return;
  way = message.way;
  if (latest && !arranging) show(latest);
  if (latest && !arranging) fitPath();
}

/** Shows all of a path, once. Later the user may have moved the graph. */
function fitPath(): void {
  const boxes = way?.whole === host.state.whole ? [] : boxesOf(way, placing);
  if (boxes.length === 0) return;
  viewport.fit(boxes);
  host.keep({ whole: way?.whole });
}

function show(view: GraphView): void {
  picture.show(withRun(calls.over(withCoverage(view, showsCoverage ? coverage : undefined)), way), placing);
  picture.focus(focusOf(view));
  minimap.draw();
  document.body.dataset.version = String(view.version);
  saveSoon();
}

async function arrangeAll(): Promise<void> {
  const view = picture.view;
  const answer = await arrange(view, viewport.room);
  if (!answer) return;
  placing = fromLayout(answer);
  show(view);
  viewport.fit(picture.boxes());
}

function setFilter(next: Filter): void {
  filter = next;
  searchText = "";
  const ids = inFocus(picture.view, filter);
  picture.focus(ids);
  toolbar.showFilter(filter, ids?.size);
  saveSoon();
}

function showMatches(words: string): void {
  searchText = words;
  const found = search(picture.view, words);
  picture.focus(focusOf(picture.view));
  toolbar.showMatches(words.trim() === "" ? undefined : found.length);
}

/** A search takes precedence over the filter. */
function focusOf(view: GraphView): ReadonlySet<string> | undefined {
  return searchText.trim() === "" ? inFocus(view, filter) : new Set(search(view, searchText));
}

function selectMatch(words: string, step: 1 | -1): void {
  const { selection } = picture;
  const match = nextMatch(picture.view, words, selection?.kind === "node" ? selection.id : undefined, step);
  if (!match) return;
  select({ kind: "node", id: match.id }, "found");
  // Otherwise the next Enter goes to the next match.
  if (match.isOnly) picture.nodeElement(match.id)?.focus({ preventScroll: true });
}

/**
 * Selects an element and brings it into view. An element at the editor's cursor (`follows`) is centered unless the
 * whole graph is visible, a found one is zoomed to be readable, and any other is only scrolled into view. `stays` keeps
 * the restored viewport, and `shown` the selection.
 */
function select(selection: Selection, how: "chosen" | "found" | "revealed" | "follows" | "shown" | "stays"): void {
  const before = picture.selection;
  if (how !== "shown") picture.select(selection);
  const isByUser = how === "chosen" || how === "found";
  if (isByUser) delete arranging?.selects;
  // The list takes some of the height, so it is shown before the element is brought into view.
  if (isByUser) withElement(selection, (element) => calls.choose(element));
  const box = how === "stays" ? undefined : picture.boxToShow(selection);
  // Don't move the graph while the cursor stays in the same element.
  if (box && how === "follows" && JSON.stringify(before) !== JSON.stringify(selection))
    viewport.move((view, room) => followed(view, box, picture.nodeBoxes(), room));
  else if (box) viewport.move((view, room) => (how === "found" ? found : revealed)(view, box, room, minimap.covered));
  picture.drawNow();
  if (isByUser) withElement(selection, (element) => host.send({ type: "selected", element }));
  if (isByUser || how === "follows") withElement(selection, (element) => changes.choose(element));
  if (selection?.kind === "node") {
    announcer.textContent = picture.describe(selection.id);
    if (how === "chosen") picture.nodeElement(selection.id)?.focus({ preventScroll: true });
  }
}

function selectElement(message: SelectMessage): void {
  const stays = message.already && (isRestored || way?.whole !== undefined);
  const how = stays ? "stays" : message.follows ? "follows" : message.isOnlyShown ? "shown" : "revealed";
  select(selectionOf(message.element), how);
  // The element may have no place yet, or get another one.
  if (arranging) arranging.selects = message;
}

function withElement(selection: Selection, run: (element: GraphElement) => void): void {
  const element = picture.elementOf(selection);
  if (element) run(element);
}

function selectionOf(element: GraphElement | undefined, isRemoved = false): Selection {
  if (!element) return undefined;
  if (element.kind === "node") return element;
  const key = picture.edgeKeyOf(element.node, element.id, isRemoved);
  return key === undefined ? { kind: "node", id: element.node } : { kind: "edge", key };
}

async function exportAs(format: "svg" | "png" | "mermaid"): Promise<void> {
  try {
    host.send({ type: "export", format, data: await exported(picture, format) });
  } catch {
    showNotice(t("This graph is too large for PNG. Export it as SVG."));
  }
}

function showNotice(text: string): void {
  notice.textContent = text;
  notice.hidden = text === "";
}

let saveTimer = 0;
function saveSoon(): void {
  window.clearTimeout(saveTimer);
  saveTimer = window.setTimeout(saveNow, 200);
}
function saveNow(): void {
  window.clearTimeout(saveTimer);
  host.keep({ view: viewport.view, places: [...placing.places], routes: [...placing.routes], filter });
}
// Save before the page may be hidden, which destroys it.
window.addEventListener("blur", saveNow);
