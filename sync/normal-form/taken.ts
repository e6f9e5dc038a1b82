/**
 * Decides by evidence what the platform applied of a batch. A stored value that differs from the written one is a
 * normal form only if it can result from it. A value that was A, was written as B and is still A wasn't applied,
 * whatever the answer says: the pair that would hide the difference is never learned, and the change remains to be
 * sent.
 */
import { changedFields, type ElementRef, edgesBySource, type Graph } from "../../flow";
import type { Known } from "../journal/record";
import { get, has, MEMBERS, refTo, same, TOP, topOf } from "./elements";
import {
  carry,
  fieldsOf,
  inBoth,
  isAdded,
  type Pair,
  type Pairs,
  partners,
  sameOrder,
  withoutFields,
} from "./normal-form";
import { detailsOf } from "./sent-fields";

export interface Taken {
  /** The pairs with evidence; a change that wasn't applied reads as before the batch. */
  readonly pairs: Pairs;
  /** Changes of the batch that had no effect on the platform. */
  readonly notTaken: readonly ElementRef[];
  /** Something of the batch is in the graph that wasn't there before. */
  readonly hasArrived: boolean;
}

interface Batch {
  /** The base before the batch. */
  readonly base: Known;
  /** The same graph as the file wrote it. */
  readonly was: Graph;
  /** The expected graph after the batch, as the file writes it. */
  readonly meant: Graph;
  readonly seen: Graph;
  /** The differences between the two. */
  readonly pairs: Pairs;
  /** Elements of `meant` that aren't in `seen`. */
  readonly missing: readonly ElementRef[];
  /** There is a version that may come from the batch. Without one there is no evidence of a new normal form. */
  readonly hasMoved: boolean;
  /** The platform's graph didn't change. */
  readonly isUnmoved: boolean;
  /** Whether a value of the batch is in the graph, under any name. */
  readonly isShown: () => boolean;
  /** Pairs that an earlier answer had. */
  readonly doubts: Pairs;
  /** The file never agreed with the base, so what it lacks of the base wasn't removed by an edit. */
  readonly isFirstPush: boolean;
}

/** A change of a batch: of a field, of a whole element (field ""), or of the order of edges. */
interface Change {
  readonly of: Pair["of"];
  readonly id: string;
  readonly field: string;
  readonly at: ElementRef;
  /**
   * `changed`: neither as before nor as written. `form`: as before, and possibly the normal form of the written value.
   * `absent`: as before, the field doesn't exist.
   */
  readonly result: "arrived" | "changed" | "form" | "ignored" | "absent";
  /** An added element that only has an ID: others may have added the same. */
  readonly isBare?: boolean;
}

export function taken(batch: Batch): Taken {
  const { base, seen, pairs, missing } = batch;
  const first = changesOf(batch);
  // If someone else has added an element of the batch, the bare ones may be theirs as well.
  const isOthers = first.some(({ field, result }) => field === "" && result === "changed");
  const isProof = ({ result, isBare }: Change) => result === "arrived" && !(isBare && isOthers);
  const hasArrived = first.some(isProof) || (!isOthers && batch.isShown());
  // If something else is new and nothing of the batch is, the version comes from another change.
  const hasMoved = batch.hasMoved && (batch.isUnmoved || hasArrived);
  const changes = hasMoved === batch.hasMoved ? first : changesOf({ ...batch, hasMoved });
  const isIgnored = changes.some(({ result }) => result === "ignored");
  // A field that is still absent although the rest of the batch was stored is one that the platform doesn't store.
  const isDropped = hasMoved && !isIgnored;
  const open = changes.filter(({ result }) => result === "ignored" || (result === "absent" && !isDropped));
  if (open.length === 0) return { pairs, notTaken: [], hasArrived };
  const keys = new Set(open.map(keyOf));
  const isOpen = (pair: Pair) => (field: string) => keys.has(keyOf({ ...pair, field }));
  const proved = pairs.flatMap((pair) => withoutFields(pair, isOpen(pair)));
  const before = (base.pairs ?? []).flatMap((pair) => withoutFields(pair, (field) => !isOpen(pair)(field)));
  const isMissing = (at: ElementRef) => missing.some((other) => JSON.stringify(other) === JSON.stringify(at));
  const notTaken = open.map(({ at }) => at).filter((at) => !hasMoved || !isMissing(at));
  return { pairs: carry(seen, proved, before), notTaken, hasArrived };
}

function keyOf({ of, id, field }: Pick<Change, "of" | "id" | "field">): string {
  return JSON.stringify([of, id, of === "order" ? "" : field]);
}

function changesOf(batch: Batch): Change[] {
  const { base, was, meant, seen, pairs, doubts } = batch;
  const changes: Change[] = [];
  const byElement = new Map<string, Pair>();
  for (const pair of pairs) byElement.set(`${pair.of} ${pair.id}`, pair);
  const confirmed = new Set(
    batch.hasMoved
      ? inBoth(pairs, doubts).flatMap((pair) => fieldsOf(pair).map((field) => keyOf({ ...pair, field })))
      : [],
  );
  const known = knownForms(base.pairs ?? [], [], was);
  const forms = knownForms(base.pairs ?? [], pairs, was);
  const isDefault = (of: Pair["of"], name: string, value: unknown) =>
    (batch.isFirstPush && batch.hasMoved && of !== "top") || forms.defaults.has(formKey(of, name, value));
  /** Whether an added element is the one of the batch: something of it is there, and nothing else instead. */
  const isOurs = (of: keyof typeof MEMBERS, id: string, element: object, is: object): boolean => {
    const details = detailsOf(of, element);
    const pair = byElement.get(`${of} ${id}`);
    const isThere = (name: string) => {
      if (has(is, name)) return isMadeOf(get(element, name), null, get(is, name));
      return known.dropped.has(formKey(of, name)) || (pair !== undefined && partners(pair, name).length > 0);
    };
    const isOther = (name: string) => name !== "source_span" && has(element, name) && has(is, name) && !isThere(name);
    return (details.length === 0 || details.some(isThere)) && !Object.keys(element).some(isOther);
  };
  const field = (
    of: Pair["of"],
    id: string,
    name: string,
    at: ElementRef,
    before: unknown,
    wrote: unknown,
    now: unknown,
  ) => {
    const pair = byElement.get(`${of} ${id}`);
    const result = (): Change["result"] => {
      if (same(wrote, now)) return "arrived";
      // Another user may have set the same field: a different value is evidence only if it can result from the written
      // one.
      if (!same(before, now)) {
        if (isNothing(wrote)) return forms.defaults.has(formKey(of, name, now)) ? "arrived" : "changed";
        if (isNothing(now)) return forms.dropped.has(formKey(of, name)) ? "arrived" : "changed";
        return isMadeOf(wrote, before, now) ? "arrived" : "changed";
      }
      // It is stored under another name, from this batch or before.
      if (confirmed.has(keyOf({ of, id, field: name })) || (pair && partners(pair, name).length > 0)) return "form";
      if (isNothing(now)) return forms.dropped.has(formKey(of, name)) ? "form" : "absent";
      if (isNothing(wrote)) return isDefault(of, name, now) ? "form" : "ignored";
      return canComeFrom(wrote, now, batch.hasMoved) ? "form" : "ignored";
    };
    changes.push({ of, id, field: name, at, result: result() });
  };
  for (const key of TOP) {
    const [before, wrote] = [topOf(was, key), topOf(meant, key)];
    if (!same(before, wrote))
      field("top", key, "value", { kind: "top", key }, topOf(base.graph, key), wrote, topOf(seen, key));
  }
  for (const of of ["node", "edge", "variable"] as const) {
    const [before, wanted, now] = [was[MEMBERS[of]], meant[MEMBERS[of]], seen[MEMBERS[of]]];
    if ((before as unknown) === wanted) continue;
    for (const [id, element] of wanted) {
      const [old, is] = [before.get(id), now.get(id)];
      if (old === element) continue;
      const at = refTo(of, id, element);
      if (!old || !is) {
        const isBare = detailsOf(of, element).length === 0;
        const result = !is ? "ignored" : isOurs(of, id, element, is) ? "arrived" : "changed";
        if (!old || changedFields(old, element).length > 0) changes.push({ of, id, field: "", at, result, isBare });
        continue;
      }
      const stored = base.graph[MEMBERS[of]].get(id) ?? {};
      for (const name of changedFields(old, element))
        field(of, id, name, { ...at, field: name } as ElementRef, get(stored, name), get(element, name), get(is, name));
    }
    for (const [id, element] of before) {
      if (wanted.has(id)) continue;
      const isForm = confirmed.has(keyOf({ of, id, field: "" }));
      const result = !now.has(id) ? "arrived" : isForm ? "form" : "ignored";
      changes.push({ of, id, field: "", at: refTo(of, id, element), result });
    }
  }
  for (const each of orderChanges(batch, forms.sorts)) changes.push(each);
  return changes;
}

function orderChanges({ base, was, meant, seen, hasMoved }: Batch, sorts: boolean): Change[] {
  if (was.edges === meant.edges) return [];
  const [before, stored, now] = [was, base.graph, seen].map(edgesBySource) as [Lists, Lists, Lists];
  const changes: Change[] = [];
  for (const [id, list] of edgesBySource(meant)) {
    const idsIn = (lists: Lists) => (lists.get(id) ?? []).map((edge) => edge.id);
    const wanted = list.map((edge) => edge.id);
    if (sameOrder(idsIn(before), wanted)) continue;
    const hasArrived = sameOrder(wanted, idsIn(now)) || !sameOrder(idsIn(stored), idsIn(now));
    const isForm = sorts || (hasMoved && isSorted(now));
    const at: ElementRef = { kind: "node", id, field: "edges" };
    changes.push({ of: "order", id, field: "", at, result: hasArrived ? "arrived" : isForm ? "form" : "ignored" });
  }
  return changes;
}

type Lists = ReturnType<typeof edgesBySource>;

/** Whether all edges of each node are sorted by ID or by target, so the platform may sort them. */
function isSorted(lists: Lists): boolean {
  const isBy = (key: "id" | "target") =>
    [...lists.values()].every((edges) =>
      edges.every((edge, index) => index === 0 || (edges[index - 1]?.[key] ?? "") <= edge[key]),
    );
  return isBy("id") || isBy("target");
}

/** What the platform is known to do with other elements: fields it doesn't store, defaults it adds, lists it sorts. */
function knownForms(known: Pairs, fresh: Pairs, was: Graph) {
  const dropped = new Set<string>();
  const defaults = new Set<string>();
  const isNew = ({ of, id }: Pair) => of !== "top" && of !== "order" && !was[MEMBERS[of]].has(id);
  for (const pair of [...known, ...fresh.filter(isNew)]) {
    const { of, wrote, stores } = pair;
    if (of === "order" || !wrote) continue;
    for (const field of fieldsOf(pair)) {
      if (isAdded(pair, field)) defaults.add(formKey(of, field, stores[field]));
      else if (has(wrote, field) && !has(stores, field) && partners(pair, field).length === 0)
        dropped.add(formKey(of, field));
    }
  }
  return { dropped, defaults, sorts: known.some(({ of }) => of === "order") };
}

function formKey(of: Pair["of"], field: string, value?: unknown): string {
  return JSON.stringify([of, field, value ?? null]);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

/**
 * Whether a value stored before the batch can be the normal form of the written one: of another type, trimmed, or in
 * another Unicode form. If the platform made a version, also with collapsed whitespace, changed case, or sorted.
 */
function canComeFrom(wrote: unknown, stored: unknown, hasMoved: boolean): boolean {
  const [from, to] = [textsIn(wrote), textsIn(stored)];
  if (same(from, to)) return true;
  if (!hasMoved) return false;
  const collapsed = from.map((text) => text.replace(/\s+/g, " "));
  const lower = collapsed.map((text) => text.toLowerCase());
  const upper = collapsed.map((text) => text.toUpperCase());
  return [from, collapsed, lower, upper].some((list) => same(list, to) || same([...list].sort(), to));
}

/**
 * Whether a new value can be the normal form of the written one: equal in another form, truncated, extended, or of
 * another type if there was no value before.
 */
function isMadeOf(wrote: unknown, before: unknown, stored: unknown): boolean {
  if (canComeFrom(wrote, stored, true)) return true;
  if (isNothing(before) && typeof stored !== typeof wrote) return true;
  const [from, to] = [textsIn(wrote).join("\n"), textsIn(stored).join("\n")];
  return from !== "" && to !== "" && (from.includes(to) || to.includes(from));
}

function textsIn(value: unknown): string[] {
  if (isNothing(value)) return [];
  if (typeof value !== "object") return [String(value).trim().replace(/\r\n?/g, "\n").normalize()];
  return Object.values(value as object).flatMap(textsIn);
}
