import type { Analysis } from "../analysis";
import { addTo } from "../collections";
import { type Block, type FlowDocument, isNode } from "../document";
import { habitOf } from "../fields";
import { isName } from "../grammar";
import { topRefs } from "../graph/graph-of";
import { readTemplates } from "../model";
import type { Span } from "../text";
import { countMore, didYouMean, isTypo, nearest, typoOf } from "../wording";
import { declareVariable } from "./engine/edits";
import type { At, Fix, Problem, Rule } from "./engine/rule";

const MAX_SUGGESTIONS = 16;

export const undefinedVariable: Rule = {
  code: "undefined-variable",
  severity: "warning",
  title: "Undeclared variable",
  checkGraph(flow, report) {
    const names = flow.document.variables.map((variable) => variable.name);
    let suggested = 0;
    /** One finding for all uses of a name in a block. */
    const tell = (name: string, what: string, where: string, uses: readonly At[]) => {
      const near = suggested++ < MAX_SUGGESTIONS ? nearest(name, names) : undefined;
      const advice = near ? didYouMean(near) : "Declare it under `context_variables`.";
      const [at, ...others] = uses as [At, ...At[]];
      const count = others.length > 0 ? ` (and ${countMore(others.length, "place")} in ${where})` : "";
      report({
        message: `${what} undeclared variable "${name}"${count}. ${advice}`,
        at,
        data: { name },
        ...(others.length > 0 && {
          also: () => others.map((other) => ({ message: `"${name}" is also used here.`, at: other })),
        }),
      });
    };
    flow.parts.forEach(({ uses }, node) => {
      let unknown: Map<string, At[]> | undefined;
      for (let use = 0; use < uses.length; use++) {
        if (flow.variableOf(uses[use] as number) >= 0) continue;
        const ref = flow.nodes[node]?.refs[use];
        if (!ref || mayBeDeclared(flow, ref.name)) continue;
        unknown ??= new Map();
        addTo(unknown, ref.name, { node, use });
      }
      for (const [name, places] of unknown ?? []) {
        const first = flow.nodes[node]?.refs[(places[0] as { use: number }).use];
        tell(name, first?.kind === "template" ? "Use of" : "Assignment to", "this node", places);
      }
    });
    const uses = new Map<string, number>();
    const inTops = new Map<string, Map<string, At[]>>();
    for (const { block, ref } of topRefs(flow.document)) {
      const use = uses.get(block.key) ?? 0;
      uses.set(block.key, use + 1);
      // `unknown-output-variable` reports component outputs.
      if (block.key === "component_outputs" || flow.variableOf(flow.symbolOf(ref.name)) >= 0) continue;
      if (mayBeDeclared(flow, ref.name)) continue;
      const unknown = inTops.get(block.key) ?? new Map<string, At[]>();
      inTops.set(block.key, unknown);
      addTo(unknown, ref.name, { top: block.key, use });
    }
    for (const [key, unknown] of inTops)
      for (const [name, places] of unknown) tell(name, "Use of", `\`${key}\``, places);
  },
  fixes(problem, document) {
    const { name } = problem.data as { name: string };
    const block = document.blockAt(problem.span.start);
    const refs = block && (isNode(block) ? block.refs : readTemplates(block.value, block.text));
    const places = refs?.filter((ref) => ref.name === name).map((ref) => document.absolute(block as Block, ref.span));
    // What comes through an alias is changed where it is written.
    return fixUnknownVariable(
      problem,
      document,
      places?.filter((place) => document.slice(place) === name),
    );
  },
};

function isSlipOfSection({ key }: Block): boolean {
  return (habitOf("top", key) ?? typoOf(key, ["context_variables"])) === "context_variables";
}

/** The declaration may be in text with syntax errors, or in a section that can't be read. */
export function mayBeDeclared({ document }: Analysis, name: string): boolean {
  const section = document.top("context_variables");
  return document.mayHold(name) || (section ? section.isBroken : document.tops.some(isSlipOfSection));
}

/** Renames all uses to the similar variable, or declares it. */
export function fixUnknownVariable(
  { span, data }: Problem,
  document: FlowDocument,
  places: readonly Span[] = [span],
): Fix[] {
  const { name } = data as { name: string };
  const near = nearest(
    name,
    document.variables.map((variable) => variable.name),
  );
  const fixes: Fix[] =
    near !== undefined && places.length > 0
      ? [
          {
            title: `Replace with "${near}"`,
            edits: places.map((place) => ({ ...place, text: near })),
            preferred: isTypo(name, near),
          },
        ]
      : [];
  if (isName(name))
    fixes.push({
      title: `Declare variable "${name}"`,
      edits: [declareVariable(document, name)],
      preferred: near === undefined || !isTypo(name, near),
    });
  return fixes;
}
