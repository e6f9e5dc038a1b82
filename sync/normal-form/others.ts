/**
 * Finds changes in the answer to a batch that the batch can't have made. A platform may change a graph without counting
 * a version (a restored backup, a counter that doesn't move), so an expected version doesn't exclude changes by others.
 * A difference outside the batch is a normal form only if it is equal in another form, or if the platform does the same
 * to an element of the batch, or did so before. Anything else is merged as another user's change.
 */
import { type ElementRef, edgesBySource, type Graph, type GraphEdge, sameElement } from "../../flow";
import type { Known } from "../journal/record";
import { contentOf, get, has, MEMBERS, same, topOf } from "./elements";
import { fieldsOf, isAdded, type Pair, type Pairs, partners, sameOrder, withoutFields } from "./normal-form";
import type { SentFields } from "./sent-fields";

export interface Others {
  /** Whether there is a change that the batch can't have made. */
  readonly hasOtherChanges: boolean;
  /** The pairs, and the missing elements, without those changes. */
  readonly pairs: Pairs;
  readonly missing: readonly ElementRef[];
}

/** `pairs` and `missing` are the differences between the expected graph and the platform's. */
export function withoutOthers(
  base: Known,
  seen: Graph,
  sent: SentFields,
  pairs: Pairs,
  missing: readonly ElementRef[],
): Others {
  const forms = formsOf([...pairs.flatMap((pair) => ofElementsSent(pair, sent)), ...(base.pairs ?? [])]);
  const orders = base.pairs?.some(({ of }) => of === "order") ?? false;
  const rest = pairs.flatMap((pair): Pair[] => {
    return withoutFields(pair, (field) => isOthers(pair, field, base, seen, sent, forms, orders));
  });
  const isSame = rest.length === pairs.length && rest.every((pair, index) => pair === pairs[index]);
  const ours = missing.filter((at) => sent.has(keyOf(at)));
  return { hasOtherChanges: !isSame || ours.length < missing.length, pairs: rest, missing: ours };
}

function isOthers(
  pair: Pair,
  field: string,
  base: Known,
  seen: Graph,
  sent: SentFields,
  forms: ReadonlySet<string>,
  sorts: boolean,
): boolean {
  const { of, id, wrote } = pair;
  const fields = sent.get(`${of} ${id}`);
  if (of === "order") {
    return !fields && !sorts && isReordered(edgesOf(base.graph, id), edgesOf(seen, id));
  }
  if (of === "top") return !fields && !isForm(topOf(base.graph, id), topOf(seen, id));
  const [before, now] = [base.graph[MEMBERS[of]].get(id), seen[MEMBERS[of]].get(id)];
  if (!wrote || !before || !now) return !fields && !before;
  if (same(get(before, field), get(now, field)) || isForm(get(before, field), get(now, field))) return false;
  if (fields) {
    const isSent = (name: string) => Object.hasOwn(fields, name);
    // A field that the platform adds to an element of the batch is a default, as long as the file has no such field.
    if (isSent(field) || partners(pair, field).some(isSent) || isAdded(pair, field)) return false;
  }
  return !forms.has(formKey(pair, field) ?? "");
}

function edgesOf(graph: Graph, id: string): readonly GraphEdge[] {
  return edgesBySource(graph).get(id) ?? [];
}

/** Whether the edges of a node are reordered, other than by ID. The order of equal edges is ignored. */
function isReordered(before: readonly GraphEdge[], now: readonly GraphEdge[]): boolean {
  const ids = now.map((edge) => edge.id);
  const isAlike = (edge: GraphEdge, index: number) => sameElement({ ...edge, id: "" }, { ...before[index], id: "" });
  return (
    !sameOrder(
      before.map((edge) => edge.id),
      ids,
    ) &&
    !(now.length === before.length && now.every(isAlike)) &&
    ids.some((id, index) => index > 0 && id < (ids[index - 1] as string))
  );
}

function isForm(before: unknown, now: unknown): boolean {
  return contentOf(before) === contentOf(now);
}

/** What the platform did to an element of the batch: to the fields that were sent, and by adding others. */
function ofElementsSent(pair: Pair, sent: SentFields): Pairs {
  const fields = sent.get(`${pair.of} ${pair.id}`);
  return fields ? withoutFields(pair, (field) => !isAdded(pair, field) && !Object.hasOwn(fields, field)) : [];
}

/** What the platform does to elements: the defaults it adds, and the fields it doesn't store. */
function formsOf(pairs: Pairs): ReadonlySet<string> {
  return new Set(
    pairs.flatMap((pair) =>
      pair.of === "order" || !pair.wrote ? [] : fieldsOf(pair).flatMap((field) => formKey(pair, field) ?? []),
    ),
  );
}

function formKey({ of, wrote = {}, stores }: Pair, field: string): string | undefined {
  if (!has(wrote, field)) return JSON.stringify([of, field, stores[field]]);
  return has(stores, field) ? undefined : JSON.stringify([of, field]);
}

function keyOf(at: ElementRef): string {
  if (at.kind === "variable") return `variable ${at.name}`;
  return at.kind === "node" || at.kind === "edge" ? `${at.kind} ${at.id}` : "";
}
