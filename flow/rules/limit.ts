import type { Rule } from "./engine/rule";

/** Reported by the reader (document.ts): the file is larger, deeper, or more repetitive than it supports. */
export const limit: Rule = {
  code: "limit",
  severity: "warning",
  title: "File too large to check",
};
