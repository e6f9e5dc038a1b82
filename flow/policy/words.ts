/** Verdicts in words. */
import type { Demand, Policy } from "./policy-file";
import type { Verdict } from "./verdict";

/** A verdict as a sentence. */
export function verdictWords({ demand }: Pick<Policy, "demand">, verdict: Verdict["verdict"]): string {
  if (verdict === "proved-by-shape") return "Proved by shape.";
  return verdict === "proved-given-conditions" ? "Proved given the conditions." : brokenWords(demand);
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
