import { isNode } from "../document";
import { type Field, habitOf, topFields } from "../fields";
import type { Span } from "../text";
import { keyText, type MapValue, type Pair } from "../values";
import { typoOf } from "../wording";
import { type BlockFinding, type Rule, replaceWithData } from "./engine/rule";
import { type Element, elementsOf } from "./engine/walk";
import { needed, slipOf } from "./missing-field";

export const nearMissField: Rule = {
  code: "near-miss-field",
  severity: "hint",
  title: "Possible typo in a field",
  checkBlock(block, report) {
    if (block.section === "top") {
      const near = topFields.some((field) => field.name === block.key)
        ? undefined
        : (habitOf("top", block.key) ??
          typoOf(
            block.key,
            topFields.map((field) => field.name),
          ));
      if (near !== undefined)
        report({
          message: `Unknown key \`${block.key}\` isn't sent to the platform. Did you mean \`${near}\`?`,
          span: block.keySpan,
          data: near,
        });
    }
    const elements = elementsOf(block);
    for (let index = 0; index < elements.length; index++) {
      const element = elements[index] as Element;
      if (!element.known || !element.map) continue;
      if (allKnown(element.map, element.known.byName, element.kind === "node")) continue;
      const names = [...element.known.fields.map((field) => field.name), ...(element.kind === "node" ? ["type"] : [])];
      const present = new Set(element.map.pairs.map(keyText));
      // `missing-field` already reports a typo of a required field.
      const slips = isNode(block)
        ? new Set(needed(element).map((field) => (present.has(field.name) ? undefined : slipOf(field, element))))
        : new Set();
      for (const pair of element.map.pairs) {
        const name = keyText(pair);
        if (names.includes(name) || slips.has(pair)) continue;
        const habit = element.kind === "node" ? undefined : habitOf(element.kind, name);
        const near = habit ?? typoOf(name, names, element.kind === "edge");
        if (near !== undefined && !present.has(near)) report(finding(name, near, pair.key.span));
      }
    }
  },
  fixes: replaceWithData((data) => `Rename to \`${data}\``),
};

function finding(name: string, near: string, span: Span): BlockFinding {
  return { message: `Unknown field \`${name}\` is sent unchanged. Did you mean \`${near}\`?`, span, data: near };
}

function allKnown({ pairs }: MapValue, fields: ReadonlyMap<string, Field>, isNode: boolean): boolean {
  for (let index = 0; index < pairs.length; index++) {
    const name = keyText(pairs[index] as Pair);
    if (!fields.has(name) && !(isNode && name === "type")) return false;
  }
  return true;
}
