/** Layering: which folder may import which, and through which files. ARCHITECTURE.md describes the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { codeFolders, manifest } from "../../scripts/project";
import { type Import, importsBelow } from "./sources";

type Part = (typeof codeFolders)[number];

/** The parts each part may import, through their `index.ts`. */
const arrows: Record<Part, readonly Part[]> = {
  flow: [],
  system: [],
  files: ["flow", "text", "system"],
  text: [],
  debug: ["flow", "files", "text", "system"],
  platform: ["flow", "files", "system"],
  sync: ["flow", "files", "text", "platform", "system"],
  sandbox: ["flow", "files", "platform", "system"],
  server: ["flow", "files", "text", "platform", "sync", "system"],
  cli: ["flow", "files", "text", "platform", "sync", "server", "sandbox", "debug"],
  client: ["files", "text", "platform", "debug", "system"],
  webview: ["text"],
};

/** Files that may be imported directly, because two parts share them. */
const sharedFiles: readonly { file: string; for: readonly Part[] }[] = [
  { file: "files/suite", for: ["debug", "server", "cli"] },
  { file: "system/browser", for: ["server", "client"] },
  { file: "sandbox/in-process", for: ["client"] },
  { file: "server/messages", for: ["client", "webview"] },
  { file: "server/environment-messages", for: ["client"] },
  { file: "server/file-messages", for: ["client"] },
  { file: "server/revision-messages", for: ["client"] },
  { file: "server/test-messages", for: ["client", "webview"] },
  { file: "platform/transport", for: ["server"] },
  { file: "client/pages/messages", for: ["webview"] },
  { file: "debug/messages", for: ["client", "webview"] },
  { file: "sync/sentences", for: ["client", "server"] },
  { file: "flow/grammar", for: ["platform"] },
  { file: "flow/json", for: ["platform", "client"] },
  { file: "flow/review/words", for: ["webview"] },
  { file: "flow/file-kind", for: ["files", "client", "cli"] },
];

/** `flow/` has an interface for each topic in addition to its own. */
const topicFaces: ReadonlySet<string> = new Set(
  ["calls", "compile", "debug", "edit", "findings", "policy", "project", "review", "run", "test", "tools"].map(
    (topic) => `flow/${topic}`,
  ),
);

/** The packages each part may use; any other package isn't allowed in the product. */
const packages: Record<Part, readonly string[]> = {
  flow: ["yaml"],
  system: [],
  files: [],
  text: [],
  debug: ["@vscode/debugadapter", "@vscode/debugprotocol"],
  platform: ["zod"],
  sync: ["zod"],
  sandbox: ["zod"],
  server: ["vscode-languageserver", "vscode-languageserver-protocol", "vscode-languageserver-textdocument"],
  cli: ["commander", "vscode-languageserver", "@dagrejs/dagre", "@modelcontextprotocol/sdk"],
  client: ["vscode", "vscode-languageclient"],
  webview: ["@dagrejs/dagre", "uplot"],
};

/** Parts without Node: no files, no processes. */
const pure: readonly Part[] = ["flow", "text", "webview"];

/** Code that only ever runs in Node. */
const inNode = /^(cli\/|sandbox\/(http\/server|storage\/(state-file|lock)|demo\/example-files)\.ts$)/;

const all = codeFolders.flatMap((part) => importsBelow(part).map((each) => ({ part, ...each })));
const say = (each: Import) => `${each.file} imports ${each.from}`;

test("parts import only the parts below them, through their index or the shared files", () => {
  const wrong = all.filter((each) => {
    const [folder, ...inside] = each.target.split("/");
    if (each.kind !== "ours" || folder === each.part) return false;
    if (sharedFiles.some((shared) => shared.file === each.target && shared.for.includes(each.part))) return false;
    if (each.part === "webview" && each.typeOnly && each.target === "platform") return false; // Types only.
    const throughFace = inside.length === 0 || inside[0] === "index" || topicFaces.has(each.target);
    return !(throughFace && arrows[each.part].includes(folder as Part));
  });
  assert.deepEqual(wrong.map(say), []);
});

test("in files/, only files/suite/ imports flow/", () => {
  const wrong = all.filter(
    ({ part, file, target }) => part === "files" && target === "flow" && !file.startsWith("files/suite/"),
  );
  assert.deepEqual(wrong.map(say), []);
});

test("each part uses only its own packages; vscode stays in client/", () => {
  const wrong = all.filter((each) => each.kind === "package" && !packages[each.part].includes(each.target));
  assert.deepEqual(wrong.map(say), []);
});

test("pure parts use nothing of Node", () => {
  const wrong = all.filter((each) => each.kind === "node" && pure.includes(each.part));
  assert.deepEqual(wrong.map(say), []);
});

test("only system/ uses Node, apart from code that never runs in a browser", () => {
  const wrong = all.filter(({ kind, part, file }) => kind === "node" && part !== "system" && !inNode.test(file));
  assert.deepEqual(wrong.map(say), []);
});

test("protocol types stay in the language server's request handling, the CLI's lsp command and the language client", () => {
  const speaksProtocol =
    /^(server\/((companions|diagnostics|protocol|requests|workspace)\/)?[^/]+\.ts|server\/sync\/reporter\.ts|cli\/(commands\/)?lsp\.ts|client\/(language-client|(browser\/)?protocol)\.ts)$/;
  const wrong = all.filter((each) => /^vscode-(language|jsonrpc)/.test(each.target) && !speaksProtocol.test(each.file));
  assert.deepEqual(wrong.map(say), []);
});

test("the product imports nothing of scripts/, test/ or bench/", () => {
  const wrong = all.filter((each) => each.kind === "ours" && /^(scripts|test|bench)(\/|$)/.test(each.target));
  assert.deepEqual(wrong.map(say), []);
});

test("imported packages are declared, and declared ones are used", () => {
  const declared = Object.keys(manifest.devDependencies);
  const used = new Set(
    [...all, ...["scripts", "test", "bench"].flatMap(importsBelow)]
      .filter((each) => each.kind === "package" && each.target !== "vscode")
      .map((each) => each.target),
  );
  assert.deepEqual(
    [...used].filter((name) => !declared.includes(name)),
    [],
    "imported, but not declared",
  );
  // Programs, ambient types and a schema; any other package must be used by a part, a script or a test.
  const tools = [
    "@biomejs/biome",
    "@types/node",
    "@types/vscode",
    "@vscode/vsce",
    "typescript",
    "tsx",
    "@microsoft/jest-sarif",
  ];
  const allowed = new Set([...used, ...tools, ...Object.values(packages).flat()]);
  assert.deepEqual(
    declared.filter((name) => !allowed.has(name)),
    [],
    "declared, but nobody may use it",
  );
  assert.equal(manifest.dependencies, undefined, "everything is bundled");
});

test("every allowed import and every shared file is used", () => {
  const used = (part: Part, isTarget: (target: string) => boolean) =>
    all.some((each) => each.part === part && each.kind === "ours" && isTarget(each.target));
  const idle = [
    ...codeFolders.flatMap((part) =>
      arrows[part]
        .filter((to) => !used(part, (target) => target === to || target.startsWith(`${to}/`)))
        .map((to) => `${part} → ${to}`),
    ),
    ...sharedFiles.flatMap(({ file, for: users }) =>
      users.filter((part) => !used(part, (target) => target === file)).map((part) => `${part} → ${file}`),
    ),
  ];
  assert.deepEqual(idle, []);
});

test("every form of import is found", () => {
  const own = importsBelow("test/house").filter((each) => each.file.endsWith("imports.test.ts"));
  assert.deepEqual(
    own.map((each) => [each.target, each.kind]),
    [
      ["node:assert/strict", "node"],
      ["node:test", "node"],
      ["scripts/project", "ours"],
      ["test/house/sources", "ours"],
    ],
  );
});
