import { isNull } from "../values";
import { eolOf, lineEnd } from "./engine/edits";
import type { Rule } from "./engine/rule";

export const emptyFlow: Rule = {
  code: "empty-flow",
  severity: "warning",
  title: "Flow without nodes",
  checkGraph({ nodes, document }, report) {
    if (nodes.length > 0) return;
    const section = document.top("nodes");
    // `wrong-type` reports `nodes` that isn't a map.
    if (section?.value?.kind !== "map" && !isNull(section?.value)) return;
    if (
      section?.isBroken ||
      document.variable("nodes")?.isBroken ||
      (document.tops.length === 0 && document.problems.length > 0)
    )
      return;
    report({ message: "The flow has no nodes. Add one under `nodes`.", at: { top: "nodes" } });
  },
  fixes(_, document) {
    const eol = eolOf(document);
    const entry = document.top("entry") ? "" : `entry: start${eol}`;
    const nodes = `nodes:${eol}  start:${eol}    type: end${eol}`;
    const section = document.top("nodes");
    const title = "Add a first node";
    if (section) {
      const start = document.startOf(section);
      return [{ title, edits: [{ start, end: lineEnd(document, start), text: `${entry}${nodes.trimEnd()}` }] }];
    }
    const end = document.length;
    const open = end > 0 && !/[\r\n\uFEFF]/.test(document.slice({ start: end - 1, end })) ? eol : "";
    return [{ title, edits: [{ start: end, end, text: `${open}${entry}${nodes}` }] }];
  },
};
