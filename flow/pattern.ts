/**
 * Patterns for paths and names. They come from untrusted files, so all matches are followed at once: the work is at most
 * the length of the text times that of the pattern. A regular expression for `*a*a*a` could take exponential time.
 */

/** Longer patterns are rejected: paths and names don't need them. */
export const MAX_PATTERN_LENGTH = 256;

export interface Pattern {
  test(text: string): boolean;
}

type Takes = (character: string) => boolean;

/** A part of a pattern: one character, any number of them, or one of several patterns. */
type Part = { readonly one: Takes } | { readonly many: Takes } | { readonly either: readonly (readonly Part[])[] };

const any: Takes = () => true;
const inFolder: Takes = (character) => character !== "/";
const only =
  (expected: string): Takes =>
  (character) =>
    character === expected;

/**
 * Compiles a path pattern; undefined if it's invalid. `**` is any number of folders, `*` and `?` stay inside one,
 * `{a,b}` is either, `[ab]` and `[!ab]` are one character.
 */
export function pathPattern(glob: string): Pattern | undefined {
  const parts = glob.length > MAX_PATTERN_LENGTH ? undefined : pathParts(glob);
  return parts && patternOf(parts);
}

/** Compiles a name pattern: `*` is any number of characters, `?` is one. Undefined if it's too long. */
export function namePattern(pattern: string): Pattern | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return undefined;
  return patternOf(
    Array.from(pattern, (each) => (each === "*" ? { many: any } : { one: each === "?" ? any : only(each) })),
  );
}

/** Each character is one part, except those that belong together. */
const PARTS = /\*\*\/|\*\*|\{[^{}]*\}|\[[!^]?[^\]/]{1,100}\]|./gsu;

function pathParts(glob: string): Part[] | undefined {
  const parts = Array.from(glob.matchAll(PARTS), ([part]) => pathPart(part));
  return parts.includes(undefined) ? undefined : (parts as Part[]);
}

function pathPart(part: string): Part | undefined {
  // Any number of folders, or none.
  if (part === "**/") return { either: [[], [{ many: any }, { one: only("/") }]] };
  if (part === "**") return { many: any };
  if (part === "*") return { many: inFolder };
  if (part === "?") return { one: inFolder };
  if (part.length > 1 && part.startsWith("{")) {
    const choices = part.slice(1, -1).split(",").map(pathParts);
    return choices.includes(undefined) ? undefined : { either: choices as Part[][] };
  }
  if (part.length > 1 && part.startsWith("[")) {
    const takes = charactersIn(part.slice(1, -1));
    return takes && { one: takes };
  }
  return { one: only(part) };
}

/** The characters of `[a-z]` or `[!ab]`; undefined if a range is reversed. */
function charactersIn(inside: string): Takes | undefined {
  const isNot = /^[!^]/.test(inside);
  const listed = [...(isNot ? inside.slice(1) : inside)];
  const ranges: (readonly [first: string, last: string])[] = [];
  for (let at = 0; at < listed.length; at++) {
    const first = listed[at] as string;
    const last = listed[at + 1] === "-" ? listed[at + 2] : undefined;
    if (last !== undefined && first > last) return undefined;
    ranges.push([first, last ?? first]);
    if (last !== undefined) at += 2;
  }
  return (each) => each !== "/" && ranges.some(([first, last]) => first <= each && each <= last) !== isNot;
}

function patternOf(parts: readonly Part[]): Pattern {
  return {
    test(text) {
      const characters = [...text];
      return endsOf(parts, characters, new Set([0])).has(characters.length);
    },
  };
}

/** Where matches of the parts can end that start at one of these offsets. */
function endsOf(parts: readonly Part[], text: readonly string[], starts: ReadonlySet<number>): ReadonlySet<number> {
  let ends = starts;
  for (const part of parts) {
    const next = new Set<number>();
    if ("either" in part) {
      for (const choice of part.either) for (const end of endsOf(choice, text, ends)) next.add(end);
    } else
      for (const start of ends) {
        if ("one" in part) {
          if (start < text.length && part.one(text[start] as string)) next.add(start + 1);
          continue;
        }
        for (let end = start; !next.has(end); end++) {
          next.add(end);
          if (end === text.length || !part.many(text[end] as string)) break;
        }
      }
    ends = next;
  }
  return ends;
}
