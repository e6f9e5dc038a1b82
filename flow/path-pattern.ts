/** Patterns of paths, with slashes. */

/** What a pattern matches; undefined where it can't be read. */
export function pathPattern(glob: string): RegExp | undefined {
  try {
    return new RegExp(`^${sourceOf(glob)}$`);
  } catch {
    return undefined;
  }
}

/** `**` is any number of folders, `*` and `?` stay inside one, `{a,b}` is either, `[ab]` and `[!ab]` are one sign. */
function sourceOf(glob: string): string {
  return glob.replace(/\*\*\/|\*\*|\*|\?|\{[^{}]*\}|\[[!^]?[^\]/]+\]|[.+^$()|[\]\\{}]/g, (sign) => {
    if (sign === "**/") return "(?:.*/)?";
    if (sign === "**") return ".*";
    if (sign === "*") return "[^/]*";
    if (sign === "?") return "[^/]";
    if (sign.length === 1) return escaped(sign);
    const inside = sign.slice(1, -1);
    if (sign.startsWith("{")) return `(?:${inside.split(",").map(sourceOf).join("|")})`;
    const signs = inside.replace(/[\\[^]/g, "\\$&");
    return /^[!^]/.test(inside) ? `[^/${signs.replace(/^(!|\\\^)/, "")}]` : `[${signs}]`;
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
