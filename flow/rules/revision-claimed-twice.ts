import type { Rule } from "./rule";

/** Seen only across files: `checkWorkspace` (workspace.ts) reports it. */
export const revisionClaimedTwice: Rule = {
  code: "revision-claimed-twice",
  severity: "error",
  title: "Two files name the same revision",
};
