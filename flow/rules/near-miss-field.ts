import { type Field, topFields } from "../fields";
import { nearest } from "../near";
import { keyText, type MapValue, type Pair } from "../values";
import { needed, slipOf } from "./missing-field";
import type { Rule } from "./rule";
import { blocksOf, fieldsByName, isNode } from "./walk";

export const nearMissField: Rule = {
  code: "near-miss-field",
  severity: "hint",
  title: "A field is almost, but not quite, one the editor knows",
  checkEntry(entry, report) {
    const tell = (name: string, near: string, span: { start: number; end: number }) =>
      report({ message: `"${name}" is carried to the platform as it is. Did you mean "${near}"?`, span, data: near });
    if (entry.section === "top") {
      const near = topFields.some((field) => field.name === entry.key)
        ? undefined
        : nearest(
            entry.key,
            topFields.map((field) => field.name),
          );
      if (near !== undefined) tell(entry.key, near, entry.keySpan);
    }
    for (const block of blocksOf(entry)) {
      if (!block.known || !block.map) continue;
      if (allKnown(block.map, fieldsByName(block.known), block.kind === "node")) continue;
      const names = [...block.known.map((field) => field.name), ...(block.kind === "node" ? ["type"] : [])];
      const present = new Set(block.map.pairs.map(keyText));
      // A slip of a field that is needed is reported as missing-field already.
      const slips = isNode(entry)
        ? new Set(needed(block).map((field) => (present.has(field.name) ? undefined : slipOf(field, block))))
        : new Set();
      for (const pair of block.map.pairs) {
        const name = keyText(pair);
        if (names.includes(name) || slips.has(pair)) continue;
        const near = nearest(name, names);
        if (near !== undefined && !present.has(near)) tell(name, near, pair.key.span);
      }
    }
  },
  fixes({ span, data }) {
    if (typeof data !== "string") return [];
    return [{ title: `Rename to "${data}"`, edits: [{ ...span, text: data }], preferred: true }];
  },
};

function allKnown({ pairs }: MapValue, fields: ReadonlyMap<string, Field>, isNode: boolean): boolean {
  for (let index = 0; index < pairs.length; index++) {
    const name = keyText(pairs[index] as Pair);
    if (!fields.has(name) && !(isNode && name === "type")) return false;
  }
  return true;
}
