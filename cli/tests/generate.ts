/** `assistant-flow test --generate`: generates tests that cover every reachable edge. */

import path from "node:path";
import { FileScope, readText, replaceText } from "../../files";
import { Suite } from "../../files/suite";
import { isTestFile, unreadIn, whyNoRun } from "../../flow";
import { faultsIn, generateTests, withToolOutputs, writeTests } from "../../flow/test";
import { KnownTools } from "../../flow/tools";
import { visibleLine } from "../../text";
import { ToolSnapshots } from "../check/tool-snapshots";
import { EXIT, Stop } from "../command";
import { flowNamed } from "../files/flow-files";
import { count, type Terminal } from "../terminal";
import { diskReader } from "./load";

export async function writeGenerated(flow: string, output: string | undefined, terminal: Terminal): Promise<number> {
  if (output !== undefined && !isTestFile(output))
    throw new Stop("--output must end in .flowtest.yaml or .flowtest.yml.", EXIT.usage);
  const absolute = await flowNamed(flow, terminal.cwd);
  const suite = new Suite(terminal.cwd, diskReader(terminal.cwd));
  const program = await suite.flow(absolute);
  if (!program) throw new Stop(`${flow}: no such file.`);
  if (!program.entry || unreadIn(program.document)) throw new Stop(`${flow} ${whyNoRun(program.document)}`);
  const target = output === undefined ? undefined : path.resolve(terminal.cwd, output);
  const old = target === undefined ? undefined : await readText(target).catch(unlessMissing);
  const { tests: generated, unreachable } = generateTests(program, (await suite.loaded()).flowOf);
  const tools = await new ToolSnapshots(new FileScope([], terminal.cwd)).definitionsFor(absolute);
  const tests = withToolOutputs(generated, tools && new KnownTools([tools], await suite.environmentsOf(absolute)));
  const folder = target === undefined ? terminal.cwd : path.dirname(target);
  const text = writeTests(path.relative(folder, absolute).split(path.sep).join("/"), tests);
  if (target === undefined) terminal.out(text);
  else await replaceText(target, old, text);
  const edges = [...program.nodes.values()].reduce((sum, node) => sum + node.edges.length, 0);
  terminal.err(`${count(tests.length, "test")} for ${edges - unreachable.length} of ${count(edges, "edge")}.\n`);
  for (const { id, reason } of unreachable) terminal.err(`${visibleLine(id)}: ${visibleLine(reason)}\n`);
  for (const sentence of faultsIn(tests)) terminal.err(`${visibleLine(sentence)}\n`);
  return EXIT.fine;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
