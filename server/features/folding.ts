/** Folding ranges: every element of several lines, and blocks of comment lines. */
import { commentsOf, endOfText, type FlowDocument, type Span, type Value } from "../../flow";
import { endOfBlock } from "./extents";

export interface Fold extends Span {
  readonly kind?: "comment";
}

export function foldsOf(document: FlowDocument): Fold[] {
  const folds: Fold[] = [];
  const add = (start: number, end: number) => {
    if (document.positionAt(end).line > document.positionAt(start).line) folds.push({ start, end });
  };
  for (const block of document.blocks) {
    const base = document.startOf(block);
    add(base, endOfBlock(document, block));
    foldValue(block.value, base, block.text, add);
  }
  return [...folds, ...commentFolds(document)].sort((a, b) => a.start - b.start || b.end - a.end);
}

function foldValue(
  value: Value | undefined,
  base: number,
  text: string,
  add: (start: number, end: number) => void,
): void {
  if (value?.kind === "list")
    for (const item of value.items) {
      if (item.kind !== "scalar") add(base + item.span.start, base + endOfText(text, item.span.end, item.span.start));
      foldValue(item, base, text, add);
    }
  else if (value?.kind === "map")
    for (const pair of value.pairs) {
      add(base + pair.span.start, base + endOfText(text, pair.span.end, pair.span.start));
      foldValue(pair.value, base, text, add);
    }
}

function commentFolds(document: FlowDocument): Fold[] {
  const folds: Fold[] = [];
  let run: { start: number; end: number; line: number } | undefined;
  const close = () => {
    if (run && document.positionAt(run.end).line > document.positionAt(run.start).line)
      folds.push({ start: run.start, end: run.end, kind: "comment" });
    run = undefined;
  };
  for (const span of aloneComments(document)) {
    const { line } = document.positionAt(span.start);
    if (run && line === run.line + 1) run = { start: run.start, end: span.end, line };
    else {
      close();
      run = { start: span.start, end: span.end, line };
    }
  }
  close();
  return folds;
}

/** The comments on lines of their own, in order. */
function* aloneComments(document: FlowDocument): Generator<Span> {
  for (const match of document.header.matchAll(/^[ \t\uFEFF]*(#.*)$/gm)) {
    const end = match.index + match[0].trimEnd().length;
    yield { start: match.index + match[0].indexOf("#"), end };
  }
  for (const block of document.blocks)
    for (const { span, alone } of commentsOf(block)) if (alone) yield document.absolute(block, span);
}
