/** All refactorings that apply at a place. */
import type { FlowDocument } from "../document";
import { guarded } from "../guard";
import { checkDocument, settle } from "../rules/engine/engine";
import type { Span } from "../text";
import { convertStyle, sortVariables } from "./layout";
import { inlinePassThrough, insertOnEdge, renameToName } from "./nodes";
import type { Refactoring } from "./refactoring";
import { extractNode, literalToVariable } from "./text";

export type { Refactoring } from "./refactoring";

const all = [
  extractNode,
  literalToVariable,
  insertOnEdge,
  inlinePassThrough,
  renameToName,
  sortVariables,
  convertStyle,
];

/** None for a file with syntax errors, because its places are guesses. */
export function refactoringsAt(document: FlowDocument, span: Span): Refactoring[] {
  if (document.problems.some((problem) => problem.code === "yaml-syntax")) return [];
  const found = all.flatMap((find) => find({ document, span }));
  if (document.length > MAX_TRIED)
    return found.map((each) => ({ ...each, edits: () => guarded(document, each.edits(), each.means) }));
  const before = found.some(({ means }) => means.changes !== "nothing") ? serious(document) : 0;
  const offered = found.flatMap((each) => {
    const and = (after: FlowDocument) => (each.means.and?.(after) ?? true) && serious(after) <= before;
    const edits = guarded(
      document,
      each.edits(),
      each.means.changes === "nothing" ? each.means : { ...each.means, and },
    );
    return edits.length > 0 ? { ...each, edits: () => edits } : [];
  });
  settle(document);
  return offered;
}

/** A refactoring must not add problems. */
function serious(document: FlowDocument): number {
  return checkDocument(document).filter(({ severity }) => severity === "error" || severity === "warning").length;
}

/** The light bulb updates with every cursor move: in longer files, a refactoring is verified when it's chosen. */
const MAX_TRIED = 100_000;
