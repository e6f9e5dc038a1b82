/** Slips with a character that was typed instead of another one: a colon, a space, or a line break. */
import { isKnownKey } from "../fields";
import { briefly } from "../text";
import { cause, keyColumn, type Slip } from "./slip";

/** `type: message` or `- to: a` with a no-break space, as copied from a web page or typed with Alt. */
export const noBreakSpace: Slip = (line) => {
  const match = /^([ \t]*(?:-[ \t]+)*)(-|[A-Za-z_][\w-]*:)([ \t]*\u00a0\s*)\S/.exec(line.text);
  if (match) {
    const key = line.start + (match[1] as string).length;
    const start = key + (match[2] as string).length;
    const end = start + (match[3] as string).length;
    const after = match[2] === "-" ? "dash" : "colon";
    const message = `YAML doesn't read the no-break space after the ${after} as a space. Replace it with a space.`;
    return [cause(message, "Replace with a space", start, end, " ", { start: key, end })];
  }
  const blank = /^[ \t\u00a0]*/.exec(line.text)?.[0] ?? "";
  if (!blank.includes("\u00a0")) return [];
  const [start, end] = [line.start, line.start + blank.length];
  const message = "YAML doesn't read a no-break space as indentation. Replace it with a space.";
  return [cause(message, "Replace with a space", start, end, blank.replaceAll("\u00a0", " "))];
};

/** `type = message`, and `type; message` or `type. message` with the colon's key but without Shift. */
export const wrongColon: Slip = (line) => {
  const match = /^([ \t]*(?:-[ \t]+)*)([A-Za-z_][\w-]*)([ \t]*(?:[=：]|[;,.>](?=[ \t]|$))[ \t]*)(\S|$)/.exec(line.text);
  if (!match) return [];
  const [, before = "", key = "", sign = "", value] = match;
  const isMeant = isKnownKey(key) || (value === "" && line.nextIndent > line.indent);
  if (!isMeant) return [];
  const start = line.start + before.length + key.length;
  const message = `A key is followed by a colon, not \`${sign.trim()}\`. Write \`${briefly(key, 56)}:${value ? " …" : ""}\`.`;
  return [
    cause(message, "Replace with a colon", start, start + sign.length, value ? ": " : ":", {
      start: start - key.length,
      end: start + sign.trimEnd().length,
    }),
  ];
};

/** A value with spaces isn't the end of a field: `name: Ask for a name: …` is a text. */
const ONE_WORD = ["to", "type", "variable", "mode", "on", "source", "tool", "component", "entry"];

/** `- to: a when: the caller agrees`, and two lines joined by Delete. */
export const joinedLines: Slip = (line) => {
  const match = /^([ \t]*(?:-[ \t]+)*)([a-z_]+)(:[ \t]+)([^\s"'|>{[&*!#][^:]*?)(,?[ \t]+)([a-z_]+):(?:[ \t]|$)/.exec(
    line.text,
  );
  const [, before = "", key = "", colon = "", value = "", space = "", next = ""] = match ?? [];
  if (!match || !isKnownKey(key) || !isKnownKey(next) || key === next) return [];
  const isWord = ONE_WORD.includes(key) && !/\s/.test(value);
  if (!isWord && !/[ \t]{3}$/.test(space)) return [];
  const start = line.start + before.length + key.length + colon.length + value.length;
  const end = start + space.length;
  const message = `\`${next}\` can't follow on the line of \`${key}\`. Move it to the next line.`;
  return [
    cause(message, "Move to the next line", start, end, `\n${" ".repeat(keyColumn(line.text))}`, {
      start: end,
      end: line.start + line.text.trimEnd().length,
    }),
  ];
};

/** `{to: a when: the caller agrees}`. */
export const noComma: Slip = (line) => {
  const match = /([{,][ \t]*)([a-z_]+)(:[ \t]+[^\s,:{}[\]"']+)[ \t]+([a-z_]+):[ \t]/.exec(line.text);
  if (!match || !isKnownKey(match[2] as string) || !isKnownKey(match[4] as string)) return [];
  const [, before = "", key = "", value = "", next = ""] = match;
  const start = line.start + match.index + before.length;
  const end = start + key.length + value.length;
  const message = `There's no comma before \`${next}\`. Add one.`;
  return [cause(message, "Add a comma", end, end, ",", { start, end })];
};

/** The lines of a text after `|` that aren't indented. */
export const flatText: Slip = (line, text) => {
  const column = keyColumn(line.text);
  if (!/:[ \t]+[|>][-+]?[ \t]*$/.test(line.text) || line.nextIndent > column || line.nextIndent < 0) return [];
  const by = " ".repeat(column + 2 - line.nextIndent);
  const edits: { start: number; end: number; text: string }[] = [];
  const below = line.start + line.text.length;
  for (const { index, 0: each } of text.slice(below).matchAll(/^[^\r\n]*\S[^\r\n]*/gm)) {
    if (index === 0) continue;
    if (/^[ \t]*(?:-[ \t]+)?["']?[\w-]+["']?:(?:[ \t]|$)/.test(each) || each.search(/\S/) < line.nextIndent) break;
    edits.push({ start: below + index, end: below + index, text: by });
  }
  const [first] = edits;
  if (!first) return [];
  const message = "The lines of this text must be indented more than its key.";
  const start = first.start + line.nextIndent;
  const end = (edits.at(-1) as typeof first).start;
  const last = text.slice(end).search(/\r?\n|$/);
  return [{ message, title: "Indent the text", span: { start, end: end + last }, edits }];
};
