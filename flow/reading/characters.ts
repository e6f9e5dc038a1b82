/** Characters with a meaning in YAML, and those allowed in plain scalars. */
export const TAB = 9;
export const NEWLINE = 10;
export const RETURN = 13;
export const SPACE = 32;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const APOSTROPHE = 0x27;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const DOT = 0x2e;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_LIST = 0x5d;
export const OPEN_MAP = 0x7b;
export const CLOSE_MAP = 0x7d;
export const PIPE = 0x7c;
export const GREATER = 0x3e;

export const KEY = 1;
export const NO_PLAIN_START = 2;
export const BREAKS_FLOW = 4;
/** For each ASCII character: whether it's allowed in a plain key, at the start of a plain scalar, or in one inside `{}`. */
export const kinds = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  if (/[A-Za-z0-9_$.]/.test(char)) kinds[code] = KEY;
  if ("-/+".includes(char)) kinds[code] = KEY | NO_PLAIN_START;
  if (code <= SPACE || "?:,[]{}#&*!|>'\"%@`".includes(char)) kinds[code] = NO_PLAIN_START;
  if (",[]{}".includes(char)) kinds[code] = NO_PLAIN_START | BREAKS_FLOW;
}
