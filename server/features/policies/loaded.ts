/** A policy file, loaded with its flows, for the editor's requests. */

import { type PolicyContext, type PolicyFlow, scopeOf, today, unmatched } from "../../../files/suite";
import { contains, nodeType, type Span, unreadWords } from "../../../flow";
import {
  demanded,
  exceptedWords,
  isAbout,
  type Policy,
  type PolicyPart,
  partsOfPolicy,
  policyKeys,
  type SelectorKey,
  selectedNodes,
  unseenFor,
  verdictWords,
} from "../../../flow/policy";
import { type FlowPlace, howNamed, nodesAlong, shownPath } from "../../../flow/test";
import { codeSpan, escapeMarkdown, t } from "../../../text";
import { bare, type CompanionLens, type CompanionName, hoverKey, type LoadedCompanion } from "../companion";
import { partAround, placeIn } from "../completion/companion-place";
import type { Hover } from "../hover/hover";
import { aboutEdge } from "../tests/hover";
import { completePolicy } from "./completion";
import { edgesNamedBy, judgeAll, shortName, type TodaysVerdict, verdictsOf } from "./context";
import { keysAt } from "./keys";

export function loadedPolicies(context: PolicyContext): LoadedCompanion {
  const { file, text, flows } = context;
  const at = (offset: number) => file.policies.find(({ span }) => contains(span, offset));
  return {
    complete: (offset) => completePolicy(context, offset),
    hover: (offset) => {
      const policy = at(offset);
      return (
        (policy && hoverPolicy(policy, context, offset)) ??
        hoverType(text, offset) ??
        hoverKey(text, offset, "policies", (path) => keysAt(path, policyKeys.kind))
      );
    },
    outline: () =>
      file.policies.map((policy) => ({
        name: policy.id,
        detail: policy.because ?? "",
        kind: "policy",
        span: policy.span,
        nameSpan: policy.idSpan,
        children: [],
      })),
    names: (offset) => {
      const policy = at(offset);
      return policy ? namesAt(policy, context, offset) : [];
    },
    same: () => [],
    files: (offset) => {
      const policy = at(offset);
      const span = policy?.flowsSpan;
      if (!policy || !span || !contains(span, offset)) return undefined;
      return { span, uris: scopeOf(policy, flows).map(({ uri }) => uri) };
    },
    lenses: () => {
      judgeAll(file.policies, flows);
      return file.policies.map((policy) => lensOf(policy, context));
    },
  };
}

function hoverPolicy(policy: Policy, context: PolicyContext, offset: number): Hover | undefined {
  if (contains(policy.idSpan, offset)) return { span: policy.idSpan, text: aboutPolicy(policy, context) };
  const part = partAt(policy, offset);
  if (!part) return undefined;
  const names = namesAt(policy, context, offset);
  const [first] = names;
  if (!part.selector)
    return { span: part.span, text: first?.kind === "edge" ? aboutEdge(first.edge) : t("No edge has this name.") };
  const place = [...part.selector.places.values()].find((span) => contains(span, offset));
  if (!place && !part.selector.isEntry) return undefined;
  const span = place ?? part.span;
  const lines = scopeOf(policy, context.flows).flatMap(({ judged, path }) => {
    const nodes = selectedNodes(part.selector as NonNullable<PolicyPart["selector"]>, judged.whole);
    const shown = nodes.slice(0, MAX_LISTED).map(({ id }) => codeSpan(id));
    const more = nodes.length > MAX_LISTED ? ` ${t("and {0} more", nodes.length - MAX_LISTED)}` : "";
    return nodes.length > 0 ? [`- ${t("{0} in {1}", `${shown.join(", ")}${more}`, codeSpan(path))}`] : [];
  });
  const shown = [...lines.slice(0, MAX_LISTED), ...moreThan(lines)];
  return { span, text: lines.length > 0 ? `${t("Matches")}\n\n${shown.join("\n")}` : t("Matches nothing.") };
}

const MAX_LISTED = 8;

function moreThan({ length }: readonly string[]): string[] {
  const more = length - MAX_LISTED;
  return more > 0 ? [`- … ${more === 1 ? t("and 1 more flow") : t("and {0} more flows", more)}`] : [];
}

/** Today's verdict for each flow. */
function aboutPolicy(policy: Policy, { flows }: PolicyContext): string {
  const scope = scopeOf(policy, flows);
  const head = [`**${escapeMarkdown(policy.id)}**`, ...(policy.because ? [escapeMarkdown(policy.because)] : [])];
  const missing = unmatched(policy, scope);
  judgeAll([policy], scope);
  const verdicts = verdictsOf(policy, scope).filter(({ verdict }) => isShown(verdict, missing));
  if (missing.length > 0) head.push(nothingFor(missing));
  if (missing.length > 0 && verdicts.length === 0) return head.join("\n\n");
  const lines = verdicts.map(({ flow, policy: there, verdict: found }) => {
    const { verdict, path } = found;
    const way = path.length > 0 ? ` ${escapeMarkdown(shownPath(path))}` : "";
    const sign = verdict === "broken" ? "✗" : verdict === "not-checked" ? "?" : "✓";
    return `- ${sign} ${codeSpan(flow.path)}: ${escapeMarkdown(verdictWords(there, found, flow.judged.unseen))}${way}`;
  });
  for (const { path, program } of missing.length > 0 ? [] : scope) {
    const excepted = exceptedWords(policy, path, today());
    if (excepted) lines.push(`- ○ ${codeSpan(path)}: ${escapeMarkdown(excepted)}`);
    const unread = unreadWords(program.document);
    if (unread !== undefined) lines.push(`- ? ${codeSpan(path)} ${escapeMarkdown(unread)}`);
  }
  const shown = [...lines.slice(0, MAX_LISTED), ...moreThan(lines)];
  return [...head, shown.join("\n"), t("Decisions of a model aren't verified.")].join("\n\n");
}

/** A policy that matches nothing proves nothing, but may be broken. */
function isShown({ verdict }: TodaysVerdict["verdict"], missing: readonly PolicyPart[]): boolean {
  return missing.length === 0 || verdict === "broken";
}

function nothingFor(missing: readonly PolicyPart[]): string {
  const names = missing.map(({ name }) => `\`${name}\``).join(" and ");
  return missing.length === 1 ? t("{0} matches nothing.", names) : t("{0} match nothing.", names);
}

function lensOf(policy: Policy, { flows }: PolicyContext): CompanionLens {
  const span = policy.idSpan;
  const scope = scopeOf(policy, flows);
  const judged = scope.filter(({ path }) => demanded(policy, path, today()));
  const verdicts = verdictsOf(policy, judged);
  const unread = judged.length - verdicts.length;
  const excepted = scope.length - judged.length;
  const rest = [
    unread === 0 ? "" : ` · ${t("{0} with syntax errors", unread)}`,
    excepted === 0 ? "" : ` · ${t("{0} excepted", excepted)}`,
  ].join("");
  const broken = verdicts.filter(({ verdict }) => verdict.verdict === "broken");
  const [first] = broken;
  if (first) {
    const steps = first.verdict.edges.length;
    const name = shortName(first.flow);
    const where = steps === 1 ? t("broken in {0}: 1 step", name) : t("broken in {0}: {1} steps", name, steps);
    const more = broken.length > 1 ? ` · ${t("{0} more", broken.length - 1)}` : "";
    return { span, title: `${where}${more}${rest}${unseenIn([first])}`, places: placesOf(first) };
  }
  if (scope.length === 0 || unmatched(policy, scope).length > 0)
    return { span, title: t("matches nothing"), places: [] };
  const count = (flows: number) => (flows === 1 ? t("1 flow") : t("{0} flows", flows));
  if (judged.length === 0) return { span, title: t("excepted · {0}", count(excepted)), places: [] };
  if (verdicts.length === 0)
    return {
      span,
      title:
        unread === 1
          ? t("not checked: 1 flow has syntax errors")
          : t("not checked: {0} flows have syntax errors", unread),
      places: [],
    };
  const isByShape = verdicts.every(({ verdict }) => verdict.verdict === "proved-by-shape");
  const how = isByShape ? t("proved for all conditions") : t("proved given the conditions");
  return { span, title: `${how} · ${count(verdicts.length)}${rest}${unseenIn(verdicts)}`, places: [] };
}

/** The components that verdicts depend on but that weren't analyzed. */
function unseenIn(verdicts: readonly TodaysVerdict[]): string {
  const unseen = verdicts.flatMap(({ flow, verdict: { verdict, path } }) =>
    unseenFor(verdict, flow.judged.unseen, path),
  );
  const [first] = unseen;
  if (!first) return "";
  const words =
    unseen.length === 1 ? t('"{0}" isn\'t analyzed', first.id) : t("{0} components aren't analyzed", unseen.length);
  return ` · ${words}`;
}

/** The nodes of a violating path. */
function placesOf({ flow, verdict }: TodaysVerdict): FlowPlace[] {
  return verdict.path.flatMap((id) => {
    const node = flow.judged.whole.nodes.get(id);
    if (!node) return [];
    const { document } = node.home ?? flow.program;
    return [{ document, span: document.absolute(node.block, node.block.keySpan) }];
  });
}

function partAt(policy: Policy, offset: number): PolicyPart | undefined {
  const parts = partsOfPolicy(policy).filter(({ span }) => contains(span, offset));
  return parts.sort((a, b) => a.span.end - a.span.start - (b.span.end - b.span.start))[0];
}

/** The elements that a selector's value refers to: nodes it matches, or the variable it names. */
function namesAt(policy: Policy, { flows, text }: PolicyContext, offset: number): CompanionName[] {
  const part = partAt(policy, offset);
  const { demand } = policy;
  const scope = scopeOf(policy, flows);
  if (!part) return exceptedAt(policy, scope, text, offset);
  if (!part.selector)
    return scope.flatMap((flow) =>
      demand.kind === "passes"
        ? edgesNamedBy(demand, flow).map(({ edge, program }): CompanionName => {
            const by = howNamed(edge, demand.by ?? "");
            return { kind: "edge", edge, by, span: bare(text, part.span), program };
          })
        : [],
    );
  const { selector } = part;
  const [key, place]: [SelectorKey | undefined, Span] = [...selector.places].find(([, span]) =>
    contains(span, offset),
  ) ?? [undefined, part.span];
  const span = bare(text, place);
  const value = key && selector.keys.get(key);
  return scope.flatMap(({ program, judged }): CompanionName[] => {
    if ((key === "reads" || key === "sets") && value !== undefined)
      return program.document.variable(value) ? [{ kind: "variable", name: value, span, program }] : [];
    if (key === "node" && value?.includes("/") && text.startsWith(value, span.start))
      return nodesAlong(value, span.start, program, judged.flowOf).flatMap((each): CompanionName[] =>
        contains(each.span, offset) ? [{ kind: "node", name: each.name, span: each.span, program: each.program }] : [],
      );
    return selectedNodes(selector, judged.whole).map(({ block, home = program }) => ({
      kind: "node",
      name: block.id,
      span,
      program: home,
    }));
  });
}

/** The node that an exception names. */
function exceptedAt(policy: Policy, scope: readonly PolicyFlow[], text: string, offset: number): CompanionName[] {
  return policy.exceptions.flatMap((exception) => {
    const { node } = exception;
    if (!node || !contains(node.span, offset)) return [];
    const { start } = bare(text, node.span);
    return scope
      .filter(({ path }) => isAbout(exception, path))
      .flatMap(({ program, judged }) => nodesAlong(node.text, start, program, judged.flowOf))
      .flatMap(({ name, span, program }): CompanionName[] =>
        contains(span, offset) ? [{ kind: "node", name, span, program }] : [],
      );
  });
}

function hoverType(text: string, offset: number): Hover | undefined {
  const place = placeIn(partAround(text, offset, "policies"), offset);
  if (place.kind !== "value" || place.path.at(-1) !== "type") return undefined;
  const type = nodeType(text.slice(place.word.start, place.word.end));
  return type && { span: place.word, text: `**${type.name}** node\n\n${type.doc}` };
}
