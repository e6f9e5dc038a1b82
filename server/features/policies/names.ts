/** Where policies name a node, a variable or an edge of a flow. */

import { type PolicyContext, type PolicyFlow, scopeOf } from "../../../files/suite";
import { type Span, TEMPLATES, type TextEdit } from "../../../flow";
import { isAbout, type Policy, partsOfPolicy } from "../../../flow/policy";
import type { Program } from "../../../flow/run";
import { nodesAlong, type Renamed, writtenIn } from "../../../flow/test";
import { edgesNamedBy } from "./context";

interface Name {
  readonly kind: "node" | "variable";
  readonly name: string;
}

/**
 * An occurrence of a name, and the flows that have the element or are selected: a flow may use a name that it doesn't
 * declare.
 */
interface NamePlace {
  readonly span: Span;
  readonly programs: ReadonlySet<Program>;
}

/** The occurrences of a flow's name in policies about it, or about a flow that uses it as a component. */
export function placesInPolicies({ file, flows, text }: PolicyContext, program: Program, name: Name): Span[] {
  return file.policies.flatMap((policy) =>
    placesIn(policy, scopeOf(policy, flows), program, name, text)
      .filter(({ programs }) => programs.has(program))
      .map(({ span }) => span),
  );
}

/** The edits for a rename; a name that another flow of the policy has too is left unchanged. */
export function renamedInPolicies(context: PolicyContext, program: Program, renamed: Renamed): TextEdit[] {
  const { file, flows, text } = context;
  return file.policies.flatMap((policy) => {
    const scope = scopeOf(policy, flows);
    const byEdge = renamedBy(policy, scope, program, renamed, text);
    if (renamed.kind === "label") return byEdge;
    const isShared = scope.some((flow) => flow.program !== program && has(flow.program, renamed));
    const places = placesIn(policy, scope, program, renamed, text).filter(
      ({ programs }) => programs.has(program) && programs.size === 1,
    );
    return [...places.map(({ span }) => ({ ...span, text: renamed.to })), ...(isShared ? [] : byEdge)];
  });
}

function has({ nodes, document }: Program, { kind, name }: Name): boolean {
  return kind === "node" ? nodes.has(name) : document.variable(name) !== undefined;
}

function placesIn(policy: Policy, scope: readonly PolicyFlow[], asked: Program, name: Name, text: string): NamePlace[] {
  const isIn = (program: Program) => program === asked || has(program, name);
  const wanted = name.kind === "node" ? ["node"] : ["reads", "sets"];
  const excepted = policy.exceptions.flatMap((exception): NamePlace[] => {
    const { node } = exception;
    if (name.kind !== "node" || !node) return [];
    const flows = scope.filter(({ path }) => isAbout(exception, path));
    const at = writtenIn(text, node.text, node.span);
    return at ? alongIn(flows, node.text, at, name.name, isIn) : [];
  });
  const selected = partsOfPolicy(policy).flatMap(({ selector }) =>
    [...(selector?.places ?? [])].flatMap(([key, span]) => {
      const value = selector?.keys.get(key);
      if (!wanted.includes(key) || value === undefined) return [];
      const at = writtenIn(text, value, span);
      if (!at) return [];
      if (name.kind === "node") return alongIn(scope, value, at, name.name, isIn);
      if (value !== name.name) return [];
      return [{ span: at, programs: new Set(scope.map(({ program }) => program).filter(isIn)) }];
    }),
  );
  return [...selected, ...excepted];
}

/** A node's name in `part/node`: the part after the slash is a node of the component's flow. */
function alongIn(
  scope: readonly PolicyFlow[],
  value: string,
  { start }: Span,
  name: string,
  isIn: (program: Program) => boolean,
): NamePlace[] {
  const found = new Map<number, { span: Span; programs: Set<Program> }>();
  for (const { program, judged } of scope)
    for (const each of nodesAlong(value, start, program, judged.flowOf)) {
      if (each.name !== name || !isIn(each.program)) continue;
      const place = found.get(each.span.start) ?? { span: each.span, programs: new Set() };
      place.programs.add(each.program);
      found.set(each.span.start, place);
    }
  return [...found.values()];
}

/** `by` names an edge by text that may contain the name. */
function renamedBy(
  { demand }: Policy,
  scope: readonly PolicyFlow[],
  program: Program,
  renamed: Renamed,
  text: string,
): TextEdit[] {
  if (demand.kind !== "passes" || demand.by === undefined || !demand.bySpan) return [];
  const { by, bySpan } = demand;
  const [named] = scope.flatMap((flow) => edgesNamedBy(demand, flow)).filter((each) => each.program === program);
  if (!named) return [];
  const { edge } = named;
  if (renamed.kind === "label")
    return edge.id === renamed.edge.id && edge.label?.trim() === by && edge.when?.trim() !== by
      ? [{ ...bySpan, text: JSON.stringify(renamed.to) }]
      : [];
  if (renamed.kind === "node") {
    // `part/node` if the edge is inside a component.
    const isTarget = edge.to === renamed.name && (by === edge.to || by.endsWith(`/${edge.to}`));
    const at = isTarget && edge.when?.trim() !== by && edge.label?.trim() !== by && writtenIn(text, by, bySpan);
    return at ? [{ start: at.end - edge.to.length, end: at.end, text: renamed.to }] : [];
  }
  return [...text.slice(bySpan.start, bySpan.end).matchAll(TEMPLATES)].flatMap((match) => {
    if (match[1] !== renamed.name) return [];
    const start = bySpan.start + match.index + match[0].indexOf(renamed.name);
    return [{ start, end: start + renamed.name.length, text: renamed.to }];
  });
}
