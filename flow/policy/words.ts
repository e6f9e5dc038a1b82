/** Verdicts in words. */
import type { Unseen } from "./inlined";
import type { Demand, Policy } from "./policy-file";
import type { Verdict } from "./verdict";

/**
 * A verdict as a sentence. It says which components aren't looked into and why: all of them where it is a proof, and those on
 * the path that breaks it.
 */
export function verdictWords(
  { demand }: Pick<Policy, "demand">,
  verdict: Verdict["verdict"],
  unseen: readonly Unseen[] = [],
  path: readonly string[] = [],
): string {
  const about = unseenWords(unseenFor(verdict, unseen, path));
  if (verdict === "broken") return brokenWords(demand) + about;
  return (verdict === "proved-by-shape" ? "Proved by shape." : "Proved given the conditions.") + about;
}

/** The components that a verdict depends on without their being looked into. */
export function unseenFor(
  verdict: Verdict["verdict"],
  unseen: readonly Unseen[],
  path: readonly string[],
): readonly Unseen[] {
  return verdict === "broken" ? unseen.filter(({ id }) => path.includes(id)) : unseen;
}

const reasons: Record<Unseen["why"], readonly [one: string, more: string]> = {
  unnamed: ["it names no component", "they name no component"],
  // A file that can't be opened may have it.
  missing: ["no flow that can be opened here has its ID", "no flows that can be opened here have their IDs"],
  unread: ["its flow can't be read in full", "their flows can't be read in full"],
  "no-entry": ["its flow has no entry", "their flows have no entry"],
  recursive: ["it's a component of itself", "they're components of themselves"],
  large: ["the flow would be too large with it", "the flow would be too large with them"],
};

/** Names are said as long as there are few. */
const MAX_NAMED = 2;

function unseenWords(unseen: readonly Unseen[]): string {
  const sentences = Object.entries(reasons).flatMap(([why, [one, more]]) => {
    const names = unseen.filter((each) => each.why === why).map(({ id }) => `"${id}"`);
    if (names.length === 0) return [];
    const shown = names.length > MAX_NAMED ? `${names.length} components` : names.join(" and ");
    return names.length === 1 ? ` ${shown} isn't looked into: ${one}.` : ` ${shown} aren't looked into: ${more}.`;
  });
  if (sentences.length === 0) return "";
  const [it, counts] = unseen.length === 1 ? ["It", "counts"] : ["They", "count"];
  return `${sentences.join("")} ${it} ${counts} as able to do anything that isn't excluded.`;
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
