/** Draws a flow as a self-contained SVG that follows the reader's light or dark theme. */
import { Graph as Layout, layout } from "@dagrejs/dagre";
import type { Graph, GraphEdge, GraphNode } from "../../flow";
import type { Mark, Picture } from "../../flow/review";
import { shortened } from "../terminal";

const NODE = { width: 180, height: 48 };
const LABEL = { width: 150, height: 16 };
const STYLE = `
  svg { background: #fff; color: #1f2328; font: 12px system-ui, sans-serif; }
  .node rect { fill: #f6f8fa; stroke: #6e7781; }
  .entry rect { stroke: #0969da; stroke-width: 2; }
  .missing rect { stroke: #cf222e; stroke-dasharray: 4 3; }
  text { fill: currentColor; text-anchor: middle; }
  .kind, .label { font-size: 10px; opacity: .75; }
  .edge { fill: none; stroke: #6e7781; }
  .error { stroke: #cf222e; stroke-dasharray: 4 3; }
  marker path { fill: #6e7781; }
  .added rect { stroke: #1a7f37; stroke-width: 3; }
  .removed rect { stroke: #cf222e; stroke-dasharray: 6 4; }
  .removed text { text-decoration: line-through; }
  .changed rect { stroke: #9a6700; stroke-width: 3; stroke-dasharray: 12 2; }
  .edge.added { stroke: #1a7f37; stroke-width: 3; }
  .edge.removed { stroke: #cf222e; stroke-dasharray: 6 4; }
  .edge.changed, .edge.moved { stroke: #9a6700; stroke-width: 2; stroke-dasharray: 12 2; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; color: #e6edf3; }
    .node rect { fill: #161b22; }
  }`;

interface Point {
  readonly x: number;
  readonly y: number;
}

export function toSvg({ nodes, edges, entry }: Pick<Graph, "nodes" | "edges" | "entry">): string {
  return draw({ nodes, edges, entry }, () => "same");
}

/** Draws two versions in one image. Changes are marked by line style and sign as well as by color. */
export function pictureSvg({ nodes, edges }: Picture, entry: string | undefined): string {
  const marks = new Map<object, Mark>();
  for (const { node, mark } of nodes) marks.set(node, mark);
  for (const { edge, mark } of edges) marks.set(edge, mark);
  const graph = {
    nodes: new Map(nodes.map(({ node }) => [node.id, node])),
    // An edge with a changed target appears twice under the same ID.
    edges: new Map(edges.map(({ edge }, index) => [`${index}`, edge])),
    entry,
  };
  return draw(graph, (element) => marks.get(element) ?? "same");
}

const SIGNS: Readonly<Record<Mark, string>> = { added: "+ ", removed: "− ", changed: "~ ", moved: "↕ ", same: "" };

function draw(
  graph: Pick<Graph, "nodes" | "edges"> & { readonly entry: string | undefined },
  markOf: (element: object) => Mark,
): string {
  const picture = new Layout({ multigraph: true });
  picture.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 48, marginx: 16, marginy: 16 });
  picture.setDefaultEdgeLabel(() => ({}));
  const targets = [...graph.edges.values()].map((edge) => edge.target);
  const missing = [...new Set(targets)].filter((id) => !graph.nodes.has(id));
  // The layout starts at the first node, so the entry comes first.
  const ids = [...graph.nodes.keys()].sort((a, b) => Number(b === graph.entry) - Number(a === graph.entry));
  for (const id of [...ids, ...missing]) picture.setNode(id, { ...NODE });
  const edges = [...graph.edges].filter(([, edge]) => graph.nodes.has(edge.source));
  for (const [key, edge] of edges) {
    const label = wordsOf(edge) || markOf(edge) !== "same" ? { ...LABEL } : {};
    picture.setEdge(edge.source, edge.target, label, key);
  }
  layout(picture);
  const { width = 0, height = 0 } = picture.graph() as { width?: number; height?: number };
  const size = `width="${Math.ceil(Math.max(width, 1))}" height="${Math.ceil(Math.max(height, 1))}"`;
  const box = `viewBox="0 0 ${Math.ceil(Math.max(width, 1))} ${Math.ceil(Math.max(height, 1))}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${box} role="img" aria-label="Flow graph">`,
    `<style>${STYLE}\n</style>`,
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>`,
    ...edges.map(([key, edge]) => drawEdge(edge, picture.edge(edge.source, edge.target, key) as Route, markOf(edge))),
    ...ids.map((id) => {
      const node = graph.nodes.get(id) as GraphNode;
      return drawNode(node, picture.node(id) as Point, id === graph.entry, markOf(node));
    }),
    ...missing.map((id) => drawBox("missing", id, "missing", picture.node(id) as Point)),
    "</svg>\n",
  ].join("\n");
}

interface Route extends Partial<Point> {
  readonly points: readonly Point[];
}

function drawEdge(edge: GraphEdge, { points, x, y }: Route, mark: Mark): string {
  const line = points.map((point, i) => `${i === 0 ? "M" : "L"}${at(point.x)} ${at(point.y)}`).join("");
  const words = `${SIGNS[mark]}${wordsOf(edge) ?? ""}`.trim();
  const label =
    words && x !== undefined && y !== undefined
      ? `<text class="label" x="${at(x)}" y="${at(y)}">${xml(shortened(words, 28))}<title>${xml(words)}</title></text>`
      : "";
  return `<path class="edge${edge.on === undefined ? "" : " error"}${mark === "same" ? "" : ` ${mark}`}" d="${line}" marker-end="url(#tip)"/>${label}`;
}

function drawNode(node: GraphNode, place: Point, isEntry: boolean, mark: Mark): string {
  const name = typeof node.name === "string" && node.name !== "" ? node.name : node.id;
  const kinds = [...(isEntry ? ["entry"] : []), ...(mark === "same" ? [] : [mark])];
  return drawBox(kinds.join(" "), `${SIGNS[mark]}${name}`, node.type ?? "no type", place);
}

function drawBox(kind: string, name: string, below: string, { x, y }: Point): string {
  const [left, top] = [at(x - NODE.width / 2), at(y - NODE.height / 2)];
  return [
    `<g class="node ${kind}"><title>${xml(name)}</title>`,
    `<rect x="${left}" y="${top}" width="${NODE.width}" height="${NODE.height}" rx="8"/>`,
    `<text x="${at(x)}" y="${at(y - 2)}">${xml(shortened(name, 26))}</text>`,
    `<text class="kind" x="${at(x)}" y="${at(y + 14)}">${xml(below)}</text></g>`,
  ].join("");
}

function wordsOf(edge: GraphEdge): string | undefined {
  const words = edge.on !== undefined ? `on ${edge.on}` : (edge.when ?? edge.label);
  return words === undefined || words === null ? undefined : String(words).replace(/\s+/g, " ").trim();
}

function at(number: number): string {
  return String(Math.round(number * 10) / 10);
}

function xml(text: string): string {
  // U+FFFE and U+FFFF aren't valid in XML.
  return text
    .replace(/[^\P{Cc}\t]|\p{Cs}|[\ufffe\uffff]/gu, " ")
    .replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
