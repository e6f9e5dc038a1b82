/** Every refactoring that applies at a place. */
import type { FlowDocument } from "../document";
import { guarded } from "../guard";
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

/** A file with syntax errors gets none: its places are guesses. */
export function refactoringsAt(document: FlowDocument, span: Span): Refactoring[] {
  if (document.problems.some((problem) => problem.code === "yaml-syntax")) return [];
  return all
    .flatMap((find) => find({ document, span }))
    .flatMap((found) => {
      const edits = () => guarded(document, found.edits(), found.means);
      if (document.length > MAX_TRIED) return { ...found, edits };
      const tried = edits();
      return tried.length > 0 ? { ...found, edits: () => tried } : [];
    });
}

/** A light bulb comes up with every move of the cursor: in longer files an offer is tried when it is taken. */
const MAX_TRIED = 200_000;
