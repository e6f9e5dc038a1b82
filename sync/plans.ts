/** Plans from what the platform has to what the file says, the last one of each target remembered. */
import { type Graph, type Plan, plan } from "../flow";
import type { Target } from "./host";

/** The last plan for each target: what waited for consent is sent then, and graphs never change in place. */
const last = new WeakMap<Target, { readonly from: Graph; readonly made: Plan }>();

export function planFrom(from: Graph, target: Target): Plan {
  const known = last.get(target);
  if (known?.from === from) return known.made;
  const made = target.planFrom?.(from) ?? plan(from, target.graph);
  last.set(target, { from, made });
  return made;
}
