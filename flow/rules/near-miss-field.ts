import { type Field, habitOf, topFields } from "../fields";
import { nearest } from "../near";
import type { Span } from "../text";
import { keyText, type MapValue, type Pair } from "../values";
import type { EntryFinding, Rule } from "./engine/rule";
import { type Block, blocksOf, isNode } from "./engine/walk";
import { needed, slipOf } from "./missing-field";

export const nearMissField: Rule = {
  code: "near-miss-field",
  severity: "hint",
  title: "A field is almost, but not quite, one the editor knows",
  checkEntry(entry, report) {
    if (entry.section === "top") {
      const near = topFields.some((field) => field.name === entry.key)
        ? undefined
        : (habitOf("top", entry.key) ??
          nearest(
            entry.key,
            topFields.map((field) => field.name),
          ));
      if (near !== undefined)
        report({
          message: `"${entry.key}" isn't part of a flow, so it isn't sent to the platform. Did you mean "${near}"?`,
          span: entry.keySpan,
          data: near,
        });
    }
    const blocks = blocksOf(entry);
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index] as Block;
      if (!block.known || !block.map) continue;
      if (allKnown(block.map, block.known.byName, block.kind === "node")) continue;
      const names = [...block.known.fields.map((field) => field.name), ...(block.kind === "node" ? ["type"] : [])];
      const present = new Set(block.map.pairs.map(keyText));
      // A slip of a field that is needed is reported as missing-field already.
      const slips = isNode(entry)
        ? new Set(needed(block).map((field) => (present.has(field.name) ? undefined : slipOf(field, block))))
        : new Set();
      for (const pair of block.map.pairs) {
        const name = keyText(pair);
        if (names.includes(name) || slips.has(pair)) continue;
        const habit = block.kind === "node" ? undefined : habitOf(block.kind, name);
        const near = habit ?? nearest(name, names, block.kind === "edge");
        if (near !== undefined && !present.has(near)) report(finding(name, near, pair.key.span));
      }
    }
  },
  fixes({ span, data }) {
    if (typeof data !== "string") return [];
    return [{ title: `Rename to "${data}"`, edits: [{ ...span, text: data }], preferred: true }];
  },
};

function finding(name: string, near: string, span: Span): EntryFinding {
  return { message: `"${name}" is carried to the platform as it is. Did you mean "${near}"?`, span, data: near };
}

function allKnown({ pairs }: MapValue, fields: ReadonlyMap<string, Field>, isNode: boolean): boolean {
  for (let index = 0; index < pairs.length; index++) {
    const name = keyText(pairs[index] as Pair);
    if (!fields.has(name) && !(isNode && name === "type")) return false;
  }
  return true;
}
