import { lineStart, nextLineStart } from "./engine/edits";
import type { Rule } from "./engine/rule";

/** Reported by `checkWorkspace` (engine/workspace.ts), because it needs all files. */
export const revisionClaimedTwice: Rule = {
  code: "revision-claimed-twice",
  severity: "error",
  title: "Revision used by several files",
  /** Which file is the right one can't be known, so each offers the fix. */
  fixes({ span }, document) {
    const block = document.top("revision");
    if (!block || document.blockAt(span.start) !== block) return [];
    const start = document.startOf(block);
    const from = lineStart(document, start);
    // In flow style, other keys may be on the same line.
    if (document.slice({ start: from, end: start }).trim() !== "") return [];
    const end = nextLineStart(document, span.end);
    return [{ title: "Remove `revision` from this file", edits: [{ start: from, end, text: "" }] }];
  },
};
