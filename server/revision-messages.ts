/** Messages about revisions and their tools, and the read-only documents that show them. */
import type { Message } from "./messages";

/** The scheme of the client's read-only documents about a flow. */
export const TEXT_SCHEME = "assistant-flow-text";

/** The client's read-only document about a tool, which `ToolTextRequest` fills. */
export function toolUri(file: string, { id, name }: { readonly id: string; readonly name: string }): string {
  const query = encodeURIComponent(JSON.stringify({ file, kind: "tool", tool: id }));
  return `${TEXT_SCHEME}:/${encodeURIComponent(name || id)}.yaml?${query}`;
}

/** Client to server: the definition of a tool as YAML; null if it isn't known. */
export const ToolTextRequest: Message<{ readonly uri: string; readonly tool: string }, string | null> = {
  method: "assistantFlow/toolText",
};

/** Client to server: reads the tools of a flow's revision; answers with the snapshot to write, or why there is none. */
export const ToolSnapshotRequest: Message<
  { readonly uri: string },
  { readonly uri: string; readonly text: string; readonly count: number } | { readonly problem: string }
> = { method: "assistantFlow/toolSnapshot" };

/** Client to server: the text of a new flow file for a revision. */
export const NewFlowRequest: Message<
  { readonly revision: string; readonly assistant?: string },
  { readonly text: string } | { readonly problem: string }
> = { method: "assistantFlow/newFlow" };
