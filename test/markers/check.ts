/**
 * Runs marker files as tests: computes the results of every case; the file written from them must equal the original.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type Mark, type MarkerCase, parseMarkers, renderMarkers } from "./parse";

/** The results of the code under test for a case. Parts that are left out stay unchanged. */
export interface Answer {
  readonly marks: readonly Mark[];
  readonly parts?: ReadonlyMap<string, string>;
}

export interface CheckOptions {
  /** The labels that this test computes; other marks stay unchanged. Default: all. */
  readonly labels?: (label: string) => boolean;
}

/**
 * Whether to rewrite files from the results: UPDATE=1, as for every snapshot, or `--update` if a file is run directly.
 */
export const updating = process.argv.includes("--update") || Boolean(process.env.UPDATE);

/** One test for each case of each marker file in a folder. */
export function checkMarkerFolder(
  folder: string,
  answer: (each: MarkerCase, file: string) => Answer | Promise<Answer>,
  options: CheckOptions = {},
  wanted = /\.flow\.ya?ml$/,
): void {
  for (const name of readdirSync(folder).sort())
    if (wanted.test(name)) checkMarkerFile(join(folder, name), (each) => answer(each, name), options);
}

export function checkMarkerFile(
  path: string,
  answer: (each: MarkerCase) => Answer | Promise<Answer>,
  { labels = () => true }: CheckOptions = {},
): void {
  const source = readFileSync(path, "utf8");
  const file = parseMarkers(source);
  describe(path.split("/").slice(-2).join("/"), () => {
    const answered = file.cases.map(async (each): Promise<MarkerCase> => {
      const { marks, parts } = await answer(each);
      const kept = each.marks.filter((mark) => !labels(mark.label));
      return { ...each, marks: [...kept, ...marks], parts: parts ?? each.parts };
    });
    // A rejection is reported by the test that awaits it.
    for (const each of answered) each.catch(() => {});
    file.cases.forEach((each, index) => {
      it(each.name || "the whole file", async () => {
        const actual = (await answered[index]) as MarkerCase;
        if (!updating) assert.equal(renderOne(actual), renderOne(each));
      });
    });
    if (updating)
      it("is rewritten", async () => {
        const updated = renderMarkers({ ...file, cases: await Promise.all(answered) });
        if (updated !== source) writeFileSync(path, updated);
      });
    else
      it("is written in the one canonical way", () => {
        assert.equal(source, renderMarkers(file));
      });
  });
}

function renderOne(each: MarkerCase): string {
  return renderMarkers({ preamble: "", cases: [each] });
}
