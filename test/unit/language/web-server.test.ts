/** The language server in a web worker answers like the one in a process. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { ClientCapabilities } from "vscode-languageserver-protocol";
import { fileKind } from "../../../flow";
import { startSandbox } from "../../../sandbox";
import { filesBelow, inProject } from "../../../scripts/project";
import { Client } from "../../language/client";
import { Editor } from "../../language/editor";
import { mistakes } from "../../mistakes/list";
import { sizeOf } from "../../support/cases";

const FILE = "support.flow.yaml";

const LANGUAGES = {
  flow: "assistant-flow",
  test: "assistant-flow-test",
  policies: "assistant-flow-policies",
  project: "assistant-flow-project",
};

const capabilities = {
  window: { workDoneProgress: true },
  textDocument: { diagnostic: {}, publishDiagnostics: { relatedInformation: true } },
};

interface Sample {
  readonly file: string;
  readonly languageId: string;
  readonly text: string;
}

const files: readonly Sample[] = ["examples", "test/corpus", "test/markers", "test/mistakes", "test/language"]
  .flatMap((folder) => [...filesBelow(folder, ".yaml"), ...filesBelow(folder, ".yml")])
  .flatMap((file) => {
    const kind = fileKind(file);
    const text = readFileSync(inProject(file), "utf8");
    return kind === undefined || kind === "tools" ? [] : [{ file, languageId: LANGUAGES[kind], text }];
  });

const program = ["test/support/web-server.ts", inProject("dist/web/server.js")];
const base = readFileSync(inProject("test/mistakes/base.flow.yaml"), "utf8");
const samples: readonly Sample[] = [
  ...files,
  ...mistakes.map(([, from, to], index) => ({
    file: `test/mistakes/mistake-${index}.flow.yaml`,
    languageId: LANGUAGES.flow,
    text: base.replace(from, () => to),
  })),
  {
    file: "test/assistant-flow.project.yaml",
    languageId: LANGUAGES.project,
    text: "environments:\n  staging: {base_url: http://example.com}\nflows: [nowhere.flow.yaml]\nenvironmets: 1\n",
  },
];

let desktop: Client;
let web: Client;

before(async () => {
  [desktop, web] = await startBoth(capabilities);
});

/** The server in a process, and the one for browsers. Both have read the workspace, because policies name its flows. */
async function startBoth(capable: ClientCapabilities): Promise<[Client, Client]> {
  const installed = pathToFileURL(inProject(".")).href.replace(/\/$/, "");
  const folders = [pathToFileURL(inProject("examples")).href];
  const initialize = { initializationOptions: { installed } };
  const started = await Promise.all([
    Client.start({ capabilities: capable, folders }),
    Client.start({ capabilities: capable, folders, initialize, program }),
  ]);
  await Promise.all(started.map(({ progressEnded }) => progressEnded));
  return started;
}

after(async () => {
  await Promise.all([desktop?.stop(), web?.stop()]);
});

async function answers(client: Client, method: string, uri: string, more: object = {}): Promise<string> {
  return JSON.stringify(await client.request(method, { textDocument: { uri }, ...more }));
}

test("the diagnostics of all sample files and mistakes are the same, byte by byte", async () => {
  assert.ok(samples.length > 200, `${samples.length} files`);
  let found = 0;
  for (const { file, languageId, text } of samples) {
    const uri = pathToFileURL(inProject(file)).href;
    const textDocument = { uri, languageId, version: 1, text };
    const [expected, actual] = await Promise.all(
      [desktop, web].map(async (client) => {
        await client.connection.sendNotification("textDocument/didOpen", { textDocument });
        return (await answers(client, "textDocument/diagnostic", uri)).replace(/"resultId":"[^"]*"/, '"resultId":""');
      }),
    );
    assert.equal(actual, expected, file);
    found += JSON.parse(expected as string).items.length;
    for (const client of [desktop, web]) await client.close(uri);
  }
  assert.ok(found > 100, `${found} diagnostics`);
});

test("the diagnostics that are published for a client that doesn't pull them are the same, byte by byte", async () => {
  const { diagnostic: _pulled, ...textDocument } = capabilities.textDocument;
  const publishing = await startBoth({ ...capabilities, textDocument });
  try {
    let found = 0;
    // They are made like those that are pulled, so `npm test` sends one file in four.
    for (const { file, languageId, text } of samples.filter((_, at) => at % sizeOf(7, 1) === 0)) {
      const uri = pathToFileURL(inProject(file)).href;
      const open = { textDocument: { uri, languageId, version: 1, text } };
      const [expected, actual] = await Promise.all(
        publishing.map(async (client) => {
          await client.connection.sendNotification("textDocument/didOpen", open);
          return JSON.stringify(await client.diagnostics(uri, 1));
        }),
      );
      assert.equal(actual, expected, file);
      found += JSON.parse(expected as string).length;
      for (const client of publishing) await client.close(uri);
    }
    assert.ok(found > sizeOf(14, 100), `${found} diagnostics`);
  } finally {
    await Promise.all(publishing.map((client) => client.stop()));
  }
});

const COMPONENT = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0001";
/** Each of the first ones has a problem that is found with another file. A test waits for the component to be read. */
const related: readonly Sample[] = [
  {
    file: "user.flowtest.yaml",
    languageId: LANGUAGES.test,
    text: "flow: user.flow.yaml\ntests:\n  - name: a\n    expect: {path: [run, by]}\n",
  },
  {
    file: "assistant-flow.policies.yaml",
    languageId: LANGUAGES.policies,
    text: "policies:\n  - {id: greet, flows: [user.flow.yaml], every_path_to: {node: bye}, passes: {node: greet}}\n",
  },
  {
    file: "user.flow.yaml",
    languageId: LANGUAGES.flow,
    text: `entry: run\nnodes:\n  run: {type: component, component: ${COMPONENT}, inputs: {acount: "1"}, edges: [{to: bye}]}\n  bye: {type: end}\n`,
  },
  {
    file: "assistant-flow.project.yaml",
    languageId: LANGUAGES.project,
    text: "environments:\n  staging:\n    url: https://a.example\n    flows: {user.flow.yaml: {}, missing.flow.yaml: {}}\n",
  },
  {
    file: "component.flow.yaml",
    languageId: LANGUAGES.flow,
    text: `assistant: ${COMPONENT}\nentry: ask\ncontext_variables:\n  account: {type: string}\nnodes:\n  ask: {type: collect, variable: account, edges: [{to: bye}]}\n  bye: {type: end}\n`,
  },
];

test("in a virtual folder, a flow's component, tests, policies and project file are found as on disk", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "aflow größe 50% "));
  for (const { file, text } of related) await writeFile(path.join(folder, file), text);
  const uri = pathToFileURL(folder).href;
  const virtual = (text: string) => text.replaceAll("file://", "vscode-vfs://github");
  const clients = [
    await Client.start({ capabilities, folders: [uri] }),
    await Client.start({ capabilities, folders: [virtual(uri)], initialize: { initializationOptions: {} }, program }),
  ];
  try {
    await Promise.all(clients.map(({ progressEnded }) => progressEnded));
    const found = await Promise.all(
      clients.map(async (client, index) => {
        const all: string[] = [];
        for (const { file, languageId, text } of related) {
          const place = pathToFileURL(path.join(folder, file)).href;
          const textDocument = { uri: index === 0 ? place : virtual(place), languageId, version: 1, text };
          await client.connection.sendNotification("textDocument/didOpen", { textDocument });
          const { items } = JSON.parse(await answers(client, "textDocument/diagnostic", textDocument.uri));
          all.push(JSON.stringify({ file, items: items.map(withoutPage) }));
        }
        return all;
      }),
    );
    assert.deepEqual(
      found[1],
      found[0]?.map((each) => virtual(each)),
    );
    for (const [at, code] of ["unknown-node", "matches-nothing", "unknown-component-input", "revision"].entries())
      assert.match(found[0]?.[at] ?? "", new RegExp(`(?<=items.*)${code}`));
  } finally {
    await Promise.all(clients.map((client) => client.stop()));
    await rm(folder, { recursive: true });
  }
});

/** The page of a rule is where the extension is installed. */
function withoutPage({ codeDescription: _, ...diagnostic }: Record<string, unknown>): object {
  return diagnostic;
}

test("other requests are answered in the same way", async () => {
  const uri = pathToFileURL(inProject("examples/support-line.flow.yaml")).href;
  const text = readFileSync(inProject("examples/support-line.flow.yaml"), "utf8");
  for (const client of [desktop, web]) await client.open(uri, text);
  const position = { line: 20, character: 8 };
  const requests: readonly (readonly [string, object?])[] = [
    ["textDocument/documentSymbol"],
    ["textDocument/foldingRange"],
    ["textDocument/semanticTokens/full"],
    ["textDocument/formatting", { options: { tabSize: 2, insertSpaces: true } }],
    ["textDocument/codeLens"],
    ["textDocument/hover", { position }],
    ["textDocument/completion", { position }],
    ["textDocument/documentLink"],
  ];
  for (const [method, more] of requests)
    assert.equal(await answers(web, method, uri, more), await answers(desktop, method, uri, more), method);
});

test("tests run with coverage, in a part that is loaded then", async () => {
  const uri = pathToFileURL(inProject("examples/billing.flowtest.yaml")).href;
  const run = (client: Client) =>
    client.request("assistantFlow/runTests", { files: [{ uri }], unsaved: [], report: true });
  const [expected, actual] = await Promise.all([run(desktop), run(web)]);
  assert.equal(JSON.stringify(actual), JSON.stringify(expected));
  assert.match(JSON.stringify(actual), /"coverage":\[\{/);
});

test("a client is asked to refresh when a flow of an open policy file appears", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "aflow-"));
  const [, { file, text, languageId }] = related as [Sample, Sample];
  const uri = pathToFileURL(path.join(folder, file)).href;
  const capable = { ...capabilities, workspace: { diagnostics: { refreshSupport: true } } };
  const folders = [pathToFileURL(folder).href];
  const client = await Client.start({ capabilities: capable, folders, program });
  const failures: string[] = [];
  client.connection.onNotification("window/logMessage", ({ type, message }) => {
    if (type === 1) failures.push(message);
  });
  try {
    const textDocument = { uri, languageId, version: 1, text };
    await client.connection.sendNotification("textDocument/didOpen", { textDocument });
    assert.match(await answers(client, "textDocument/diagnostic", uri), /matches no flow/);
    const asked = new Promise((resolve) =>
      client.connection.onRequest("workspace/diagnostic/refresh", () => resolve(null) ?? null),
    );
    const flow = path.join(folder, "user.flow.yaml");
    await writeFile(flow, base);
    const changes = [{ uri: pathToFileURL(flow).href, type: 1 }];
    await client.connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
    await asked;
    assert.deepEqual(failures, []);
    assert.match(await answers(client, "textDocument/diagnostic", uri), /matches nothing in \\"user\.flow\.yaml/);
  } finally {
    await client.stop();
    await rm(folder, { recursive: true });
  }
});

test("a save is pushed, and platform changes are merged into the file, also if it's closed", async () => {
  const sandbox = await startSandbox({ demo: true });
  const editor = await Editor.start(sandbox, {}, undefined, program);
  try {
    const { assistant, revision } = sandbox.demo as NonNullable<typeof sandbox.demo>;
    const change = (name: string) =>
      editor.platform.applyGraphOps(assistant, revision, {
        ops: [{ op: "update_node_fields", node_id: "greet", fields: { name } }],
      });
    const text = readFileSync(inProject("examples/support-line.flow.yaml"), "utf8");
    const synced = (version: number) => editor.next("synced", (state) => state.version === version);
    await editor.write(FILE, text);
    const first = synced(1);
    await editor.open(FILE, text);
    await first;
    const second = synced(2);
    await editor.save(FILE, text.replace("name: Greeting", "name: Welcome"));
    await second;
    assert.deepEqual(
      editor.asked.map(({ reason }) => reason),
      ["first-push"],
    );
    await change("Hello");
    assert.equal((await editor.act(FILE, "pull")).kind, "synced");
    assert.match(editor.text(FILE), /name: Hello/);
    await editor.close(FILE);
    await change("Good morning");
    assert.equal((await editor.act(FILE, "pull")).kind, "synced");
    assert.match(await editor.onDisk(FILE), /name: Good morning/);
    assert.deepEqual(
      (await readdir(editor.folder)).filter((name) => name.endsWith(".tmp")),
      [],
    );
  } finally {
    await editor.stop();
    await sandbox.stop();
  }
});

test("starting loads less than 900 kB for the server, and 400 kB for the extension", () => {
  const server = loadedSize("server.js");
  assert.ok(server > 500_000 && server < 900_000, `${server} bytes`);
  const extension = loadedSize("client.js");
  assert.ok(extension > 200_000 && extension < 400_000, `${extension} bytes`);
});

/** The size in bytes of a program with the parts that it imports at once. */
function loadedSize(program: string): number {
  const loaded = new Set([program]);
  let size = 0;
  for (const file of loaded) {
    const code = readFileSync(inProject(`dist/web/${file}`), "utf8");
    size += Buffer.byteLength(code);
    for (const [, part = ""] of code.matchAll(/\b(?:from|import)"\.\/(part-\w+\.js)"/g)) loaded.add(part);
  }
  return size;
}
