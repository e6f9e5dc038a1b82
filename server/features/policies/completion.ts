/** Completion in policy files: keys that fit the kind of a policy, and selectors from the flows it applies to. */

import { type PolicyContext, type PolicyFlow, scopeOf } from "../../../files/suite";
import { type FileKey, nodeTypes, SEVERITIES, textOf } from "../../../flow";
import { policyKeys, type SelectorKey, selectedNodes } from "../../../flow/policy";
import { inlineText, takeName } from "../../../flow/test";
import { t } from "../../../text";
import { keyItems } from "../companion";
import { partAround, placeIn, suggestionsAt } from "../completion/companion-place";
import { namedId } from "../completion/completion";
import { type Suggestion, type Suggestions, suggest, suggestSnippet } from "../completion/insertion";
import type { KeyPlace, Place } from "../completion/place-scanner";
import { edgeWords, nodeDetail, variableWords } from "../hover/describe";
import { shortName } from "./context";
import { isSelector, isStep, keysAt } from "./keys";

export function completePolicy(context: PolicyContext, offset: number): Suggestions {
  const part = partAround(context.text, offset, "policies");
  const place = placeIn(part, offset);
  return suggestionsAt(part, place, itemsAt(context, place, offset));
}

function itemsAt(context: PolicyContext, place: Place, offset: number): Suggestion[] {
  const { path } = place;
  if (place.kind === "key") {
    if (path.length === 1 && path[0] === "policies") return newPolicies("- ");
    const kinds = policyKeys.kind.filter(({ name }) => place.taken.has(name));
    const keys = keysAt(path, kinds.length > 0 ? kinds : policyKeys.kind);
    const isNew = path.length === 2 && place.taken.size === 0 && !place.flow;
    return [
      ...(isNew ? newPolicies("") : []),
      ...keyItems(ownKeys(keys, place, kinds), place, (name) => openedBy(name, place.flow)),
    ];
  }
  if (place.kind !== "value") return [];
  const key = path.at(-1);
  const flows = flowsAt(context, offset);
  if (isSelector(path)) return [suggest("value", "entry", t("the entry node"))];
  if (path[2] === "flows") return flowPatterns(context);
  if (key === "severity" && path.length === 3) return SEVERITIES.map((each) => suggest("value", each));
  if (path[2] === "except" && path.length === 5) return exceptionValues(key, context, flows);
  // A node of an example may be just its ID.
  if (isStep(path)) return valuesFor("node", flows);
  if (!(isSelector(path.slice(0, -1)) || isStep(path.slice(0, -1))) || key === undefined) return [];
  return key === "by" ? edgesOf(context, offset, flows) : valuesFor(key as SelectorKey, flows);
}

function exceptionValues(
  key: string | undefined,
  { flows: all }: PolicyContext,
  flows: readonly PolicyFlow[],
): Suggestion[] {
  if (key === "flow") return all.map(({ path }) => suggest("id", path, "flow", inlineText(path)));
  return key === "node" ? valuesFor("node", flows) : [];
}

/** A policy has one kind. */
function ownKeys(keys: readonly FileKey[], { typed }: KeyPlace, kinds: readonly FileKey[]): readonly FileKey[] {
  const isOther = (name: string) => kinds.length > 0 && policyKeys.kind.some((kind) => kind.name === name);
  return keys.filter(({ name }) => name === typed || !isOther(name));
}

/** The value that is inserted with a key, as a snippet. */
function openedBy(name: string, flow: boolean): string | undefined {
  if (name === "policies") return flow ? ": [{$0}]" : ":\n  $0";
  if (/^(every_path_to|passes|never|after|always|from|to|without)$/.test(name)) return ": {$0}";
  if (name === "except") return `: [{flow: $1, node: $2, until: \${3:YYYY-MM-DD}, because: $0}]`;
  return name === "holds" || name === "breaks" ? ": [[$0]]" : undefined;
}

/** The flows of the policy around the offset; all flows if it can't be parsed yet. */
function flowsAt({ file, flows }: PolicyContext, offset: number): readonly PolicyFlow[] {
  const policy = file.policies.findLast(({ span }) => span.start <= offset && offset <= span.end + 1);
  const scope = policy ? scopeOf(policy, flows) : flows;
  return scope.length > 0 ? scope : flows;
}

function valuesFor(key: SelectorKey, flows: readonly PolicyFlow[]): Suggestion[] {
  if (key === "type") return nodeTypes.map(({ name, doc }) => suggest("type", name, doc));
  const found = new Map<string, Suggestion>();
  const add = (label: string | undefined, kind: Suggestion["kind"], detail: string, flow: PolicyFlow) => {
    if (label !== undefined && label !== "" && !found.has(label))
      found.set(label, suggest(kind, label, [detail, shortName(flow)].filter(Boolean).join(" · "), inlineText(label)));
  };
  for (const flow of flows) {
    if (key === "reads" || key === "sets")
      for (const variable of flow.program.document.variables)
        add(variable.name, "variable", variableWords(variable), flow);
    else
      for (const node of flow.judged.whole.nodes.values()) {
        if (key === "node") add(node.id, "node", nodeDetail(node), flow);
        if (key === "tool" && node.type === "tool" && node.calls && !found.has(node.calls))
          found.set(
            node.calls,
            namedId(node.calls, textOf(node.block.fields.get("name")?.value) ?? node.id, shortName(flow)),
          );
        if (key === "name") add(textOf(node.block.fields.get("name")?.value), "value", node.id, flow);
      }
  }
  return [...found.values()];
}

/** The edges of the nodes that `passes` matches. */
function edgesOf({ file }: PolicyContext, offset: number, flows: readonly PolicyFlow[]): Suggestion[] {
  const policy = file.policies.find(({ span }) => span.start <= offset && offset <= span.end + 1);
  const passes = policy?.demand.kind === "passes" ? policy.demand.passes : undefined;
  const found = new Map<string, Suggestion>();
  for (const { judged } of flows)
    for (const node of passes ? selectedNodes(passes, judged.whole) : [])
      for (const edge of node.edges) {
        const name = takeName(edge);
        const detail = `${node.id} → ${edge.to}: ${edgeWords(edge.model, node.block)}`;
        if (!found.has(name)) found.set(name, suggest("value", name, detail, inlineText(name)));
      }
  return [...found.values()];
}

function flowPatterns({ flows }: PolicyContext): Suggestion[] {
  const folders = new Set(
    flows.flatMap(({ path }) => (path.includes("/") ? [`${path.slice(0, path.lastIndexOf("/"))}/**`] : [])),
  );
  return [
    ...[...folders].map((pattern) => suggest("id", pattern, t("all flows in it"), `"${pattern}"`)),
    ...flows.map(({ path }) => suggest("id", path, "flow", inlineText(path))),
  ];
}

function newPolicies(dash: "- " | ""): Suggestion[] {
  const pad = dash === "" ? "\n" : "\n  ";
  const item = (label: string, detail: string, lines: readonly string[]) =>
    suggestSnippet(dash + label, detail, `${dash}id: \${1:policy-id}${pad}${lines.join(pad)}`);
  const doc = (name: string) => policyKeys.kind.find((kind) => kind.name === name)?.doc ?? "";
  return [
    item("every_path_to … passes", doc("every_path_to"), ["every_path_to: {node: $2}", "passes: {node: $3}"]),
    item("never … without", doc("never"), ["never: {from: entry, to: {node: $2}, without: {node: $3}}"]),
    item("after … always", doc("after"), ["after: {node: $2}", "always: {node: $3}"]),
    item("at_most … from … to", doc("at_most"), [`at_most: \${2:4}`, "from: entry", `to: {type: \${3:transfer}}`]),
  ];
}
