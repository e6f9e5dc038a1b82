import { topRefs } from "../graph/graph-of";
import { removeBlock } from "./engine/edits";
import type { Rule } from "./engine/rule";

export const unusedVariable: Rule = {
  code: "unused-variable",
  severity: "hint",
  title: "Unused variable",
  checkGraph(flow, report) {
    const { variables } = flow.document;
    // If `nodes` is indented too deeply, its nodes are read as variables.
    if (flow.document.variable("nodes")?.isBroken) return;
    const used = new Uint8Array(variables.length);
    for (const { uses } of flow.parts)
      for (const symbol of uses) {
        const variable = flow.variableOf(symbol);
        if (variable >= 0) used[variable] = 1;
      }
    for (const { ref } of topRefs(flow.document)) {
      const variable = flow.variableOf(flow.symbolOf(ref.name));
      if (variable >= 0) used[variable] = 1;
    }
    variables.forEach(({ name }, variable) => {
      if (used[variable] || flow.document.mayHold(name) || flow.variableOf(flow.symbolOf(name)) !== variable) return;
      report({
        message: `Variable "${name}" is never used. Use it as \`{{${name}}}\`, or remove it.`,
        at: { variable },
        unnecessary: true,
      });
    });
  },
  fixes(problem, document) {
    const variable = document.variables.find(
      (each) => document.startOf(each) + each.keySpan.start === problem.span.start,
    );
    return variable
      ? [{ title: `Remove unused variable "${variable.name}"`, edits: [removeBlock(document, variable)] }]
      : [];
  },
};
