/**
 * Draws the graph. Only visible elements are in the DOM; they are added and removed while panning. At low zoom, nodes
 * are boxes on a canvas, so that thousands of them stay smooth.
 */

import type { GraphElement, GraphView, GraphViewEdge, GraphViewNode } from "../../server/messages";
import { replaceChildren, svg } from "../page/dom";
import { t } from "../page/l10n";
import { onThemeChange } from "../page/theme";
import { type ShapedEdge, shapeEdges } from "./curves";
import { describeNode, drawEdge, drawNode } from "./draw";
import { around, type Box, boxOf, meets, nearest, type Point, partAround } from "./geometry";
import { emptyPlacing, newNameOf, type Placing } from "./layout/placing";
import { paintGraph, paintSelection } from "./overview";
import type { Viewport } from "./viewport";

/** The zoom below which text is unreadable and boxes suffice. */
const FAR = 0.22;

/** How close to a node a click must be at low zoom, in screen pixels: the node may be no larger than a dot. */
const REACH = 6;

/** The largest part of an edge that is brought into view. */
const LONG_EDGE = { width: 400, height: 300 } as const;

/** With more edges than this, edges without a visible end are skipped, because they would hide the others. */
const MANY_EDGES = 600;

export type Selection =
  | { readonly kind: "node"; readonly id: string }
  | { readonly kind: "edge"; readonly key: string }
  | undefined;

/** An element in the DOM, with the data it was drawn from. */
interface Shown {
  readonly element: SVGGElement;
  readonly made: string;
}

export class Picture {
  #view: GraphView = { version: -1, entry: undefined, nodes: [], edges: [], broken: false, compared: false };
  #placing: Placing = emptyPlacing;
  #edges: readonly ShapedEdge[] = [];
  #focus: ReadonlySet<string> | undefined;
  #selection: Selection;
  #frame = 0;
  readonly #nodeLayer = svg("g", { class: "nodes" });
  readonly #edgeLayer = svg("g", { class: "edges" });
  readonly #scene = svg("g", {}, this.#edgeLayer, this.#nodeLayer);
  /** Elements in the DOM. */
  readonly #shownNodes = new Map<string, Shown>();
  readonly #shownEdges = new Map<string, Shown>();

  constructor(
    readonly surface: HTMLElement,
    private readonly canvas: HTMLCanvasElement,
    readonly viewport: Viewport,
  ) {
    const root = svg("svg", { class: "graph", role: "group", "aria-label": t("Flow graph") }, arrowHead(), this.#scene);
    surface.append(root);
    viewport.onChange(() => this.#schedule());
    new ResizeObserver(() => this.#schedule()).observe(surface);
    onThemeChange(() => this.#schedule());
  }

  get view(): GraphView {
    return this.#view;
  }

  get placing(): Placing {
    return this.#placing;
  }

  /** Undefined while the selected node is deleted. After an undo it is selected again. */
  get selection(): Selection {
    const selection = this.#selection;
    const isGone = selection?.kind === "node" && !this.#view.nodes.some(({ id }) => id === selection.id);
    return isGone ? undefined : selection;
  }

  show(view: GraphView, placing: Placing): void {
    const id = this.#selection?.kind === "node" ? this.#selection.id : undefined;
    const heir = id === undefined ? undefined : newNameOf(id, this.#placing.places, placing.places);
    if (heir !== undefined) this.#selection = { kind: "node", id: heir };
    this.#view = view;
    this.#placing = placing;
    this.#edges = shapeEdges(view, placing);
    this.#schedule();
  }

  focus(ids: ReadonlySet<string> | undefined): void {
    this.#focus = ids;
    this.#schedule();
  }

  select(selection: Selection): void {
    this.#selection = selection;
    this.#schedule();
  }

  edge(key: string): GraphViewEdge | undefined {
    return this.#edges.find((drawn) => drawn.key === key)?.edge;
  }

  /** The element of a selection, as messages name it. */
  elementOf(selection: Selection): GraphElement | undefined {
    if (selection?.kind !== "edge") return selection;
    const edge = this.edge(selection.key);
    return edge && { kind: "edge", node: edge.source, id: edge.id };
  }

  /** If the edge's target differs between the versions, `isRemoved` chooses the old one. */
  edgeKeyOf(source: string, id: string, isRemoved = false): string | undefined {
    const all = this.#edges.filter((drawn) => drawn.edge.source === source && drawn.edge.id === id);
    return (all.find(({ edge }) => (edge.change === "removed") === isRemoved) ?? all[0])?.key;
  }

  boxOfSelection(): Box | undefined {
    return this.#boxOf(this.#selection);
  }

  #boxOf(selection: Selection): Box | undefined {
    if (selection?.kind === "node") {
      const place = this.#placing.places.get(selection.id);
      return place && boxOf(place);
    }
    return selection ? this.#edges.find((drawn) => drawn.key === selection.key)?.box : undefined;
  }

  /** The box of an element to bring into view; for a long edge, the part with its label. */
  boxToShow(selection: Selection): Box | undefined {
    if (selection?.kind !== "edge") return this.#boxOf(selection);
    const edge = this.#edges.find(({ key }) => key === selection.key);
    return edge && partAround(edge.shape.label, edge.box, LONG_EDGE);
  }

  boxes(): Box[] {
    return [...this.nodeBoxes(), ...this.#edges.map((drawn) => drawn.box)];
  }

  nodeBoxes(): Box[] {
    return [...this.#placing.places.values()].map(boxOf);
  }

  /** Whether nodes are boxes on the canvas instead of DOM elements. */
  get isFar(): boolean {
    return this.viewport.view.scale < FAR;
  }

  /** Returns the canvas node at a point in the window. */
  farNodeAt(clientX: number, clientY: number): string | undefined {
    if (!this.isFar) return undefined;
    const frame = this.surface.getBoundingClientRect();
    const { x, y, scale } = this.viewport.view;
    const point = { x: (clientX - frame.left - x) / scale, y: (clientY - frame.top - y) / scale };
    return nearest(this.#placing.places, point, REACH / scale);
  }

  /** Describes a node for screen readers, even if it isn't in the DOM. */
  describe(id: string): string {
    const node = this.#view.nodes.find((candidate) => candidate.id === id);
    return node ? describeNode(node, this.#view.entry === id) : "";
  }

  nodeElement(id: string): SVGGElement | undefined {
    return this.#shownNodes.get(id)?.element;
  }

  /** Draws the whole graph for export. */
  whole(): { readonly scene: SVGGElement; readonly box: Box } {
    const scene = svg("g");
    for (const drawn of this.#edges)
      scene.append(drawEdge(drawn.edge, drawn.key, drawn.shape, { selected: false, faded: false }));
    for (const node of this.#view.nodes) {
      const place = this.#placing.places.get(node.id);
      if (place) scene.append(this.#drawNode(node, place, false));
    }
    return { scene, box: around(this.boxes()) };
  }

  /** Draws at once instead of in the next frame, for tests and before measuring. */
  drawNow(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#draw();
  }

  #schedule(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.drawNow());
  }

  #draw(): void {
    const { x, y, scale } = this.viewport.view;
    const far = this.isFar;
    this.#scene.setAttribute("transform", `translate(${x},${y}) scale(${scale})`);
    this.#scene.toggleAttribute("hidden", far);
    this.canvas.toggleAttribute("hidden", !far);
    if (far) {
      this.#clear();
      this.#drawFar();
      return;
    }
    const seen = this.viewport.seen;
    this.#drawNodes(seen);
    this.#drawEdges(seen);
  }

  /** Paints boxes and lines without text. */
  #drawFar(): void {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = this.surface.clientWidth * ratio;
    this.canvas.height = this.surface.clientHeight * ratio;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const { x, y, scale } = this.viewport.view;
    context.setTransform(scale * ratio, 0, 0, scale * ratio, x * ratio, y * ratio);
    const { seen } = this.viewport;
    paintGraph(context, this.#view, this.#placing, { focus: this.#focus, seen, least: 1.5 / scale, hasRun: true });
    paintSelection(context, this.#selectedPlaces(), scale);
  }

  /** The position of a selected node, or both ends of an edge. */
  #selectedPlaces(): Point[] {
    const selection = this.#selection;
    const edge = selection?.kind === "edge" ? this.edge(selection.key) : undefined;
    const ids = selection?.kind === "node" ? [selection.id] : edge ? [edge.source, edge.target] : [];
    return ids.flatMap((id) => this.#placing.places.get(id) ?? []);
  }

  #drawNodes(seen: Box): void {
    const visible = new Set<string>();
    const active = document.activeElement?.closest("[data-node]")?.getAttribute("data-node");
    for (const node of this.#view.nodes) {
      const place = this.#placing.places.get(node.id);
      if (!place || !meets(boxOf(place), seen) || visible.has(node.id)) continue;
      visible.add(node.id);
      const shown = this.#shownNodes.get(node.id);
      const selected = this.#selection?.kind === "node" && this.#selection.id === node.id;
      const made = JSON.stringify([node, place, selected, this.#isFaded(node.id), this.#view.entry === node.id]);
      if (shown?.made === made) continue;
      const element = this.#drawNode(node, place, selected);
      if (shown) shown.element.replaceWith(element);
      else this.#nodeLayer.append(element);
      this.#shownNodes.set(node.id, { element, made });
      // A page without the focus must not take it from where the user is typing.
      if (active === node.id && document.hasFocus()) element.focus({ preventScroll: true });
    }
    dropOthers(this.#shownNodes, visible);
    if (active && !visible.has(active)) this.#keepFocus();
  }

  #drawEdges(seen: Box): void {
    const visible = new Set<string>();
    const many = this.#edges.length > MANY_EDGES;
    const chosen = this.#selection?.kind === "edge" ? this.#selection.key : undefined;
    for (const { edge, key, shape, box, ends } of this.#edges) {
      if (!meets(box, seen) || (many && key !== chosen && !ends.some((end) => meets(end, seen)))) continue;
      visible.add(key);
      const shown = this.#shownEdges.get(key);
      const selected = key === chosen;
      const faded = this.#isFaded(edge.source) || this.#isFaded(edge.target);
      const made = JSON.stringify([edge, shape, selected, faded]);
      if (shown?.made === made) continue;
      const element = drawEdge(edge, key, shape, { selected, faded });
      if (shown) shown.element.replaceWith(element);
      else this.#edgeLayer.append(element);
      this.#shownEdges.set(key, { element, made });
    }
    dropOthers(this.#shownEdges, visible);
  }

  #drawNode(node: GraphViewNode, place: Point, selected: boolean): SVGGElement {
    return drawNode(node, place, { isEntry: this.#view.entry === node.id, selected, faded: this.#isFaded(node.id) });
  }

  #isFaded(id: string): boolean {
    return this.#focus !== undefined && !this.#focus.has(id);
  }

  /** Moves the focus to the surface when the focused node leaves the DOM, so that keys still work. */
  #keepFocus(): void {
    if (document.hasFocus()) this.surface.focus({ preventScroll: true });
  }

  #clear(): void {
    if (this.#nodeLayer.contains(document.activeElement)) this.#keepFocus();
    replaceChildren(this.#nodeLayer);
    replaceChildren(this.#edgeLayer);
    this.#shownNodes.clear();
    this.#shownEdges.clear();
  }
}

function dropOthers(shown: Map<string, { element: SVGGElement }>, visible: ReadonlySet<string>): void {
  for (const [key, { element }] of shown)
    if (!visible.has(key)) {
      element.remove();
      shown.delete(key);
    }
}

function arrowHead(): SVGElement {
  const shape = svg("path", { class: "arrow", d: "M0,0L10,5L0,10z" });
  return svg(
    "defs",
    {},
    svg(
      "marker",
      {
        id: "arrow",
        viewBox: "0 0 10 10",
        refX: 9,
        refY: 5,
        markerWidth: 8,
        markerHeight: 8,
        orient: "auto-start-reverse",
      },
      shape,
    ),
  );
}
