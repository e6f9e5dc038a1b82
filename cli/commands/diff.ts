/** `assistant-flow diff`. */
import { FlowDocument, type Graph, graphOf } from "../../flow";
import { changesBetween, changesText } from "../changes";
import { EXIT, type Input, Stop } from "../command";
import { connectionOf, type KeyOptions } from "../connection";
import { readFlowFiles } from "../flow-files";
import { exitOf, stateWords, withSyncs } from "../flow-sync";
import { type FormatOptions, showJson } from "../show";
import type { Terminal } from "../terminal";

export async function run({ args, options, terminal }: Input<FormatOptions & KeyOptions>): Promise<number> {
  const [old, now] = args;
  const [before, after] =
    now === undefined
      ? [await graphOnPlatform(old as string, options, terminal), await graphInFile(old as string, terminal)]
      : [await graphInFile(old as string, terminal), await graphInFile(now, terminal)];
  const changes = changesBetween(before, after);
  if (options.format === "json") showJson({ changes }, terminal);
  else if (changes.length === 0) terminal.err("No difference.\n");
  else terminal.out(changesText(before, after, terminal.colour));
  return changes.length > 0 ? EXIT.changes : EXIT.fine;
}

async function graphInFile(name: string, terminal: Terminal): Promise<Graph> {
  const [file, more] = await readFlowFiles([name], terminal);
  if (!file || more) throw new Stop(`${name}: name one flow file.`, EXIT.usage);
  const document = FlowDocument.read(file.text);
  // Half a flow would look like removals.
  if (document.problems.length > 0)
    throw new Stop(`${file.path} cannot be read in full. Run “assistant-flow check ${file.path}” to see why.`);
  return graphOf(document);
}

async function graphOnPlatform(name: string, options: KeyOptions, terminal: Terminal): Promise<Graph> {
  const files = await readFlowFiles([name], terminal);
  if (files.length !== 1) throw new Stop(`${name}: name one flow file.`, EXIT.usage);
  const connection = await connectionOf(terminal, options);
  const [result] = await withSyncs(files, connection, {}, {}, terminal, "look");
  const seen = result?.sync?.remote?.graph;
  if (!result || !seen)
    throw new Stop(
      `${name}: ${result ? stateWords(result) : "cannot be compared"}`,
      result ? exitOf(result) || EXIT.failed : EXIT.failed,
    );
  return seen;
}
