import { type FlowDocument, isNode } from "../document";
import { type Field, habitOf, isKnownField, nodeType, topFields } from "../fields";
import { briefly, type Span } from "../text";
import { keyText, type MapValue, type Pair, pairOf, textOf } from "../values";
import { typoOf } from "../wording";
import { columnOf, lineStart } from "./engine/edits";
import { type BlockFinding, type Fix, type Rule, replaceWithData } from "./engine/rule";
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
        else if (element.kind === "node" && !element.map.flow && isNestedNode(pair))
          report({
            message: `\`${briefly(name, 30)}\` looks like a node, but is indented like a field of "${briefly(block.key, 30)}". Indent it like "${briefly(block.key, 30)}".`,
            span: pair.key.span,
            severity: "warning",
          });
      }
    }
  },
  fixes: (problem, document) => (problem.data === undefined ? movedOut(document, problem.span) : renamed(problem)),
};

const renamed = replaceWithData((data) => `Rename to \`${data}\``);

function isNestedNode({ value }: Pair): boolean {
  if (value?.kind !== "map" || !nodeType(textOf(pairOf(value, "type")?.value))) return false;
  return value.pairs.every((pair) => isKnownField(keyText(pair)));
}

/** Moves all nodes at the end of a node out of it: a fix of the first one. No field may follow, since it would move too. */
function movedOut(document: FlowDocument, { start }: Span): Fix[] {
  const block = document.blockAt(start);
  const map = block?.value?.kind === "map" ? block.value : undefined;
  if (!block || !map || map.flow) return [];
  const from = start - document.startOf(block);
  const first = map.pairs.findIndex(({ key }) => key.span.start === from);
  if (first < 1 || isNestedNode(map.pairs[first - 1] as Pair) || !map.pairs.slice(first).every(isNestedNode)) return [];
  const by = columnOf(document, start) - columnOf(document, document.startOf(block));
  const line = lineStart(document, start);
  const lines = document.slice({ start: line, end: document.startOf(block) + block.text.length });
  const edits = [...lines.matchAll(/^ +(?=[^ \r\n])/gm)].map(({ index, 0: blank }) => ({
    start: line + index,
    end: line + index + Math.min(by, blank.length),
    text: "",
  }));
  return [{ title: "Fix indentation", edits, preferred: true }];
}

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
