/** Formats verdicts as sentences. */
import type { Unseen } from "./inlined";
import type { Demand, Policy } from "./policy-file";
import type { BreakingPath } from "./search";
import type { Selector, SelectorKey } from "./selector";
import type { Verdict } from "./verdict";

/** The part of a verdict that its sentence depends on. */
export interface Judged {
  readonly verdict: Verdict["verdict"];
  readonly path: readonly string[];
  readonly way?: BreakingPath["way"];
}

/**
 * A verdict as a sentence: what's required, and what's missing. It lists the components that weren't inlined and why:
 * all of them for a proof, and those on the path for a broken policy.
 */
export function verdictWords(
  { demand }: Pick<Policy, "demand">,
  found: Judged,
  unseen: readonly Unseen[] = [],
): string {
  const { verdict, path } = found;
  if (verdict === "not-checked") return "Not checked: too large.";
  const about = unseenWords(unseenFor(verdict, unseen, path));
  if (verdict === "broken") return brokenWords(demand, found) + about;
  const excepted = demand.except?.map((id) => ` "${id}" is excepted.`).join("") ?? "";
  return (verdict === "proved-by-shape" ? "Proved by shape." : "Proved given the conditions.") + excepted + about;
}

/** The components that a verdict depends on without being inlined. */
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

/** At most this many names are listed. */
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

function brokenWords(demand: Demand, { path, way }: Judged): string {
  const last = path.at(-1) ?? "";
  switch (demand.kind) {
    case "passes": {
      const by = demand.by === undefined ? "" : ` and leave it by "${demand.by}"`;
      return `Every path to ${nodesFor(demand.to)} must pass ${nodesFor(demand.passes)}${by}. One gets to "${last}" without.`;
    }
    case "never": {
      const between = demand.without ? ` without ${nodesFor(demand.without)} between` : "";
      return `No path may lead from ${nodesFor(demand.from)} to ${nodesFor(demand.to)}${between}. One gets to "${last}".`;
    }
    case "always":
      return `After ${nodesFor(demand.after)} there must always be ${nodesFor(demand.always)}. A run can end at "${last}" without.`;
    case "at-most": {
      const to = nodesFor(demand.to);
      const required = `From ${nodesFor(demand.from)} the way to ${to} may have at most ${steps(demand.most)}.`;
      if (!way || way.from === "") return `${required} There is none.`;
      if (way.steps !== undefined) return `${required} The shortest one from "${way.from}" has ${way.steps}.`;
      return `${required} There is none from "${way.from}"${way.isThere ? "" : `, because the flow doesn't have ${to}`}.`;
    }
  }
}

function steps(count: number): string {
  return `${count} ${count === 1 ? "step" : "steps"}`;
}

/** Which nodes a selector is about, in words. */
function nodesFor({ isEntry, keys }: Selector): string {
  if (isEntry) return "the entry";
  const id = keys.get("node");
  const rest = [...keys].flatMap(([key, value]) => (key === "node" ? [] : says[key](value)));
  const what = id === undefined ? "a node" : `"${id}"`;
  return rest.length === 0 ? what : `${what} ${rest.join(" and ")}`;
}

const says: Record<SelectorKey, (value: string) => string> = {
  node: (value) => `"${value}"`,
  type: (value) => `of type ${value}`,
  tool: (value) => `that calls the tool ${value}`,
  reads: (value) => `that reads "${value}"`,
  sets: (value) => `that sets "${value}"`,
  name: (value) => `named "${value}"`,
};
