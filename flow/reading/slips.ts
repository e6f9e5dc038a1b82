/** The common mistakes in a line that `yaml` rejects, each with its explanation and fix. */

import { isKnownKey, isKnownType } from "../fields";
import { briefly, trimmedEnd } from "../text";
import { noDash, twoDashes, wrongDash } from "./dashes";
import { flatText, joinedLines, noBreakSpace, noComma, wrongColon } from "./mistyped";
import type { Cause } from "./problem";
import { cause, keyColumn, type Line, type Slip } from "./slip";

/** A key and the value on its line, without a trailing comment. */
const FIELD = /^([ \t]*(?:-[ \t]+)*(?:["']?[\w$.-]+["']?[ \t]*:[ \t]+)?)(\S[\s\S]*?)(?<![ \t])[ \t]*$/;

function valueIn(line: Line): { readonly start: number; readonly text: string; readonly hasKey: boolean } | undefined {
  const match = FIELD.exec(line.text);
  if (!match) return undefined;
  const before = match[1] as string;
  return { start: line.start + before.length, text: match[2] as string, hasKey: /:[ \t]+$/.test(before) };
}

const QUOTE_IT = "Quote the text";
const MAP_FOR_YAML = "YAML reads `{{` as a map. Quote the text.";

/** Puts a value in double quotes; a comment after it stays a comment. */
function inQuotes(message: string, start: number, value: string): Cause {
  const text = /^([\s\S]*?)(?:(?<![ \t])[ \t]+#[\s\S]*)?$/.exec(value)?.[1] ?? value;
  const straight = /^[“”„«](.*)[“”»]$/.exec(text)?.[1] ?? text;
  return cause(message, QUOTE_IT, start, start + text.length, JSON.stringify(straight));
}

/** `type:message`, `-to: a`. */
const noSpace: Slip = (line) => {
  const found: Cause[] = [];
  const colon = /^([ \t]*(?:-[ \t]+)*)([A-Za-z_][\w-]*):([^\s:/].*)$/.exec(line.text);
  if (colon && isKnownKey(colon[2] as string)) {
    const at = line.start + (colon[1] as string).length + (colon[2] as string).length + 1;
    const message = `There's no space after the colon, so \`${briefly(colon[2] as string, 17)}\` isn't read as a key. Write \`${briefly(colon[2] as string, 17)}: ${short(colon[3] as string)}\`.`;
    found.push(cause(message, "Add a space", at, at, " ", { start: at - 1 - (colon[2] as string).length, end: at }));
  }
  const dash = /^([ \t]*)-([A-Za-z_][\w-]*)[ \t]*:/.exec(line.text);
  if (dash && isKnownKey(dash[2] as string)) {
    const at = line.start + (dash[1] as string).length + 1;
    const message = `There's no space after the dash, so this isn't read as a list item. Write \`- ${briefly(dash[2] as string, 56)}:\`.`;
    found.push(cause(message, "Add a space", at, at, " ", { start: at - 1, end: at }));
  }
  return found;
};

/** A comment as in JavaScript: `// text`. */
const slashes: Slip = (line) => {
  const start = line.start + line.indent;
  if (!line.text.startsWith("//", line.indent)) return [];
  return [
    cause("A comment starts with `#`, not `//`.", "Replace with `#`", start, start + 2, "#", {
      start,
      end: line.start + line.text.trimEnd().length,
    }),
  ];
};

/** `"never closed`. */
const openQuote: Slip = (line) => {
  const value = valueIn(line);
  const inBraces = /^(.*[{,[]\s*[\w-]+:\s+|.*[[,]\s*)(["'])([^"']*)$/.exec(line.text);
  const found: Cause[] = [];
  const close = (start: number, quote: string, text: string) => {
    const brackets = text.slice(trimmedEnd(text, "}] \t\r\n").length);
    const isInside = inBraces !== null && /[}\]]/.test(brackets);
    const body = isInside ? text.slice(0, text.length - brackets.length) : text.trimEnd();
    const end = start + body.length;
    const which = quote === '"' ? "double-quoted" : "single-quoted";
    const message = `Unterminated ${which} string. Add the closing quote, or remove this one.`;
    found.push(cause(message, "Close the quote", end, end, quote, { start, end }));
  };
  if (value && /^["']/.test(value.text) && !isClosed(value.text)) {
    if (line.nextIndent <= keyColumn(line.text)) close(value.start, value.text[0] as string, value.text);
  } else if (inBraces) {
    const start = line.start + (inBraces[1] as string).length;
    close(start, inBraces[2] as string, line.text.slice((inBraces[1] as string).length));
  }
  return found;
};

function isClosed(text: string): boolean {
  return text[0] === '"' ? /^"(?:[^"\\]|\\.)*"/.test(text) : /^'(?:[^']|'')*'(?!')/.test(text);
}

/** `'the caller's bill'`, `"Hello" is what you say`, `"{{plan}}" is basic`. */
const earlyQuote: Slip = (line) => {
  const value = valueIn(line);
  if (!value || !/^["']/.test(value.text) || !isClosed(value.text)) return [];
  const quote = value.text[0] as string;
  const first = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(value.text)?.[0] as string;
  const rest = value.text.slice(first.length);
  if (rest.trim() === "" || /^\s+#/.test(rest)) return [];
  if (rest.trim() === ",")
    return [
      cause(
        "YAML lines don't end with a comma. Remove it.",
        "Remove the comma",
        value.start + first.length,
        value.start + value.text.length,
        "",
      ),
    ];
  if (/^\s*[:,\]}]/.test(rest)) return [];
  // A comparison of two quoted texts: `"{{plan}}" == "basic"`.
  if (/^"[^"\\]*"(?:[^"\\]*"[^"\\]*")+$/.test(value.text) && /^[ \t]/.test(rest)) {
    const text = value.text.replace(/"(\{\{[^"]*\}\})"/g, "$1").replaceAll("'", "''");
    const message = "The text continues after its closing quote. Put the whole text in single quotes.";
    return [cause(message, "Change the quotes", value.start, value.start + value.text.length, `'${text}'`)];
  }
  if (rest.endsWith(quote)) {
    const inner = value.text.slice(1, -1).replaceAll("''", "'");
    const what = quote === "'" ? "An apostrophe ends" : "An inner quote ends";
    const message = `${what} this text early. Put the text in ${quote === "'" ? "double quotes" : "single quotes"}.`;
    const text = quote === "'" ? JSON.stringify(inner) : `'${inner.replaceAll("'", "''")}'`;
    return [cause(message, "Change the quotes", value.start, value.start + value.text.length, text)];
  }
  // A template was only quoted because YAML requires it, and the text was continued after the quote.
  if (/^.\{\{/.test(first) && !/["'#\\]/.test(rest))
    return [
      cause(
        "The text continues after its closing quote. Move the quote to the end.",
        "Move the closing quote to the end",
        value.start + first.length - 1,
        value.start + value.text.length,
        `${rest}${quote}`,
        { start: value.start, end: value.start + value.text.length },
      ),
    ];
  return [inQuotes("The text continues after its closing quote. Quote the whole text.", value.start, value.text)];
};

/** `when: {{plan}} is basic`, `{when: “{{plan}} is basic”}`. */
const bareTemplate: Slip = (line) => {
  const value = valueIn(line);
  if (value?.hasKey && value.text.startsWith("{{")) return [inQuotes(MAP_FOR_YAML, value.start, value.text)];
  const match = /([:,[]\s+)([“„]?\{\{[^{}]*\}\}[^,{}[\]]*)(?=[,}\]])/.exec(line.text);
  if (!match) return [];
  const message = /^[“„]/.test(match[2] as string) ? "YAML requires straight quotes. Replace these." : MAP_FOR_YAML;
  const start = line.start + match.index + (match[1] as string).length;
  return [inQuotes(message, start, (match[2] as string).trimEnd())];
};

/** `instructions: Ask this: what is it?`. */
const secondColon: Slip = (line) => {
  const value = valueIn(line);
  if (!value?.hasKey || /^["'|>{[&*!#]/.test(value.text) || !/:(?:\s|$)/.test(value.text)) return [];
  const word = /(?<!\S)(\S+)\s*:(?:\s|$)/.exec(value.text)?.[1] ?? "";
  const message = `YAML reads the colon after "${short(word)}" as another key. Quote the text.`;
  return [inQuotes(message, value.start, value.text)];
};

/** `name: @greeting`, `name: *greeting*`. */
const specialStart: Slip = (line) => {
  const value = valueIn(line);
  const first = value?.text[0] ?? "";
  if (!value?.hasKey || !"@`%*&!,?|>]}".includes(first)) return [];
  if (/^[|>]/.test(first)) {
    const block = /^([|>][-+0-9]*)[ \t]+([^\s#].*)$/.exec(value.text);
    if (!block) return [];
    const start = value.start + (block[1] as string).length;
    const message = `Text after \`${first}\` must start on the next line. Move it there and indent it.`;
    const indent = " ".repeat(keyColumn(line.text) + 2);
    const end = value.start + value.text.length;
    return [cause(message, "Move the text to the next line", start, end, `\n${indent}${block[2]}`)];
  }
  return [inQuotes(`An unquoted text can't start with \`${first}\`. Quote the text.`, value.start, value.text)];
};

/** `{name: @greeting}`. */
const specialInBraces: Slip = (line) =>
  [...line.text.matchAll(/([:,[][ \t]+|\[)([@`%*&!|>][^,{}[\]"']*)/g)].flatMap((match) => {
    const [whole, before = "", text = ""] = match;
    const start = line.start + match.index + before.length;
    if (!/[,}\]]/.test(line.text[match.index + whole.length] ?? "")) return [];
    const message = `An unquoted text can't start with \`${text[0]}\`. Quote the text.`;
    return [inQuotes(message, start, text.trimEnd())];
  });

/** `{first: $.items[0]}`. */
const bracketInBraces: Slip = (line) => {
  const match = /([{,]\s*[\w-]+:\s+)([^\s"'{}[\],][^"'{},]*\[[^\]{}]*\][^"'{},]*)(?=[,}])/.exec(line.text);
  if (!match) return [];
  const start = line.start + match.index + (match[1] as string).length;
  return [inQuotes("Inside `{…}`, a text with a bracket must be quoted.", start, (match[2] as string).trimEnd())];
};

/** `[basic, plus`. */
const openBracket: Slip = (line) => {
  const bare = line.text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/g, (quoted) => "x".repeat(quoted.length));
  const code = bare.replace(/\s#[\s\S]*$/, "").trimEnd();
  const open: { readonly close: string; readonly at: number }[] = [];
  for (let at = 0; at < code.length; at++) {
    const char = code[at] as string;
    if (char === "[" || char === "{") open.push({ close: char === "[" ? "]" : "}", at });
    else if ((char === "]" || char === "}") && open.at(-1)?.close === char) open.pop();
  }
  const first = open.at(-1);
  if (!first || line.nextIndent > keyColumn(line.text)) return [];
  const end = line.start + code.length;
  const message = `This \`${code[first.at]}\` is never closed. Add \`${first.close}\` at the end.`;
  const text = open
    .map(({ close }) => close)
    .reverse()
    .join("");
  return [cause(message, `Add \`${text}\``, end, end, text, { start: line.start + first.at, end })];
};

/** A tab in the indentation. */
const tabs: Slip = (line) => {
  const blank = /^[ \t]*/.exec(line.text)?.[0] ?? "";
  if (!blank.includes("\t")) return [];
  const depths = [
    line.previousOpens ? line.previousIndent + 2 : line.previousIndent,
    line.nextIndent,
    line.previousIndent - 2,
    blank.replaceAll("\t", "  ").length,
  ];
  const message = "YAML doesn't allow tabs for indentation. Use spaces.";
  return [...new Set(depths)]
    .filter((depth) => depth >= 0)
    .map((depth) =>
      cause(message, "Replace tabs with spaces", line.start, line.start + blank.length, " ".repeat(depth), {
        start: line.start,
        end: line.start + line.text.trimEnd().length,
      }),
    );
};

/** `greet` where `greet:` is meant, and `plan string` where `plan: {type: string}` is. */
const noColon: Slip = (line, text) => {
  const match = /^([ \t]*(?:-[ \t]+)*)([A-Za-z][\w-]*)(?:([ \t]+)([a-z]+))?[ \t]*(?:#.*)?$/.exec(line.text);
  if (!match) return [];
  const [, before = "", key = "", space = "", type] = match;
  const isAlone = line.previousIndent < 0 && line.nextIndent < 0;
  const isMeant = type
    ? isAlone && !isKnownKey(key) && line.indent > 0 && isKnownType(type)
    : isAlone || line.nextIndent > line.indent || (isKnownKey(key) && followsWord(lineAbove(line, text)));
  if (!isMeant) return [];
  const start = line.start + before.length;
  return type ? [withColon(start, key, space.length + type.length, `: {type: ${type}}`)] : [withColon(start, key)];
};

function withColon(start: number, key: string, length = 0, colon = ":"): Cause {
  const end = start + key.length;
  const message = `\`${briefly(key)}\` looks like a key. Add a colon after it.`;
  return cause(message, "Add a colon", end, end + length, colon, { start, end });
}

function lineAbove(line: Line, text: string): string {
  const above = text.slice(0, line.start).trimEnd();
  return above.slice(above.lastIndexOf("\n") + 1);
}

/** Whether a line is a key with at most one word, or there's none, so that no text continues on the next line. */
function followsWord(above: string): boolean {
  return above === "" || /^[ \t]*(?:-[ \t]+)*[\w-]+:(?:[ \t]+\S+)?$/.test(above);
}

const SENTENCE = ["instructions", "when", "persona"];
const IN_EDGES = ["to", "when", "on", "label"];
const NAMES = ["name", "description", "destination"];
const WORDS = ["type", "variable", "tool", "component", "mode", "source", "entry", "assistant", "revision"];

/** `type message`, `when the caller agrees`, but not a line of a text that starts with such a word. */
const noColonInside: Slip = (line, text) => {
  const match = /^([ \t]*(?:-[ \t]+)*)([a-z_]+)[ \t]+(\S.*)$/.exec(line.text);
  const [, before = "", key = "", value = ""] = match ?? [];
  if (/:(?:\s|$)/.test(value)) return [];
  const previous = lineAbove(line, text);
  const isInEdge = /^ *- /.test(previous) && keyColumn(previous) === before.length;
  const isAfterWord = followsWord(previous);
  const isOne = /^[\w$"'-]+$/.test(value) && (key !== "on" || /^(?:error|timeout)$/.test(value));
  const isMeant = IN_EDGES.includes(key)
    ? isInEdge && isAfterWord && (isOne || SENTENCE.includes(key))
    : SENTENCE.includes(key) || (isAfterWord && (NAMES.includes(key) || (WORDS.includes(key) && isOne)));
  return isMeant ? [withColon(line.start + before.length, key)] : [];
};

const SECTIONS = ["nodes", "context_variables", "edges", "inputs", "saves", "component_outputs"];

/** `greet: type: message`, `edges: - to: b`. */
const fieldAfterKey: Slip = (line) => {
  const match = /^([ \t]*)([A-Za-z_][\w-]*):([ \t]+)(?:(- +)[A-Za-z{]|([A-Za-z_][\w-]*):[ \t]+\S)/.exec(line.text);
  if (!match) return [];
  const [, blank = "", key = "", space = "", dash, field = ""] = match;
  const isList = key === "edges" || key === "component_outputs";
  const isMeant = dash ? isList : SECTIONS.includes(key) ? !isList : !isKnownKey(key) && isKnownKey(field);
  if (!isMeant) return [];
  const start = line.start + blank.length + key.length + 1;
  const end = line.start + line.text.trimEnd().length;
  // The next line has another field of the content, or of the item behind its dash.
  const column = line.nextIndent - (dash !== undefined && !/^ *- /.test(line.next) ? dash.length : 0);
  const indent = " ".repeat(line.nextIndent > line.indent && column >= line.indent ? column : line.indent + 2);
  const message = `The content of \`${briefly(key, 40)}\` can't start on its line. Move it to the next line.`;
  return [
    cause(message, "Move to the next line", start, start + space.length, `\n${indent}`, {
      start: start + space.length,
      end,
    }),
  ];
};

/** `greet: hello` above the fields of `greet`. */
const textAboveFields: Slip = (line) => {
  const match = /^([ \t]*)([A-Za-z_][\w-]*):[ \t]+([^\s"'|>{[&*!#].*)$/.exec(line.text);
  const next = /^[ \t]*(?:-[ \t]|([A-Za-z_][\w-]*):)/.exec(line.next);
  if (!match || !next || line.nextIndent <= line.indent) return [];
  const [, , key = "", value = ""] = match;
  if (!SECTIONS.includes(key) && (isKnownKey(key) || !isKnownKey(next[1] ?? ""))) return [];
  const start = line.start + line.text.length - value.length;
  const message = `The lines below belong to \`${briefly(key, 40)}\`, so no text can follow its colon. Remove the text.`;
  const end = start + value.trimEnd().length;
  return [cause(message, "Make the text a comment", start, start, "# ", { start, end })];
};

/** `"C:\daten"`. */
const backslash: Slip = (line) => {
  const match = /\\(?![0abtnvfre "/\\N_LPxuU\t]|$)./.exec(line.text);
  if (!match || !line.text.slice(0, match.index).includes('"')) return [];
  const start = line.start + match.index;
  const message = `\`${match[0]}\` isn't a valid escape in double quotes. Double the backslash, or use single quotes.`;
  return [cause(message, "Double the backslash", start, start, "\\", { start, end: start + 2 })];
};

export const slips: readonly Slip[] = [
  tabs,
  slashes,
  noSpace,
  noBreakSpace,
  wrongColon,
  wrongDash,
  twoDashes,
  joinedLines,
  noComma,
  flatText,
  bareTemplate,
  openQuote,
  earlyQuote,
  fieldAfterKey,
  secondColon,
  specialStart,
  specialInBraces,
  bracketInBraces,
  openBracket,
  backslash,
  textAboveFields,
  noDash,
  noColon,
  noColonInside,
];

/** The slips that don't depend on the keys of flows. */
export const slipsInAnyFile: readonly Slip[] = [
  tabs,
  slashes,
  noBreakSpace,
  bareTemplate,
  openQuote,
  earlyQuote,
  specialInBraces,
  bracketInBraces,
  openBracket,
  backslash,
];

function short(text: string): string {
  return text.length > 24 ? `${text.slice(0, 24)}…` : text;
}
