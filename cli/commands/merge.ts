/** `assistant-flow merge`: the merge driver that Git runs for flow files. */
import { lstat } from "node:fs/promises";
import path from "node:path";
import { readText, replaceText } from "../../files";
import { FlowDocument, isFlowFile, mergeTexts } from "../../flow";
import { oneLine } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import { fileReason } from "../files/file-error";
import { readSource } from "../files/flow-files";
import { count } from "../terminal";

interface MergeOptions {
  readonly markerSize: string;
  readonly name?: string;
}

export async function run({ args, options, terminal }: Input<MergeOptions>): Promise<number> {
  const [base, ours, theirs] = args as [string, string, string];
  const size = Number(options.markerSize);
  if (!Number.isInteger(size) || size < 1 || size > 200)
    throw new Stop("--marker-size must be a whole number from 1 to 200.", EXIT.usage);
  const shown = options.name ?? ours;
  const texts = [];
  for (const name of [base, ours, theirs]) texts.push(await flowText(name, terminal.cwd));
  const { text, conflicts } = mergeTexts(...(texts as [string, string, string]), {
    ours: "ours",
    theirs: "theirs",
    size,
  });
  if (text !== texts[1]) await replaceText(path.resolve(terminal.cwd, ours), texts[1], text);
  if (conflicts === 0) return EXIT.fine;
  terminal.err(oneLine`${shown}: ${count(conflicts, "conflict")}. Resolve the marked lines.\n`);
  return EXIT.failed;
}

/** The names of Git's temporary copies of the three versions. */
const GIT_COPY = /^\.merge_file_\w{6}$/;

/** Reads a file without syntax errors; Git passes an empty file for a missing version. */
async function flowText(name: string, cwd: string): Promise<string> {
  const absolute = path.resolve(cwd, name);
  const shown = name;
  const isFlow = isFlowFile(absolute);
  const text = await (isFlow ? readSource(absolute, cwd) : readText(absolute)).catch((error: Error) => {
    throw new Stop(`${shown} can't be merged: ${fileReason(error)}`, EXIT.changes);
  });
  const document = FlowDocument.read(text);
  const [problem] = document.problems;
  if (problem) {
    const { line } = document.positionAt(problem.span.start);
    // Git's temporary copies don't have flow names. The content of any other file isn't shown in messages.
    const isShown = isFlow || (GIT_COPY.test(path.basename(absolute)) && !(await lstat(absolute)).isSymbolicLink());
    const why = isShown ? problem.message : "it isn't a valid flow.";
    throw new Stop(`${shown}:${line + 1} can't be merged: ${why}`, EXIT.changes);
  }
  if (document.tops.length === 0 && /^\s*[^#\s]/m.test(text))
    throw new Stop(`${shown} can't be merged: it isn't a flow.`, EXIT.changes);
  return text;
}
