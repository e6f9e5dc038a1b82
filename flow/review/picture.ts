/** A combined drawing of two flows: the added, removed, changed, or moved elements, and their neighbors. */
import type { Graph, GraphEdge, GraphNode } from "../graph/graph";
import type { Change } from "./changes";

export type Mark = "added" | "removed" | "changed" | "moved" | "same";

/** Every node and edge of both flows, those of the new one first. An edge with a new target appears twice. */
export interface Overlay {
  readonly nodes: readonly { readonly node: GraphNode; readonly mark: Mark }[];
  readonly edges: readonly { readonly edge: GraphEdge; readonly mark: Mark }[];
}

export interface Picture extends Overlay {
  /** The number of changed elements beyond the limit. */
  readonly leftOut: number;
}

export interface PictureLimits {
  readonly edges: number;
  readonly nodes: number;
}

export function overlayOf(from: Graph, to: Graph, changes: readonly Change[]): Overlay {
  const marks = new Map<string, Mark>();
  for (const { what, kind, id } of changes) if (what === "node") marks.set(id, kind);
  const gone = [...from.nodes.values()].filter(({ id }) => !to.nodes.has(id));
  const nodes = [...to.nodes.values(), ...gone].map((node) => ({ node, mark: marks.get(node.id) ?? "same" }));
  return { nodes, edges: allEdges(from, to, changes) };
}

/** The changes and their neighbors; beyond the limits, the first ones in the order of the new flow. */
export function pictureOf(from: Graph, to: Graph, changes: readonly Change[], limits: PictureLimits): Picture {
  const { nodes, edges } = overlayOf(from, to, changes);
  const isChanged = (id: string) => changed.has(id);
  const hasMark = ({ mark }: { readonly mark: Mark }) => mark !== "same";
  const changed = new Set(nodes.filter(hasMark).map(({ node }) => node.id));
  if (from.entry !== to.entry)
    for (const id of [from.entry, to.entry])
      if (id !== undefined && (to.nodes.has(id) || from.nodes.has(id))) changed.add(id);
  const near = edges.filter((each) => hasMark(each) || isChanged(each.edge.source) || isChanged(each.edge.target));
  // Changed edges first: unchanged ones, which only provide context, are left out before them.
  const sorted = [...near.filter(hasMark), ...near.filter((each) => !hasMark(each))];
  const there = new Set(nodes.map(({ node }) => node.id));
  const ids = new Set<string>();
  for (const { node } of nodes) if (isChanged(node.id) && ids.size < limits.nodes) ids.add(node.id);
  const kept = new Set<(typeof sorted)[number]>();
  for (const each of sorted) {
    const ends = [each.edge.source, each.edge.target].filter((id) => there.has(id) && !ids.has(id));
    if (kept.size >= limits.edges || ids.size + ends.length > limits.nodes) continue;
    for (const id of ends) ids.add(id);
    kept.add(each);
  }
  const shown = [...ids].filter(isChanged).length + [...kept].filter(hasMark).length;
  return {
    nodes: nodes.filter(({ node }) => ids.has(node.id)),
    edges: near.filter((each) => kept.has(each)),
    leftOut: changed.size + edges.filter(hasMark).length - shown,
  };
}

/** The edges of the new flow, then those that only the old one has. */
function allEdges(from: Graph, to: Graph, changes: readonly Change[]): Overlay["edges"] {
  const marks = new Map<string, Mark>();
  const gone = new Set<string>();
  for (const { what, kind, id, old_id = id, fields } of changes) {
    if (what !== "edge") continue;
    if (kind !== "removed") marks.set(id, kind);
    // An edge with a new target is also drawn at its old one.
    if (kind === "removed" || (kind !== "added" && fields.includes("to"))) gone.add(old_id);
  }
  const now = [...to.edges.values()].map((edge) => {
    const mark: Mark = from.nodes.has(edge.source) ? (marks.get(edge.id) ?? "same") : "added";
    return { edge, mark };
  });
  const removed = [...from.edges.values()].filter(({ id, source }) => gone.has(id) || !to.nodes.has(source));
  return [...now, ...removed.map((edge) => ({ edge, mark: "removed" as const }))];
}

/** As Mermaid, limited to a number of characters by leaving out elements. */
export function pictureMermaid(
  from: Graph,
  to: Graph,
  changes: readonly Change[],
  { edges: mostEdges, characters }: { readonly edges: number; readonly characters: number },
): { readonly text: string; readonly leftOut: number } {
  for (let edges = mostEdges; edges >= 1; edges = Math.floor(edges / 2)) {
    const picture = pictureOf(from, to, changes, { edges, nodes: edges });
    const text = mermaidOf(picture);
    if (text.length <= characters) return { text, leftOut: picture.leftOut };
  }
  return { text: "", leftOut: changes.filter(({ what }) => what === "node" || what === "edge").length };
}

/** Not by color alone: removed is dashed and struck out, added is thick with a plus. */
const CLASSES = [
  "  classDef added fill:#dafbe1,stroke:#1a7f37,stroke-width:3px,color:#1f2328",
  "  classDef removed fill:#ffebe9,stroke:#cf222e,stroke-width:2px,stroke-dasharray:5 4,color:#1f2328",
  "  classDef changed fill:#fff8c5,stroke:#9a6700,stroke-width:3px,color:#1f2328",
];
const SIGNS: Readonly<Record<Mark, string>> = { added: "+ ", removed: "− ", changed: "~ ", moved: "↕ ", same: "" };

function mermaidOf({ nodes, edges }: Picture): string {
  const numbers = new Map(nodes.map(({ node }, index) => [node.id, `n${index + 1}`]));
  const lines = ["flowchart TD"];
  for (const { node, mark } of nodes) {
    const name = typeof node.name === "string" && node.name !== "" ? node.name : node.id;
    const words = `"${SIGNS[mark]}${quoted(name)}<br/><small>${quoted(String(node.type ?? "no type"))}</small>"`;
    const shape = node.type === "decision" ? `{${words}}` : isTerminal(node) ? `([${words}])` : `[${words}]`;
    lines.push(`  ${numbers.get(node.id)}${shape}${mark === "same" ? "" : `:::${mark}`}`);
  }
  for (const { edge, mark } of edges) {
    const [source, target] = [numbers.get(edge.source), numbers.get(edge.target)];
    if (!source || !target) continue;
    const said = edge.on !== undefined ? `on ${edge.on}` : (edge.when ?? edge.label);
    const words = `${SIGNS[mark]}${said === undefined || said === null ? "" : quoted(String(said))}`.trim();
    const line = mark === "added" ? "==>" : mark === "removed" ? "-.->" : "-->";
    lines.push(`  ${source} ${line}${words ? `|"${words}"|` : ""} ${target}`);
  }
  return `${[...lines, ...CLASSES].join("\n")}\n`;
}

function isTerminal({ type }: GraphNode): boolean {
  return type === "end" || type === "transfer";
}

/** Mermaid decodes entities here, so nothing can end the quote or become markup. */
function quoted(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const letters = [...line];
  const short = letters.length > 60 ? `${letters.slice(0, 59).join("")}…` : line;
  return short.replace(/[#&<>"`{}|[\]\\;@]|[^\P{Cc}]|\p{Cf}|\p{Cs}/gu, (sign) => `#${sign.codePointAt(0)};`);
}
