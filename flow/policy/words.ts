/** Verdicts in words. */
import type { Demand, Policy } from "./policy-file";
import type { Verdict } from "./verdict";

/** A verdict as a sentence. A proof says of which components nothing is known. */
export function verdictWords(
  { demand }: Pick<Policy, "demand">,
  verdict: Verdict["verdict"],
  unseen: readonly string[] = [],
): string {
  if (verdict === "broken") return brokenWords(demand);
  const proved = verdict === "proved-by-shape" ? "Proved by shape." : "Proved given the conditions.";
  if (unseen.length === 0) return proved;
  const shown = unseen.length > 2 ? `${unseen.length} components` : unseen.map((id) => `"${id}"`).join(" and ");
  return `${proved} What happens inside ${shown} isn't looked at.`;
}

function brokenWords(demand: Demand): string {
  switch (demand.kind) {
    case "passes":
      return "A path gets there without passing what it must.";
    case "never":
      return demand.without ? "A path gets there without what must be between." : "A path gets there.";
    case "always":
      return "A run can end without it.";
    case "at-most":
      return `No way has at most ${demand.most} ${demand.most === 1 ? "step" : "steps"}.`;
  }
}
