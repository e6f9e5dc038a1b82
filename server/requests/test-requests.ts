/** Handles requests of the Test Explorer. */
import { type CancellationToken, LSPErrorCodes, ResponseError } from "vscode-languageserver";
import { snapshotText } from "../../flow/tools";
import { dirname } from "../../system";
import { t } from "../../text";
import type { Message } from "../messages";
import { isBelow, pathOf } from "../protocol/uris";
import type { Server } from "../server-parts";
import {
  ListTestsRequest,
  NewTestsRequest,
  type RunTestsParams,
  RunTestsRequest,
  ToolsRequest,
  TraceCallRequest,
  TraceCallsRequest,
  type UnsavedText,
} from "../test-messages";
import { Cancelled } from "../testing/cancelled";
import type { WantedFile, Work } from "../testing/run";
import { TestThread } from "../testing/thread";

type WithoutTexts<Each> = Each extends Work ? Omit<Each, "unsaved"> : never;
type ThreadWork = WithoutTexts<Work>;

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
  /** Runs the work of a request in the thread; a request that needs none is answered at once. */
  function on<Params extends { readonly unsaved: readonly UnsavedText[] }, Result>(
    message: Message<Params, Result>,
    workOf: (params: Params) => ThreadWork | { readonly answer: Result },
  ): void {
    server.connection.onRequest(message.method, (params: Params, token: CancellationToken): unknown => {
      const work = workOf(params);
      return "answer" in work ? work.answer : ask({ ...work, unsaved: texts(params.unsaved) }, token);
    });
  }
  const wanted = (files: RunTestsParams["files"]): WantedFile[] =>
    files.flatMap(({ uri, tests }) => {
      const path = pathOf(uri);
      return path === undefined ? [] : [{ path, cwd: workingFolder(server, uri, path), ...(tests ? { tests } : {}) }];
    });
  const placeOf = (uri: string) => {
    const flow = pathOf(uri);
    return flow === undefined ? undefined : { flow, cwd: workingFolder(server, uri, flow) };
  };
  const toolsText = (flow: string) => {
    const tools = server.toolsFor(flow);
    return tools && snapshotText({ tools: [...tools.all], knowledgeBaseIds: [] });
  };
  server.connection.onRequest(ToolsRequest.method, ({ uri }: { uri: string }) => toolsText(uri) ?? null);
  on(ListTestsRequest, ({ files }) => ({ kind: "list", files: wanted(files.map((uri) => ({ uri }))) }));
  on(RunTestsRequest, ({ files, report = false }) => ({ kind: "run", files: wanted(files), report }));
  on(NewTestsRequest, ({ flow, what }) => {
    const place = placeOf(flow);
    if (!place) return { answer: { problem: t("Save the flow first: its tests go into a file beside it.") } };
    const tools = toolsText(flow);
    return { kind: "new", ...place, what, ...(tools && { tools }) };
  });
  on(TraceCallsRequest, ({ flow, calls }) => {
    const place = placeOf(flow);
    return place ? { kind: "calls", ...place, calls } : { answer: null };
  });
  on(TraceCallRequest, ({ flow, call }) => {
    const place = placeOf(flow);
    return place ? { kind: "call", ...place, call } : { answer: null };
  });
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
