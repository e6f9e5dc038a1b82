/** `assistant-flow diff`. */
import {
  applyEdits,
  applyGraph,
  behaviorBetween,
  changesBetween,
  FlowDocument,
  type Graph,
  graphOf,
  programOf,
  runSuiteFile,
} from "../../flow";
import { changesText } from "../changes";
import { EXIT, type Input, isStop, Stop } from "../command";
import { connectionOf, type KeyOptions } from "../connection";
import { readFlowFiles } from "../flow-files";
import { exitOf, stateWords, withSyncs } from "../flow-sync";
import { type FormatOptions, showJson } from "../show";
import type { Terminal } from "../terminal";
import { loadTests } from "../tests/load";

export async function run({ args, options, terminal }: Input<FormatOptions & KeyOptions>): Promise<number> {
  const [old, now] = args as [string, string | undefined];
  const before =
    now === undefined ? documentOf(await graphOnPlatform(old, options, terminal)) : await documentInFile(old, terminal);
  const after = await documentInFile(now ?? old, terminal);
  const changes = changesBetween(graphOf(before), graphOf(after));
  if (options.format === "json") {
    const tests = await changedTests([...new Set(args)], before, after, terminal);
    showJson({ changes, behavior: { ...behaviorBetween(before, after), policies: [], tests } }, terminal);
  } else if (changes.length === 0) terminal.err("No difference.\n");
  else terminal.out(changesText(graphOf(before), graphOf(after), terminal.colour));
  return changes.length > 0 ? EXIT.changes : EXIT.fine;
}

async function documentInFile(name: string, terminal: Terminal): Promise<FlowDocument> {
  const [file, more] = await readFlowFiles([name], terminal);
  if (!file || more) throw new Stop(`${name}: name one flow file.`, EXIT.usage);
  const document = FlowDocument.read(file.text);
  // Half a flow would look like removals.
  if (document.problems.length > 0)
    throw new Stop(`${file.path} cannot be read in full. Run “assistant-flow check ${file.path}” to see why.`);
  return document;
}

function documentOf(graph: Graph): FlowDocument {
  return FlowDocument.read(applyEdits("", applyGraph(FlowDocument.read(""), graph)));
}

/** The names of the tests of these flows that pass on one side only. */
async function changedTests(
  flows: readonly string[],
  before: FlowDocument,
  after: FlowDocument,
  { cwd }: Terminal,
): Promise<string[]> {
  const suite = await loadTests(flows, cwd).catch((error: unknown) => {
    if (isStop(error)) return undefined; // There are none.
    throw error;
  });
  const statuses = (document: FlowDocument) => {
    const flow = programOf(document);
    const runs = suite?.files.map((file) => runSuiteFile({ ...file, flow }, suite.flowOf)) ?? [];
    const results = runs.flatMap(({ path, results }) => results.map((result) => ({ path, result })));
    return new Map(results.map(({ path, result }) => [`${path}\n${result.test.name}`, result.status]));
  };
  const [was, is] = [statuses(before), statuses(after)];
  return [...is].flatMap(([key, status]) => (was.get(key) === status ? [] : [key.slice(key.indexOf("\n") + 1)]));
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
