/**
 * How many times faster an edit is than reading the whole file with `yaml`, both in this process and in turns, so that
 * the ratio says something on any machine. The benchmark records it and a test holds it.
 */
import { performance } from "node:perf_hooks";
import { parseDocument } from "yaml";
import { checkDocument, FlowDocument } from "../flow";
import { flowOf, placesIn } from "./flows";

export function measureInProcess(): Record<string, number> {
  ratioAt(50); // Both sides run compiled from here on.
  ratioAt(50);
  return Object.fromEntries([500].map((size) => [`edit at ${size} nodes`, ratioAt(size)]));
}

function ratioAt(size: number): number {
  const text = flowOf(size);
  const document = FlowDocument.read(text);
  const edits: number[] = [];
  const reads: number[] = [];
  for (let round = 0; round < 240; round++) {
    const { words } = placesIn(text, 2 + ((round * 37) % (size - 4)));
    edits.push(
      timeOf(() => {
        document.edit([{ start: words, end: words + 1, text: "wW"[round % 2] as string }]);
        checkDocument(document);
      }),
    );
    if (round % 20 === 0) reads.push(timeOf(() => parseDocument(text, { uniqueKeys: false })));
  }
  return Math.round(quiet(reads) / quiet(edits));
}

function timeOf(run: () => void): number {
  const begun = performance.now();
  run();
  return performance.now() - begun;
}

/** A time that others on the machine did not lengthen much: the tenth part of all are shorter. */
function quiet(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 10)] as number;
}
