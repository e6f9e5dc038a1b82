/** Minimal edits that change a written value. */
import { sameJson } from "../graph/graph";
import { isRecord } from "../json";
import { commonItems } from "../sequences";
import type { TextEdit } from "../text";
import { type ListValue, toData, type Value } from "../values";
import { arrangeList, blockItems, changeMap, type ItemPlan, isAlias } from "./containers";
import { columnOf } from "./lines";
import { replaceValue, type Slot } from "./slot";
import type { Style } from "./style";

export function changeValue(
  text: string,
  slot: Slot,
  value: Value | undefined,
  data: unknown,
  style: Style,
): TextEdit[] {
  if (sameJson(toData(value), data)) return [];
  return changeInside(text, value, data, style) ?? replaceValue(text, slot, value, data, style);
}

function changeInside(text: string, value: Value | undefined, data: unknown, style: Style): TextEdit[] | undefined {
  if (value === undefined || isAlias(text, value)) return undefined;
  if (value.kind === "map" && isRecord(data)) {
    const targets = Object.entries(data).map(([key, wanted]) => ({
      key,
      data: wanted,
      change: (pair: { readonly value: Value | undefined }, slot: Slot) =>
        changeValue(text, slot, pair.value, wanted, style),
    }));
    return changeMap(text, value, targets, () => false, style);
  }
  if (value.kind === "list" && Array.isArray(data))
    return arrangeList(text, value, planItems(text, value, data, style), style);
  return undefined;
}

/** Longer lists are only compared at their ends. */
const MAX_PAIRS = 250_000;

/** Equal items stay; between them, old items become new ones in place, and the rest is added or removed. */
function planItems(text: string, list: ListValue, data: readonly unknown[], style: Style): ItemPlan[] {
  const old = list.items.map(toData);
  const plan: ItemPlan[] = [];
  let from = 0;
  let next = 0;
  for (const [at, index] of [...commonItems(old, data, sameJson, MAX_PAIRS), [old.length, data.length] as const]) {
    for (; next < index; next++, from++)
      plan.push(
        from < at ? { keep: from, edits: changeItem(text, list, from, data[next], style) } : { data: data[next] },
      );
    if (at < old.length) plan.push({ keep: at, edits: [] });
    from = at + 1;
    next = index + 1;
  }
  return plan;
}

/** Edits that change an item of a list. */
function changeItem(text: string, list: ListValue, index: number, data: unknown, style: Style): TextEdit[] {
  const item = list.items[index] as Value;
  const start = list.flow ? item.span.start : blockItems(text, list)?.[index]?.start;
  const from = start === undefined ? item.span.start : list.flow ? start : start + 1;
  return changeValue(text, { from, column: columnOf(text, list.span.start), flow: list.flow }, item, data, style);
}
