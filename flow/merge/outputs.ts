/** Merges component outputs by name: outputs added by both sides are all kept, ours first. */
import { sameElement, sameJson, sameOutputs } from "../graph/equal";
import type { GraphOutput } from "../graph/graph";

type Outputs = readonly GraphOutput[];

/** Undefined if both sides changed the same output, or if names aren't unique. */
export function mergeOutputs(base: Outputs, ours: Outputs, theirs: Outputs): Outputs | undefined {
  if (sameOutputs(ours, theirs) || sameOutputs(base, theirs)) return ours;
  if (sameOutputs(base, ours)) return theirs;
  const [b, o, t] = [base, ours, theirs].map(byName);
  if (!b || !o || !t) return undefined;
  const merged = new Map<string, GraphOutput>();
  for (const name of new Set([...o.keys(), ...t.keys()])) {
    const [was, mine, other] = [b.get(name), o.get(name), t.get(name)];
    const isMine = isSame(mine, other) || isSame(was, other);
    if (!isMine && !isSame(was, mine)) return undefined;
    const taken = isMine ? mine : other;
    if (taken) merged.set(name, taken);
  }
  const order = combined([...b.keys()], [...o.keys()], [...t.keys()]);
  return order?.map((name) => merged.get(name)).filter((output) => output !== undefined);
}

/** The order of the side that changed it, with the other side's additions after the same element as there. */
function combined(base: readonly string[], ours: readonly string[], theirs: readonly string[]): string[] | undefined {
  const inAll = (name: string) => [base, ours, theirs].every((list) => list.includes(name));
  const [was, mine, other] = [base, ours, theirs].map((list) => list.filter(inAll));
  const isTheirs = sameJson(was, mine) && !sameJson(was, other);
  if (!isTheirs && !sameJson(was, other) && !sameJson(mine, other)) return undefined;
  const [first, second] = isTheirs ? [theirs, ours] : [ours, theirs];
  const result = [...first];
  let place = 0;
  for (const name of second) {
    const known = result.indexOf(name);
    if (known >= 0) place = known + 1;
    else {
      // Our additions at the same place come first.
      while (first === ours && place < result.length && !second.includes(result[place] as string)) place++;
      result.splice(place++, 0, name);
    }
  }
  return result;
}

function byName(outputs: Outputs): Map<string, GraphOutput> | undefined {
  const found = new Map<string, GraphOutput>();
  for (const output of outputs) {
    const name: unknown = typeof output === "object" && output !== null ? output.name : undefined;
    if (typeof name !== "string" || found.has(name)) return undefined;
    found.set(name, output);
  }
  return found;
}

function isSame(a: GraphOutput | undefined, b: GraphOutput | undefined): boolean {
  return a && b ? sameElement(a, b) : a === b;
}
