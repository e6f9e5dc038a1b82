/**
 * Tests of a policy, written beside it: paths on which it holds, and paths that break it. A path is judged by itself, so an
 * example needs no flow and stays true when flows change.
 */
import type { Demand, ExampleStep, Policy, PolicyExample } from "./policy-file";
import { type Matchable, matcherOf, type Selector } from "./selector";
import { selectorsOf } from "./verdict";
import { requiredWords } from "./words";

/** The actual result of an example that fails; undefined if it is as expected. */
export function exampleFailure(policy: Policy, { expects, steps }: PolicyExample): string | undefined {
  const at = breakingStep(policy.demand, steps);
  if (expects === "holds")
    return at === undefined
      ? undefined
      : `Policy "${policy.id}" doesn't hold on this path: step ${at + 1} breaks it. ${requiredWords(policy.demand)}`;
  if (at !== undefined) return undefined;
  const idle = startsAndTargets(policy.demand).flatMap(([name, selector]) =>
    matchesOf(selector, steps).includes(true) ? [] : [`\`${name}\``],
  );
  const why = idle.length > 0 ? ` None of its nodes is what ${idle.join(" or ")} asks for.` : "";
  return `This path doesn't break policy "${policy.id}".${why}`;
}

/** The parts that a path must meet before it can break a policy, by name. */
export function startsAndTargets(demand: Demand): readonly (readonly [name: string, selector: Selector])[] {
  return selectorsOf(demand).slice(0, demand.kind === "never" ? 2 : 1);
}

/** The index of the step at which a path breaks a policy. */
function breakingStep(demand: Demand, steps: readonly ExampleStep[]): number | undefined {
  const found = breakingIndex(demand, steps.length, (selector) => matchesOf(selector, steps), steps);
  return found < 0 ? undefined : found;
}

/** Whether a run that entered these nodes breaks a policy. The edges that it took aren't known, so `by` isn't checked. */
export function breaksOnPath(demand: Demand, nodes: readonly Matchable[]): boolean {
  if (demand.kind === "passes" && demand.by !== undefined) return false;
  return breakingIndex(demand, nodes.length, (selector) => matchesIn(selector, nodes)) >= 0;
}

function breakingIndex(
  demand: Demand,
  length: number,
  of: (selector: Selector) => readonly boolean[],
  steps: readonly Pick<ExampleStep, "by">[] = [],
): number {
  switch (demand.kind) {
    case "passes": {
      const [to, passes] = [of(demand.to), of(demand.passes)];
      const { by } = demand;
      // With `by`, a node counts once it was left by that edge.
      const isPassedBefore = (end: number) =>
        by === undefined
          ? passes.slice(0, end + 1).includes(true)
          : passes.slice(0, end).some((isPassed, at) => isPassed && steps[at]?.by === by);
      return to.findIndex((isTo, at) => isTo && !isPassedBefore(at));
    }
    case "never": {
      const [from, to] = [of(demand.from), of(demand.to)];
      const without = demand.without ? of(demand.without) : [];
      return to.findIndex(
        (isTo, at) =>
          isTo && from.slice(0, at).some((isFrom, start) => isFrom && !without.slice(start + 1, at).includes(true)),
      );
    }
    case "always": {
      const [after, always] = [of(demand.after), of(demand.always)];
      const isBroken = after.some((isAfter, at) => isAfter && !always.includes(true, at));
      return isBroken ? length - 1 : -1;
    }
    case "at-most": {
      const [from, to] = [of(demand.from), of(demand.to)];
      return from.findIndex((isFrom, at) => isFrom && !to.slice(at, at + demand.most + 1).includes(true));
    }
  }
}

function matchesOf(selector: Selector, steps: readonly ExampleStep[]): boolean[] {
  return matchesIn(
    selector,
    steps.map(({ keys }) => nodeLike(keys)),
  );
}

function matchesIn(selector: Selector, nodes: readonly Matchable[]): boolean[] {
  return selector.isEntry ? nodes.map((_, index) => index === 0) : nodes.map(matcherOf(selector));
}

/** A node that is what a step says, and nothing else. */
function nodeLike(keys: ExampleStep["keys"]): Matchable {
  const [reads, sets] = [keys.get("reads"), keys.get("sets")];
  return {
    id: keys.get("node") ?? "",
    type: keys.get("type") ?? (keys.has("tool") ? "tool" : undefined),
    calls: keys.get("tool"),
    reads: reads === undefined ? [] : [{ variable: reads }],
    sets: sets === undefined ? [] : [sets],
    block: { name: keys.get("name") },
  };
}
