/** Comparing two flows: what changed, and what that means for the conversation. */
export { type Behavior, behaviorBetween } from "./behavior";
export { type Change, changesBetween, changesBetweenDocuments, withPlatformFields } from "./changes";
export type { EdgeChange } from "./edge-pairs";
export { type Ending, type Endings, endingsBetween, NO_ENDINGS } from "./endings";
export { outlineOf } from "./outline";
export { type Mark, overlayOf, type Picture, pictureMermaid, pictureOf } from "./picture";
export { readWhole } from "./whole";
export { type WordRun, wordDiff } from "./words";
