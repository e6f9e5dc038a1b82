/**
 * Explains why a piece of YAML couldn't be parsed. `yaml` reports errors where it lost track, often lines below the
 * mistake; here every line up to there is compared with common mistakes. A mistake counts as the cause only if its fix
 * makes the piece valid, or at least reduces its errors.
 */

import { applyEdits } from "../text";
import { wrongIndent } from "./indentation";
import { oneSpaceOff } from "./one-space";
import type { Cause, ReadProblem } from "./problem";
import { keyColumn, type Line, type Slip } from "./slip";
import { slips, slipsInAnyFile } from "./slips";
import { readYaml } from "./yaml";

const MAX_LENGTH = 20_000;
const MAX_TRIES = 40;

/**
 * One problem with its fix, if the cause is found; else the first error of `yaml`, because later ones mostly follow
 * from it.
 */
export function explained(
  text: string,
  split: (key: string) => boolean,
  problems: readonly ReadProblem[],
): readonly ReadProblem[] {
  const read = (other: string) => readYaml(other, split);
  return withCause(
    problems,
    (at) =>
      causeOf(text, problems.length, at, slips, (other) => read(other).problems.length) ??
      wrongIndent(text, problems[0]?.span.start ?? 0, at, read),
  );
}

/**
 * The same for a part of a file that isn't a flow. Its keys aren't known here, so only mistakes in quotes, brackets and
 * blanks and single spaces are looked for: a guess about keys could make a key part of the text above it.
 */
export function explainedInAnyFile(
  text: string,
  file: string,
  problems: readonly ReadProblem[],
): readonly ReadProblem[] {
  const read = (other: string) => readYaml(other, () => false);
  return withCause(
    problems,
    (at) =>
      causeOf(text, problems.length, at, slipsInAnyFile, (other) => read(other).problems.length) ??
      oneSpaceOff(text, problems[0]?.span.start ?? 0, at, file, read),
  );
}

/** `find` gets the end of the last problem. */
function withCause(problems: readonly ReadProblem[], find: (at: number) => Cause | undefined): readonly ReadProblem[] {
  const [first] = problems;
  if (first?.code !== "yaml-syntax" || first.data) return problems;
  const found = find(problems.reduce((most, { span }) => Math.max(most, span.end), 0));
  if (!found) return [first];
  const { message, span, title, edits } = found;
  return [{ code: "yaml-syntax", message, span, data: { title, edits } }];
}

/** The cause of the errors up to a place; `problemsIn` counts the problems that `yaml` finds. */
function causeOf(
  text: string,
  problems: number,
  at: number,
  candidates: readonly Slip[],
  problemsIn: (text: string) => number,
): Cause | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  let best: Cause | undefined;
  let least = problems;
  let tries = 0;
  for (const line of linesUpTo(text, at))
    for (const slip of candidates)
      for (const cause of slip(line, text)) {
        if (tries++ >= MAX_TRIES) return best;
        const left = problemsIn(applyEdits(text, cause.edits));
        if (left >= least) continue;
        if (left === 0) return cause;
        best = cause;
        least = left;
      }
  return best;
}

/** The lines with keys, items, and values, without those of block scalars, which may contain anything. */
function linesUpTo(text: string, at: number): Line[] {
  const all = [...text.matchAll(/[^\r\n]*(?:\r\n|\n|\r|$)/g)].map((match) => ({
    start: match.index,
    text: match[0].replace(/(?<![\r\n])[\r\n]+$/, ""),
  }));
  const lines: Line[] = [];
  let block = -1;
  let previous = { indent: -1, opens: false };
  for (const [number, line] of all.entries()) {
    if (line.start > at) break;
    if (/^\s*(?:#.*)?$/.test(line.text)) continue;
    const indent = indentOf(line.text);
    if (block >= 0 && indent > block && !/^\s*\t/.test(line.text)) continue;
    block = -1;
    const next = all.slice(number + 1).find((each) => !/^\s*(?:#.*)?$/.test(each.text));
    lines.push({
      ...line,
      indent,
      nextIndent: next ? indentOf(next.text) : -1,
      next: next?.text ?? "",
      previousIndent: previous.indent,
      previousOpens: previous.opens,
    });
    if (/(?:^|:\s+|-\s+)[|>][-+0-9]*\s*(?:#.*)?$/.test(line.text)) block = keyColumn(line.text);
    previous = { indent, opens: /:\s*(?:#.*)?$/.test(line.text) };
  }
  return lines;
}

function indentOf(line: string): number {
  return line.search(/[^ ]|$/);
}
