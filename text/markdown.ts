/** Words of others inside Markdown and notifications: nothing in them becomes a link, an image, a list or a command. */
import { bounded, visible, visibleLine } from "./visible";

/** More is not read where Markdown is shown, and would have to be rendered. */
const MAX_LENGTH = 1000;

/** As words of one line, wherever in Markdown it stands. Addresses, too, stay words. */
export function escapeMarkdown(text: string): string {
  return shortLine(text)
    .replace(/[\\`*_{}[\]()#<>|!~&$@]/g, "\\$&")
    .replace(/:(?=\/\/)|(?<=www)\./gi, "\\$&")
    .replace(/^(\d*)([-+=.])/, "$1\\$2");
}

/** A word in which hosts of repositories may see a person, a team, an issue or a merge request. */
const MENTION = /@|[#!&%~$]\w|\bGH-\d/i;

/** The same in a comment. Hosts look for mentions after escapes are resolved, so a word that may be one is shown as code. */
export function escapeComment(text: string): string {
  const words = shortLine(text).split(" ");
  return words.map((word) => (MENTION.test(word) ? codeSpan(word) : escapeMarkdown(word))).join(" ");
}

/** As code: a run of backticks longer than any in the text ends it, and only on the same line. */
export function codeSpan(text: string): string {
  const line = shortLine(text);
  if (line === "") return "` `";
  const fence = "`".repeat(longestRun(line) + 1);
  return line.startsWith("`") || line.endsWith("`") ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** An address as the target of a link, which nothing in it ends: names of folders may have brackets. */
export function linkTarget(address: string): string {
  return address.replace(/[()<>\\\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** Lines as a block that nothing in them ends. */
export function codeBlock(language: string, lines: readonly string[]): string {
  const text = visible(lines.map((line) => bounded(line, MAX_LENGTH)).join("\n"));
  const fence = "`".repeat(Math.max(2, longestRun(text)) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** For a message, where VS Code makes links, which may run commands, of `[words](address)` alone. Nothing in it is unseen. */
export function withoutLinks(text: string): string {
  return visible(text).replaceAll("](", "] (");
}

/** The words that a reader of our own Markdown would see, for a client that shows none. */
export function withoutMarkdown(markdown: string, addresses: "shown" | "hidden" = "shown"): string {
  const syntax =
    /\\([!-/:-@[-`{-~])|\*\*|^#+ |`{3,}[a-z]*\n?|`+|\[((?:[^[\]\\]|\\.){0,1000})\]\(([^()\s]{0,8000})(?: "[^"\n]{0,2000}")?\)/gm;
  return markdown.replace(syntax, (_, sign?: string, words?: string, address?: string) => {
    if (words === undefined) return sign ?? "";
    const said = withoutMarkdown(words);
    return addresses === "shown" ? `${said} (${address})` : said;
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
