/** Rules about the fields of each node type. */
import { nearest, nodeType, nodeTypes } from "../../flow";
import type { PlatformRule } from "./rule";
import { instructionsWords, keyWords, valueWords } from "./spans";
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
            message: `"${node.id}" has no type.`,
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
          message: `Unknown node type "${type}".`,
          node: node.id,
          words: valueWords("type", type),
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
          message: `"${node.id}" doesn't set \`variable\`, so the answer isn't stored.`,
          node: node.id,
          ...(guess
            ? { fix: fieldFix(node, "variable", guess) }
            : { words: keyWords, fix: "Set `variable` to a context variable." }),
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
            message: `"${node.id}" doesn't set \`tool\`.`,
            node: node.id,
            words: keyWords,
            fix: "Set `tool` to the ID of a tool.",
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
          message: `"${node.id}" has no edge for errors of its tool.`,
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
            message: `"${node.id}" doesn't set \`destination\`.`,
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
            message: `"${node.id}" has no instructions, so the assistant has nothing to say.`,
            node: node.id,
            words: keyWords,
            fix: "Set `instructions` to what the assistant should say.",
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
            message: `The instructions of "${node.id}" have ${node.instructions.length} characters; models follow shorter instructions better.`,
            node: node.id,
            words: instructionsWords,
            fix: "Split the node, or move general instructions to the persona.",
          });
    },
  },
];
