import type { Rule } from "./engine/rule";

/** The reader reports it (document.ts): the file is larger, deeper or more repetitive than it reads. */
export const limit: Rule = {
  code: "limit",
  severity: "warning",
  title: "The file exceeds a limit of the editor",
};
