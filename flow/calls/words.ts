/** Turns speech and instructions into comparable terms: stems without stop words, synonyms joined, numbers as digits. */
import { type Vocabulary, vocabularyOf } from "./vocabulary";

/** Longer turns are read up to here. */
const MAX_CHARACTERS = 4_000;

/** Text without spaces between words (Japanese, Chinese, Thai) is compared by pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Groups of synonyms that answer a question. */
const ANSWERS: ReadonlySet<string> = new Set(["=yes", "=no", "=ja", "=nein"]);

export class Words {
  readonly #vocabulary: Vocabulary;
  readonly #suffixes: readonly string[];
  readonly #groups = new Map<string, string>();
  readonly #common: ReadonlySet<string>;
  readonly #stems = new Map<string, string>();

  constructor(flowText: string) {
    this.#vocabulary = vocabularyOf(flowText);
    this.#suffixes = this.#vocabulary.suffixes.map(withoutMarks);
    for (const line of this.#vocabulary.synonyms) {
      const words = line.split(" ");
      for (const word of words) {
        const stem = this.#plainStem(word);
        if (!this.#groups.has(stem)) this.#groups.set(stem, `=${words[0]}`);
      }
    }
    this.#common = new Set(this.#vocabulary.common.map((word) => this.stem(word)));
  }

  get vocabulary(): Vocabulary {
    return this.#vocabulary;
  }

  /** Whether calls of any flow contain this term. */
  isCommon(term: string): boolean {
    return this.#common.has(term);
  }

  /** The distinct terms of a string, in order. */
  terms(text: string): string[] {
    const found = new Set<string>();
    for (const word of rawWords(text)) {
      if (UNSPACED.test(word)) {
        for (let at = 0; at + 1 < word.length; at++) found.add(word.slice(at, at + 2));
        continue;
      }
      const stem = this.stem(word);
      // "yes" and "no" are stop words, but as an answer they matter.
      if (this.#vocabulary.stop.has(word) && !ANSWERS.has(stem)) continue;
      if (word.length < 2 && !/\p{N}/u.test(word)) continue;
      found.add(stem);
    }
    return [...found];
  }

  stem(word: string): string {
    let stem = this.#stems.get(word);
    if (stem === undefined) {
      const plain = this.#plainStem(word);
      stem = this.#groups.get(plain) ?? plain;
      if (this.#stems.size < 50_000) this.#stems.set(word, stem);
    }
    return stem;
  }

  #plainStem(word: string): string {
    const bare = withoutMarks(word).replaceAll("'", "");
    for (const plain of this.#suffixes) {
      if (bare.length - plain.length >= 3 && bare.endsWith(plain)) return bare.slice(0, -plain.length);
    }
    return bare;
  }
}

function withoutMarks(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "");
}

/** Lower-case words and numbers, without punctuation. */
export function rawWords(text: string): string[] {
  return (
    text
      .slice(0, MAX_CHARACTERS)
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{M}]+(?:'[\p{L}]+)?|\p{N}+/gu) ?? []
  );
}

/** A form in which two spellings of one value are equal: digits joined, number words as digits. */
export function spoken(text: string, digits: readonly string[]): string {
  const words = rawWords(text).map((word) => {
    const digit = digits.indexOf(word);
    return digit < 0 ? word : String(digit);
  });
  let joined = " ";
  for (const [index, word] of words.entries()) {
    const before = words[index - 1];
    const isSpelled = before !== undefined && /\p{N}$/u.test(before) && /^\p{N}/u.test(word);
    joined = isSpelled ? `${joined.trimEnd()}${word} ` : `${joined}${word} `;
  }
  return joined;
}
