/** Diagnostics of policy files: syntax errors, selectors without a match, and policies without effect. */

import { getOrCreate, nearest, type Span, unreadIn } from "../../flow";
import {
  demandKey,
  exampleFailure,
  isAbout,
  isExpired,
  type Policy,
  type PolicyException,
  type PolicyPart,
  type PolicyProblem,
  type Selector,
  selectedNodes,
  startsAndTargets,
} from "../../flow/policy";
import type { Program } from "../../flow/run";
import { type CompanionProblem, companionProblem } from "./companion-problem";
import { type PolicyContext, type PolicyFlow, scopeOf, today, unmatched } from "./policy-flows";

export function unreadablePolicies(problems: readonly PolicyProblem[]): CompanionProblem[] {
  return problems.map((problem) => companionProblem("bad-policy", "error", problem));
}

export function problemsOfPolicy(policy: Policy, { file, flows }: PolicyContext): CompanionProblem[] {
  const scope = scopeOf(policy, flows);
  const found =
    scope.length === 0
      ? [noFlows(policy, flows)]
      : [
          ...unmatched(policy, scope).map((part) => matchesNothing(part, scope)),
          ...withoutEffect(policy, file.policies),
        ];
  return [...found, ...problemsBeside(policy, scope)];
}

/** What is wrong with the exceptions and the examples of a policy. */
export function problemsBeside(policy: Policy, scope: readonly FlowNodes[]): CompanionProblem[] {
  return [
    ...policy.exceptions.flatMap((exception) => problemOfException(exception, policy, scope) ?? []),
    ...policy.examples.flatMap((example) => {
      const message = exampleFailure(policy, example);
      return message === undefined ? [] : [companionProblem("example-fails", "error", { message, span: example.span })];
    }),
  ];
}

type FlowNodes = Pick<PolicyFlow, "path"> & { readonly judged: Pick<PolicyFlow["judged"], "whole" | "isTooLarge"> };

function problemOfException(
  exception: PolicyException,
  { id, demand }: Policy,
  scope: readonly FlowNodes[],
): CompanionProblem | undefined {
  const { flow, node, until } = exception;
  if (isExpired(exception, today())) {
    const message = `This exception to "${id}" expired after ${until.text}. Remove it, or give it another day.`;
    return companionProblem("exception-expired", "warning", { message, span: until.span });
  }
  const idle = (message: string, span: Span, near?: string) =>
    companionProblem("exception-without-effect", "warning", { message, span, near });
  const flows = scope.filter(({ path }) => isAbout(exception, path));
  if (flow && flows.length === 0) {
    const near = nearest(
      flow.text,
      scope.map(({ path }) => path),
    );
    const advice = near === undefined ? "Paths are relative to this file." : `Did you mean "${near}"?`;
    return idle(`\`flow\` matches no flow of policy "${id}". ${advice}`, flow.span, near);
  }
  // The node may be in what can't be read, or isn't looked into.
  if (!node || flows.length === 0 || flows.some(({ judged }) => judged.isTooLarge || unreadIn(judged.whole.document)))
    return undefined;
  const known = flows.flatMap(({ judged }) => [...judged.whole.nodes.keys()]);
  if (!known.includes(node.text)) {
    const near = nearest(node.text, known);
    const where = flows.length === 1 ? `"${flows[0]?.path}"` : `${flows.length} flows`;
    const advice = near === undefined ? "" : ` Did you mean "${near}"?`;
    return idle(`Node "${node.text}" doesn't exist in ${where}.${advice}`, node.span, near);
  }
  // With `always`, any node may be where a run ends.
  const parts = demand.kind === "always" ? [] : startsAndTargets(demand);
  const isLookedAt = flows.some(({ judged }) =>
    parts.some(([, selector]) => selectedNodes(selector, judged.whole).some((each) => each.id === node.text)),
  );
  if (parts.length === 0 || isLookedAt) return undefined;
  const names = parts.map(([name]) => `\`${name}\``).join(" or ");
  return idle(`Node "${node.text}" isn't matched by ${names}, so the exception has no effect.`, node.span);
}

function noFlows({ flowsSpan, idSpan }: Policy, flows: readonly PolicyFlow[]): CompanionProblem {
  if (!flowsSpan) return unmatchedProblem("No flow uses this policy file yet.", idSpan);
  const example = flows[0] ? ` Example: "${flows[0].path}".` : "";
  const message = `\`flows\` matches no flow that uses this policy file. Patterns are relative to this file.${example}`;
  return unmatchedProblem(message, flowsSpan);
}

function matchesNothing({ name, span, selector }: PolicyPart, scope: readonly PolicyFlow[]): CompanionProblem {
  const where = scope.length === 1 ? `"${scope[0]?.path}"` : `${scope.length} flows`;
  if (!selector) {
    const message = `\`by\` matches no edge of the \`passes\` nodes in ${where}. Use an edge's ID, \`when\`, label or target.`;
    return unmatchedProblem(message, span);
  }
  const slip = slipOf(selector, scope);
  const several = selector.keys.size > 1 ? " No node matches every key." : "";
  const advice = slip ? ` Did you mean "${slip.near}"?` : several;
  const message = `\`${name}\` matches nothing in ${where}.${advice}`;
  return unmatchedProblem(message, slip?.span ?? span, slip?.near);
}

function unmatchedProblem(message: string, span: Span, near?: string): CompanionProblem {
  return companionProblem("matches-nothing", "warning", { message, span, near });
}

/** Finds a misspelled name in a selector. */
export function slipOf(
  { keys, places }: NonNullable<PolicyPart["selector"]>,
  scope: readonly { readonly program: Program; readonly judged: { readonly whole: Program } }[],
): { near: string; span: Span } | undefined {
  for (const [key, value] of keys) {
    const span = places.get(key);
    const known = new Set(scope.flatMap(({ program, judged }) => namesFor(key, program, judged.whole)));
    const near = span && !known.has(value) ? nearest(value, known) : undefined;
    if (near !== undefined && span) return { near, span };
  }
  return undefined;
}

function namesFor(key: string, { document }: Program, { nodes }: Program): string[] {
  if (key === "node") return [...nodes.keys()];
  if (key === "reads" || key === "sets") return document.variables.map(({ name }) => name);
  return key === "type" ? [...nodes.values()].flatMap(({ type }) => type ?? []) : [];
}

/** A policy that always holds, or that duplicates another one. */
function withoutEffect(policy: Policy, all: readonly Policy[]): CompanionProblem[] {
  const { demand, idSpan, id } = policy;
  const warn = (message: string) => [companionProblem("policy-without-effect", "warning", { message, span: idSpan })];
  const earlier = firstsOf(all).get(wholeKey(policy));
  if (earlier && earlier !== policy && earlier.id !== id) return warn(`Duplicate of policy "${earlier.id}".`);
  if (demand.kind === "passes" && demand.by === undefined && same(demand.to, demand.passes))
    return warn("`passes` and `every_path_to` match the same nodes, so this policy always holds.");
  if (demand.kind === "always" && same(demand.after, demand.always))
    return warn("`always` and `after` match the same nodes, so this policy always holds.");
  return [];
}

function same(a: Selector, b: Selector): boolean {
  const [own, other] = [a, b].map(({ isEntry, keys }) => JSON.stringify([isEntry, [...keys].sort()]));
  return own === other;
}

/** Policies with the same requirement for the same flows have the same key. */
function wholeKey({ demand, flows }: Policy): string {
  return `${demandKey(demand)} ${JSON.stringify(flows ?? null)}`;
}

/** The first policy of each key, cached: a long file has thousands of policies, and each one is looked up. */
function firstsOf(all: readonly Policy[]): ReadonlyMap<string, Policy> {
  return getOrCreate(firsts, all, () => new Map([...all].reverse().map((policy) => [wholeKey(policy), policy])));
}

const firsts = new WeakMap<readonly Policy[], ReadonlyMap<string, Policy>>();
