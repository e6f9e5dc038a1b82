/** `assistant-flow tools`: the tools of the flows' revisions, and the snapshot that editors and CI use without a connection. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { FileScope, isBelow, NearestFile, shownPath, writeWhole } from "../../files";
import { FlowDocument, TOOLS_FILE, textOf } from "../../flow";
import {
  KnownTools,
  readSnapshot,
  snapshotOf,
  snapshotText,
  type ToolDefinition,
  type ToolDefinitions,
  toolsOfRevision,
} from "../../flow/tools";
import { linkOf } from "../../sync";
import { oneLine } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import { type FlowFile, readFlowFiles, scopeOf } from "../files/flow-files";
import { type FormatOptions, showJson, showRows } from "../output";
import { clientOf, type KeyOptions } from "../platform/cli-connection";
import type { Terminal } from "../terminal";

interface ToolsFlags extends KeyOptions, FormatOptions {
  /** A path, or true for the nearest snapshot. */
  readonly save?: string | true;
}

interface ToolUse {
  readonly file: string;
  readonly node: string;
}

interface FlowTools {
  readonly file: FlowFile;
  readonly document: FlowDocument;
  readonly definitions: ToolDefinitions;
}

export async function run({ args, options, terminal }: Input<ToolsFlags>): Promise<number> {
  const files = await readFlowFiles(args, terminal);
  const isConnected = options.keyStdin || terminal.env.ASSISTANT_FLOW_BASE_URL !== undefined;
  if (!isConnected && options.save !== undefined)
    throw new Stop(
      "--save reads the tools from the platform. Set ASSISTANT_FLOW_BASE_URL and your key.",
      EXIT.unreachable,
    );
  const flows = isConnected
    ? await fromPlatform(files, options, terminal)
    : await fromSnapshots(files, await scopeOf(args, terminal.cwd));
  if (!isConnected) terminal.err("No platform is set, so these are the saved tool definitions.\n");
  if (options.save !== undefined) await save(flows, options.save, terminal);
  const all = merged(flows);
  const uses = usesOf(flows);
  if (options.format === "json") {
    const { version, tools, knowledge_base_ids } = snapshotOf(all);
    showJson(
      {
        version,
        tools: tools.map((tool) => ({ ...tool, used_by: uses.get(tool.id.toLowerCase()) ?? [] })),
        knowledge_base_ids,
      },
      terminal,
    );
  } else
    showRows(
      [...all.tools].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
      {
        name: ({ name }) => name,
        id: ({ id }) => id,
        inputs: ({ inputs }) => inputs?.map(({ name, required }) => (required ? `${name}*` : name)),
        outputs: ({ outputs }) => outputs.map(({ alias, path }) => alias ?? path),
        "used by": ({ id }) => uses.get(id.toLowerCase())?.map(({ file, node }) => `${file}:${node}`),
      },
      options,
      terminal,
      "There are no tools.",
    );
  return EXIT.fine;
}

async function fromPlatform(files: readonly FlowFile[], options: KeyOptions, terminal: Terminal): Promise<FlowTools[]> {
  const client = await clientOf(terminal, options);
  const revisions = new Map<string, ToolDefinitions>();
  const flows: FlowTools[] = [];
  for (const file of files) {
    const document = FlowDocument.read(file.text);
    const link = linkOf(document);
    if (!link) continue;
    const known = revisions.get(link.revision) ?? toolsOfRevision(await client.getWorkflowRevision(link.revision));
    revisions.set(link.revision, known);
    flows.push({ file, document, definitions: known });
  }
  if (flows.length === 0)
    throw new Stop("None of these flows has an `assistant` and a `revision`, so there are no tools to list.");
  return flows;
}

async function fromSnapshots(files: readonly FlowFile[], scope: FileScope): Promise<FlowTools[]> {
  const nearest = new NearestFile(TOOLS_FILE);
  const flows: FlowTools[] = [];
  for (const file of files) {
    const snapshot = await snapshotFor(file.absolute, nearest, scope);
    if (snapshot === undefined) continue;
    const definitions = readSnapshot(await scope.read(snapshot));
    if ("problem" in definitions) throw new Stop(`${shownPath(snapshot, scope.cwd ?? "")}: ${definitions.problem}`);
    flows.push({ file, document: FlowDocument.read(file.text), definitions });
  }
  if (flows.length === 0)
    throw new Stop(
      "No tool definitions are saved, and no platform is set. Put its URL into ASSISTANT_FLOW_BASE_URL and your key into ASSISTANT_FLOW_API_KEY.",
      EXIT.unreachable,
    );
  return flows;
}

/** Writes each flow's nearest snapshot, or one beside the flow; with a path, one snapshot for all. */
async function save(flows: readonly FlowTools[], where: string | true, terminal: Terminal): Promise<void> {
  const nearest = new NearestFile(TOOLS_FILE);
  const scope = new FileScope([], terminal.cwd);
  const targets = new Map<string, FlowTools[]>();
  const named = where === true ? undefined : await savedPath(path.resolve(terminal.cwd, where));
  for (const flow of flows) {
    const { absolute } = flow.file;
    const own = path.join(path.dirname(absolute), TOOLS_FILE);
    const target = named ?? (await snapshotFor(absolute, nearest, scope)) ?? own;
    targets.set(target, [...(targets.get(target) ?? []), flow]);
  }
  for (const [target, own] of targets) {
    await writeWhole(target, snapshotText(merged(own)));
    terminal.err(oneLine`Saved ${shownPath(target, terminal.cwd)}.\n`);
  }
}

async function savedPath(named: string): Promise<string> {
  const isFolder = (await stat(named).catch(() => undefined))?.isDirectory();
  return isFolder ? path.join(named, TOOLS_FILE) : named;
}

async function snapshotFor(flow: string, nearest: NearestFile, scope: FileScope): Promise<string | undefined> {
  const file = await nearest.to(flow);
  return file !== undefined && isBelow(file, [await scope.homeOf(flow)]) ? file : undefined;
}

function merged(flows: readonly FlowTools[]): ToolDefinitions {
  const sources = flows.map(({ definitions }) => definitions);
  const tools: readonly ToolDefinition[] = [...new KnownTools(sources).all];
  return { tools, knowledgeBaseIds: [...new Set(sources.flatMap(({ knowledgeBaseIds }) => knowledgeBaseIds))] };
}

/** The nodes that use each tool, by its ID in lower case. */
function usesOf(flows: readonly FlowTools[]): ReadonlyMap<string, readonly ToolUse[]> {
  const uses = new Map<string, ToolUse[]>();
  for (const { file, document } of flows)
    for (const node of document.nodes) {
      const id = node.type === "tool" ? textOf(node.fields.get("tool")?.value)?.toLowerCase() : undefined;
      if (id === undefined) continue;
      const use = { file: file.path, node: node.id };
      uses.set(id, [...(uses.get(id) ?? []), use]);
    }
  return uses;
}
