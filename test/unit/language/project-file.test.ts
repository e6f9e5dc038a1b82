/** The project file in the language server, and its names in flows, tests and policies. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  DocumentSymbol,
  Hover,
  Location,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver-protocol";
import { applyEdits } from "../../../flow";
import { Client } from "../../language/client";

const id = (digits: number) => `6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b${String(digits).padStart(4, "0")}`;

const PROJECT = "assistant-flow.project.yaml";
const MAIN = "flows/main.flow.yaml";
const PART = "flows/part.flow.yaml";
const TESTS = "flows/main.flowtest.yaml";
const POLICIES = "assistant-flow.policies.yaml";

const files: Record<string, string> = {
  [PROJECT]: `default: staging
environments:
  staging:
    url: https://staging.example.com
    flows:
      flows/main.flow.yaml: {assistant: ${id(1)}, revision: ${id(2)}}
      flows/part.flow.yaml: {assistant: ${id(3)}, revision: ${id(4)}}
    names:
      look_up: ${id(5)} # the tool
      front_desk: "+15550100"
      part: ${id(3)}
  production:
    url: https://api.example.com
    protected: true
    flows:
      flows/main.flow.yaml: {assistant: ${id(11)}, revision: ${id(12)}}
      flows/part.flow.yaml: {assistant: ${id(13)}, revision: ${id(14)}}
    names: {look_up: ${id(15)}, front_desk: "+15550111", "part": ${id(13)}}
`,
  [MAIN]: `entry: find
context_variables:
  found: {type: string}
nodes:
  find:
    type: tool
    tool: $look_up # by name
    edges: [{to: sub}, {to: hand_over, on: error}]
  sub:
    type: component
    component: "$part"
    saves: {found: $.answer}
    edges: [{to: done}]
  hand_over: {type: transfer, destination: $front_desk}
  done: {type: end, instructions: "{{found}}"}
`,
  [PART]: `entry: ask
context_variables:
  answer: {type: string}
nodes:
  ask: {type: collect, variable: answer, instructions: Ask., edges: [{to: bye}]}
  bye: {type: end}
component_outputs:
  - {name: answer, value: "{{answer}}"}
`,
  [TESTS]: `flow: main.flow.yaml
tests:
  - name: through the component
    tools:
      $look_up: {return: {}}
    steps: [{give: {answer: x}}]
    expect: {path: [find, sub, sub/ask, sub/bye, done], variables: {found: x}}
`,
  [POLICIES]: `policies:
  - id: asks-first
    every_path_to: {node: done}
    passes: {tool: $look_up}
  - id: asks-inside
    every_path_to: {node: done}
    passes: {node: sub/ask}
`,
};

let folder: string;
let client: Client;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "aflow-project-"));
  await mkdir(path.join(folder, "flows"));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  client = await Client.start({
    folders: [pathToFileURL(folder).href],
    capabilities: {
      textDocument: {
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } },
        hover: { contentFormat: ["markdown"] },
      },
    },
  });
  // Until the workspace has been read, names aren't known.
  await open(MAIN, (files[MAIN] as string).replace("$part", "$unknown"));
  await client.showing(uri(MAIN), (found) => found.some(isUnknownName));
  await client.close(uri(MAIN));
  opened.clear();
  await client.request("workspace/symbol", { query: "" });
});
afterEach(async () => {
  for (const name of opened) await client.close(uri(name));
  opened.clear();
});
after(async () => {
  await client.stop();
  await rm(folder, { recursive: true, force: true });
});

const uri = (name: string) => pathToFileURL(path.join(folder, name)).href;
const opened = new Set<string>();
const open = (name: string, text = files[name] as string) => {
  opened.add(name);
  return client.open(uri(name), text, ++version);
};
let version = 0;
const isUnknownName = ({ code }: Diagnostic) => code === "unknown-name";

/** The position before the first occurrence of the part that is marked with `|`: `tool: $look|_up`. */
function at(name: string, marked: string, text = files[name] as string) {
  const before = text.slice(0, text.indexOf(marked.replace("|", "")) + marked.indexOf("|"));
  assert.ok(text.includes(marked.replace("|", "")), marked);
  const lines = before.split("\n");
  return {
    textDocument: { uri: uri(name) },
    position: { line: lines.length - 1, character: (lines.at(-1) as string).length },
  };
}

/** The edited files by name. */
function applied(edit: WorkspaceEdit): Record<string, string> {
  return Object.fromEntries(
    Object.entries(edit.changes ?? {}).map(([changed, edits]) => {
      const name = Object.keys(files).find((each) => uri(each) === changed) as string;
      return [name, edited(files[name] as string, edits)];
    }),
  );
}

function edited(text: string, edits: readonly TextEdit[]): string {
  const starts = [0];
  for (const match of text.matchAll(/\n/g)) starts.push(match.index + 1);
  const offset = ({ line, character }: { line: number; character: number }) => (starts[line] as number) + character;
  return applyEdits(
    text,
    edits.map(({ range, newText }) => ({ start: offset(range.start), end: offset(range.end), text: newText })),
  );
}

/** Locations as `file:line`, with lines from 1. */
const places = (found: readonly Location[] | null) =>
  (found ?? []).map((each) => {
    const name = Object.keys(files).find((name) => uri(name) === each.uri);
    return `${name}:${each.range.start.line + 1}`;
  });

test("mistakes are shown while typing, with fixes, and names in flows follow the unsaved text", async () => {
  await open(PROJECT);
  await open(MAIN);
  const typed = (files[PROJECT] as string).replace("      front_desk:", "      front_dask:");
  await client.change(uri(PROJECT), ++version, [{ text: typed }]);
  const found = await client.diagnostics(uri(PROJECT), version);
  assert.deepEqual(
    found.map(({ code, range }) => [code, range.start.line]),
    [
      ["missing-name", 9],
      ["missing-name", 17],
    ],
  );
  const unknown = await client.showing(uri(MAIN), (all) => all.some(isUnknownName));
  assert.match(String(unknown.find(isUnknownName)?.message), /"front_desk" isn't defined in environment "staging"/);
  const [missing] = found as [Diagnostic];
  const actions = await client.request<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri: uri(PROJECT) },
    range: missing.range,
    context: { diagnostics: [missing] },
  });
  assert.deepEqual(
    actions.map(({ title }) => title),
    ['Add "front_dask" to "production"'],
  );
  await client.change(uri(PROJECT), ++version, [{ text: files[PROJECT] as string }]);
  await client.showing(uri(MAIN), (all) => !all.some(isUnknownName));
});

test("a flow that isn't open is checked by the project file on disk", async () => {
  const write = async (text: string) => {
    await writeFile(path.join(folder, PROJECT), text);
    await client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uri(PROJECT), type: 2 }],
    });
  };
  await write((files[PROJECT] as string).replace("      look_up:", "      look_down:"));
  const found = await client.showing(uri(MAIN), (all) => all.some(isUnknownName));
  assert.equal(found.filter(isUnknownName).length, 1);
  await write(files[PROJECT] as string);
  await client.showing(uri(MAIN), (all) => !all.some(isUnknownName));
});

test("completion in a project file", async () => {
  const labels = async (text: string, marked: string) => {
    await open(PROJECT, text);
    const found = await client.request<{ items: CompletionItem[] }>(
      "textDocument/completion",
      at(PROJECT, marked, text),
    );
    await client.close(uri(PROJECT));
    return found.items.map(({ label }) => label);
  };
  const project = files[PROJECT] as string;
  assert.deepEqual(await labels("", "|"), ["default", "environments"]);
  assert.deepEqual(await labels("environments:\n  staging: {url: https://example.com}\n  ", "}\n  |"), ["environment"]);
  assert.deepEqual(await labels(project.replace("default: staging", "default: "), "default: |"), [
    "staging",
    "production",
  ]);
  assert.deepEqual(await labels(project.replace("    protected: true", "    "), "example.com\n    |\n"), [
    "calling_url",
    "protected",
  ]);
  assert.deepEqual(await labels(project.replace("protected: true", "protected: "), "protected: |"), ["true", "false"]);
  const unlisted = project.replace(/ {6}flows\/part.*\n/, "      \n");
  assert.deepEqual(await labels(unlisted, "}\n      |\n"), [PART]);
  assert.deepEqual(await labels(project.replace(/ {6}part: .*/, "      "), '+15550100"\n      |\n'), ["part"]);
  assert.deepEqual(await labels(project.replace(`, revision: ${id(2)}`, ", "), `assistant: ${id(1)}, |`), ["revision"]);
});

test("completion of names in a flow", async () => {
  const text = (files[MAIN] as string).replace("$look_up", "$").replace("$front_desk", "$");
  await open(MAIN, text);
  const labels = async (marked: string) => {
    const found = await client.request<{ items: CompletionItem[] }>("textDocument/completion", at(MAIN, marked, text));
    return found.items.map(({ label }) => label).filter((label) => label.startsWith("$"));
  };
  assert.deepEqual(await labels("tool: $|"), ["$look_up", "$part"]);
  assert.deepEqual(await labels("destination: $|"), ["$front_desk"]);
});

test("hover shows the values of a name, an environment, and what a key means", async () => {
  await open(PROJECT);
  await open(MAIN);
  const hover = async (name: string, marked: string) => {
    const found = await client.request<Hover | null>("textDocument/hover", at(name, marked));
    return (found?.contents as { value: string } | undefined)?.value ?? "";
  };
  const values = `**$look_up**\n\n- staging: \`${id(5)}\`\n- production: \`${id(15)}\``;
  assert.equal(await hover(PROJECT, "lo|ok_up"), values);
  assert.equal(await hover(MAIN, "$look|_up"), values);
  assert.match(await hover(MAIN, "$pa|rt"), /\*\*component\*\* in `part\.flow\.yaml`.*Outputs: `answer`/s);
  assert.match(await hover(PROJECT, "produc|tion:"), /https:\/\/api\.example\.com.*Protected/s);
  assert.match(await hover(PROJECT, "default: stag|ing"), /https:\/\/staging\.example\.com/);
  assert.match(await hover(PROJECT, "    u|rl"), /The URL of the platform/);
});

test("definitions and references connect flows, tests, policies and the project file", async () => {
  for (const name of [PROJECT, MAIN, TESTS, POLICIES]) await open(name);
  const definition = async (name: string, marked: string) =>
    places(await client.request<Location[] | null>("textDocument/definition", at(name, marked)));
  const references = async (name: string, marked: string) =>
    places(
      await client.request<Location[] | null>("textDocument/references", {
        ...at(name, marked),
        context: { includeDeclaration: true },
      }),
    );
  const defined = [`${PROJECT}:9`, `${PROJECT}:18`];
  assert.deepEqual(await definition(MAIN, "$look|_up"), defined);
  assert.deepEqual(await definition(POLICIES, "$look|_up"), defined);
  assert.deepEqual(await definition(TESTS, "$look|_up"), defined);
  assert.deepEqual(await definition(MAIN, "$pa|rt"), [`${PROJECT}:11`, `${PROJECT}:18`, `${PART}:1`]);
  assert.deepEqual(await definition(PROJECT, "flows/ma|in.flow.yaml"), [`${MAIN}:1`]);
  assert.deepEqual(await definition(PROJECT, "default: stag|ing"), [`${PROJECT}:3`, `${PROJECT}:1`]);
  const all = [...defined, `${MAIN}:7`, `${TESTS}:5`, `${POLICIES}:4`];
  for (const [name, marked] of [
    [PROJECT, "lo|ok_up"],
    [MAIN, "$look|_up"],
    [TESTS, "$look|_up"],
    [POLICIES, "$look|_up"],
  ] as const)
    assert.deepEqual(await references(name, marked), all, name);
});

test("an outline, and formatting that keeps comments", async () => {
  const text = (files[PROJECT] as string).replace("      look_up: ", "      look_up:    ");
  await open(PROJECT, text);
  const document = { textDocument: { uri: uri(PROJECT) } };
  const symbols = await client.request<DocumentSymbol[]>("textDocument/documentSymbol", document);
  assert.deepEqual(
    symbols.map(({ name, detail, children }) => [name, detail, children?.map((child) => child.name)]),
    [
      ["staging", "https://staging.example.com", [MAIN, PART, "look_up", "front_desk", "part"]],
      ["production", "https://api.example.com", [MAIN, PART, "look_up", "front_desk", "part"]],
    ],
  );
  const edits = await client.request<TextEdit[]>("textDocument/formatting", {
    ...document,
    options: { tabSize: 2, insertSpaces: true },
  });
  assert.match(edited(text, edits), /look_up: 6a2d\S+ # the tool\n/);
});

for (const [from, marked] of [
  [PROJECT, "lo|ok_up"],
  [MAIN, "$look|_up"],
  [TESTS, "$look|_up"],
  [POLICIES, "|$look_up"],
] as const)
  test(`a name is renamed in all files of the project, from ${from}`, async () => {
    await open(from);
    const place = at(from, marked);
    const edit = await client.request<WorkspaceEdit>("textDocument/rename", { ...place, newName: "$find_account" });
    const changed = applied(edit);
    assert.deepEqual(Object.keys(changed).sort(), [PROJECT, MAIN, TESTS, POLICIES].sort());
    for (const [name, text] of Object.entries(changed))
      assert.equal(text, (files[name] as string).replaceAll("look_up", "find_account"));
  });

test("a quoted name is renamed; a name that exists or can't be read isn't accepted", async () => {
  await open(PROJECT);
  const place = at(PROJECT, '"pa|rt"');
  const edit = await client.request<WorkspaceEdit>("textDocument/rename", { ...place, newName: "piece" });
  const changed = applied(edit);
  assert.match(changed[PROJECT] as string, /"piece": /);
  assert.match(changed[MAIN] as string, /component: "\$piece"/);
  for (const [newName, why] of [
    ["look_up", /already "look_up"/],
    ["1st", /Start with a letter/],
    ["no", /wouldn't be read as text/],
  ] as const)
    await assert.rejects(client.request("textDocument/rename", { ...place, newName }), why);
});

test("an environment is renamed with the default", async () => {
  await open(PROJECT);
  const place = at(PROJECT, "sta|ging:");
  const edit = await client.request<WorkspaceEdit>("textDocument/rename", { ...place, newName: "test" });
  assert.match(applied(edit)[PROJECT] as string, /^default: test\nenvironments:\n {2}test:\n/);
});

test("`component: $name` is the flow that has the value of the name: in tests, policies and rules", async () => {
  await open(TESTS);
  await open(POLICIES);
  assert.deepEqual(await client.diagnostics(uri(TESTS), version - 1), []);
  assert.deepEqual(await client.showing(uri(POLICIES), (all) => all.length === 0), []);
  await open(MAIN, (files[MAIN] as string).replace("$.answer", "$.anser"));
  const isUnknown = ({ code }: Diagnostic) => code === "unknown-component-output";
  const found = await client.showing(uri(MAIN), (all) => all.some(isUnknown));
  assert.match(String(found.find(isUnknown)?.message), /"part\.flow\.yaml" has no output "anser"/);
});

test("an output that is renamed is renamed in a flow that uses it by name", async () => {
  await open(PART);
  const place = at(PART, "{name: ans|wer");
  const edit = await client.request<WorkspaceEdit>("textDocument/rename", { ...place, newName: "reply" });
  assert.match(applied(edit)[MAIN] as string, /saves: \{found: \$\.reply\}/);
});

test("a flow or folder that is renamed keeps its entries in the project file", async () => {
  const renamed = async (...moves: [from: string, to: string][]) => {
    const edit = await client.request<WorkspaceEdit | null>("workspace/willRenameFiles", {
      files: moves.map(([from, to]) => ({ oldUri: uri(from), newUri: uri(to) })),
    });
    return edit && applied(edit);
  };
  const paths = (from: RegExp, to: string) => ({ [PROJECT]: (files[PROJECT] as string).replace(from, to) });
  assert.deepEqual(
    await renamed([MAIN, "flows/new: main.flow.yaml"]),
    paths(/flows\/main\.flow\.yaml/g, '"flows/new: main.flow.yaml"'),
  );
  assert.deepEqual(await renamed(["flows", "calls/in"]), paths(/flows\/(?=\w+\.flow)/g, "calls/in/"));
  assert.deepEqual(
    await renamed([MAIN, "main.flow.yaml"], [PART, "part.flow.yaml"]),
    paths(/flows\/(?=\w+\.flow)/g, ""),
  );
  assert.equal(await renamed([TESTS, "flows/other.flowtest.yaml"]), null);
  assert.equal(await renamed(["flow", "flows-2"]), null, "a folder with a similar name");
  assert.equal(await renamed([MAIN, "../main.flow.yaml"]), null, "outside the project's folder");
});
