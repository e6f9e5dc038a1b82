import { topRefs } from "../graph/graph-of";
import type { Rule } from "./engine/rule";
import { fixUnknownVariable, mayBeDeclared } from "./undefined-variable";

export const unknownOutputVariable: Rule = {
  code: "unknown-output-variable",
  severity: "warning",
  title: "Undeclared variable in a component output",
  checkGraph(flow, report) {
    let use = 0;
    for (const { block, ref } of topRefs(flow.document)) {
      if (block.key !== "component_outputs") continue;
      const at = { top: block.key, use: use++ };
      if (flow.variableOf(flow.symbolOf(ref.name)) >= 0 || mayBeDeclared(flow, ref.name)) continue;
      report({
        message: `Output uses undeclared variable "${ref.name}". Declare it, or use another variable.`,
        at,
        data: { name: ref.name },
      });
    }
  },
  fixes: fixUnknownVariable,
};
