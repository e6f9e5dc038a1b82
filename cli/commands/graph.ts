/** `assistant-flow graph`. */

import path from "node:path";
import { writeWhole } from "../../files";
import { FlowDocument, fileKind, graphOf, graphToWire, toMermaid } from "../../flow";
import { oneLine, shellPath } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import { readFlowFiles } from "../files/flow-files";

interface GraphFlags {
  readonly format: string;
  readonly output?: string;
}

export async function run({ args, options, terminal }: Input<GraphFlags>): Promise<number> {
  if (options.output !== undefined && fileKind(options.output))
    throw new Stop("--output can't be a flow, test, policy, project or tool definitions file.", EXIT.usage);
  const [file, more] = await readFlowFiles(args, terminal);
  if (!file || more) throw new Stop("Pass one flow file.", EXIT.usage);
  const document = FlowDocument.read(file.text);
  const broken = document.problems.length;
  if (broken > 0)
    terminal.err(
      oneLine`${file.path} has syntax errors. Run \`assistant-flow check ${shellPath(file.path)}\` to see them.\n`,
    );
  const graph = graphOf(document);
  const drawn =
    options.format === "json"
      ? `${JSON.stringify(graphToWire(graph), null, 2)}\n`
      : options.format === "svg"
        ? (await import("../review/flow-svg")).toSvg(graph)
        : toMermaid(graph);
  if (options.output === undefined) terminal.out(drawn);
  else await writeWhole(path.resolve(terminal.cwd, options.output), drawn);
  return broken > 0 ? EXIT.failed : EXIT.fine;
}
