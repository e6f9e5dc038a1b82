/** Merges platform changes into a flow file: through the editor if it is open, otherwise on disk. */
import { FileChanged, replaceText } from "../../files";
import { applyEdits, type Graph } from "../../flow";
import { mergeText } from "../../sync";
import { t } from "../../text";
import type { ServerContext } from "../context";
import { ask, SaveRequest } from "../messages";
import { editOfFile } from "../protocol/to-protocol";
import { pathOf } from "../protocol/uris";
import { readFlowFile } from "../workspace/files";
import type { OpenFile } from "../workspace/workspace";
import type { SyncedFile } from "./synced-file";

/** Returns the merged graph; undefined if the merge isn't possible. */
export type Merging = (current: Graph) => Graph | undefined;

/** The text of the saved file; undefined if it couldn't be saved now. */
export function mergeIntoFile(server: ServerContext, flow: SyncedFile, merge: Merging): Promise<string | undefined> {
  const file = server.workspace.get(flow.uri);
  return file ? inEditor(server, file, flow, merge) : onDisk(flow, merge);
}

async function inEditor(
  server: ServerContext,
  file: OpenFile,
  flow: SyncedFile,
  merge: Merging,
): Promise<string | undefined> {
  const { isClean } = flow;
  const edits = mergeText(file.document.text, merge, flow.environment);
  if (!edits) return undefined;
  const protocol = server.converter(file).edits(edits);
  // An editor with auto-save may save before it answers; that save contains the merge too.
  flow.savesMerge = isClean;
  try {
    const { applied } = await server.connection.workspace.applyEdit({
      label: t("Merge platform changes"),
      edit: editOfFile(server.client, file, protocol),
    });
    // The file has unsaved edits, so saving is left to the user.
    if (!applied || !isClean || !server.options.clientTransport) return undefined;
    return (await ask(server.connection, SaveRequest, { uri: file.uri })) ? file.document.text : undefined;
  } finally {
    flow.savesMerge = false;
  }
}

async function onDisk(flow: SyncedFile, merge: Merging): Promise<string | undefined> {
  const path = pathOf(flow.uri);
  const text = await readFlowFile(flow.uri);
  const edits = text === undefined ? undefined : mergeText(text, merge, flow.environment);
  if (path === undefined || text === undefined || !edits) return undefined;
  const merged = applyEdits(text, edits);
  try {
    await replaceText(path, text, merged);
  } catch (error) {
    // The change of the file is reported like any other, and merged then.
    if (error instanceof FileChanged) return undefined;
    throw error;
  }
  flow.saved = merged;
  return merged;
}
