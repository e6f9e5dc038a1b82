/**
 * Runs the language server for browsers on stdio, so that any test of the language can use it: in a worker thread
 * without Node's globals, and with a client that answers its requests for files. The argument is the built program.
 */
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { type Message, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver-protocol/node";
import {
  ListFolderRequest,
  ReadFileRequest,
  RemoveFileRequest,
  RenameFileRequest,
  StatFileRequest,
  WriteFileRequest,
} from "../../server/file-messages";
import type { FileEntry, FileInfo } from "../../system";

/**
 * Node's globals that a web worker doesn't have are removed before the server is loaded; those that Node doesn't have are
 * added. A timer is a number, as in a browser. The database is in memory, and no other tab has it.
 */
const bootstrap = `
  require("fake-indexeddb/auto");
  const held = [];
  const locks = {
    request: (name, work) => (held.push({ name }), work()),
    query: async () => ({ held }),
  };
  Object.defineProperty(globalThis, "navigator", { value: { locks } });
  const { parentPort, workerData } = require("node:worker_threads");
  const listeners = [];
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  globalThis.addEventListener = (type, listener) => { if (type === "message") listeners.push(listener); };
  parentPort.on("message", (data) => {
    for (const each of [globalThis.onmessage, ...listeners]) each?.call(globalThis, { data });
  });
  const load = (file) => import(file);
  for (const name of ["process", "Buffer", "setImmediate", "clearImmediate", "require", "module", "global"])
    delete globalThis[name];
  for (const name of ["setTimeout", "setInterval"]) {
    const start = globalThis[name];
    globalThis[name] = (...parameters) => Number(start(...parameters));
  }
  void load(workerData);
`;

const worker = new Worker(bootstrap, { eval: true, workerData: pathToFileURL(process.argv[2] ?? "").href });
const reader = new StreamMessageReader(process.stdin);
const writer = new StreamMessageWriter(process.stdout);
const waiting: Message[] = [];
let isReady = false;

worker.on("message", (message: Message | "ready") => {
  if (message !== "ready") return void answer(message);
  isReady = true;
  for (const each of waiting.splice(0)) worker.postMessage(each);
});
worker.on("error", (error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
reader.listen((message) => {
  if (!isReady) return void waiting.push(message);
  worker.postMessage(message);
  if ((message as { method?: string }).method === "exit") process.exit(0);
});
reader.onClose(() => process.exit(0));

type Asked = Message & { readonly id: number; readonly method?: string; readonly params: Params };

interface Params {
  readonly uri: string;
  readonly content: Uint8Array;
  readonly to: string;
}

/** Files of a virtual folder are on the disk, too, under the same path. */
function pathOf(uri: string): string {
  return fileURLToPath(uri.replace(/^vscode-vfs:\/\/github/, "file://"));
}

async function answer(message: Message): Promise<void> {
  const { id, method = "", params } = message as Asked;
  const handle = handlers[method];
  if (!handle) return writer.write(message);
  const result = await handle(pathOf(params.uri), params).catch(() => null);
  worker.postMessage({ jsonrpc: "2.0", id, result: result ?? null });
}

const handlers: Readonly<Record<string, (file: string, params: Params) => Promise<unknown>>> = {
  [StatFileRequest.method]: async (file): Promise<FileInfo> => {
    const found = await stat(file);
    return { kind: found.isDirectory() ? "folder" : "file", size: found.size, modified: found.mtimeMs };
  },
  [ListFolderRequest.method]: async (folder): Promise<FileEntry[]> =>
    (await readdir(folder, { withFileTypes: true })).map((each) => ({
      name: each.name,
      kind: each.isSymbolicLink() ? "link" : each.isDirectory() ? "folder" : "file",
    })),
  [ReadFileRequest.method]: (file) => readFile(file),
  [WriteFileRequest.method]: (file, { content }) => writeFile(file, content),
  [RenameFileRequest.method]: (file, { to }) => rename(file, pathOf(to)),
  [RemoveFileRequest.method]: (file) => rm(file),
};
