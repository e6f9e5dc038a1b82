import { type Block, type FlowDocument, isNode } from "../document";
import type { FieldKind } from "../fields";
import { isNull, keyText, pairOf, type Value } from "../values";
import type { BlockFinding, Fix, Rule } from "./engine/rule";
import { shortPlace } from "./engine/walk";

const expected: Partial<Record<FieldKind, { readonly kind: Value["kind"]; readonly words: string }>> = {
  text: { kind: "scalar", words: "a string" },
  "long-text": { kind: "scalar", words: "a string" },
  uuid: { kind: "scalar", words: "a UUID" },
  "node-id": { kind: "scalar", words: "the ID of a node" },
  "variable-name": { kind: "scalar", words: "the name of a context variable" },
  integer: { kind: "scalar", words: "a whole number, 0 or more" },
  map: { kind: "map", words: "a map" },
  list: { kind: "list", words: "a list" },
  "list-of-text": { kind: "list", words: "a list of strings" },
};

export const wrongType: Rule = {
  code: "wrong-type",
  severity: "error",
  title: "Wrong type",
  checkField: {
    concerns: (field) => expected[field.kind] !== undefined,
    check(block, field, value, report) {
      const want = expected[field.kind];
      if (!want || !value) return;
      if (field.kind === "list-of-text" && value.kind === "list") {
        for (const item of value.items)
          if (item.kind !== "scalar" && !isBareTemplate(block, item))
            report({
              ...finding(block, item, `A value of \`${field.name}\` must be a string, not ${describe(item)}.`, "item"),
              severity: "warning",
            });
        return;
      }
      const wrongNumber =
        field.kind === "integer" &&
        value.kind === "scalar" &&
        !(Number.isInteger(value.value) && Number(value.value) >= 0);
      if ((value.kind === want.kind && !wrongNumber) || isNull(value) || isBareTemplate(block, value)) return;
      const message = `\`${field.name}\` must be ${want.words}, not ${describe(value)}.`;
      // The platform's schemas are open, so a value that's sent unchanged may be intentional, which is a warning.
      const isSent = block.section === "top" ? field.name !== block.key : field.name !== "to" && field.name !== "edges";
      const data = field.name === "edges" ? "edges" : field.kind;
      report({ ...finding(block, value, message, data), ...(isSent ? { severity: "warning" } : {}) });
    },
  },
  checkBlock(block, report) {
    const type = block.section === "top" ? undefined : pairOf(block.value, "type")?.value;
    if (type && (type.kind === "scalar" ? /\S\s+\S/.test(String(type.value)) : isNode(block))) {
      const example = isNode(block) ? "message" : "string";
      const message = `\`type\` must be a single word, such as \`${example}\`, not ${describe(type)}.`;
      report({ ...finding(block, type, message, "type"), severity: "warning" });
    }
    if (isNode(block)) {
      const edges = block.edgesPair?.value;
      if (edges?.kind === "list")
        for (const item of edges.items)
          if (item.kind !== "map" && !isNull(item))
            report(finding(block, item, `An edge must be a map with \`to\`, not ${describe(item)}.`, "edge"));
    }
    if (block.section !== "top" && block.value && block.value.kind !== "map" && !isNull(block.value)) {
      const what = isNode(block) ? `Node "${block.key}"` : `Variable "${block.key}"`;
      report(
        finding(block, block.value, `${what} must be a map of fields, not ${describe(block.value)}.`, block.section),
      );
    }
    if (block.key === "component_outputs" && block.section === "top" && block.value?.kind === "list")
      for (const item of block.value.items)
        if (item.kind !== "map" && !isNull(item))
          report(
            finding(
              block,
              item,
              `A component output must be a map with \`name\` and \`value\`, not ${describe(item)}.`,
              "output",
            ),
          );
  },
  fixes({ span, data }, document) {
    const text = document.slice(span);
    const plain = /^(["']?)([A-Za-z][\w-]*)\1$/.exec(text)?.[2];
    const replace = (title: string, by: string) => [{ title, edits: [{ ...span, text: by }], preferred: true }];
    const only = data === "type" ? /^\[\s*([A-Za-z][\w-]*)\s*\]$/.exec(text)?.[1] : undefined;
    if (only) return replace(`Replace with ${only}`, only);
    if (data === "edge" || data === "edges") {
      const to = /^to[: ]([A-Za-z][\w-]*)$/.exec(text)?.[1];
      const inList = (item: string) => (data === "edges" ? `[${item}]` : item);
      if (to !== undefined) return replace(text[2] === ":" ? "Add a space" : "Add a colon", inList(`to: ${to}`));
      if (plain !== undefined) return replace(`Convert to an edge to "${plain}"`, inList(`{to: ${text}}`));
    }
    if (data === "context_variables" && plain) return replace(`Convert to \`type: ${text}\``, `{type: ${text}}`);
    if (data === "list-of-text" && !/[\r\n{}[\]]/.test(text)) return replace("Convert to a list", `[${text}]`);
    if (data === "edges" && /^-?to:[ \t]/.test(text)) return asItems(document, span.start);
    if ((data === "edges" && /^\{\s*to:/.test(text)) || (data === "list" && /^\{\s*name:/.test(text)))
      return replace("Convert to a list", `[${text}]`);
    if (data === "integer" && /^(["'])\d+\1$/.test(text)) return replace("Convert to a number", text.slice(1, -1));
    return [];
  },
};

/** `to: b` and `-to: b` below `edges`: the dash or the space after it is missing. */
function asItems(document: FlowDocument, at: number): Fix[] {
  const block = document.blockAt(at);
  const map = block && isNode(block) ? block.edgesPair?.value : undefined;
  if (!block || map?.kind !== "map" || map.flow || document.startOf(block) + map.span.start !== at) return [];
  const starts = map.pairs.map((pair) => at - map.span.start + pair.key.span.start);
  const dashes = map.pairs.filter((pair) => /^-[a-z]/.test(keyText(pair))).length;
  if (dashes > 0)
    return dashes === starts.length
      ? [
          {
            title: "Add a space after the dash",
            edits: starts.map((start) => ({ start: start + 1, end: start + 1, text: " " })),
            preferred: true,
          },
        ]
      : [];
  // A block scalar or a nested value would have to move too.
  if (
    map.pairs.some(
      ({ value }) => value?.kind !== "scalar" || /[\r\n]/.test(block.text.slice(value.span.start, value.span.end)),
    )
  )
    return [];
  return [
    {
      title: "Add a dash",
      edits: starts.map((start, index) => ({ start, end: start, text: index === 0 ? "- " : "  " })),
      preferred: true,
    },
  ];
}

function finding(block: Block, value: Value, message: string, data: string): BlockFinding {
  return { message, span: shortPlace(block, value), data };
}

/** YAML reads an unquoted `{{name}}` as a map; `malformed-template` reports it. */
function isBareTemplate(block: Block, value: Value): boolean {
  return value.kind === "map" && value.flow && block.text.startsWith("{{", value.span.start);
}

function describe(value: Value): string {
  if (value.kind === "map") return "a map";
  if (value.kind === "list") return "a list";
  if (typeof value.value === "number") return `the number ${value.value}`;
  if (typeof value.value === "boolean") return `"${value.value}"`;
  const text = String(value.value).replace(/\s+/g, " ");
  return `the string "${text.length > 24 ? `${text.slice(0, 24)}…` : text}"`;
}
