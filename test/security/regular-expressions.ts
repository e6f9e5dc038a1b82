/** Finds the regular expressions of the product, and texts that make a slow one take long. */
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
    return false; // It isn't one.
  }
}

export function productLiterals(): Found[] {
  return codeFolders
    .flatMap((folder) => filesBelow(folder, ".ts"))
    .flatMap((file) => literalsIn(readFileSync(inProject(file), "utf8")).map((each) => ({ file, ...each })));
}

const COMMON = [" ", "a", "0", "\t", "\n", "-", ".", ":", "/", "\\", "'", '"', "(", "[", "{", "}", "<", "#", "é"];

/** Texts of one repeated piece that the expression may almost match, with ends that it doesn't match. */
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
