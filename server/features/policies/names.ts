/** Where policies name a node, a variable or an edge of a flow. */
import {
  edgesBy,
  type Policy,
  type Program,
  partsOfPolicy,
  type Renamed,
  type Span,
  TEMPLATES,
  type TextEdit,
} from "../../../flow";
import { type PolicyContext, scopeOf } from "./context";

interface Name {
  readonly kind: "node" | "variable";
  readonly name: string;
}

/** The places of a name of a flow, in policies that speak of it. */
export function placesInPolicies({ file, flows, text }: PolicyContext, program: Program, name: Name): Span[] {
  return file.policies.flatMap((policy) => {
    const scope = scopeOf(policy, flows);
    return scope.some((flow) => flow.program === program) ? placesIn(policy, name, text) : [];
  });
}

/** What has to change; a name that another flow of the policy has too is left as it is. */
export function renamedInPolicies(context: PolicyContext, program: Program, renamed: Renamed): TextEdit[] {
  const { file, flows, text } = context;
  return file.policies.flatMap((policy) => {
    const scope = scopeOf(policy, flows);
    if (!scope.some((flow) => flow.program === program)) return [];
    const byEdge = renamedBy(policy, program, renamed, text);
    if (renamed.kind === "label") return byEdge;
    const isShared = scope.some((flow) => flow.program !== program && has(flow.program, renamed));
    if (isShared) return [];
    return [...placesIn(policy, renamed, text).map((span) => ({ ...span, text: renamed.to })), ...byEdge];
  });
}

function has({ nodes, document }: Program, { kind, name }: Name): boolean {
  return kind === "node" ? nodes.has(name) : document.variable(name) !== undefined;
}

function placesIn(policy: Policy, { kind, name }: Name, text: string): Span[] {
  const wanted = kind === "node" ? ["node"] : ["reads", "sets"];
  return partsOfPolicy(policy).flatMap(({ selector }) =>
    [...(selector?.places ?? [])].flatMap(([key, span]) =>
      wanted.includes(key) && selector?.keys.get(key) === name ? written(name, span, text) : [],
    ),
  );
}

/** `by` names an edge by words that may hold the name. */
function renamedBy({ demand }: Policy, program: Program, renamed: Renamed, text: string): TextEdit[] {
  if (demand.kind !== "passes" || demand.by === undefined || !demand.bySpan) return [];
  const { by, bySpan } = demand;
  const [edge] = edgesBy(demand, program);
  if (!edge) return [];
  if (renamed.kind === "label")
    return edge.id === renamed.edge.id && edge.label?.trim() === by && edge.when?.trim() !== by
      ? [{ ...bySpan, text: JSON.stringify(renamed.to) }]
      : [];
  if (renamed.kind === "node")
    return edge.to === by && by === renamed.name && edge.when?.trim() !== by && edge.label?.trim() !== by
      ? written(by, bySpan, text).map((span) => ({ ...span, text: renamed.to }))
      : [];
  return [...text.slice(bySpan.start, bySpan.end).matchAll(TEMPLATES)].flatMap((match) => {
    if (match[1] !== renamed.name) return [];
    const start = bySpan.start + match.index + match[0].indexOf(renamed.name);
    return [{ start, end: start + renamed.name.length, text: renamed.to }];
  });
}

/** The name without its quotes; nothing where it came through an alias. */
function written(name: string, { start }: Span, text: string): Span[] {
  const quoted = /["']/.test(text[start] ?? "") ? 1 : 0;
  const at = start + quoted;
  return text.startsWith(name, at) ? [{ start: at, end: at + name.length }] : [];
}
