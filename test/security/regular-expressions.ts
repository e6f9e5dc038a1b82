/** Finds the regular expressions of the product, and generates strings that slow a bad one down. */
import { readFileSync } from "node:fs";
import { codeFolders, filesBelow, inProject } from "../../scripts/project";

export interface Found {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** The literals in code that is formatted by Biome, where a division has spaces around it. */
export function literalsIn(text: string): { source: string; flags: string }[] {
  const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const literal =
    /(?<=^\s*|[(,=:[!&|?{};>]\s*|\breturn )\/(?![/*\s=])((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?![\w/])/gm;
  return Array.from(code.matchAll(literal), ([, source = "", flags = ""]) => ({ source, flags })).filter(isExpression);
}

/** Text in a template may look like a literal. */
function isExpression({ source, flags }: { source: string; flags: string }): boolean {
  try {
    return new RegExp(source, flags) !== undefined;
  } catch {
    return false; // It isn't a literal.
  }
}

export function productLiterals(): Found[] {
  return codeFolders
    .flatMap((folder) => filesBelow(folder, ".ts"))
    .flatMap((file) => literalsIn(readFileSync(inProject(file), "utf8")).map((each) => ({ file, ...each })));
}

/** One string, template or constant, or a few joined by a comma: the possible arguments of `RegExp(…)`. */
const PIECE = String.raw`(?:"(?:[^"\\\n]|\\.)*"|(?:String\.raw)?${"`"}(?:[^${"`"}\\]|\\.)*${"`"}|[A-Z][A-Z_]*)`;
const CONSTANT = new RegExp(String.raw`^(?:export )?const ([A-Z][A-Z_]*)(?:: \w+)? = (${PIECE});$`, "gm");
const CALL = new RegExp(String.raw`\bRegExp\(\s*(?:(${PIECE})(?:,\s*(${PIECE}))?,?\s*\)|[^)]*)`, "g");

/**
 * The expressions that are built with `RegExp(…)`. A source is known only if it consists of literals and of constants of
 * the file; otherwise the code is returned in `open`, since the pattern could contain text from outside.
 */
export function builtIn(file: string, text: string, shared: ReadonlyMap<string, string> = new Map()) {
  const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const constants = new Map(shared);
  for (const [, name = "", value = ""] of code.matchAll(CONSTANT)) {
    const known = textOfPiece(value, constants);
    if (known !== undefined) constants.set(name, known);
  }
  const built: Found[] = [];
  const open: string[] = [];
  for (const [call, first, second = '""'] of code.matchAll(CALL)) {
    const source = first === undefined ? undefined : textOfPiece(first, constants);
    const flags = textOfPiece(second, constants);
    if (source === undefined || flags === undefined) open.push(`${file}: ${call}`);
    else built.push({ file, source, flags });
  }
  return { built, open, constants };
}

function textOfPiece(piece: string, constants: ReadonlyMap<string, string>): string | undefined {
  const inserted = Array.from(piece.matchAll(/\$\{([^}]*)\}/g), ([, inner = ""]) => inner);
  const names = inserted.filter((inner) => !/^"[^"]*"$/.test(inner));
  if (/^[A-Z]/.test(piece) && !piece.startsWith("String")) names.push(piece);
  if (!names.every((name) => constants.has(name))) return undefined;
  return new Function(...names, `return ${piece};`)(...names.map((name) => constants.get(name)));
}

/** The expressions of the product. Patterns that several files use are constants of the grammar. */
export function productBuilt() {
  const read = (file: string) => readFileSync(inProject(file), "utf8");
  const grammar = "flow/grammar.ts";
  const { constants } = builtIn(grammar, read(grammar));
  const all = codeFolders
    .flatMap((folder) => filesBelow(folder, ".ts"))
    .flatMap((file) => (/\bRegExp\(/.test(read(file)) ? [builtIn(file, read(file), constants)] : []));
  return { built: all.flatMap(({ built }) => built), open: all.flatMap(({ open }) => open) };
}

/** The expressions of problem matchers and of the language configuration. */
export function manifestExpressions(): { readonly source: string; readonly flags: string }[] {
  const read = (file: string) => JSON.parse(readFileSync(inProject(file), "utf8"));
  const found = new Set<string>();
  const collect = (value: unknown, key: string): void => {
    if (typeof value === "string" && /regexp$|pattern$|^(?:start|end|beforeText|afterText)$/i.test(key))
      found.add(value);
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) collect(inner, name);
  };
  collect(read("package.json").contributes.problemMatchers, "");
  collect(read("language-configuration.json"), "");
  return [...found].map((source) => ({ source, flags: "u" }));
}

const COMMON = [" ", "a", "0", "\t", "\n", "-", ".", ":", "/", "\\", "'", '"', "(", "[", "{", "}", "<", "#", "é"];

/** Strings of one repeated part that the expression almost matches, with ends that it doesn't match. */
export function* pumped(source: string, length: number): Generator<string> {
  const own = new Set(
    source
      .replace(/\\[bBdDsSwWpPuxnrtkfv0]/g, "")
      .replace(/[\\^$?+*|]/g, " ")
      .match(/\w+|\S/g) ?? [],
  );
  const words = [...own].slice(0, 12);
  const pieces = new Set([
    ...COMMON,
    ...words,
    ...words.flatMap((word) => [`${word} `, `${word}a`]),
    "a ",
    "a.",
    " \n",
  ]);
  for (const piece of pieces)
    for (const head of ["", ...words.slice(0, 2)])
      for (const tail of ["\u0001", "\n\u0001"]) yield head + piece.repeat(Math.ceil(length / piece.length)) + tail;
}
