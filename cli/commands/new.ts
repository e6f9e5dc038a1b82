/** `assistant-flow new`. */
import { lstat } from "node:fs/promises";
import path from "node:path";
import { createWhole } from "../../files";
import { isFlowFile } from "../../flow";
import { graphNotShown, graphOfRevision, newFlowText } from "../../sync";
import { oneLine } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import { writeAgentFiles } from "../files/agent-files";
import { clientOf, type KeyOptions } from "../platform/cli-connection";
import type { Terminal } from "../terminal";

interface NewFlags extends KeyOptions {
  readonly revision?: string;
  readonly assistant?: string;
  readonly agents?: boolean;
}

export async function run({ args, options, terminal }: Input<NewFlags>): Promise<number> {
  const [name] = args;
  if (name === undefined && !options.agents) throw new Stop("Pass the name of the flow file to create.", EXIT.usage);
  if (name !== undefined) await writeFlow(name, options, terminal);
  if (options.agents) {
    const written = await writeAgentFiles(terminal.cwd);
    for (const each of written) terminal.out(oneLine`Wrote ${each}.\n`);
    if (written.length === 0) terminal.out("The instructions for coding agents are up to date.\n");
  }
  return EXIT.fine;
}

async function writeFlow(name: string, options: NewFlags, terminal: Terminal): Promise<void> {
  const file = path.resolve(terminal.cwd, name);
  if (!isFlowFile(name)) throw new Stop(`${name}: the name must end in .flow.yaml or .flow.yml.`, EXIT.usage);
  const taken = new Stop(`${name} already exists.`);
  if (await lstat(file).catch(() => undefined)) throw taken;
  const text =
    options.revision === undefined ? starter(options) : await ofRevision(options, options.revision, terminal);
  if (!(await createWhole(file, text))) throw taken;
  terminal.out(oneLine`Wrote ${name}.\n`);
}

async function ofRevision(options: NewFlags, revision: string, terminal: Terminal): Promise<string> {
  const graph = await graphOfRevision(await clientOf(terminal, options), revision, options.assistant);
  if (!graph) throw new Stop(graphNotShown());
  return newFlowText(revision, options.assistant, graph);
}

function starter({ assistant }: NewFlags): string {
  const link =
    assistant === undefined
      ? "# assistant: the assistant's ID\n# revision: the revision's ID (both are required to sync)\n"
      : `assistant: ${assistant}\n# revision: the revision's ID (required to sync)\n`;
  return `${link}entry: greet

nodes:
  greet:
    type: message
    name: Greeting
    instructions: |
      Welcome the caller and ask how you can help.
    edges:
      - to: goodbye
  goodbye:
    type: end
    instructions: Thank the caller and say goodbye.
`;
}
