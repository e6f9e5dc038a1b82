/** The protocol's lifecycle: before `initialize`, after `shutdown`, and cancelled requests. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import {
  createProtocolConnection,
  ErrorCodes,
  LSPErrorCodes,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { serverProgram } from "../../language/client";

const initialize = { processId: null, rootUri: null, capabilities: {} };
const textDocument = { uri: "file:///a.flow.yaml" };

async function withServer(use: (connection: ProtocolConnection, child: ChildProcess) => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [...serverProgram, "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  try {
    await use(connection, child);
  } finally {
    // Killed in the middle of a message, it would leave a reader that waits for the rest.
    if (child.exitCode === null) {
      const ended = once(child, "exit");
      await connection.sendRequest("shutdown");
      await connection.sendNotification("exit");
      await ended;
    }
    connection.dispose();
  }
}

const codeOf = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => "an answer",
    (error: { code?: number }) => error.code,
  );

test("a request before initialize is rejected, a notification is ignored", () =>
  withServer(async (connection) => {
    const early = connection.sendRequest("textDocument/hover", { textDocument, position: { line: 0, character: 0 } });
    assert.equal(await codeOf(early), ErrorCodes.ServerNotInitialized);
    await connection.sendNotification("textDocument/didOpen", {
      textDocument: { ...textDocument, languageId: "assistant-flow", version: 1, text: "entry: a\n" },
    });
    assert.equal(await codeOf(connection.sendRequest("initialize", initialize)), "an answer");
    await connection.sendNotification("initialized", {});
    const symbols = await connection.sendRequest("textDocument/documentSymbol", { textDocument });
    assert.equal(symbols, null, "what was opened too early is not open");
    assert.equal(await codeOf(connection.sendRequest("initialize", initialize)), ErrorCodes.InvalidRequest);
  }));

test("a request after shutdown is rejected, and exit ends the server cleanly", () =>
  withServer(async (connection, child) => {
    await connection.sendRequest("initialize", initialize);
    await connection.sendNotification("initialized", {});
    await connection.sendRequest("shutdown");
    assert.equal(await codeOf(connection.sendRequest("shutdown")), ErrorCodes.InvalidRequest);
    assert.equal(
      await codeOf(connection.sendRequest("textDocument/documentSymbol", { textDocument })),
      ErrorCodes.InvalidRequest,
    );
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await connection.sendNotification("exit");
    assert.equal(await ended, 0);
  }));

test("a request cancelled while queued never runs", () =>
  withServer(async (connection, child) => {
    await connection.sendRequest("initialize", initialize);
    await connection.sendNotification("initialized", {});
    const nodes = Array.from({ length: 3000 }, (_, n) => `  n${n}: {type: message, edges: [{to: n${n + 1}}]}\n`);
    const text = `entry: n0\nnodes:\n${nodes.join("")}  n3000: {type: end}\n`;
    await connection.sendNotification("textDocument/didOpen", {
      textDocument: { ...textDocument, languageId: "assistant-flow", version: 1, text },
    });
    // In one write, so that the server has the cancellation before it starts the request.
    const message = (body: object) => {
      const json = JSON.stringify({ jsonrpc: "2.0", ...body });
      return `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
    };
    const answers: { id: number; error?: { code: number } }[] = [];
    const all = new Promise<void>((resolve) => {
      let raw = "";
      child.stdout?.on("data", (chunk) => {
        raw += String(chunk);
        for (const id of [9001, 9002]) {
          const found = new RegExp(`\\{[^{}]*"id":${id}[^{}]*(?:\\{[^{}]*\\})?[^{}]*`).exec(raw);
          if (found && !answers.some((answer) => answer.id === id)) {
            const code = /"code":(-?\d+)/.exec(
              raw.slice(raw.indexOf(`"id":${id}`), raw.indexOf(`"id":${id}`) + 80),
            )?.[1];
            answers.push(code ? { id, error: { code: Number(code) } } : { id });
          }
        }
        if (answers.length === 2) resolve();
      });
    });
    const ask = (id: number) => message({ id, method: "textDocument/documentSymbol", params: { textDocument } });
    child.stdin?.write(ask(9001) + ask(9002) + message({ method: "$/cancelRequest", params: { id: 9002 } }));
    await all;
    assert.equal(answers.find(({ id }) => id === 9002)?.error?.code, LSPErrorCodes.RequestCancelled);
    assert.equal(answers.find(({ id }) => id === 9001)?.error, undefined);
    assert.equal(answers[0]?.id, 9002, "it is answered before what was asked first");
  }));

test("the server works with an editor that rejects every request, whatever its capabilities", () =>
  withServer(async (connection, child) => {
    const dynamicRegistration = true;
    const refreshSupport = true;
    const capabilities = {
      workspace: {
        didChangeConfiguration: { dynamicRegistration },
        didChangeWatchedFiles: { dynamicRegistration },
        diagnostics: { refreshSupport },
        codeLens: { refreshSupport },
        inlayHint: { refreshSupport },
        configuration: true,
        applyEdit: true,
      },
      textDocument: { diagnostic: {} },
      window: { workDoneProgress: true },
    };
    await connection.sendRequest("initialize", { ...initialize, capabilities });
    await connection.sendNotification("initialized", {});
    const text = "entry: a\nnodes:\n  a: {type: end}\n";
    const document = { ...textDocument, languageId: "assistant-flow", version: 1, text };
    await connection.sendNotification("textDocument/didOpen", { textDocument: document });
    await connection.sendNotification("workspace/didChangeConfiguration", { settings: {} });
    await connection.sendNotification("textDocument/didSave", { textDocument });
    // Each answer comes after the rejections of earlier requests.
    for (let round = 0; round < 5; round++)
      assert.ok(await connection.sendRequest("textDocument/documentSymbol", { textDocument }));
    assert.equal(child.exitCode, null);
  }));
