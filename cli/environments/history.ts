/** `assistant-flow history` and `assistant-flow restore`. */
import { openState, replaceText } from "../../files";
import { applyEdits, FlowDocument } from "../../flow";
import { stateDirectory } from "../../platform";
import { History, type HistoryEntry, linkOf, mergeText, systemClock } from "../../sync";
import { oneLine } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import { readFlowFiles } from "../files/flow-files";
import { type FormatOptions, showRows, type Terminal } from "../terminal";
import { type PlacedFile, placeFiles } from "./projects";

interface HistoryFlags extends FormatOptions {
  readonly env?: string;
}

export const list = {
  async run({ args, options, terminal }: Input<HistoryFlags>): Promise<number> {
    const { history } = await historyOf(args[0] as string, options, terminal);
    showRows(
      await history.entries(),
      options,
      terminal,
      "No versions of this flow were pushed or seen from this computer.",
      {
        version: ({ version }) => version,
        time: ({ at }) => at,
        by: ({ by }) => (by === "push" ? "pushed from here" : "seen on the platform"),
        operations: ({ operations }) => operations || undefined,
        environment: ({ environment }) => environment,
        content: ({ graph }) => graph.slice(0, 8),
      },
    );
    return EXIT.fine;
  },
};

export const restore = {
  async run({ args: [name, wanted], options, terminal }: Input<HistoryFlags>): Promise<number> {
    const { file, history } = await historyOf(name as string, options, terminal);
    const entry = entryOf(await history.entries(), wanted as string);
    const graph = entry && (await history.graphOf(entry));
    if (!entry || !graph)
      throw new Stop(
        `Version ${wanted} of ${file.path} isn't stored on this computer. Run \`assistant-flow history\`.`,
      );
    const edits = mergeText(file.text, () => graph, file.environment);
    if (!edits) throw new Stop(`${file.path} can't be changed automatically. Fix its syntax errors first.`);
    if (edits.length === 0) {
      terminal.out(oneLine`${file.path}: already has the content of version ${entry.version}.\n`);
      return EXIT.fine;
    }
    await replaceText(file.absolute, file.text, applyEdits(file.text, edits));
    terminal.out(
      oneLine`${file.path}: has the content of version ${entry.version} now. Nothing was pushed. Run \`assistant-flow plan\` to review it, then push.\n`,
    );
    return EXIT.fine;
  },
};

/** By version, the newest if a platform has counted again; or by the start of the content's hash. */
function entryOf(entries: readonly HistoryEntry[], wanted: string): HistoryEntry | undefined {
  const found = entries.findLast(({ version }) => String(version) === wanted);
  return found ?? (wanted.length >= 8 ? entries.findLast(({ graph }) => graph.startsWith(wanted)) : undefined);
}

async function historyOf(
  name: string,
  { env }: HistoryFlags,
  terminal: Terminal,
): Promise<{ readonly file: PlacedFile; readonly history: History }> {
  const [file, more] = await placeFiles(await readFlowFiles([name], terminal), env, terminal.cwd);
  if (!file || more) throw new Stop(`${name}: pass one flow file.`, EXIT.usage);
  const link = file.environment?.link ?? linkOf(FlowDocument.read(file.text));
  const connection = file.environment ? file.environment.url : terminal.env.ASSISTANT_FLOW_BASE_URL;
  if (file.notListed !== undefined || !link)
    throw new Stop(`${file.path} isn't linked to an assistant and revision${env ? ` in environment "${env}"` : ""}.`);
  if (!connection)
    throw new Stop("Set ASSISTANT_FLOW_BASE_URL to the platform whose versions you want to see, or pass --env.");
  const storage = openState(stateDirectory(terminal.env));
  return { file, history: new History(storage, { connection, ...link }, systemClock) };
}
