/**
 * Keys that are valid YAML, but in the wrong place: a field at the level of its node, a node at the level of a field, a
 * section inside another one. Without this check, everything after such a line would be reported instead.
 */
import { isKnownField, nodeType, topFields, variableFields } from "../fields";
import { briefly, type TextEdit } from "../text";
import { keyText, pairOf, textOf } from "../values";
import type { Section } from "./blocks";
import type { ReadProblem } from "./problem";
import type { Item } from "./yaml";

export interface SectionItem extends Item {
  readonly section: Section;
}

const topNames = new Set(topFields.map(({ name }) => name));
const variableNames = new Set(variableFields.map(({ name }) => name));

/** Quick check: nearly no block needs a closer look. */
export function mayBeMisplaced({ section, key, value }: SectionItem): boolean {
  if (section === "top") return value?.kind === "map" && !topNames.has(String(key.value));
  return value === undefined || value.kind !== "map" || topNames.has(String(key.value));
}

/** Fields, nodes, variables, and sections with the wrong indentation. */
export function misplaced(text: string, items: readonly SectionItem[]): ReadProblem[] {
  const problems = items.flatMap((item, index) => {
    if (item.section === "top") return outside(text, item);
    return isInside(item) ? [inside(text, item)] : shallow(text, item, items[index - 1]);
  });
  // If all fields of a block are at its own level, the block is the one that moved.
  const [first] = items;
  if (problems.length > 1 && first && first.value === undefined && first.section !== "top") {
    const column = columnOf(text, first.at);
    return [report(text, first, column - 2, `\`${briefly(String(first.key.value))}\` is indented like its fields.`)];
  }
  return problems;
}

/** Blocks indented like the fields of the block above them, which then has its fields twice. */
export function tooDeep(text: string, items: readonly SectionItem[]): ReadProblem[] {
  return items.flatMap(({ section, key, value, at }): ReadProblem[] => {
    if (section === "top" || value?.kind !== "map" || value.flow) return [];
    const names = value.pairs.map(keyText);
    return value.pairs.flatMap((pair, index): ReadProblem[] => {
      const name = names[index] as string;
      if (pair.value !== undefined || isFieldOf(section, name)) return [];
      if (!names.slice(0, index).includes("type") || !names.slice(index).includes("type")) return [];
      const message = `\`${briefly(name, 30)}\` is indented like a field of "${briefly(String(key.value), 30)}", so what follows is read as part of that.`;
      return [report(text, { at: at + pair.key.span.start, key: pair.key }, columnOf(text, at), message)];
    });
  });
}

/** A line indented less than the blocks around it. */
export function misaligned(text: string, expected: number): ReadProblem {
  const at = Math.max(0, text.search(/\S/));
  const column = columnOf(text, at);
  const end = at + (/^[^\r\n]*/.exec(text.slice(at))?.[0].trimEnd().length ?? 0);
  const message =
    expected < 0
      ? "This key isn't indented, but the keys above are. Align them."
      : `This key is indented by ${column}, but the keys above by ${expected}. Align them.`;
  const edits = [{ start: at - column, end: at, text: " ".repeat(Math.max(0, expected)) }];
  // Its fields stay in place, so they must be indented more than the key.
  const next = /\n( *)[^\s#]/.exec(text.slice(at));
  const canMove = expected >= 0 && (!next || (next[1] as string).length > expected);
  return {
    code: "yaml-syntax",
    message,
    span: { start: at, end },
    ...(canMove && { data: { title: "Fix indentation", edits } }),
  };
}

function isInside({ key, value }: SectionItem): boolean {
  const name = String(key.value);
  return name === "nodes" || name === "context_variables"
    ? value === undefined
    : name === "component_outputs" && value?.kind === "list";
}

function inside(text: string, item: SectionItem): ReadProblem {
  const what = item.section === "nodes" ? "a node" : "a variable";
  return report(text, item, 0, `\`${briefly(String(item.key.value))}\` is indented, so it's read as ${what}.`);
}

function shallow(text: string, item: SectionItem, owner: SectionItem | undefined): ReadProblem[] {
  if (!owner || owner.section !== item.section || item.value?.kind === "map") return [];
  if (!isFieldOf(item.section, String(item.key.value))) return [];
  const first = owner.value?.kind === "map" && !owner.value.flow ? owner.value.pairs[0] : undefined;
  const depth = first ? columnOf(text, owner.at + first.key.span.start) : columnOf(text, item.at) * 2;
  const message = `\`${briefly(String(item.key.value), 30)}\` is indented like "${briefly(String(owner.key.value), 30)}", so it isn't read as a field of it.`;
  return [report(text, item, depth, message)];
}

/** A node or a variable without indentation. */
function outside(text: string, item: SectionItem): ReadProblem[] {
  const { key, value, at } = item;
  const name = String(key.value);
  if (value?.kind !== "map" || value.flow || topNames.has(name) || /^(?:[xX][-_]|[._<])/.test(name)) return [];
  if (columnOf(text, at) !== 0 || /(?:^|[\s,[{])&[^\s,[\]{}]/.test(text)) return [];
  const type = textOf(pairOf(value, "type")?.value);
  const isNode = nodeType(type) !== undefined;
  const isVariable = !isNode && type !== undefined && value.pairs.every((pair) => variableNames.has(keyText(pair)));
  if (!isVariable && !isNode) return [];
  const first = value.pairs[0];
  if (!first || columnOf(text, at + first.key.span.start) <= 2) return [];
  const what = isVariable ? "a variable" : "a node";
  return [report(text, item, 2, `\`${briefly(name)}\` isn't indented, so it isn't read as ${what}.`)];
}

function isFieldOf(section: Section, name: string): boolean {
  return section === "nodes" ? isKnownField(name) : variableNames.has(name);
}

function columnOf(text: string, at: number): number {
  return at - 1 - text.lastIndexOf("\n", at - 1);
}

function report(text: string, { at, key }: Pick<Item, "at" | "key">, depth: number, fact: string): ReadProblem {
  const edits: TextEdit[] = [{ start: at - columnOf(text, at), end: at, text: " ".repeat(Math.max(0, depth)) }];
  const advice = depth === 0 ? "Remove the indentation." : `Indent it by ${depth}.`;
  return {
    code: "yaml-syntax",
    message: `${fact} ${advice}`,
    span: { start: at, end: at + (key.span.end - key.span.start) },
    data: { title: "Fix indentation", edits },
  };
}
