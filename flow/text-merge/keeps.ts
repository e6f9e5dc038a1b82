/** Whether a merged graph says everything that a side changed. */
import { sameElement, sameJson, sameOutputs } from "../equal";
import type { Graph } from "../graph";

type Element = Readonly<Record<string, unknown>>;

/** What a side removed may be there again, by the other side's change; what it wrote must be there. */
export function keepsChanges(base: Graph, side: Graph, result: Graph): boolean {
  const tops = (["persona", "entry"] as const).every((key) => side[key] === base[key] || side[key] === result[key]);
  const outputs = sameOutputs(side.outputs, base.outputs) || sameOutputs(side.outputs, result.outputs);
  const edges = () => [...result.edges.values()];
  return (
    tops &&
    outputs &&
    keepsElements(base.nodes, side.nodes, result.nodes) &&
    keepsElements(base.variables, side.variables, result.variables) &&
    // An edge without an id is named by its place, which a merge may change.
    keepsElements(base.edges, side.edges, result.edges, (id, edge) =>
      edges().some((other) => sameElement({ ...other, id }, edge)),
    )
  );
}

function keepsElements<T extends object>(
  base: ReadonlyMap<string, T>,
  side: ReadonlyMap<string, T>,
  result: ReadonlyMap<string, T>,
  isElsewhere: (id: string, element: T) => boolean = () => false,
): boolean {
  return [...side].every(([id, element]) => {
    const [before, after] = [base.get(id), result.get(id)] as [Element | undefined, Element | undefined];
    const wanted = element as Element;
    const isKept = after
      ? Object.keys(wanted).every((name) => same(wanted, before, name) || same(wanted, after, name))
      : before !== undefined && sameElement(before as T, element);
    return isKept || isElsewhere(id, element);
  });
}

function same(one: Element, other: Element | undefined, field: string): boolean {
  return sameJson(one[field] ?? null, other?.[field] ?? null);
}
