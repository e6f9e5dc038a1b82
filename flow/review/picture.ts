/** Both flows drawn over each other: what was added, removed, changed or moved, and what is next to it. */
import type { Graph, GraphEdge, GraphNode } from "../graph";
import type { Change } from "./changes";

export type Mark = "added" | "removed" | "changed" | "moved" | "same";

export interface Picture {
  readonly nodes: readonly { readonly node: GraphNode; readonly mark: Mark }[];
  readonly edges: readonly { readonly edge: GraphEdge; readonly mark: Mark }[];
  /** How many changed elements didn't fit in. */
  readonly leftOut: number;
}

export interface PictureLimits {
  readonly edges: number;
  readonly nodes: number;
}

/** What changed and its neighbors; of more than the limits allow the first, in the order of the new flow. */
export function pictureOf(from: Graph, to: Graph, changes: readonly Change[], limits: PictureLimits): Picture {
  const marks = { node: new Map<string, Mark>(), edge: new Map<string, Mark>() };
  for (const { what, kind, id } of changes) if (what === "node" || what === "edge") marks[what].set(id, kind);
  const edges = allEdges(from, to, marks);
  const isChanged = (id: string) => marks.node.has(id) || (id === from.entry) !== (id === to.entry);
  const near = edges.filter(({ edge, mark }) => mark !== "same" || isChanged(edge.source) || isChanged(edge.target));
  // Changed edges first: what only shows where they are is left out before them.
  const sorted = [...near.filter(({ mark }) => mark !== "same"), ...near.filter(({ mark }) => mark === "same")];
  const ids = new Set<string>();
  const nodeOf = (id: string) => to.nodes.get(id) ?? from.nodes.get(id);
  for (const id of [...to.nodes.keys(), ...from.nodes.keys()])
    if (isChanged(id) && ids.size < limits.nodes) ids.add(id);
  const kept = new Set<(typeof sorted)[number]>();
  for (const each of sorted) {
    const ends = [each.edge.source, each.edge.target].filter((id) => nodeOf(id) && !ids.has(id));
    if (kept.size >= limits.edges || ids.size + ends.length > limits.nodes) continue;
    for (const id of ends) ids.add(id);
    kept.add(each);
  }
  const order = [...to.nodes.keys(), ...[...from.nodes.keys()].filter((id) => !to.nodes.has(id))];
  const nodes = order.flatMap((id) => {
    const node = ids.has(id) ? nodeOf(id) : undefined;
    return node ? [{ node, mark: marks.node.get(id) ?? "same" }] : [];
  });
  const changed = [...new Set(order)].filter(isChanged).length + edges.filter(({ mark }) => mark !== "same").length;
  const shown =
    nodes.filter(({ node }) => isChanged(node.id)).length + [...kept].filter(({ mark }) => mark !== "same").length;
  return { nodes, edges: near.filter((each) => kept.has(each)), leftOut: changed - shown };
}

/** The edges of the new flow, then those that only the old one has. An edge that leads elsewhere is two. */
function allEdges(
  from: Graph,
  to: Graph,
  marks: { readonly node: ReadonlyMap<string, Mark>; readonly edge: ReadonlyMap<string, Mark> },
): { readonly edge: GraphEdge; readonly mark: Mark }[] {
  const isSame = (edge: GraphEdge, other: GraphEdge | undefined) =>
    other?.source === edge.source && other.target === edge.target;
  const now = [...to.edges.values()].map((edge) => {
    const isNew = !isSame(edge, from.edges.get(edge.id));
    const mark = marks.edge.get(edge.id);
    return {
      edge,
      mark: isNew ? ("added" as const) : mark === "changed" || mark === "moved" ? mark : ("same" as const),
    };
  });
  const gone = [...from.edges.values()].filter((edge) => !isSame(edge, to.edges.get(edge.id)));
  return [...now, ...gone.map((edge) => ({ edge, mark: "removed" as const }))];
}

/** As Mermaid, in at most so many characters: fewer elements where the picture would be longer. */
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

/** Shape and words tell as much as color: removed is dashed and struck out, added is thick with a plus. */
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

/** Nothing in it ends the quote or becomes markup: Mermaid reads entities there. */
function quoted(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const letters = [...line];
  const short = letters.length > 60 ? `${letters.slice(0, 59).join("")}…` : line;
  return short.replace(/[#&<>"`{}|[\]\\;@]|[^\P{Cc}]|\p{Cf}|\p{Cs}/gu, (sign) => `#${sign.codePointAt(0)};`);
}
