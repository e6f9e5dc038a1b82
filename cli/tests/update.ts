/** `assistant-flow test --update`: prints and writes updated expectations. */

import path from "node:path";
import { replaceText } from "../../files";
import { applyEdits, type TextEdit } from "../../flow";
import { type FileRun, type FlowTest, updatedExpectations } from "../../flow/test";
import { visibleLine } from "../../text";
import { painter, type Terminal } from "../terminal";

/** Returns whether a file changed. */
export async function updateExpectations(runs: readonly FileRun[], terminal: Terminal): Promise<boolean> {
  const paint = painter(terminal);
  let changed = false;
  for (const run of runs) {
    const { text } = run.file;
    const updates = new Map(run.results.map((result) => [result.test, updatedExpectations(result)]));
    const edits = new Map<number, TextEdit>();
    for (const [test, own] of updates) {
      const fresh = own.filter(({ start }) => !edits.has(start));
      if (fresh.length > 0) terminal.err(`${visibleLine(run.path)}: ${visibleLine(test.name)}\n`);
      for (const edit of fresh) {
        const before = text.slice(edit.start, edit.end).trim();
        const other = run.file.tests.find((each) => each !== test && differs(each, edit, updates.get(each)));
        if (other) {
          const words = `Kept "${before}", because "${other.name}" shares it, and its result isn't ${edit.text.trim()}.`;
          terminal.err(`  ${visibleLine(words)} Move the expectation into the case.\n`);
          continue;
        }
        edits.set(edit.start, edit);
        terminal.err(`  ${paint(`- ${visibleLine(before)}`, "red")}\n`);
        terminal.err(`  ${paint(`+ ${visibleLine(edit.text.trim())}`, "green")}\n`);
      }
    }
    if (edits.size === 0) continue;
    await replaceText(path.resolve(terminal.cwd, run.path), text, applyEdits(text, [...edits.values()]));
    changed = true;
  }
  return changed;
}

/** Whether another test, such as a case of the same test, shares this expectation but needs a different value. */
function differs({ expect, skip }: FlowTest, edit: TextEdit, own: readonly TextEdit[] | undefined): boolean {
  const { path: nodes, ends, variables } = expect;
  const places = [
    nodes?.valueSpan,
    ends?.span,
    ends?.transfer?.span,
    ...[...variables.values()].map((each) => each.valueSpan),
  ];
  if (skip || !places.some((place) => place?.start === edit.start)) return false;
  return !own?.some(({ start, text }) => start === edit.start && text === edit.text);
}
