/** What is wrong in a policy file: what can't be read, what matches nothing, and what has no effect. */

import {
  demandKey,
  type Fix,
  nearest,
  type Policy,
  type PolicyPart,
  type PolicyProblem,
  type Program,
  type Selector,
  type Span,
} from "../../flow";
import { t } from "../../text";
import type { CompanionProblem } from "./companion-problem";
import { type PolicyContext, type PolicyFlow, scopeOf, unmatched } from "./policy-flows";

export function unreadablePolicies(problems: readonly PolicyProblem[]): CompanionProblem[] {
  return problems.map(({ message, span, near }) =>
    problem("bad-policy", "error", message, span, near === undefined ? [] : [changeTo(near, span)]),
  );
}

export function problemsOfPolicy(policy: Policy, { file, flows }: PolicyContext): CompanionProblem[] {
  const scope = scopeOf(policy, flows);
  if (scope.length === 0) return [noFlows(policy, flows)];
  return [
    ...unmatched(policy, scope).map((part) => matchesNothing(part, scope)),
    ...withoutEffect(policy, file.policies),
  ];
}

function noFlows({ flowsSpan, idSpan }: Policy, flows: readonly PolicyFlow[]): CompanionProblem {
  if (!flowsSpan) return problem("matches-nothing", "warning", "There are no flows for this file yet.", idSpan);
  const example = flows[0] ? ` For example "${flows[0].path}".` : "";
  const message = `\`flows\` matches no flow that this file counts for. Patterns are relative to this file.${example}`;
  return problem("matches-nothing", "warning", message, flowsSpan);
}

function matchesNothing({ name, span, selector }: PolicyPart, scope: readonly PolicyFlow[]): CompanionProblem {
  const where = scope.length === 1 ? `"${scope[0]?.path}"` : `${scope.length} flows`;
  if (!selector) {
    const message = `\`by\` names no edge of the nodes of \`passes\` in ${where}. Write its ID, \`when\`, label or target.`;
    return problem("matches-nothing", "warning", message, span);
  }
  const slip = slipOf(selector, scope);
  const several = selector.keys.size > 1 ? " No node has all of this." : "";
  const advice = slip ? ` Did you mean "${slip.near}"?` : several;
  const message = `\`${name}\` matches nothing in ${where}.${advice}`;
  return problem(
    "matches-nothing",
    "warning",
    message,
    slip?.span ?? span,
    slip ? [changeTo(slip.near, slip.span)] : [],
  );
}

/** The key of a selector that is a slip of a name that flows have. */
function slipOf(
  { keys, places }: NonNullable<PolicyPart["selector"]>,
  scope: readonly PolicyFlow[],
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

/** A policy that can't be broken, or that another one says already. */
function withoutEffect(policy: Policy, all: readonly Policy[]): CompanionProblem[] {
  const { demand, idSpan, id } = policy;
  const warn = (message: string) => [problem("policy-without-effect", "warning", message, idSpan)];
  const earlier = firstsOf(all).get(wholeKey(policy));
  if (earlier && earlier !== policy && earlier.id !== id)
    return warn(`"${earlier.id}" says the same already. Remove one of them.`);
  if (demand.kind === "passes" && demand.by === undefined && same(demand.to, demand.passes))
    return warn("`passes` is what `every_path_to` is, so every path passes it. Say what must come before.");
  if (demand.kind === "always" && same(demand.after, demand.always))
    return warn("`always` is what `after` is, so it always comes. Say what must follow.");
  return [];
}

function same(a: Selector, b: Selector): boolean {
  const [own, other] = [a, b].map(({ isEntry, keys }) => JSON.stringify([isEntry, [...keys].sort()]));
  return own === other;
}

/** Policies that demand the same of the same flows have the same key. */
function wholeKey({ demand, flows }: Policy): string {
  return `${demandKey(demand)} ${JSON.stringify(flows ?? null)}`;
}

/** The first policy of each key. A long file has thousands, and each is asked about. */
function firstsOf(all: readonly Policy[]): ReadonlyMap<string, Policy> {
  let known = firsts.get(all);
  if (!known) {
    known = new Map([...all].reverse().map((policy) => [wholeKey(policy), policy]));
    firsts.set(all, known);
  }
  return known;
}

const firsts = new WeakMap<readonly Policy[], ReadonlyMap<string, Policy>>();

function problem(
  code: string,
  severity: CompanionProblem["severity"],
  message: string,
  span: Span,
  fixes: readonly Fix[] = [],
): CompanionProblem {
  return { code, severity, message, span, related: [], fixes: () => fixes };
}

function changeTo(near: string, span: Span): Fix {
  return { title: t('Change to "{0}"', near), edits: [{ ...span, text: near }], preferred: true };
}
