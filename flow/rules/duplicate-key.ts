import { mapAt, removeEntry, removePair } from "./engine/edits";
import type { Fix, Rule } from "./engine/rule";

/** The reader reports it (document.ts): of two equal keys only the first counts. */
export const duplicateKey: Rule = {
  code: "duplicate-key",
  severity: "error",
  title: "A key is written twice",
  fixes(problem, document) {
    const entry = document.entryAt(problem.span.start);
    if (!entry) return [];
    const start = document.startOf(entry);
    const fixes: Fix[] = [];
    const isKey = problem.span.start === start + entry.keySpan.start;
    if (isKey && entry.section !== "top") {
      const taken = new Set(
        entry.section === "nodes" ? document.nodes.map((n) => n.id) : document.variables.map((v) => v.name),
      );
      let number = 2;
      while (taken.has(`${entry.key}_${number}`)) number++;
      const free = `${entry.key}_${number}`;
      fixes.push({ title: `Rename to "${free}"`, edits: [{ ...document.absolute(entry, entry.keySpan), text: free }] });
      const child = [...document.nodes, ...document.variables].find((each) => each === entry);
      if (child) fixes.push({ title: "Remove this one", edits: [removeEntry(document, child)] });
    } else if (!isKey) {
      const at = { start: problem.span.start - start, end: problem.span.end - start };
      const map = mapAt(entry, at);
      const pair = map?.pairs.find((each) => each.key.span.start === at.start);
      if (map && pair) fixes.push({ title: "Remove this one", edits: [removePair(document, entry, map, pair)] });
    }
    return fixes;
  },
};
