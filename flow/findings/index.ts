/** Findings of the platform: their places in the text, their fixes, and how they join our own problems. */
export {
  type BlockingRules,
  blocksOn,
  differsFromKnown,
  learnBlocking,
  messageBeforePush,
  NOTHING_LEARNED,
  problemsBeforePush,
  readBlocking,
} from "./blocking";
export { FileFindings, type FindingData } from "./file-findings";
export type { PlatformFinding } from "./finding";
export { type SuggestedFix, suggestedFix } from "./fixes";
export { type Merged, mergeFindings, ruleOf } from "./merge";
export type { Since } from "./outdated";
export { isSameRule } from "./same-rule";
export { mostSevere, type Shown, shownOf, sourceOf } from "./shown";
export { placeFinding } from "./spans";
export { SEVERITY_RANK } from "./tally";
