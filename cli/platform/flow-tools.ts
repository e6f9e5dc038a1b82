/** The tools of flows with the nodes that use them: from the platform, from the last sync, or from saved definitions. */
import { shownPath } from "../../files";
import { FlowDocument, textOf } from "../../flow";
import {
  mergedDefinitions,
  type SnapshotTool,
  snapshotOf,
  type ToolDefinitions,
  toolsOfRevision,
} from "../../flow/tools";
import type { PlatformClient } from "../../platform";
import { linkOf } from "../../sync";
import type { PlatformRevisions } from "../check/platform-revisions";
import type { ToolSnapshots } from "../check/tool-snapshots";
import type { PlacedFile } from "../environments/projects";
import type { FlowFile } from "../files/flow-files";

interface ToolUse {
  readonly file: string;
  readonly node: string;
}

/** A tool in the shape of the snapshot, with the nodes that use it. */
export interface ListedTool extends SnapshotTool {
  readonly used_by: readonly ToolUse[];
}

export interface FlowTools {
  readonly file: FlowFile;
  readonly document: FlowDocument;
  readonly definitions: ToolDefinitions;
}

export async function toolsFromPlatform(files: readonly PlacedFile[], client: PlatformClient): Promise<FlowTools[]> {
  const revisions = new Map<string, ToolDefinitions | undefined>();
  const flows: FlowTools[] = [];
  for (const file of files) {
    const document = FlowDocument.read(file.text);
    const link = file.environment?.link ?? linkOf(document);
    if (!link || file.notListed !== undefined) continue;
    const key = link.revision.toLowerCase();
    if (!revisions.has(key)) {
      const revision = await client.getWorkflowRevision(link.revision);
      revisions.set(key, Array.isArray(revision.tools) ? toolsOfRevision(revision, link.revision) : undefined);
    }
    const definitions = revisions.get(key);
    if (definitions) flows.push({ file, document, definitions });
  }
  return flows;
}

/** What is known without a request: the last answer of the platform if `revisions` are given, then the snapshots. */
export async function savedTools(
  files: readonly FlowFile[],
  snapshots: ToolSnapshots,
  cwd: string,
  revisions?: PlatformRevisions,
): Promise<{ readonly flows: FlowTools[]; readonly problems: string[] }> {
  const flows: FlowTools[] = [];
  for (const file of files) {
    const document = FlowDocument.read(file.text);
    const sources = [(await revisions?.recordOf(document))?.tools, await snapshots.definitionsFor(file.absolute)];
    const known = sources.filter((each) => each !== undefined);
    if (known.length > 0) flows.push({ file, document, definitions: mergedDefinitions(known) });
  }
  const problems: string[] = [];
  for (const snapshot of await snapshots.filesOf(files.map(({ absolute }) => absolute))) {
    const problem = await snapshots.problemOf(snapshot);
    if (problem !== undefined) problems.push(`${shownPath(snapshot, cwd)}: ${problem}`);
  }
  return { flows, problems };
}

export function mergedTools(flows: readonly FlowTools[]): ToolDefinitions {
  return mergedDefinitions(flows.map(({ definitions }) => definitions));
}

/** The JSON that programs and agents read: the snapshot's shape with `used_by` for each tool. */
export function toolListing(flows: readonly FlowTools[]): {
  readonly version: number;
  readonly tools: readonly ListedTool[];
  readonly knowledge_base_ids: readonly string[];
} {
  const uses = usesOf(flows);
  const { version, tools, knowledge_base_ids } = snapshotOf(mergedTools(flows));
  return {
    version,
    tools: tools.map((tool) => ({ ...tool, used_by: uses.get(tool.id.toLowerCase()) ?? [] })),
    knowledge_base_ids,
  };
}

/** The nodes that use each tool, by its ID in lower case. */
function usesOf(flows: readonly FlowTools[]): ReadonlyMap<string, readonly ToolUse[]> {
  const uses = new Map<string, ToolUse[]>();
  for (const { file, document } of flows)
    for (const node of document.nodes) {
      const id = node.type === "tool" ? textOf(node.fields.get("tool")?.value)?.trim().toLowerCase() : undefined;
      if (id === undefined) continue;
      const users = uses.get(id) ?? [];
      users.push({ file: file.path, node: node.id });
      uses.set(id, users);
    }
  return uses;
}
