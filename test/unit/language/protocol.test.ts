/** The server with clients of every kind: with push or pull diagnostics, byte columns, or almost no capabilities. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rename, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import type {
  CompletionList,
  Diagnostic,
  DocumentDiagnosticReport,
  Location,
  SymbolInformation,
  WorkspaceDiagnosticReport,
  WorkspaceEdit,
} from "vscode-languageserver-protocol";
import { CancellationTokenSource, LSPErrorCodes } from "vscode-languageserver-protocol/node";
import { Client, inTime, type StartOptions } from "../../language/client";

const at = (line: number, character: number) => ({ line, character });
const range = (line: number, from: number, to: number) => ({ start: at(line, from), end: at(line, to) });

async function withClient(options: StartOptions, use: (client: Client) => Promise<void>): Promise<void> {
  const client = await Client.start(options);
  try {
    await use(client);
    assert.equal(client.stderr.join(""), "");
  } finally {
    assert.equal(await client.stop(), 0);
  }
}

/** A folder with flow files, removed afterwards. */
async function withFolder(
  files: Record<string, string>,
  use: (
    folder: string,
    uri: (name: string) => string,
    write: (name: string, text: string) => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "assistant-flow-language-"));
  // Atomic, because the server may read at any moment.
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, "being-written"), text);
    await rename(join(folder, "being-written"), join(folder, name));
  };
  try {
    for (const [name, text] of Object.entries(files)) await write(name, text);
    await use(pathToFileURL(folder).href, (name) => pathToFileURL(join(folder, name)).href, write);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const codes = (items: readonly { code?: unknown }[]) => items.map(({ code }) => code);
const ASSISTANT = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001";
const REVISION = "0f9e0d52-81b7-4f0c-8a51-6c2f4e7d0002";
const broken = "entry: gone\nnodes:\n  a: {type: end}\n";
const fine = "entry: a\nnodes:\n  a: {type: end}\n";

test("diagnostics are pushed with the version of their text, and cleared when the file is closed", () =>
  withClient({}, async (client) => {
    const uri = "file:///versioned.flow.yaml";
    await client.open(uri, fine);
    assert.deepEqual(await client.diagnostics(uri, 1), []);
    await client.change(uri, 2, [{ range: range(0, 7, 8), text: "gone" }]);
    assert.deepEqual(codes(await client.diagnostics(uri, 2)).includes("unknown-entry"), true);
    await client.close(uri);
    await client.nextPublish(
      ({ uri: of, version, diagnostics }) => of === uri && version === undefined && diagnostics.length === 0,
    );
  }));

test("changes of one notification: in sequence, several cursors from the bottom up, and the whole text", () =>
  withClient({}, async (client) => {
    const uri = "file:///changes.flow.yaml";
    const names = async () =>
      (await client.request<SymbolInformation[]>("textDocument/documentSymbol", { textDocument: { uri } })).map(
        ({ name }) => name,
      );
    await client.open(uri, fine);
    assert.deepEqual(await client.diagnostics(uri, 1), []);
    await client.change(uri, 2, [
      { range: range(2, 2, 3), text: "bb" },
      { range: range(2, 4, 4), text: "b" },
      { range: range(0, 7, 8), text: "bbb" },
    ]);
    assert.deepEqual(await names(), ["entry", "nodes", "bbb"]);
    await client.change(uri, 3, [
      { range: range(2, 2, 5), text: "c" },
      { range: range(0, 7, 10), text: "c" },
    ]);
    assert.deepEqual(await names(), ["entry", "nodes", "c"]);
    await client.change(uri, 4, [{ text: "entry: d\nnodes:\n  d: {type: end}\n" }]);
    assert.deepEqual(await names(), ["entry", "nodes", "d"]);
    await names();
    assert.equal(client.published.length, 1, "nothing is published where nothing changed");
    await client.change(uri, 5, [{ range: range(0, 7, 8), text: "e" }]);
    assert.equal((await client.diagnostics(uri, 5)).length, 1);
  }));

for (const [encoding, column] of [
  ["utf-8", 31],
  ["utf-16", 26],
  ["utf-32", 24],
] as const)
  test(`columns are counted in ${encoding} where the client asks for it`, () =>
    withClient({ capabilities: { general: { positionEncodings: [encoding] } } }, async (client) => {
      assert.equal(client.server.capabilities.positionEncoding, encoding);
      const uri = "file:///encoding.flow.yaml";
      //                                   👋 is 4 bytes, 2 units, 1 code point; é is 2, 1, 1.
      await client.open(uri, 'nodes:\n  a: {n: "👋👋é", edges: [{to: b}]}\n  b: {type: end}\n');
      const symbols = await client.request<SymbolInformation[]>("textDocument/documentSymbol", {
        textDocument: { uri },
      });
      const edge = symbols.find(({ name }) => name === "→ b");
      const to = edge?.location.range.start.character as number;
      assert.equal(to, column);
      const found = await client.request<Location[]>("textDocument/definition", {
        textDocument: { uri },
        position: at(1, to + 5),
      });
      assert.deepEqual(found[0]?.range, range(2, 2, 3));
      // An edit after the emoji is applied at the right position.
      await client.change(uri, 2, [{ range: { start: at(1, to + 5), end: at(1, to + 6) }, text: "a" }]);
      const references = await client.request<Location[]>("textDocument/references", {
        textDocument: { uri },
        position: at(1, 2),
        context: { includeDeclaration: false },
      });
      assert.deepEqual(
        references.map((each) => each.range),
        [range(1, to + 5, to + 6)],
      );
    }));

test("a client that pulls diagnostics gets no pushed ones", () =>
  withClient({ capabilities: { textDocument: { diagnostic: {} } } }, async (client) => {
    const uri = "file:///pulled.flow.yaml";
    await client.open(uri, broken);
    const ask = (previousResultId?: string) =>
      client.request<DocumentDiagnosticReport>("textDocument/diagnostic", { textDocument: { uri }, previousResultId });
    const first = await ask();
    assert.ok(first.kind === "full" && codes(first.items).includes("unknown-entry"));
    assert.equal((await ask(first.resultId)).kind, "unchanged");
    await client.change(uri, 2, [{ range: range(0, 7, 11), text: "a" }]);
    const second = await ask(first.resultId);
    assert.ok(second.kind === "full" && second.items.length === 0);
    assert.deepEqual(client.published, []);
  }));

test("a client without capabilities gets flat symbols, plain text, no snippets, plain renames", () =>
  withClient({}, async (client) => {
    const uri = "file:///bare.flow.yaml";
    await client.open(uri, "entry: a\nnodes:\n  a: {type: message, edges: [{to: a}]}\n  \n");
    const hover = await client.request<{ contents: { kind: string; value: string } }>("textDocument/hover", {
      textDocument: { uri },
      position: at(2, 2),
    });
    assert.equal(hover.contents.kind, "plaintext");
    assert.match(hover.contents.value, /^a · message\n/);
    const list = await client.request<CompletionList>("textDocument/completion", {
      textDocument: { uri },
      position: at(3, 2),
    });
    const item = list.items.find(({ label }) => label === "end node");
    assert.equal(item?.textEdit?.newText, "end_node:\n    type: end");
    assert.equal(item?.insertTextFormat, undefined);
    const renamed = await client.request<WorkspaceEdit>("textDocument/rename", {
      textDocument: { uri },
      position: at(2, 2),
      newName: "b",
    });
    assert.equal(renamed.changes?.[uri]?.length, 3);
    assert.deepEqual(
      await client.request("textDocument/codeLens", { textDocument: { uri: "file:///not-open.flow.yaml" } }),
      null,
    );
  }));

test("semantic tokens: a delta to the last response, and a range", () =>
  withClient({}, async (client) => {
    const uri = "file:///tokens.flow.yaml";
    const textDocument = { uri };
    await client.open(uri, "entry: a\nnodes:\n  a: {type: message, edges: [{to: b}]}\n  b: {type: end}\n");
    type Tokens = {
      resultId: string;
      data: number[];
      edits?: { start: number; deleteCount: number; data?: number[] }[];
    };
    const first = await client.request<Tokens>("textDocument/semanticTokens/full", { textDocument });
    await client.change(uri, 2, [{ range: range(2, 2, 3), text: "longer" }]);
    const delta = await client.request<Tokens>("textDocument/semanticTokens/full/delta", {
      textDocument,
      previousResultId: first.resultId,
    });
    const full = await client.request<Tokens>("textDocument/semanticTokens/full", { textDocument });
    const applied = [...first.data];
    for (const { start, deleteCount, data } of delta.edits ?? []) applied.splice(start, deleteCount, ...(data ?? []));
    assert.deepEqual(applied, full.data);
    assert.ok((delta.edits?.[0]?.data?.length ?? 0) < full.data.length);
    const unknown = await client.request<Tokens>("textDocument/semanticTokens/full/delta", {
      textDocument,
      previousResultId: "?",
    });
    assert.deepEqual(unknown.data, full.data);
    const part = await client.request<Tokens>("textDocument/semanticTokens/range", {
      textDocument,
      range: range(3, 0, 5),
    });
    assert.deepEqual(part.data.slice(0, 5), [3, 2, 1, 2, 1]);
  }));

test("closed files of the workspace have pushed diagnostics", () =>
  withFolder({ "bad.flow.yaml": broken, "good.flow.yaml": fine, "other.yaml": broken }, (folder, uri, write) =>
    withClient({ folders: [folder] }, async (client) => {
      const bad = await client.nextPublish((each) => each.uri === uri("bad.flow.yaml"));
      assert.ok(codes(bad.diagnostics).includes("unknown-entry"));
      // The open text counts; after closing, the file on disk does.
      await client.open(uri("bad.flow.yaml"), fine);
      assert.deepEqual(await client.diagnostics(uri("bad.flow.yaml"), 1), []);
      client.published.length = 0;
      await client.close(uri("bad.flow.yaml"));
      await client.nextPublish((each) => each.uri === uri("bad.flow.yaml") && each.diagnostics.length > 0);
      await write("bad.flow.yaml", fine);
      client.published.length = 0;
      await client.connection.sendNotification("workspace/didChangeWatchedFiles", {
        changes: [{ uri: uri("bad.flow.yaml"), type: 2 }],
      });
      await client.nextPublish((each) => each.uri === uri("bad.flow.yaml") && each.diagnostics.length === 0);
      assert.ok(!client.published.some((each) => /other|good/.test(each.uri)));
    }),
  ));

const deletable: readonly (readonly [name: string, text: string, code: string])[] = [
  ["bad.flow.yaml", broken, "unknown-entry"],
  ["bad.flowtest.yaml", "flow: gone.flow.yaml\ntests: []\n", "bad-test"],
  ["assistant-flow.policies.yaml", "policies: 5\n", "bad-policy"],
  ["assistant-flow.project.yaml", "environments: 5\n", "bad-project"],
];

for (const [name, text, code] of deletable)
  test(`${name} deleted while open has no diagnostics until it's restored or edited`, () =>
    withFolder({ [`flows/${name}`]: text }, (folder, uri, write) =>
      withClient({ folders: [folder] }, async (client) => {
        const [below, file] = [uri("flows"), uri(`flows/${name}`)];
        const isBad = (each: { uri: string; diagnostics: readonly Diagnostic[] }) =>
          each.uri === file && codes(each.diagnostics).includes(code);
        const changed = async (uri: string, type: 1 | 2 | 3) => {
          client.published.length = 0;
          await client.connection.sendNotification("workspace/didChangeWatchedFiles", { changes: [{ uri, type }] });
        };
        const isGone = () => client.nextPublish((each) => each.uri === file && each.diagnostics.length === 0);
        await client.open(file, text);
        await client.nextPublish((each) => isBad(each) && each.version === 1);
        await rm(fileURLToPath(file));
        await changed(file, 3);
        await isGone();
        await write(`flows/${name}`, text);
        await changed(file, 1);
        await client.nextPublish(isBad);
        await rm(fileURLToPath(below), { recursive: true });
        await changed(below, 3);
        await isGone();
        client.published.length = 0;
        await client.change(file, 2, [{ text: `${text}# typed\n` }]);
        await client.nextPublish(isBad);
      }),
    ));

test("a file closed and then deleted has no diagnostics, even if it was never in a workspace report", () =>
  withFolder({ "bad.flow.yaml": broken }, (folder, uri) =>
    withClient({ folders: [folder], capabilities: { textDocument: { diagnostic: {} } } }, async (client) => {
      const file = uri("bad.flow.yaml");
      const pull = () =>
        client.request<{ items: Diagnostic[] }>("textDocument/diagnostic", { textDocument: { uri: file } });
      await client.open(file, broken);
      await client.connection.sendNotification("textDocument/didClose", { textDocument: { uri: file } });
      while ((await pull()).items.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await rm(fileURLToPath(file));
      await client.connection.sendNotification("workspace/didChangeWatchedFiles", {
        changes: [{ uri: file, type: 3 }],
      });
      while ((await pull()).items.length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      const report = () => client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", { previousResultIds: [] });
      assert.deepEqual((await report()).items, [{ kind: "full", uri: file, version: null, items: [] }]);
      assert.deepEqual((await report()).items, []);
    }),
  ));

for (const [name, text, code] of deletable.slice(1))
  test(`${name} has no diagnostics after it's closed, also if the client requests them while it closes`, () =>
    withFolder({ [name]: text, "good.flow.yaml": fine }, (folder, uri) =>
      withClient({ folders: [folder], capabilities: { textDocument: { diagnostic: {} } } }, async (client) => {
        const file = uri(name);
        const pull = () =>
          client.request<{ items: Diagnostic[] }>("textDocument/diagnostic", { textDocument: { uri: file } });
        const report = (known: WorkspaceDiagnosticReport["items"]) =>
          client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", {
            previousResultIds: known.map((each) => ({ uri: each.uri, value: each.resultId as string })),
          });
        await client.open(file, text);
        assert.ok(codes((await pull()).items).includes(code));
        const known = (await report([])).items;
        const cleared = [{ kind: "full", uri: file, version: null, items: [] }];
        const waits = report(known);
        await client.connection.sendNotification("textDocument/didClose", { textDocument: { uri: file } });
        assert.deepEqual((await waits).items, cleared);
        // VS Code requests it once more, and ignores reports until that is answered.
        const again = report(known);
        assert.deepEqual((await pull()).items, []);
        assert.deepEqual((await again).items, cleared);
      }),
    ));

test("closed files, pulled: in parts, waiting for changes, cancelled", () =>
  withFolder({ "bad.flow.yaml": broken, "good.flow.yaml": fine }, (folder, uri, write) =>
    withClient({ folders: [folder], capabilities: { textDocument: { diagnostic: {} } } }, async (client) => {
      const first = await client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", { previousResultIds: [] });
      assert.deepEqual(first.items.map((each) => each.uri).sort(), [uri("bad.flow.yaml"), uri("good.flow.yaml")]);
      const ending = await client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", {
        previousResultIds: [],
        partialResultToken: "parts",
      });
      assert.deepEqual(ending.items, []);
      assert.deepEqual(client.progress.at(-1), { items: first.items });
      const previousResultIds = first.items.map((each) => ({ uri: each.uri, value: each.resultId as string }));
      const held = client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", { previousResultIds });
      await write("bad.flow.yaml", `${fine}# changed\n`);
      await client.connection.sendNotification("workspace/didChangeWatchedFiles", {
        changes: [{ uri: uri("bad.flow.yaml"), type: 2 }],
      });
      const second = await held;
      assert.deepEqual(
        second.items.map((each) => [each.uri, each.kind === "full" && each.items.length]),
        [[uri("bad.flow.yaml"), 0]],
      );
      // Nothing changes any more: only a cancelled request is answered.
      const cancel = new CancellationTokenSource();
      const now = (
        await client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", { previousResultIds: [] })
      ).items.map((each) => ({ uri: each.uri, value: each.resultId as string }));
      const waiting: Promise<unknown> = client.connection.sendRequest(
        "workspace/diagnostic",
        { previousResultIds: now },
        cancel.token,
      );
      // It is running once a later request is answered; before, it would be dropped.
      await client.request("workspace/symbol", { query: "" });
      cancel.cancel();
      // It ends without findings if it is already waiting, and never starts if it was still queued.
      const answer = waiting.catch(({ code }: { code?: number }) => code);
      const answered = await inTime(answer, () => "the answer of a cancelled request", 20_000);
      if (answered !== LSPErrorCodes.RequestCancelled) assert.deepEqual(answered, { items: [] });
    }),
  ));

test("closed files, pulled: a discarded draft leaves no findings", () =>
  withFolder({ "good.flow.yaml": fine }, (folder, uri) =>
    withClient({ folders: [folder], capabilities: { textDocument: { diagnostic: {} } } }, async (client) => {
      const all = (previousResultIds: { uri: string; value: string }[]) =>
        client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", { previousResultIds });
      const ids = (report: WorkspaceDiagnosticReport) =>
        report.items.map((each) => ({ uri: each.uri, value: each.resultId as string }));
      const before = ids(await all([]));
      const draft = uri("good.flow.yaml");
      await client.open(draft, broken);
      const held = all(before);
      await client.connection.sendNotification("textDocument/didClose", { textDocument: { uri: draft } });
      const { items } = await inTime(held, () => "the file as it is on disk", 20_000);
      assert.deepEqual(
        items.map((each) => [each.uri, each.kind === "full" && each.items.length]),
        [[draft, 0]],
      );
    }),
  ));

test("workspace diagnostics can be switched off", () =>
  withFolder({ "bad.flow.yaml": broken }, (folder) =>
    withClient(
      {
        folders: [folder],
        settings: { diagnostics: { workspace: false } },
        capabilities: { workspace: { configuration: true }, textDocument: { diagnostic: {} } },
      },
      async (client) => {
        await client.request("workspace/symbol", { query: "" });
        const report = await client.request<WorkspaceDiagnosticReport>("workspace/diagnostic", {
          previousResultIds: [],
        });
        assert.ok(report.items.every((each) => each.kind === "full" && each.items.length === 0));
      },
    ),
  ));

const showsRelated = { textDocument: { publishDiagnostics: { relatedInformation: true } } };

test("two files with the same revision are reported until one changes", () =>
  withFolder({ "one.flow.yaml": `revision: ${REVISION}\n${fine}` }, (folder, uri) =>
    withClient({ folders: [folder], capabilities: showsRelated }, async (client) => {
      const two = "file:///elsewhere/two.flow.yaml";
      await client.request("workspace/symbol", { query: "" });
      await client.open(two, `revision: ${REVISION}\n${fine}`);
      const found = (await client.diagnostics(two, 1)).find(({ code }) => code === "revision-claimed-twice");
      assert.match(String(found?.message), /one\.flow\.yaml/);
      assert.deepEqual(found?.relatedInformation?.[0]?.location, {
        uri: uri("one.flow.yaml"),
        range: range(0, 10, 46),
      });
      const other = await client.nextPublish(
        (each) => each.uri === uri("one.flow.yaml") && each.diagnostics.length > 0,
      );
      assert.deepEqual(codes(other.diagnostics), ["revision-claimed-twice"]);
      client.published.length = 0;
      await client.change(two, 2, [{ range: range(0, 10, 11), text: "1" }]);
      assert.deepEqual(await client.diagnostics(two, 2), []);
      await client.nextPublish((each) => each.uri === uri("one.flow.yaml") && each.diagnostics.length === 0);
    }),
  ));

const component = `assistant: ${ASSISTANT}
entry: a
context_variables:
  account: {type: string}
nodes:
  a: {type: collect, variable: account, instructions: Ask., edges: [{to: b}]}
  b: {type: end}
component_outputs:
  - {name: solved, value: "{{account}}"}
`;
const user = `entry: run
context_variables:
  done: {type: string}
nodes:
  run:
    type: component
    component: ${ASSISTANT}
    inputs: {account: "{{done}}"}
    saves: {done: $.solved}
    edges: [{to: bye}]
  bye: {type: end}
`;

test("renames reach the files that use a flow as a component", () =>
  withFolder({ "component.flow.yaml": component, "user.flow.yaml": user }, (folder, uri) =>
    withClient(
      {
        folders: [folder],
        capabilities: { workspace: { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } } },
      },
      async (client) => {
        await client.request("workspace/symbol", { query: "" });
        await client.open(uri("component.flow.yaml"), component, 7);
        const textDocument = { uri: uri("component.flow.yaml") };
        const variable = await client.request<WorkspaceEdit>("textDocument/rename", {
          textDocument,
          position: at(3, 3),
          newName: "number",
        });
        const changes = variable.documentChanges as {
          textDocument: unknown;
          edits: { range: unknown; annotationId?: string }[];
        }[];
        assert.deepEqual(
          changes.map((each) => each.textDocument),
          [
            { uri: uri("component.flow.yaml"), version: 7 },
            { uri: uri("user.flow.yaml"), version: null },
          ],
        );
        assert.deepEqual(changes[0]?.edits.length, 3);
        assert.deepEqual(changes[1]?.edits, [
          { range: range(7, 13, 20), newText: "number", annotationId: "other-files" },
        ]);
        assert.equal(variable.changeAnnotations?.["other-files"]?.needsConfirmation, true);
        const output = await client.request<WorkspaceEdit>("textDocument/rename", {
          textDocument,
          position: at(8, 12),
          newName: "fixed",
        });
        const outputs = output.documentChanges as { edits: { range: unknown }[] }[];
        assert.deepEqual(outputs[1]?.edits[0]?.range, range(8, 20, 26));

        await client.open(uri("user.flow.yaml"), user);
        const inUser = { textDocument: { uri: uri("user.flow.yaml") } };
        const definition = await client.request<Location[]>("textDocument/definition", {
          ...inUser,
          position: at(6, 20),
        });
        assert.deepEqual(
          definition.map((each) => each.uri),
          [uri("component.flow.yaml")],
        );
        const references = await client.request<Location[]>("textDocument/references", {
          ...inUser,
          position: at(6, 20),
          context: { includeDeclaration: true },
        });
        assert.equal(references.length, 2);
        const offered = async (line: number, character: number) =>
          (
            await client.request<CompletionList>("textDocument/completion", {
              ...inUser,
              position: at(line, character),
            })
          ).items.map(({ label }) => label);
        assert.deepEqual(await offered(6, 15), ["component"]);
        assert.deepEqual(await offered(7, 13), ["account"]);
        assert.deepEqual(await offered(8, 18), ["$.solved"]);
      },
    ),
  ));

test("workspace symbols find names in open and closed files, even without file watching", () =>
  withFolder({ "one.flow.yaml": fine, "two.flow.yaml": component }, (folder, uri, write) =>
    withClient({ folders: [folder] }, async (client) => {
      const find = async (query: string) =>
        (await client.request<SymbolInformation[]>("workspace/symbol", { query })).map(({ name, location }) => [
          name,
          location.uri,
        ]);
      assert.deepEqual(await find("acc"), [["account", uri("two.flow.yaml")]]);
      await client.open(uri("two.flow.yaml"), component.replaceAll("account", "accident"));
      assert.deepEqual(await find("acc"), [["accident", uri("two.flow.yaml")]]);
      await write("three.flow.yaml", "nodes:\n  accessible: {type: end}\n");
      assert.equal((await find("acc")).length, 2);
      await unlink(new URL(uri("three.flow.yaml")));
      assert.equal((await find("acc")).length, 1);
    }),
  ));

test("reading the workspace shows its progress", () =>
  withFolder(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.flow.yaml`, broken])), (folder) =>
    withClient({ folders: [folder], capabilities: { window: { workDoneProgress: true } } }, async (client) => {
      await client.progressEnded;
      const kinds = client.progress.map(({ kind }) => kind);
      assert.equal(kinds[0], "begin");
      assert.equal(client.progress[0]?.cancellable, true);
      assert.equal(kinds.at(-1), "end");
      assert.equal(kinds.filter((kind) => kind === "report").length, 40);
    }),
  ));

test("reading the workspace can be stopped", () =>
  withFolder(Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`${index}.flow.yaml`, broken])), (folder) =>
    withClient(
      { folders: [folder], stopsProgress: true, capabilities: { window: { workDoneProgress: true } } },
      async (client) => {
        await client.progressEnded;
        const read = client.progress.filter(({ kind }) => kind === "report").length;
        assert.ok(read < 400, `all ${read} files were read`);
        assert.ok(client.published.length < 400);
      },
    ),
  ));

test("completion offers IDs of tools and flows used in the workspace", () =>
  withFolder(
    {
      "other.flow.yaml": `assistant: ${ASSISTANT}\nentry: a\nnodes:\n  a:\n    type: tool\n    name: Look up\n    tool: ${REVISION}\n`,
    },
    (folder, uri) =>
      withClient({ folders: [folder], capabilities: { window: { workDoneProgress: true } } }, async (client) => {
        await client.progressEnded;
        const mine = uri("mine.flow.yaml");
        await client.open(
          mine,
          "nodes:\n  a:\n    type: tool\n    tool: \n  b:\n    type: component\n    component: \n",
        );
        const labels = async (line: number, character: number) => {
          const params = { textDocument: { uri: mine }, position: at(line, character) };
          const { items } = await client.request<CompletionList>("textDocument/completion", params);
          return items.map(({ label, detail }) => `${label} ${detail}`);
        };
        assert.deepEqual(await labels(3, 10), [`Look up ${REVISION} · other.flow.yaml`]);
        assert.deepEqual(await labels(6, 15), [`other ${ASSISTANT} · other.flow.yaml`]);
      }),
  ));

test("a client that supports only commands gets commands, and their edits when run", () =>
  withClient({ capabilities: { workspace: { applyEdit: true } } }, async (client) => {
    const uri = "file:///commands.flow.yaml";
    await client.open(uri, "entry: grete\nnodes:\n  greet: {type: end}\n");
    assert.equal(client.server.capabilities.codeActionProvider, true);
    const applied: WorkspaceEdit[] = [];
    client.connection.onRequest("workspace/applyEdit", ({ edit }: { edit: WorkspaceEdit }) => {
      applied.push(edit);
      return { applied: true };
    });
    const commands = await client.request<{ title: string; command: string; arguments: unknown[] }[]>(
      "textDocument/codeAction",
      { textDocument: { uri }, range: range(0, 8, 8), context: { diagnostics: [] } },
    );
    assert.ok(commands.length > 0 && commands.every((each) => typeof each.command === "string"));
    await client.request("workspace/executeCommand", commands[0]);
    assert.deepEqual(
      applied[0]?.changes?.[uri]?.map(({ newText }) => newText),
      ["greet"],
    );
  }));

test("typing into an empty file updates its diagnostics", () =>
  withClient({ capabilities: { textDocument: { diagnostic: {} } } }, async (client) => {
    const found = async (uri: string) => {
      const report = await client.request<DocumentDiagnosticReport>("textDocument/diagnostic", {
        textDocument: { uri },
      });
      return report.kind === "full" ? report.items : [];
    };
    const uri = "file:///typed.flow.yaml";
    await client.open(uri, "");
    let typed = "";
    for (const [index, text] of ["e", "n", "try", ":", " a", "\n", "no", "des:"].entries()) {
      const end = typed.includes("\n") ? at(1, typed.length - typed.indexOf("\n") - 1) : at(0, typed.length);
      await client.change(uri, index + 2, [{ range: { start: end, end }, text }]);
      typed += text;
      const fresh = `file:///fresh-${index}.flow.yaml`;
      await client.open(fresh, typed);
      assert.deepEqual(await found(uri), await found(fresh), typed);
    }
  }));

test("an older version of an open file claims no revision", () =>
  withClient({}, async (client) => {
    const uri = "file:///claims.flow.yaml";
    const text = `assistant: ${ASSISTANT}\nrevision: ${REVISION}\n${fine}`;
    await client.open(`git:/claims.flow.yaml?%7B%22ref%22%3A%22HEAD%22%7D`, text);
    await client.open(uri, text);
    assert.deepEqual(codes(await client.diagnostics(uri, 1)), []);
  }));

test("the diagnostics of a folder are removed with it", () =>
  withFolder({ "kept.flow.yaml": fine }, async (folder, uri) => {
    const inside = new URL(`${folder}/inner/gone.flow.yaml`);
    await mkdir(new URL(`${folder}/inner`));
    await writeFile(inside, broken);
    const capabilities = { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } };
    await withClient({ folders: [folder], capabilities }, async (client) => {
      const about = (count: number) =>
        client.nextPublish((each) => each.uri === inside.href && each.diagnostics.length > 0 === count > 0);
      if (!client.published.some((each) => each.uri === inside.href)) await about(1);
      await rm(new URL(`${folder}/inner`), { recursive: true });
      const gone = about(0);
      await client.connection.sendNotification("workspace/didChangeWatchedFiles", {
        changes: [{ uri: `${folder}/inner`, type: 3 }],
      });
      await gone;
      assert.ok(uri("kept.flow.yaml"));
    });
  }));
