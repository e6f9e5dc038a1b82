/** What differs between two graphs, in words. */
import { changesBetween, type Graph, plan } from "../flow";
import { visibleLine } from "../text";
import { type Colour, painter } from "./terminal";

const marks = {
  added: ["+", "green"],
  changed: ["~", "yellow"],
  moved: ["↕", "yellow"],
  removed: ["-", "red"],
} as const;

/** One line for each element, one for each field that changed. */
export function changesText(from: Graph, to: Graph, colour: boolean): string {
  const paint = painter({ colour });
  const lines = changesBetween(from, to).flatMap(({ kind, what, id, fields, before, after }) => {
    const [mark, tint] = marks[kind] as readonly [string, Colour];
    const head = paint(
      `${mark} ${what}${what === id ? "" : ` ${visibleLine(id)}`}${kind === "moved" ? " moved" : ""}`,
      tint,
    );
    if (kind === "added" || kind === "removed") return [head];
    return [
      head,
      ...fields.map((field) => `    ${visibleLine(field)}: ${shown(before[field])} → ${shown(after[field])}`),
    ];
  });
  const { renames } = plan(from, to);
  return [...lines, ...renames.map((each) => `  (node ${each.from} seems to be ${each.to} now)`)]
    .map((line) => `${line}\n`)
    .join("");
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "(none)";
  const text = typeof value === "string" ? `“${visibleLine(value.trim())}”` : visibleLine(JSON.stringify(value));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
