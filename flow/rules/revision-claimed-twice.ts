import { lineStart, nextLineStart } from "./engine/edits";
import type { Rule } from "./engine/rule";

/** Seen only across files: `checkWorkspace` (workspace.ts) reports it. */
export const revisionClaimedTwice: Rule = {
  code: "revision-claimed-twice",
  severity: "error",
  title: "Two files name the same revision",
  /** Which of the files it is cannot be known; each says how to step back. */
  fixes({ span }, document) {
    const block = document.top("revision");
    if (!block || document.blockAt(span.start) !== block) return [];
    const start = document.startOf(block);
    const from = lineStart(document, start);
    // Written in braces, other keys may stand on the same line.
    if (document.slice({ start: from, end: start }).trim() !== "") return [];
    const end = nextLineStart(document, span.end);
    return [{ title: "Remove the revision from this file", edits: [{ start: from, end, text: "" }] }];
  },
};
