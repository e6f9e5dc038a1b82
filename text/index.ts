/** The face of `text/`: how words of others are shown so that they stay words. */

export { fencedJson, fencedText } from "./fenced";
export { codeBlock, codeSpan, escapeMarkdown, withoutLinks, withoutMarkdown } from "./markdown";
export { shellPath } from "./shell";
export { bounded, dotted, visible, visibleLine } from "./visible";
