import { mapAt, removeBlock, removePair } from "./engine/edits";
import type { Fix, Rule } from "./engine/rule";

/** Reported by the reader (document.ts): only the first of two equal keys is used. */
export const duplicateKey: Rule = {
  code: "duplicate-key",
  severity: "error",
  title: "Duplicate key",
  fixes(problem, document) {
    const block = document.blockAt(problem.span.start);
    if (!block) return [];
    const start = document.startOf(block);
    const fixes: Fix[] = [];
    const isKey = problem.span.start === start + block.keySpan.start;
    if (isKey && block.section !== "top") {
      const taken = new Set(
        block.section === "nodes" ? document.nodes.map((n) => n.id) : document.variables.map((v) => v.name),
      );
      let number = 2;
      while (taken.has(`${block.key}_${number}`)) number++;
      const free = `${block.key}_${number}`;
      fixes.push({ title: `Rename to "${free}"`, edits: [{ ...document.absolute(block, block.keySpan), text: free }] });
      const child = [...document.nodes, ...document.variables].find((each) => each === block);
      if (child) fixes.push({ title: "Remove this key", edits: [removeBlock(document, child)] });
    } else if (!isKey) {
      const at = { start: problem.span.start - start, end: problem.span.end - start };
      const map = mapAt(block, at);
      const pair = map?.pairs.find((each) => each.key.span.start === at.start);
      if (map && pair) fixes.push({ title: "Remove this key", edits: [removePair(document, block, map, pair)] });
    }
    return fixes;
  },
};
