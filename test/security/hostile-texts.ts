/**
 * Strings that an attacker would put into a flow, a file name or a response, and a reader that finds active content.
 */
import MarkdownIt, { type Token } from "markdown-it";

const LINK = "[Sign in](command:workbench.action.terminal.sendSequence?x)";
const IMAGE = "![](https://evil.test/beacon.png)";

/** For Markdown. */
export const hostileTexts: readonly string[] = [
  LINK,
  IMAGE,
  `a\n\n${IMAGE}\n\n${LINK}`,
  `a\r\r${IMAGE}`,
  `a\u2028\u2028${IMAGE}`,
  `\`\n\n${IMAGE}\n\n\``,
  `\`\` ${LINK} \`\``,
  `\`${LINK}`,
  `\\${LINK}`,
  `\\\\${IMAGE}`,
  `\\\`${IMAGE}`,
  `]${LINK}`,
  `a](command:x) [b`,
  `](https://evil.test "x") ![`,
  `") ${LINK} ("`,
  "<https://evil.test>",
  "<a href='command:x'>x</a><img src=https://evil.test/x>",
  "<b\nonmouseover=x>",
  "https://evil.test/x",
  "HTTPS://EVIL.TEST",
  "www.evil.com",
  "WWW.evil.com/x?y=[z]",
  "ftp://evil.test",
  "mailto:a@evil.com",
  "a@evil.com",
  "//evil.com",
  "&#91;x&#93;&#40;command:x&#41;",
  "[x][y]\n\n[y]: command:x",
  "[y]: https://evil.test",
  "# heading",
  "a\n===\nb\n---",
  "- item\n+ item\n* item\n1. item\n1) item",
  "1. item",
  "> quote",
  "    indented code",
  "```\nfenced\n```",
  "~~~\nfenced\n~~~",
  "``````",
  "`",
  "```` ` ````",
  "| a | b |\n|---|---|\n| c | d |",
  "***bold*** __x__ ~~y~~",
  "$(sync~spin) $(alert)",
  "\\",
  "\\\n",
  "{{x}} $CLIPBOARD $1",
  "a\0b\x1b]8;;https://evil.test\x07c\x1b]8;;\x07",
  "\u202e)x:dnammoc(]x[\u202c",
  "[\u200bx](command:x)",
  `${"[".repeat(500)}${LINK}`,
  `${"x".repeat(990)}${LINK}`,
  `${"x".repeat(5000)}\n\n${IMAGE}`,
];

/** Terminal control characters, and invisible ones. */
export const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const reader = new MarkdownIt({ html: true, linkify: true });
reader.validateLink = () => true;

/** The active content of Markdown in an editor: links, images, HTML. `allowed` are our own link targets. */
export function liveIn(markdown: string, allowed: (target: string) => boolean = () => false): string[] {
  const found: string[] = [];
  const walk = (tokens: readonly Token[]) => {
    for (const [index, token] of tokens.entries()) {
      // VS Code links only these bare addresses.
      const bare = token.markup === "linkify" && !/^(?:https?|ftp):|^www\.|@/i.test(tokens[index + 1]?.content ?? "");
      const target =
        token.type === "link_open" ? token.attrGet("href") : token.type === "image" ? token.attrGet("src") : null;
      if (target !== null && !bare && !(token.type === "link_open" && allowed(target)))
        found.push(`${token.type} ${target}`);
      if (token.type.startsWith("html")) found.push(`${token.type} ${token.content}`);
      if (/^(heading|table|blockquote|hr)/.test(token.type)) found.push(token.type);
      walk(token.children ?? []);
    }
  };
  walk(reader.parse(markdown, {}));
  if (UNSEEN.test(markdown)) found.push("unseen signs");
  return found;
}
