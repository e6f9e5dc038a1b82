/** `assistant-flow test --update`: expectations are shown as they become, then written. */

import path from "node:path";
import { replaceText } from "../../files";
import { applyEdits, type FileRun, updatedExpectations } from "../../flow";
import { visibleLine } from "../../text";
import { painter, type Terminal } from "../terminal";

/** True where a file was changed. */
export async function updateExpectations(runs: readonly FileRun[], terminal: Terminal): Promise<boolean> {
  const paint = painter(terminal);
  let changed = false;
  for (const run of runs) {
    const edits = run.results.flatMap((result) => {
      const own = updatedExpectations(result);
      if (own.length > 0) terminal.err(`${visibleLine(run.path)}: ${visibleLine(result.test.name)}\n`);
      for (const { start, end, text } of own) {
        terminal.err(`  ${paint(`- ${visibleLine(run.file.text.slice(start, end).trim())}`, "red")}\n`);
        terminal.err(`  ${paint(`+ ${visibleLine(text.trim())}`, "green")}\n`);
      }
      return own;
    });
    if (edits.length === 0) continue;
    const { text } = run.file;
    await replaceText(path.resolve(terminal.cwd, run.path), text, applyEdits(text, edits));
    changed = true;
  }
  return changed;
}
