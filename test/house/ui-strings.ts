/**
 * Collects the user-visible strings of the product. `UPDATE=1 npm test -- house words` writes package.nls.json (the
 * manifest), l10n/bundle.l10n.json (translatable strings of VS Code) and test/house/words.txt (all strings, for
 * review).
 */
import { readFileSync } from "node:fs";
import { filesBelow, inProject } from "../../scripts/project";
import type { Words } from "../../scripts/rules";

/**
 * All translatable strings, sorted: those of `l10n.t` in the extension, and of `t` in its pages, in the server and in
 * sync.
 */
export function translatable(): string[] {
  const files = ["client", "webview", "server", "files/suite", "sync"].flatMap((folder) => filesBelow(folder, ".ts"));
  const found = files.flatMap((file) => {
    const text = readFileSync(inProject(file), "utf8").replace(/^export function t\(.*/m, "");
    return [...text.matchAll(/(?<![\w.])(?:(?:vscode\.)?l10n\.)?t\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')?/g)].map(
      ([, literal]) => {
        if (!literal) throw new Error(`${file}: l10n.t requires a string literal`);
        return textOf(literal);
      },
    );
  });
  return unique(found);
}

/** Folders with strings that aren't translated or never shown by VS Code. Sandbox messages are the platform's. */
const ENGLISH = ["flow", "files", "text", "platform", "debug", "cli", "server", "sync"];

/** All strings, one per line. */
export function allWords(manifestWords: Words): string {
  const written = ENGLISH.flatMap((folder) => filesBelow(folder, ".ts"))
    .flatMap((file) => sentencesIn(file))
    .map(({ text }) => text);
  const lines = [...Object.values(manifestWords), ...translatable(), ...written].map((text) =>
    JSON.stringify(text).slice(1, -1),
  );
  return `${unique(lines).join("\n")}\n`;
}

/** Sentences in VS Code's folders that don't go through `t`, so they can't be translated. */
export function untranslatable(): Sentence[] {
  const known = new Set(translatable());
  return ["client", "webview", "server", "files/suite", "sync"]
    .flatMap((folder) => filesBelow(folder, ".ts"))
    .flatMap(sentencesIn)
    .filter(({ text }) => !known.has(text) && /^["`A-Z{].* .* .*([.?!…:]|: \{\})$/.test(text));
}

interface Sentence {
  readonly file: string;
  readonly text: string;
}

/** Strings that look like text for users, not code or markup. */
function sentencesIn(file: string): Sentence[] {
  return textsIn(readFileSync(inProject(file), "utf8"))
    .filter((text) => /[A-Za-z]{2,} [a-z{"`(]|[a-z]{2,}[.!…]$/.test(text))
    .filter((text) => !/^\s*[-<]|[;{]\n|=>|__fish|\(\(|;;|stroke:/.test(text))
    .map((text) => ({ file, text }));
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort((a, b) => (a < b ? -1 : 1));
}

function textOf(literal: string): string {
  return literal.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|.)/gs, (_, escaped: string) => {
    if (escaped === "n") return "\n";
    if (escaped === "t") return "\t";
    return escaped.length > 1 ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16)) : escaped;
  });
}

/** The string literals of a source file, with `{}` for interpolations; literals inside interpolations are included. */
export function textsIn(source: string): string[] {
  const texts: string[] = [];
  let at = 0;
  /** The last non-whitespace character, to tell a division from a regular expression. */
  let before = "";
  const code = (isEnd: (sign: string) => boolean) => {
    let depth = 0;
    while (at < source.length) {
      const sign = source[at] as string;
      if (depth === 0 && isEnd(sign)) return;
      if (sign === "{") depth++;
      if (sign === "}") depth--;
      if (source.startsWith("//", at)) at = endOf("\n");
      else if (source.startsWith("/*", at)) at = endOf("*/");
      else if (sign === "/" && /[(,=:[!&|?{};>]|^$/.test(before)) pattern();
      else if (sign === '"' || sign === "'") quoted(sign);
      else if (sign === "`") template();
      else {
        if (!/\s/.test(sign)) before = sign;
        at++;
      }
    }
  };
  const endOf = (mark: string) => {
    const end = source.indexOf(mark, at + 1);
    return end < 0 ? source.length : end + mark.length;
  };
  const pattern = () => {
    let inClass = false;
    for (at++; at < source.length; at++) {
      if (source[at] === "\\") at++;
      else if (source[at] === "[") inClass = true;
      else if (source[at] === "]") inClass = false;
      else if (source[at] === "/" && !inClass) break;
    }
    at++;
    before = "/";
  };
  const quoted = (mark: string) => {
    const start = at++;
    while (at < source.length && source[at] !== mark) at += source[at] === "\\" ? 2 : 1;
    texts.push(textOf(source.slice(start, ++at)));
    before = mark;
  };
  const template = () => {
    let text = "";
    at++;
    while (at < source.length && source[at] !== "`") {
      if (source.startsWith("${", at)) {
        at += 2;
        before = "{";
        code((sign) => sign === "}");
        at++;
        text += "{}";
      } else {
        const length = source[at] === "\\" ? 2 : 1;
        text += source.slice(at, at + length);
        at += length;
      }
    }
    at++;
    texts.push(textOf(`"${text}"`));
    before = "`";
  };
  code(() => false);
  return texts;
}
