/**
 * Signs that are not seen but do something: commands to a terminal, changes of direction, letters of no width. They are
 * shown as JSON would escape them, so a report stays the JSON it was and two names that differ look different.
 */

/** C0 and C1 but tab and line breaks, direction, zero width, fillers that look like nothing, tags, half letters. */
const UNSEEN = /(?![\t\n]|\r\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Two of them make pictures: a joiner between two, and the choice of the colored form after one. */
const JOINER = "\u200d";
const COLORED = "\ufe0f";
const BEFORE = new RegExp(`(?:\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|[#*0-9]|${COLORED})$`, "u");
const AFTER = /^\p{Extended_Pictographic}/u;

/** Text of any number of lines with everything unseen in it made visible. */
export function visible(text: string): string {
  return visibleSigns(text.replaceAll("\r\n", "\n"));
}

/** The same with line breaks as they are, for a text that may go back into a file. */
export function visibleSigns(text: string): string {
  return text.replace(UNSEEN, (sign, at: number, whole: string) => {
    const before = whole.slice(Math.max(0, at - 2), at);
    if (sign === COLORED && BEFORE.test(before)) return sign;
    if (sign === JOINER && BEFORE.test(before) && AFTER.test(whole.slice(at + 1, at + 3))) return sign;
    return escaped(sign);
  });
}

/** A text that was made visible, as it was before: what a program was shown it may say again. */
export function fromVisible(text: string): string {
  return text.replace(/(?:\\u[0-9a-f]{4})+/g, (run) => {
    const signs = run.replace(/\\u(.{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    return visibleSigns(signs) === run ? signs : run;
  });
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(text.replace(/[ \t\r\n]+/g, " "));
}

/** Tags a line of ours: each value in it is made visible on this line, so that words of others start no line of their own. */
export function oneLine(ours: TemplateStringsArray, ...values: readonly unknown[]): string {
  return String.raw({ raw: ours }, ...values.map((value) => visibleLine(String(value))));
}

/** As a name in a list: on one line, and no longer than anybody reads there. */
export function shownName(text: string): string {
  if (/^[ -~]{0,200}$/.test(text)) return text;
  const line = visibleLine(bounded(text, MAX_NAME));
  return text.length > MAX_NAME ? `${line}…` : line;
}

const MAX_NAME = 500;

/** As a message of any number of lines. */
export function shownMessage(text: string): string {
  if (/^[ -~]{0,500}$/.test(text)) return text;
  const shown = visible(bounded(text, MAX_MESSAGE));
  return text.length > MAX_MESSAGE ? `${shown}…` : shown;
}

const MAX_MESSAGE = 4000;

/** The same as wide as it is, for a line with marks under it. */
export function dotted(text: string): string {
  return text.replace(UNSEEN, (sign) => "·".repeat(sign.length));
}

/** No more of a text than is worth looking at, cut between letters. */
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
