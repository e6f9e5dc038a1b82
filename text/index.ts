/** The face of `text/`: how words of others are shown so that they stay words, and our own in the language of the editor. */

export { fromVisibleData, visibleData } from "./data";
export { fencedJson, fencedText } from "./fenced";
export { speak, t } from "./l10n";
export { Lines } from "./lines";
export {
  codeBlock,
  codeSpan,
  escapeComment,
  escapeMarkdown,
  linkTarget,
  withoutLinks,
  withoutMarkdown,
} from "./markdown";
export { shellPath } from "./shell";
export {
  bounded,
  dotted,
  fromVisible,
  oneLine,
  shownMessage,
  shownName,
  visible,
  visibleLine,
} from "./visible";
