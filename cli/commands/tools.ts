/** `assistant-flow tools`: the tools of the flows' revisions, and the snapshot that editors and CI use without a connection. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { FileScope, shownPath, writeWhole } from "../../files";
import { FlowDocument, TOOLS_FILE } from "../../flow";
import { snapshotText } from "../../flow/tools";
import { PlatformError } from "../../platform";
import { linkOf } from "../../sync";
import { oneLine } from "../../text";
import { ToolSnapshots } from "../check/tool-snapshots";
import { EXIT, type Input, Stop } from "../command";
import { groupsOf } from "../environments/groups";
import { type FlowFile, readFlowFiles, scopeOf } from "../files/flow-files";
import { clientFor, type KeyOptions } from "../platform/cli-connection";
import { type FlowTools, mergedTools, savedTools, toolListing, toolsFromPlatform } from "../platform/flow-tools";
import { type FormatOptions, showJson, showRows, type Terminal } from "../terminal";

interface ToolsFlags extends KeyOptions, FormatOptions {
  /** A path, or true for the nearest snapshot. */
  readonly save?: string | true;
}

export async function run({ args, options, terminal }: Input<ToolsFlags>): Promise<number> {
  const files = await readFlowFiles(args, terminal);
  const isConnected =
    options.keyStdin || options.env !== undefined || terminal.env.ASSISTANT_FLOW_BASE_URL !== undefined;
  if (!isConnected && options.save !== undefined)
    throw new Stop(
      "--save reads the tools from the platform. Set ASSISTANT_FLOW_BASE_URL and your key.",
      EXIT.unreachable,
    );
  const snapshots = new ToolSnapshots(await scopeOf(args, terminal.cwd));
  const { flows, hasProblem } = isConnected
    ? await connected(files, options, snapshots, terminal)
    : await offline(files, snapshots, "No platform is set", terminal);
  if (options.save !== undefined) await save(flows, options.save, terminal);
  const listing = toolListing(flows);
  if (options.format === "json") showJson(listing, terminal);
  else
    showRows(
      [...listing.tools].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
      options,
      terminal,
      "There are no tools.",
      {
        name: ({ name }) => name,
        id: ({ id }) => id,
        inputs: ({ inputs }) => inputs?.map(({ name, required }) => (required ? `${name}*` : name)),
        outputs: ({ outputs }) => outputs.map(({ alias, path }) => alias ?? path),
        "used by": ({ used_by }) => used_by.map(({ file, node }) => `${file}:${node}`),
      },
    );
  return hasProblem ? EXIT.failed : EXIT.fine;
}

interface Found {
  readonly flows: readonly FlowTools[];
  /** Whether a snapshot can't be used. */
  readonly hasProblem: boolean;
}

/** The live tools. If the platform can't be reached, the saved ones, unless they are about to be overwritten. */
async function connected(
  files: readonly FlowFile[],
  options: ToolsFlags,
  snapshots: ToolSnapshots,
  terminal: Terminal,
): Promise<Found> {
  const flows: FlowTools[] = [];
  try {
    for (const group of await groupsOf(files, options, terminal))
      for (const each of await toolsFromPlatform(group.files, clientFor(group.connection))) flows.push(each);
  } catch (error) {
    const isUnreachable = error instanceof PlatformError && ["network", "timeout", "reset"].includes(error.kind);
    if (!isUnreachable || options.save !== undefined) throw error;
    const saved = await savedTools(files, snapshots, terminal.cwd);
    if (saved.flows.length === 0) throw error;
    return offline(files, snapshots, "The platform can't be reached", terminal);
  }
  if (flows.length === 0)
    throw new Stop(
      files.some(({ text }) => linkOf(FlowDocument.read(text)))
        ? "The platform doesn't list the tools of these revisions."
        : "None of these flows has an `assistant` and a `revision`, so there are no tools to list.",
    );
  return { flows, hasProblem: false };
}

async function offline(
  files: readonly FlowFile[],
  snapshots: ToolSnapshots,
  why: string,
  terminal: Terminal,
): Promise<Found> {
  const { flows, problems } = await savedTools(files, snapshots, terminal.cwd);
  if (flows.length === 0 && problems.length > 0) throw new Stop(problems.join("\n"));
  if (flows.length === 0)
    throw new Stop(
      "No tool definitions are saved, and no platform is set. Put its URL into ASSISTANT_FLOW_BASE_URL and your key into ASSISTANT_FLOW_API_KEY.",
      EXIT.unreachable,
    );
  for (const problem of problems) terminal.err(oneLine`${problem}\n`);
  terminal.err(`${why}, so these are the saved tool definitions.\n`);
  return { flows, hasProblem: problems.length > 0 };
}

/** Writes each flow's nearest snapshot, or one beside the flow; with a path, one snapshot for all. */
async function save(flows: readonly FlowTools[], where: string | true, terminal: Terminal): Promise<void> {
  const snapshots = new ToolSnapshots(new FileScope([], terminal.cwd));
  const targets = new Map<string, FlowTools[]>();
  const named = where === true ? undefined : await savedPath(path.resolve(terminal.cwd, where));
  for (const flow of flows) {
    const { absolute } = flow.file;
    const own = path.join(path.dirname(absolute), TOOLS_FILE);
    const [nearest] = await snapshots.filesOf([absolute]);
    const target = named ?? nearest ?? own;
    targets.set(target, [...(targets.get(target) ?? []), flow]);
  }
  for (const [target, own] of targets) {
    await writeWhole(target, snapshotText(mergedTools(own)));
    terminal.err(oneLine`Saved ${shownPath(target, terminal.cwd)}.\n`);
  }
}

async function savedPath(named: string): Promise<string> {
  const isFolder = (await stat(named).catch(() => undefined))?.isDirectory();
  return isFolder ? path.join(named, TOOLS_FILE) : named;
}
