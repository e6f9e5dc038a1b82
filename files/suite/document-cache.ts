/** Parses flows and test files, and reuses the result while the text stays the same. */
import { FlowDocument } from "../../flow";
import { type Program, programOf } from "../../flow/run";
import { readTestFile, type TestFile } from "../../flow/test";

export class DocumentCache {
  readonly #flows = new Map<string, { readonly text: string; readonly program: Program }>();
  readonly #tests = new Map<string, TestFile>();

  /** `textOf` returns the text of a file by its absolute path, or undefined if it doesn't exist or may not be read. */
  constructor(private readonly textOf: (absolute: string) => Promise<string | undefined>) {}

  async flow(absolute: string): Promise<Program | undefined> {
    const text = await this.textOf(absolute);
    if (text === undefined) {
      this.#flows.delete(absolute);
      return undefined;
    }
    let kept = this.#flows.get(absolute);
    if (kept?.text !== text) {
      kept = { text, program: programOf(FlowDocument.read(text)) };
      this.#flows.set(absolute, kept);
    }
    return kept.program;
  }

  async tests(absolute: string): Promise<TestFile | undefined> {
    const text = await this.textOf(absolute);
    if (text === undefined) {
      this.#tests.delete(absolute);
      return undefined;
    }
    let kept = this.#tests.get(absolute);
    if (kept?.text !== text) {
      kept = readTestFile(text);
      this.#tests.set(absolute, kept);
    }
    return kept;
  }

  /** Drops all files that aren't listed. */
  keepOnly(files: ReadonlySet<string>): void {
    for (const known of [this.#flows, this.#tests])
      for (const absolute of known.keys()) if (!files.has(absolute)) known.delete(absolute);
  }
}
