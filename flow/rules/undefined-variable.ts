import { topRefs } from "../document";
import { nearest } from "../near";
import { declareVariable } from "./edits";
import type { Fix, Problem, Rule } from "./rule";

const MAX_SUGGESTIONS = 16;

export const undefinedVariable: Rule = {
  code: "undefined-variable",
  severity: "warning",
  title: "A text uses a context variable that is not declared",
  checkGraph(flow, report) {
    const names = flow.document.variables.map((variable) => variable.name);
    let suggested = 0;
    const tell = (name: string, what: string) => {
      const near = suggested++ < MAX_SUGGESTIONS ? nearest(name, names) : undefined;
      const advice = near ? `Did you mean "${near}"?` : 'Declare it under "context_variables:".';
      return `${what} "${name}", but no context variable has that name. ${advice}`;
    };
    flow.parts.forEach(({ uses }, node) => {
      for (let use = 0; use < uses.length; use++) {
        if (flow.variableOf(uses[use] as number) >= 0) continue;
        const ref = flow.nodes[node]?.refs[use];
        if (!ref) continue;
        const what = ref.kind === "template" ? "This reads" : "This sets";
        report({ message: tell(ref.name, what), at: { node, use }, data: { name: ref.name } });
      }
    });
    const uses = new Map<string, number>();
    for (const { entry, ref } of topRefs(flow.document)) {
      const use = uses.get(entry.key) ?? 0;
      uses.set(entry.key, use + 1);
      // What a component hands back has a rule of its own.
      if (entry.key === "component_outputs" || flow.variableOf(flow.symbolOf(ref.name)) >= 0) continue;
      report({ message: tell(ref.name, "This reads"), at: { top: entry.key, use }, data: { name: ref.name } });
    }
  },
  fixes: fixUnknownVariable,
};

/** Rename to the variable that was meant, or declare it. */
export function fixUnknownVariable(
  { span, data }: Problem,
  document: Parameters<NonNullable<Rule["fixes"]>>[1],
): Fix[] {
  const { name } = data as { name: string };
  const near = nearest(
    name,
    document.variables.map((variable) => variable.name),
  );
  const fixes: Fix[] = near
    ? [{ title: `Change to "${near}"`, edits: [{ ...span, text: near }], preferred: true }]
    : [];
  if (/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name))
    fixes.push({
      title: `Declare the variable "${name}"`,
      edits: [declareVariable(document, name)],
      preferred: near === undefined,
    });
  return fixes;
}
