/**
 * Finds the place of the cursor in a file that is being typed: its map, list, key, value, template or comment. It scans
 * the lines of the block around the cursor by indentation, so it works on invalid YAML.
 *
 * A path lists the keys from the top, and `-` for a list item: `nodes`, `greet`, `edges`, `-`.
 */
import type { FlowDocument } from "../../../flow";
import { type Frame, frame, type Place, Scanner } from "./place-scanner";

const MAX_SCAN = 100_000;

export function placeAt(document: FlowDocument, offset: number): Place {
  const from = scanStart(document, offset);
  const lineEnd = document.offsetAt({ line: document.positionAt(offset).line, character: Number.MAX_SAFE_INTEGER });
  const end = Math.min(document.length, lineEnd + 4000);
  return new Scanner(from.frames, from.start, document.slice({ start: from.start, end }), offset).run();
}

/** The start of the line on which the block around the offset begins, and its frames. */
function scanStart(document: FlowDocument, offset: number): { start: number; frames: Frame[] } {
  const root = frame(-1, "");
  const block = document.blockAt(offset);
  if (!block) return { start: Math.max(0, lineStart(document, Math.max(0, offset - MAX_SCAN))), frames: [root] };
  const start = document.startOf(block);
  const line = lineStart(document, start);
  const column = start - line;
  if (block.section !== "top") {
    if (document.slice({ start: line, end: start }).trim() === "" && offset - line < MAX_SCAN)
      return { start: line, frames: [root, { ...frame(0, block.section), keys: new Set() }] };
    // A section on one line, or in `{…}`, is scanned from its own start.
    const section = document.top(block.section);
    const sectionStart = section ? document.startOf(section) : line;
    if (offset - sectionStart < MAX_SCAN) return { start: sectionStart, frames: [root] };
  }
  return { start: Math.max(start - column, lineStart(document, Math.max(0, offset - MAX_SCAN))), frames: [root] };
}

function lineStart(document: FlowDocument, offset: number): number {
  return document.offsetAt({ line: document.positionAt(offset).line, character: 0 });
}
