/** Short descriptions of nodes, variables and edges for completion, hover, hints and outlines. */
import { type EdgeModel, type NodeBlock, pairOf, textOf, trimmedEnd, type VariableBlock } from "../../../flow";
import type { RunNode } from "../../../flow/run";
import { t } from "../../../text";

/** The beginning of a string, on one line. */
export function firstWords(text: string | undefined, length = 60): string {
  const line = (text ?? "").replace(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  const cut = line.lastIndexOf(" ", length);
  return `${trimmedEnd(line.slice(0, cut > length / 2 ? cut : length), " .,;:")}…`;
}

/** A node's name and the beginning of its text: `Greeting: Welcome the caller…`. */
export function nodeWords(node: NodeBlock): string {
  return [node.name, firstWords(node.instructions)].filter(Boolean).join(": ");
}

/** A node's type, and the beginning of its text. */
export function nodeDetail({ type, block }: RunNode): string {
  return [type, nodeWords(block)].filter(Boolean).join(" · ");
}

export function variableWords(variable: VariableBlock): string {
  const type = textOf(variable.fields.get("type")?.value);
  return [type, firstWords(textOf(variable.fields.get("description")?.value))].filter(Boolean).join(": ");
}

/** Why an edge of a node is taken: its condition, its event or its label. */
export function edgeWords(edge: EdgeModel, node: NodeBlock): string {
  const when = textOf(pairOf(edge.value, "when")?.value);
  const on = textOf(pairOf(edge.value, "on")?.value);
  const label = textOf(pairOf(edge.value, "label")?.value);
  if (when !== undefined) return firstWords(t("when {0}", when));
  if (on !== undefined) return t("on {0}", on);
  if (isAlwaysTaken(edge, node)) return label === undefined ? t("always") : firstWords(t("always ({0})", label));
  if (edge.isDefault && node.edges.slice(0, edge.index).some(({ isDefault }) => isDefault))
    return t("never: an edge above always applies");
  return label === undefined ? t("otherwise") : firstWords(t("otherwise ({0})", label));
}

/** A default edge with no condition above it, of a node without events. */
function isAlwaysTaken({ index, isDefault }: EdgeModel, { edges, isBroken }: NodeBlock): boolean {
  return index === 0 && isDefault && !isBroken && !edges.some(({ isOnEvent }) => isOnEvent);
}
