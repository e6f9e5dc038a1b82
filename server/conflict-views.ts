/** Places in a text, and conflicts at them, in messages between the server and the extension. */

export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

export interface ConflictView {
  readonly key: string;
  readonly message: string;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  /** It is about a whole element, so a side without a value has removed it. */
  readonly isElement?: true;
  readonly range?: TextRange;
  /** Where the element was, if it isn't in the file. */
  readonly near?: TextRange;
}
