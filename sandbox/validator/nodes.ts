/** Rules about what a node of a type must have. */
import { nearest, nodeType, nodeTypes } from "../../flow";
import type { PlatformRule } from "./rule";
import { fieldPattern, keyPattern, valuePattern } from "./spans";
import { edgeFix, fieldFix } from "./suggested-fixes";
import { isBlank } from "./view";

const MAX_INSTRUCTIONS = 1200;

export const nodeRules: readonly PlatformRule[] = [
  {
    id: "node.unknown-type",
    category: "nodes",
    severity: "warning",
    check({ graph }, report) {
      for (const node of graph.nodes.values()) {
        if (nodeType(node.type)) continue;
        if (isBlank(node.type)) {
          report({
            message: `“${node.id}” has no type.`,
            node: node.id,
            fix: fieldFix(node, "type", "message"),
          });
          continue;
        }
        const type = String(node.type);
        const close = nearest(
          type,
          nodeTypes.map((each) => each.name),
        );
        report({
          message: `“${type}” is not a type of node the platform runs.`,
          node: node.id,
          words: valuePattern("type", type),
          ...(close ? { replacement: close } : {}),
          fix: `Use one of ${nodeTypes.map((each) => each.name).join(", ")}.`,
        });
      }
    },
  },
  {
    id: "collect.no-variable",
    category: "nodes",
    severity: "error",
    blocking: true,
    check({ graph }, report) {
      for (const node of graph.nodes.values()) {
        if (node.type !== "collect" || !isBlank(node.variable)) continue;
        const words = node.id.split(/[_-]/);
        const guess = [...graph.variables.keys()].find((name) => words.some((word) => name.split("_").includes(word)));
        report({
          message: `“${node.id}” asks for something but does not say which context variable it fills.`,
          node: node.id,
          ...(guess
            ? { fix: fieldFix(node, "variable", guess) }
            : { words: keyPattern, fix: "Name the context variable in `variable`." }),
        });
      }
    },
  },
  {
    id: "tool.no-tool",
    category: "nodes",
    severity: "error",
    blocking: true,
    check({ graph }, report) {
      for (const node of graph.nodes.values())
        if (node.type === "tool" && isBlank(node.tool))
          report({
            message: `“${node.id}” does not say which tool it calls.`,
            node: node.id,
            words: keyPattern,
            fix: "Put the id of a tool in `tool`.",
          });
    },
  },
  {
    id: "tool.no-error-path",
    category: "nodes",
    severity: "warning",
    check({ graph, out }, report) {
      const fallback = [...graph.nodes.values()].find((node) => node.type === "transfer");
      for (const node of graph.nodes.values()) {
        if (node.type !== "tool" || out(node.id).some((edge) => edge.on === "error")) continue;
        report({
          message: `When the tool of “${node.id}” fails, the conversation has nowhere to go.`,
          node: node.id,
          ...(fallback
            ? { relatedNodes: [fallback.id], fix: edgeFix(node, { to: fallback.id, on: "error" }) }
            : { fix: "Add an edge with `on: error`." }),
        });
      }
    },
  },
  {
    id: "transfer.no-destination",
    category: "nodes",
    severity: "error",
    blocking: true,
    check({ graph }, report) {
      for (const node of graph.nodes.values())
        if (node.type === "transfer" && isBlank(node.destination))
          report({
            message: `“${node.id}” does not say where to transfer to.`,
            node: node.id,
            fix: fieldFix(node, "destination", '"+15550100"'),
          });
    },
  },
  {
    id: "instructions.missing",
    category: "nodes",
    severity: "warning",
    check({ graph }, report) {
      for (const node of graph.nodes.values())
        if ((node.type === "message" || node.type === "collect") && isBlank(node.instructions))
          report({
            message: `“${node.id}” has no instructions, so the assistant has nothing to say.`,
            node: node.id,
            words: keyPattern,
            fix: "Write in `instructions` what the assistant says here.",
          });
    },
  },
  {
    id: "instructions.long",
    category: "nodes",
    severity: "suggestion",
    check({ graph }, report) {
      for (const node of graph.nodes.values())
        if (typeof node.instructions === "string" && node.instructions.length > MAX_INSTRUCTIONS)
          report({
            message: `The instructions of “${node.id}” have ${node.instructions.length} characters; short ones are followed better.`,
            node: node.id,
            words: fieldPattern("instructions"),
            fix: "Split the step in two, or move what is true everywhere into the persona.",
          });
    },
  },
];
