/**
 * The entry point of `text/`: escaping text from others for Markdown, messages and terminals, and translating our own.
 */

export { fromVisibleData, visibleData } from "./data";
export { fencedJson, fencedText } from "./fenced";
export { setTranslations, t } from "./l10n";
export { Lines } from "./lines";
export {
  codeBlock,
  codeSpan,
  escapeComment,
  escapeMarkdown,
  inCell,
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
