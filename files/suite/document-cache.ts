/** Parses flows and test files, and reuses the result while the text stays the same. */
import { FlowDocument } from "../../flow";
import { type Program, programOf } from "../../flow/run";
import { readTestFile, type TestFile } from "../../flow/test";

interface Kept<Content> {
  readonly text: string;
  readonly content: Content;
}

export class DocumentCache {
  readonly #flows = new Map<string, Kept<Program>>();
  readonly #tests = new Map<string, Kept<TestFile>>();

  /** `textOf` returns the text of a file by its absolute path, or undefined if it doesn't exist or may not be read. */
  constructor(private readonly textOf: (absolute: string) => Promise<string | undefined>) {}

  flow(absolute: string): Promise<Program | undefined> {
    return this.#read(absolute, this.#flows, (text) => programOf(FlowDocument.read(text)));
  }

  tests(absolute: string): Promise<TestFile | undefined> {
    return this.#read(absolute, this.#tests, readTestFile);
  }

  /** Drops all files that aren't listed. */
  keepOnly(files: ReadonlySet<string>): void {
    for (const known of [this.#flows, this.#tests])
      for (const absolute of known.keys()) if (!files.has(absolute)) known.delete(absolute);
  }

  async #read<Content>(absolute: string, known: Map<string, Kept<Content>>, parse: (text: string) => Content) {
    const text = await this.textOf(absolute);
    const before = known.get(absolute);
    if (text === undefined) known.delete(absolute);
    else if (before?.text !== text) known.set(absolute, { text, content: parse(text) });
    return known.get(absolute)?.content;
  }
}
