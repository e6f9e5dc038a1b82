/**
 * Flow tests in the editor: from an edit of the flow to results and coverage, over the real protocol. VS Code adds a
 * debounce of 15 ms and rendering.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { inProject } from "../scripts/project";
import { RunTestsRequest, type TestRunView } from "../server/test-messages";

export interface EditTimes {
  readonly median: number;
  readonly p95: number;
  readonly results: number;
}

/** Edits the flow repeatedly, and each time waits for the results and coverage. */
export async function editTimes(folder: string, flow: string, tests: string, edits: number): Promise<EditTimes> {
  const [flowFile, testFile] = [path.join(folder, "bench.flow.yaml"), path.join(folder, "bench.flowtest.yaml")];
  writeFileSync(flowFile, flow);
  writeFileSync(testFile, tests);
  const server = await start(folder);
  try {
    const uri = pathToFileURL(flowFile).href;
    const ask = (text: string) =>
      server.connection.sendRequest<TestRunView>(RunTestsRequest.method, {
        files: [{ uri: pathToFileURL(testFile).href }],
        unsaved: [{ uri, text }],
      });
    const times: number[] = [];
    let results = 0;
    // The first runs start and warm up the thread.
    for (let edit = -5; edit < edits; edit++) {
      const begin = performance.now();
      const view = await ask(flow.replace("Step number 7 ", `Step number 7, edit ${edit}, `));
      if (edit >= 0) times.push(performance.now() - begin);
      results = view.files[0]?.results.length ?? 0;
      if (view.coverage[0]?.nodes.length === 0) throw new Error("There's no coverage.");
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] as number;
    return { median: at(0.5), p95: at(0.95), results };
  } finally {
    server.process.kill();
  }
}

async function start(folder: string): Promise<{ process: ChildProcess; connection: ProtocolConnection }> {
  const child = spawn(process.execPath, [inProject("dist/server.js"), "--stdio"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.onRequest("client/registerCapability", () => null);
  connection.listen();
  const uri = pathToFileURL(folder).href;
  const workspaceFolders = [{ uri, name: "bench" }];
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: uri,
    capabilities: {},
    workspaceFolders,
  });
  await connection.sendNotification("initialized", {});
  return { process: child, connection };
}
