/** Rules about the fields of each node type. */
import { nearest, nodeType, nodeTypes } from "../../flow";
import { instructionsWords, keyWords, valueWords } from "./spans";
import { edgeFix, fieldFix } from "./suggested-fixes";
import { isBlank, type PlatformRule } from "./view";

const MAX_INSTRUCTIONS = 1200;

export const nodeRules: readonly PlatformRule[] = [
  {
    id: "node.unknown-type",
    severity: "warning",
    checkNode(node) {
      if (nodeType(node.type)) return undefined;
      if (isBlank(node.type)) return { message: `"${node.id}" has no type.`, fix: fieldFix(node, "type", "message") };
      const type = String(node.type);
      const names = nodeTypes.map(({ name }) => name);
      const close = nearest(type, names);
      return {
        message: `Unknown node type "${type}".`,
        words: valueWords("type", type),
        ...(close ? { replacement: close } : {}),
        fix: `Use one of ${names.join(", ")}.`,
      };
    },
  },
  {
    id: "collect.no-variable",
    severity: "blocking",
    checkNode(node, { graph }) {
      if (node.type !== "collect" || !isBlank(node.variable)) return undefined;
      const words = node.id.split(/[_-]/);
      const guess = [...graph.variables.keys()].find((name) => words.some((word) => name.split("_").includes(word)));
      return {
        message: `"${node.id}" doesn't set \`variable\`, so the answer isn't stored.`,
        ...(guess
          ? { fix: fieldFix(node, "variable", guess) }
          : { words: keyWords, fix: "Set `variable` to a context variable." }),
      };
    },
  },
  {
    id: "tool.no-tool",
    severity: "blocking",
    checkNode(node) {
      if (node.type !== "tool" || !isBlank(node.tool)) return undefined;
      return { message: `"${node.id}" doesn't set \`tool\`.`, words: keyWords, fix: "Set `tool` to the ID of a tool." };
    },
  },
  {
    id: "tool.no-error-path",
    severity: "warning",
    checkNode(node, { out, first }) {
      if (node.type !== "tool" || out(node.id).some((edge) => edge.on === "error")) return undefined;
      const fallback = first("transfer");
      return {
        message: `"${node.id}" has no edge for errors of its tool.`,
        ...(fallback
          ? { relatedNodes: [fallback.id], fix: edgeFix(node, { to: fallback.id, on: "error" }) }
          : { fix: "Add an edge with `on: error`." }),
      };
    },
  },
  {
    id: "transfer.no-destination",
    severity: "blocking",
    checkNode(node) {
      if (node.type !== "transfer" || !isBlank(node.destination)) return undefined;
      const fix = fieldFix(node, "destination", '"+15550100"');
      return { message: `"${node.id}" doesn't set \`destination\`.`, fix };
    },
  },
  {
    id: "instructions.missing",
    severity: "warning",
    checkNode(node) {
      const speaks = node.type === "message" || node.type === "collect";
      if (!speaks || !isBlank(node.instructions)) return undefined;
      return {
        message: `"${node.id}" has no instructions, so the assistant has nothing to say.`,
        words: keyWords,
        fix: "Set `instructions` to what the assistant should say.",
      };
    },
  },
  {
    id: "instructions.long",
    severity: "suggestion",
    checkNode({ id, instructions }) {
      if (typeof instructions !== "string" || instructions.length <= MAX_INSTRUCTIONS) return undefined;
      return {
        message: `The instructions of "${id}" have ${instructions.length} characters; models follow shorter instructions better.`,
        words: instructionsWords,
        fix: "Split the node, or move general instructions to the persona.",
      };
    },
  },
];
