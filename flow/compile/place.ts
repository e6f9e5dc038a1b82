/** Finds the element that a compile message names. The messages are plain text without positions. */
import { addTo } from "../collections";
import type { FlowDocument } from "../document";
import type { Span } from "../text";

interface Element {
  readonly kind: "node" | "edge" | "variable";
  readonly span: Span;
}

/** Finds the place of a message: the element it names, or the `revision` line if it names none or several. */
export function messagePlaces(document: FlowDocument): (message: string) => Span {
  const elements = elementsIn(document);
  return (message) => {
    const quoted = [...message.matchAll(QUOTED)].flatMap((match) => {
      const name = match[0].slice(1, -1).trim();
      return pick(elements.get(name), message.slice(0, match.index)) ?? [];
    });
    const element = quoted[0] ?? namedByWord(elements, message);
    return element?.span ?? revisionSpan(document);
  };
}

const QUOTED =
  /"[^"\n]{1,200}"|`[^`\n]{1,200}`|“[^”\n]{1,200}”|‘[^’\n]{1,200}’|«[^»\n]{1,200}»|(?<!\p{L})'[^'\n]{1,200}'/gu;

function elementsIn(document: FlowDocument): ReadonlyMap<string, readonly Element[]> {
  const elements = new Map<string, Element[]>();
  const add = (name: string | undefined, kind: Element["kind"], span: () => Span) => {
    if (name) addTo(elements, name, { kind, span: span() });
  };
  for (const node of document.nodes) {
    const key = () => document.absolute(node, node.keySpan);
    add(node.id, "node", key);
    const { name } = node;
    if (name !== node.id) add(name, "node", key);
    for (const edge of node.edges) add(edge.id, "edge", () => document.absolute(node, edge.toSpan ?? edge.span));
  }
  for (const variable of document.variables)
    add(variable.name, "variable", () => document.absolute(variable, variable.keySpan));
  return elements;
}

/** A node and a variable may share a name: the word in front of it decides, then the node. */
function pick(elements: readonly Element[] | undefined, before: string): Element | undefined {
  if (!elements) return undefined;
  const kind = KIND_BEFORE.exec(before)?.[1]?.toLowerCase();
  const fitting = elements.filter((element) => element.kind === kind);
  const candidates = fitting.length > 0 ? fitting : elements.filter(({ kind }) => kind === elements[0]?.kind);
  return candidates.length === 1 ? candidates[0] : undefined;
}

const KIND_BEFORE = /\b(node|edge|variable)s?[\s:(]*$/i;
/** Names of nodes may have letters of any language, and begin with a digit. */
const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_-]*/gu;
/** A number alone counts something else. */
const NUMBER = /^\d+$/;

/** Without quotes, a name counts if it is the only one in the message, or the only one after "node", "edge" or "variable". */
function namedByWord(elements: ReadonlyMap<string, readonly Element[]>, message: string): Element | undefined {
  const named = new Set<Element>();
  const afterKind = new Set<Element>();
  for (const match of message.matchAll(WORD)) {
    if (NUMBER.test(match[0])) continue;
    const before = message.slice(Math.max(0, match.index - 20), match.index);
    const element = pick(elements.get(match[0]), before);
    if (!element) continue;
    named.add(element);
    if (KIND_BEFORE.test(before)) afterKind.add(element);
  }
  const [only] = afterKind.size > 0 ? afterKind : named;
  return (afterKind.size || named.size) === 1 ? only : undefined;
}

export function revisionSpan(document: FlowDocument): Span {
  const entry = document.top("revision");
  return entry ? document.absolute(entry, entry.value?.span ?? entry.keySpan) : { start: 0, end: 0 };
}
