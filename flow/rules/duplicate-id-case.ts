import type { Rule } from "./rule";

export const duplicateIdCase: Rule = {
  code: "duplicate-id-case",
  severity: "warning",
  title: "Two node ids differ only in upper and lower case",
  checkGraph(flow, report) {
    const first = new Map<string, number>();
    flow.nodes.forEach(({ id }, node) => {
      const folded = id.toLowerCase();
      const other = first.get(folded);
      if (other === undefined) first.set(folded, node);
      else if (flow.nodes[other]?.id !== id) {
        const otherId = flow.nodes[other]?.id ?? "";
        report({
          message: `"${id}" and "${otherId}" differ only in upper and lower case, so they are easily mixed up. Rename one of them.`,
          at: { node },
          related: [{ message: `"${otherId}" is here.`, at: { node: other } }],
        });
      }
    });
  },
};
