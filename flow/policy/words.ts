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
  if (verdict === "broken") return `${requiredWords(demand)} ${missingWords(demand, found)}${about}`;
  const excepted = demand.except?.map((id) => ` "${id}" is excepted.`).join("") ?? "";
  const holds =
    verdict === "proved-by-shape"
      ? "Holds on every path, whatever the conditions."
      : "Holds on every path that the conditions allow.";
  return holds + excepted + about;
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
  unnamed: ["it doesn't name a component", "they don't name a component"],
  // A file that can't be opened may have it.
  missing: ["no readable flow has its ID", "no readable flows have their IDs"],
  unread: ["its flow has syntax errors", "their flows have syntax errors"],
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
    return names.length === 1 ? ` ${shown} isn't analyzed: ${one}.` : ` ${shown} aren't analyzed: ${more}.`;
  });
  if (sentences.length === 0) return "";
  const assumed = unseen.length === 1 ? "It is assumed to do anything." : "They are assumed to do anything.";
  return `${sentences.join("")} ${assumed}`;
}

/** What a policy requires, as a sentence. */
export function requiredWords(demand: Demand): string {
  switch (demand.kind) {
    case "passes": {
      const by = demand.by === undefined ? "" : ` and leave it by "${demand.by}"`;
      return `Every path to ${nodesFor(demand.to)} must pass ${nodesFor(demand.passes)}${by}.`;
    }
    case "never": {
      const between = demand.without ? ` without passing ${nodesFor(demand.without)}` : "";
      return `No path may lead from ${nodesFor(demand.from)} to ${nodesFor(demand.to)}${between}.`;
    }
    case "always":
      return `After ${nodesFor(demand.after)}, every run must pass ${nodesFor(demand.always)}.`;
    case "at-most":
      return `The path from ${nodesFor(demand.from)} to ${nodesFor(demand.to)} may take at most ${steps(demand.most)}.`;
  }
}

function missingWords(demand: Demand, { path, way }: Judged): string {
  const last = path.at(-1) ?? "";
  switch (demand.kind) {
    case "passes":
      return `A path reaches "${last}" without passing it.`;
    case "never":
      return `A path reaches "${last}".`;
    case "always":
      return `A run can end at "${last}" without passing it.`;
    case "at-most": {
      if (!way || way.from === "") return "No path leads there.";
      if (way.steps !== undefined)
        return `Every path from "${way.from}" takes more than ${steps(demand.most)}; the shortest takes ${way.steps}.`;
      const because = way.isThere ? "" : `, because the flow doesn't have ${nodesFor(demand.to)}`;
      return `No path leads there from "${way.from}"${because}.`;
    }
  }
}

function steps(count: number): string {
  return `${count} ${count === 1 ? "step" : "steps"}`;
}

/** Describes the nodes that a selector matches. */
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
