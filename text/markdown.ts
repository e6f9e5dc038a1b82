/**
 * Escapes text from others for Markdown and notifications, so that nothing in it becomes a link, an image, a list or a
 * command.
 */
import { bounded, visible, visibleLine } from "./visible";

/** Longer text is cut, because rendering it in a hover is slow. */
const MAX_LENGTH = 1000;

/** Escapes text as one line that is safe anywhere in Markdown. URLs aren't turned into links either. */
export function escapeMarkdown(text: string): string {
  return shortLine(text)
    .replace(/[\\`*_{}[\]()#<>|!~&$@]/g, "\\$&")
    .replace(/:(?=\/\/)|(?<=www)\./gi, "\\$&")
    .replace(/^(\d*)([-+=.])/, "$1\\$2");
}

/** Matches a word that GitHub or GitLab may read as a mention of a user, a team, an issue or a merge request. */
const MENTION = /@|[#!&%~$][\w"]|\bGH-\d/i;

/**
 * Like `escapeMarkdown`, for comments on pull requests. GitHub and GitLab look for mentions after resolving escapes, so
 * possible mentions become code.
 */
export function escapeComment(text: string): string {
  const words = shortLine(text).split(" ");
  return words.map((word) => (MENTION.test(word) ? codeSpan(word) : escapeMarkdown(word))).join(" ");
}

/**
 * Escapes the separator of cells in text for a table. It ends a cell even inside code, and the rest would be Markdown. A
 * backslash isn't enough: renderers disagree about several in a row.
 */
export function inCell(text: string): string {
  return text.replaceAll("|", "\\u007c");
}

/** Formats text as inline code. The fence is longer than any run of backticks in the text. */
export function codeSpan(text: string): string {
  const line = shortLine(text);
  if (line === "") return "` `";
  const fence = "`".repeat(longestRun(line) + 1);
  return line.startsWith("`") || line.endsWith("`") ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** Escapes a URL as a link target: folder names may contain brackets. */
export function linkTarget(address: string): string {
  return address.replace(/[()<>\\\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** Formats lines as a code block whose fence is longer than any run of backticks in them. */
export function codeBlock(language: string, lines: readonly string[]): string {
  const text = visible(lines.map((line) => bounded(line, MAX_LENGTH)).join("\n"));
  const fence = "`".repeat(Math.max(2, longestRun(text)) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Breaks up `[text](url)` in a notification, because VS Code turns it into a link, which may run a command. */
export function withoutLinks(text: string): string {
  return visible(text).replaceAll("](", "] (");
}

/** Strips our own Markdown to plain text, for clients that don't render it. */
export function withoutMarkdown(markdown: string, addresses: "shown" | "hidden" = "shown"): string {
  const syntax =
    /\\([!-/:-@[-`{-~])|\*\*|^#+ |`{3,}[a-z]*\n?|`+|\[((?:[^[\]\\]|\\.){0,1000})\]\(([^()\s]{0,8000})(?: "[^"\n]{0,2000}")?\)/gm;
  return markdown.replace(syntax, (_, sign?: string, words?: string, address?: string) => {
    if (words === undefined) return sign ?? "";
    const label = withoutMarkdown(words);
    return addresses === "shown" ? `${label} (${address})` : label;
  });
}

function shortLine(text: string): string {
  const line = visibleLine(bounded(text, MAX_LENGTH)).trim();
  return text.length > MAX_LENGTH ? `${line}…` : line;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
