/** Rules about context variables and component outputs. */
import { nearest } from "../../flow";
import { templateWords, valueWords } from "./spans";
import { opsFix } from "./suggested-fixes";
import { type PlatformRule, readVariables } from "./view";

export const variableRules: readonly PlatformRule[] = [
  {
    id: "variable.unknown",
    severity: "blocking",
    check({ graph }, report) {
      const say = (name: string, place: { node?: string; edge?: string }) => {
        const close = nearest(name, graph.variables.keys());
        report({
          message: `"${name}" is read but isn't a context variable.`,
          ...place,
          words: templateWords(name),
          ...(close ? { replacement: close } : {}),
          fix: declare(name),
        });
      };
      for (const node of graph.nodes.values())
        for (const name of readVariables(node)) if (!graph.variables.has(name)) say(name, { node: node.id });
      for (const edge of graph.edges.values())
        for (const name of readVariables(edge))
          if (!graph.variables.has(name)) say(name, { node: edge.source, edge: edge.id });
      if (graph.persona !== undefined)
        for (const name of readVariables({ persona: graph.persona })) if (!graph.variables.has(name)) say(name, {});
    },
  },
  {
    id: "variable.unused",
    severity: "suggestion",
    check({ graph }, report) {
      const used = new Set<string>(readVariables({ persona: graph.persona }));
      for (const node of graph.nodes.values()) {
        for (const name of readVariables(node)) used.add(name);
        if (typeof node.variable === "string") used.add(node.variable);
        if (typeof node.saves === "object" && node.saves !== null)
          for (const name of Object.keys(node.saves)) used.add(name);
      }
      for (const edge of graph.edges.values()) for (const name of readVariables(edge)) used.add(name);
      for (const output of graph.outputs) for (const name of readVariables(output)) used.add(name);
      for (const name of graph.variables.keys())
        if (!used.has(name))
          report({
            message: `The context variable "${name}" is never used.`,
            fix: opsFix({ op: "remove_context_variable", name }),
          });
    },
  },
  {
    id: "variable.repeated-value",
    severity: "warning",
    check({ graph }, report) {
      for (const variable of graph.variables.values()) {
        const values = variable.enum_values;
        if (!Array.isArray(values) || new Set(values).size === values.length) continue;
        report({
          message: `The context variable "${variable.name}" lists the same value twice.`,
          fix: opsFix({
            op: "upsert_context_variable",
            variable: { ...variable, enum_values: [...new Set(values)] },
          }),
        });
      }
    },
  },
  {
    id: "collect.unknown-variable",
    severity: "blocking",
    checkNode(node, { graph }) {
      const name = node.type === "collect" ? node.variable : undefined;
      if (typeof name !== "string" || name === "" || graph.variables.has(name)) return undefined;
      const close = nearest(name, graph.variables.keys());
      return {
        message: `"${node.id}" sets "${name}", which isn't a context variable.`,
        words: valueWords("variable", name),
        ...(close ? { replacement: close } : {}),
        fix: declare(name),
      };
    },
  },
  {
    id: "output.unknown-variable",
    severity: "blocking",
    check({ graph }, report) {
      for (const output of graph.outputs)
        for (const name of readVariables(output))
          if (!graph.variables.has(name))
            report({
              message: `Component output "${output.name ?? ""}" reads "${name}", which isn't a context variable.`,
              fix: declare(name),
            });
    },
  },
  {
    id: "output.repeated-name",
    severity: "error",
    check({ graph }, report) {
      const seen = new Set<string>();
      for (const { name } of graph.outputs) {
        if (name !== undefined && seen.has(name))
          report({
            message: `Duplicate component output "${name}".`,
            fix: `Rename one of the outputs "${name}".`,
          });
        if (name !== undefined) seen.add(name);
      }
    },
  },
];

function declare(name: string): string {
  return opsFix({ op: "upsert_context_variable", variable: { name, type: "string" } });
}
