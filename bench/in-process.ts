/**
 * Measures how many times faster an edit, and opening a file with all rules, is than parsing the whole file with
 * `yaml`. Both run in this process in turns, so the ratios are meaningful on any machine. The benchmark records them,
 * and a test checks them.
 */
import { parseDocument } from "yaml";
import { checkDocument, FlowDocument } from "../flow";
import { flowOf, placesIn } from "./flows";
import { percentile, processorTime } from "./measure";

export function measureInProcess(): Record<string, number> {
  ratiosAt(50); // Warm-up for both sides.
  ratiosAt(50);
  return ratiosAt(500);
}

/** Enough runs that most of them use compiled code, even on a busy machine. */
const ROUNDS = 1500;

function ratiosAt(size: number): Record<string, number> {
  const text = flowOf(size);
  const document = FlowDocument.read(text);
  const edits: number[] = [];
  const edgeEdits: number[] = [];
  const opens: number[] = [];
  const reads: number[] = [];
  const edit = (at: number, text: string) => {
    const begun = performance.now();
    document.edit([{ start: at, end: at + 1, text }]);
    checkDocument(document);
    return performance.now() - begun;
  };
  for (let round = 0; round < ROUNDS; round++) {
    const { words, target } = placesIn(text, 2 + ((round * 37) % (size - 4)));
    edits.push(edit(words, "wW"[round % 2] as string));
    edgeEdits.push(edit(target, String((Number(text[target]) + 1) % 10)));
    edit(target, text[target] as string);
    if (round % 150 === 0) reads.push(processorTime(() => parseDocument(text, { uniqueKeys: false })));
  }
  for (let round = 0; round < 20; round++) opens.push(processorTime(() => checkDocument(FlowDocument.read(text))));
  // The 10th percentile, which other load hardly affects.
  const quiet = (times: readonly number[]) => percentile(times, 0.1);
  const ratio = (times: readonly number[]) => Number((quiet(reads) / quiet(times)).toPrecision(3));
  return {
    [`edit at ${size} nodes`]: ratio(edits),
    [`edit of an edge at ${size} nodes`]: ratio(edgeEdits),
    [`open at ${size} nodes`]: ratio(opens),
  };
}
