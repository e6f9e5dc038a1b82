/** Handles requests of the Test Explorer. */
import { type CancellationToken, LSPErrorCodes, ResponseError } from "vscode-languageserver";
import { snapshotText } from "../../flow/tools";
import { dirname } from "../../system";
import { t } from "../../text";
import { isBelow, pathOf } from "../protocol/uris";
import type { Server } from "../server-parts";
import {
  ListTestsRequest,
  type NewTestsParams,
  NewTestsRequest,
  type RunTestsParams,
  RunTestsRequest,
  ToolsRequest,
  type TraceCallParams,
  TraceCallRequest,
  type TraceCallsParams,
  TraceCallsRequest,
  type UnsavedText,
} from "../test-messages";
import { Cancelled } from "../testing/cancelled";
import type { WantedFile, Work } from "../testing/run";
import { TestThread } from "../testing/thread";

export function registerTestRequests(server: Server): { dispose(): Promise<void> } {
  const thread = new TestThread(() => server.options.words);
  const ask = async (work: Work, token: CancellationToken): Promise<unknown> => {
    try {
      return JSON.parse(await thread.ask(work, (cancel) => token.onCancellationRequested(cancel)));
    } catch (error) {
      if (error instanceof Cancelled) throw new ResponseError(LSPErrorCodes.RequestCancelled, "The run was cancelled.");
      throw error;
    }
  };
  const wanted = (files: RunTestsParams["files"]): WantedFile[] =>
    files.flatMap(({ uri, tests }) => {
      const path = pathOf(uri);
      return path === undefined ? [] : [{ path, cwd: workingFolder(server, uri, path), ...(tests ? { tests } : {}) }];
    });
  server.connection.onRequest(
    ListTestsRequest.method,
    ({ files, unsaved }: { files: readonly string[]; unsaved: readonly UnsavedText[] }, token: CancellationToken) => {
      const named = wanted(files.map((uri) => ({ uri })));
      return ask({ kind: "list", files: named, unsaved: texts(unsaved) }, token);
    },
  );
  server.connection.onRequest(
    RunTestsRequest.method,
    ({ files, unsaved, report = false }: RunTestsParams, token: CancellationToken) =>
      ask({ kind: "run", files: wanted(files), unsaved: texts(unsaved), report }, token),
  );
  const toolsText = (flow: string) => {
    const tools = server.toolsFor(flow);
    return tools && snapshotText({ tools: [...tools.all], knowledgeBaseIds: [] });
  };
  server.connection.onRequest(ToolsRequest.method, ({ uri }: { uri: string }) => toolsText(uri) ?? null);
  server.connection.onRequest(
    NewTestsRequest.method,
    ({ flow, what, unsaved }: NewTestsParams, token: CancellationToken) => {
      const path = pathOf(flow);
      if (path === undefined) return { problem: t("Save the flow first: its tests go into a file beside it.") };
      const cwd = workingFolder(server, flow, path);
      const tools = toolsText(flow);
      return ask({ kind: "new", flow: path, cwd, what, unsaved: texts(unsaved), ...(tools && { tools }) }, token);
    },
  );
  server.connection.onRequest(
    TraceCallsRequest.method,
    ({ flow, calls, unsaved }: TraceCallsParams, token: CancellationToken) => {
      const path = pathOf(flow);
      if (path === undefined) return null;
      const cwd = workingFolder(server, flow, path);
      return ask({ kind: "calls", flow: path, cwd, calls, unsaved: texts(unsaved) }, token);
    },
  );
  server.connection.onRequest(
    TraceCallRequest.method,
    ({ flow, call, unsaved }: TraceCallParams, token: CancellationToken) => {
      const path = pathOf(flow);
      if (path === undefined) return null;
      return ask(
        { kind: "call", flow: path, cwd: workingFolder(server, flow, path), call, unsaved: texts(unsaved) },
        token,
      );
    },
  );
  return thread;
}

/** The innermost workspace folder that contains the file, or the file's own folder. */
function workingFolder({ workspace }: Server, uri: string, path: string): string {
  const folders = workspace.folders.filter((folder) => isBelow(uri, folder)).flatMap((folder) => pathOf(folder) ?? []);
  return folders.sort((a, b) => b.length - a.length)[0] ?? dirname(path);
}

function texts(unsaved: readonly UnsavedText[]): Work["unsaved"] {
  return unsaved.flatMap(({ uri, text }) => {
    const path = pathOf(uri);
    return path === undefined ? [] : [[path, text] as const];
  });
}
