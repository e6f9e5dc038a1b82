/**
 * Escapes invisible characters: terminal commands, changes of text direction, zero-width characters. They're escaped as
 * in JSON, so a JSON report stays valid and two different names look different.
 */

/**
 * C0 and C1 controls except tab and line breaks, direction marks, zero-width and filler characters, tag characters,
 * lone surrogates.
 */
const UNSEEN = /(?![\t\n]|\r\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** These two are kept inside emoji: the joiner between two, and the color variant after one. */
const JOINER = "\u200d";
const COLORED = "\ufe0f";
const BEFORE = new RegExp(`(?:\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|[#*0-9]|${COLORED})$`, "u");
const AFTER = /^\p{Extended_Pictographic}/u;

/** Escapes the invisible characters of a multi-line text, and normalizes its line breaks. */
export function visible(text: string): string {
  return visibleSigns(text.replaceAll("\r\n", "\n"));
}

/** Like `visible`, but keeps line breaks as they are, for text that may be written back to a file. */
export function visibleSigns(text: string): string {
  return text.replace(UNSEEN, (sign, at: number, whole: string) => {
    const before = whole.slice(Math.max(0, at - 2), at);
    if (sign === COLORED && BEFORE.test(before)) return sign;
    if (sign === JOINER && BEFORE.test(before) && AFTER.test(whole.slice(at + 1, at + 3))) return sign;
    return escaped(sign);
  });
}

/** Undoes `visible`, so that a program can send back a name as it was shown. */
export function fromVisible(text: string): string {
  return text.replace(/(?:\\u[0-9a-f]{4})+/g, (run) => {
    const signs = run.replace(/\\u(.{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    return visibleSigns(signs) === run ? signs : run;
  });
}

/** Like `visible`, with all whitespace collapsed to single spaces. */
export function visibleLine(text: string): string {
  return visible(text.replace(/[ \t\r\n]+/g, " "));
}

/** Template tag that puts each value on one line, so that text from others can't start a line of its own. */
export function oneLine(ours: TemplateStringsArray, ...values: readonly unknown[]): string {
  return String.raw({ raw: ours }, ...values.map((value) => visibleLine(String(value))));
}

/** Shortens a name to one line of at most `MAX_NAME` characters. */
export function shownName(text: string): string {
  if (/^[ -~]{0,200}$/.test(text)) return text;
  const line = visibleLine(bounded(text, MAX_NAME));
  return text.length > MAX_NAME ? `${line}…` : line;
}

const MAX_NAME = 500;

/** Shortens a message to at most `MAX_MESSAGE` characters, keeping its line breaks. */
export function shownMessage(text: string): string {
  if (/^[ -~]{0,500}$/.test(text)) return text;
  const shown = visible(bounded(text, MAX_MESSAGE));
  return text.length > MAX_MESSAGE ? `${shown}…` : shown;
}

const MAX_MESSAGE = 4000;

/** Replaces each invisible character by a dot, so that the width stays the same and markers below the line align. */
export function dotted(text: string): string {
  return text.replace(UNSEEN, (sign) => "·".repeat(sign.length));
}

/** Cuts text to a length without splitting a surrogate pair. */
export function bounded(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\ud800-\udbff]/.test(text[length - 1] as string) ? length - 1 : length;
  return text.slice(0, end);
}

function escaped(sign: string): string {
  let shown = "";
  for (let at = 0; at < sign.length; at++) shown += `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`;
  return shown;
}
