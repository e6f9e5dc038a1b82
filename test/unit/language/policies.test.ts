/** Policies in the editor: verdicts on flows while typing, in open files and on disk, with the live policy file. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { CodeAction, CodeLens, Diagnostic } from "vscode-languageserver-protocol";
import { FlowDocument } from "../../../flow";
import { checkPolicies, readPolicyFile } from "../../../flow/policy";
import { type NewTests, NewTestsRequest } from "../../../server/test-messages";
import { Client, type StartOptions } from "../../language/client";

const FILE = "assistant-flow.policies.yaml";
const FLOW = `entry: greet
nodes:
  greet:
    type: message
    instructions: Say hello.
    edges:
      - {to: refund, when: the caller is in a hurry}
      - {to: verify}
  verify: {type: message, instructions: Check., edges: [{to: refund}]}
  refund: {type: end}
`;
const POLICIES = `policies:
  - {id: verify-first, every_path_to: {node: refund}, passes: {node: verify}}
`;

interface Place {
  readonly root: string;
  uri(name: string): string;
  write(name: string, text: string): Promise<void>;
}

async function inFolder(
  files: Record<string, string>,
  options: StartOptions,
  use: (client: Client, place: Place) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "policies-"));
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const uri = (name: string) => pathToFileURL(join(root, name)).href;
  const folders = (options.folders ?? ["."]).map(uri);
  const client = await Client.start({
    capabilities: { textDocument: { publishDiagnostics: { relatedInformation: true } } },
    ...options,
    folders,
    initialize: { initializationOptions: { stateDir: join(root, ".state"), commands: ["assistantFlow.playPath"] } },
  });
  try {
    await use(client, { root, uri, write });
    assert.equal(client.stderr.join(""), "");
  } finally {
    assert.equal(await client.stop(), 0);
    await rm(root, { recursive: true, force: true });
  }
}

const broken = (found: readonly Diagnostic[]) => found.filter(({ code }) => code === "policy-broken");
const isBroken = (found: readonly Diagnostic[]) => broken(found).length > 0;
const range = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

test("a broken policy is a diagnostic at the end of the path, and disappears when the flow is fixed", () =>
  inFolder({ [FILE]: POLICIES, "a.flow.yaml": FLOW }, {}, async (client, { uri }) => {
    const flow = uri("a.flow.yaml");
    await client.open(flow, FLOW);
    const [found] = broken(await client.showing(flow, isBroken));
    assert.equal(
      found?.message,
      'Policy "verify-first" is broken. Every path to "refund" must pass "verify". A path reaches "refund" without passing it. Path: greet → refund.',
    );
    assert.deepEqual(found?.range, range(9, 2, 8));
    assert.deepEqual(
      found?.relatedInformation?.map(({ message, location }) => [message, location.range.start.line]),
      [
        ['Policy "verify-first" is here.', 1],
        ['The path starts at "greet".', 2],
        ['1. "greet" → "refund".', 6],
      ],
    );
    await client.change(flow, 2, [{ range: range(6, 13, 19), text: "verify" }]);
    await client.showing(flow, (each) => !isBroken(each));
  }));

test("an edit breaks a policy, its path becomes a test, another edit fixes it, and the lens shows it", () => {
  const kept = FLOW.replace(/^.*in a hurry.*\n/m, "");
  const files = { [FILE]: POLICIES, "a.flow.yaml": kept };
  const literals = { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } };
  return inFolder(
    files,
    { capabilities: { textDocument: { codeAction: literals } } },
    async (client, { uri, write }) => {
      const flow = uri("a.flow.yaml");
      const lensIs = async (title: string) => {
        const lenses = await client.request<CodeLens[]>("textDocument/codeLens", { textDocument: { uri: uri(FILE) } });
        assert.deepEqual(
          lenses.map(({ command }) => command?.title),
          [title],
        );
      };
      await client.open(uri(FILE), POLICIES);
      await client.open(flow, kept);
      await client.diagnostics(flow, 1);
      await lensIs("proved for all conditions · 1 flow");
      await client.change(flow, 2, [{ text: FLOW }]);
      const [found] = broken(await client.showing(flow, isBroken));
      assert.ok(found);
      await lensIs("broken in a: 1 step");
      const actions = await client.request<CodeAction[]>("textDocument/codeAction", {
        textDocument: { uri: flow },
        range: found.range,
        context: { diagnostics: [found] },
      });
      const commands = actions.flatMap(({ command }) => (command ? [[command.title, command.arguments]] : []));
      const path = ["greet", "refund"];
      assert.deepEqual(commands, [
        ["Show This Path in Graph", [flow, path, ["greet--refund"]]],
        ["Play This Path", [flow, path]],
        ["Debug This Path", [flow, path]],
        ["Save This Path as Test", [flow, path]],
      ]);
      const made = await client.request<NewTests>(NewTestsRequest.method, {
        flow,
        what: { kind: "along", path },
        unsaved: [{ uri: flow, text: FLOW }],
      });
      assert.match(made.text, /take: the caller is in a hurry[\s\S]*path: \[greet, refund\]/);
      await write("a.flowtest.yaml", made.text);
      await client.change(flow, 3, [{ text: kept }]);
      await client.showing(flow, (each) => !isBroken(each));
      await lensIs("proved for all conditions · 1 flow");
    },
  );
});

test("a path through a component in another file of the folder becomes a test", () => {
  const around = `entry: greet
context_variables: {known: {type: string, enum_values: ["yes", "no"]}}
nodes:
  greet: {type: message, edges: [{to: identify}]}
  identify: {type: component, component: who, saves: {known: $.known}, edges: [{to: refund, when: "{{known}} is yes"}, {to: bye}]}
  refund: {type: message, edges: [{to: bye}]}
  bye: {type: end}
`;
  const within = `revision: who
entry: ask
context_variables: {found: {type: string, enum_values: ["yes", "no"]}}
component_outputs: [{name: known, value: "{{found}}"}]
nodes:
  ask: {type: collect, variable: found, edges: [{to: done}]}
  done: {type: end}
`;
  return inFolder({ "a.flow.yaml": around, "parts/who.flow.yaml": within }, {}, async (client, { uri }) => {
    const path = ["greet", "identify", "identify/ask", "identify/done", "refund"];
    const made = await client.request<NewTests>(NewTestsRequest.method, {
      flow: uri("a.flow.yaml"),
      what: { kind: "along", path },
      unsaved: [],
    });
    assert.match(
      made.text,
      /give: \{found: "?yes"?\}[\s\S]*path: \[greet, identify, identify\/ask, identify\/done, refund, bye\]/,
    );
  });
});

test("the unsaved text of the nearest policy file applies, with its severity", () =>
  inFolder({ [FILE]: POLICIES, "deep/a.flow.yaml": FLOW }, {}, async (client, { uri }) => {
    const flow = uri("deep/a.flow.yaml");
    await client.open(flow, FLOW);
    await client.showing(flow, isBroken);
    const near = uri(`deep/${FILE}`);
    await client.open(near, "policies: []\n");
    await client.showing(flow, (each) => !isBroken(each));
    await client.change(near, 2, [
      { text: "policies:\n  - {id: x, never: {from: entry, to: {node: refund}}, severity: hint}\n" },
    ]);
    const [found] = broken(await client.showing(flow, isBroken));
    assert.equal(found?.severity, 4);
    assert.match(String(found?.message), /Policy "x" is broken/);
    await client.close(near);
    const [again] = broken(await client.showing(flow, (each) => broken(each)[0]?.severity === 1));
    assert.match(String(again?.message), /"verify-first"/);
  }));

test("closed files are checked too, and again when the policy file changes on disk", () =>
  inFolder({ [FILE]: POLICIES, "a.flow.yaml": FLOW }, {}, async (client, { uri, write }) => {
    await client.showing(uri("a.flow.yaml"), isBroken);
    await write(FILE, "policies: []\n");
    await client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uri(FILE), type: 2 }],
    });
    await client.showing(uri("a.flow.yaml"), (each) => !isBroken(each));
  }));

test("a pulling editor refreshes when a flow appears that an open policy file applies to", () =>
  inFolder(
    { [FILE]: POLICIES },
    {
      capabilities: {
        textDocument: { diagnostic: {} },
        workspace: { diagnostics: { refreshSupport: true }, codeLens: { refreshSupport: true } },
      },
    },
    async (client, { uri, write }) => {
      const textDocument = { uri: uri(FILE) };
      const codes = async () => {
        const { items } = await client.request<{ items: Diagnostic[] }>("textDocument/diagnostic", { textDocument });
        return items.map(({ code }) => code);
      };
      const lenses = async () =>
        (await client.request<CodeLens[]>("textDocument/codeLens", { textDocument })).map(
          ({ command }) => command?.title,
        );
      await client.open(uri(FILE), POLICIES);
      assert.deepEqual([await codes(), await lenses()], [["matches-nothing"], ["matches nothing"]]);
      const asked = Promise.all(
        ["workspace/diagnostic/refresh", "workspace/codeLens/refresh"].map(
          (method) => new Promise((resolve) => client.connection.onRequest(method, () => resolve(null) ?? null)),
        ),
      );
      await write("a.flow.yaml", FLOW);
      const changes = [{ uri: uri("a.flow.yaml"), type: 1 }];
      await client.connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
      await asked;
      assert.deepEqual([await codes(), await lenses()], [[], ["broken in a: 1 step"]]);
    },
  ));

test("a discarded draft of a policy file leaves no findings in a pulling editor", () =>
  inFolder(
    { [FILE]: "policies: []\n", "a.flow.yaml": FLOW },
    { capabilities: { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } } },
    async (client, { uri }) => {
      const textDocument = { uri: uri("a.flow.yaml") };
      const codes = async () => {
        const { items } = await client.request<{ items: Diagnostic[] }>("textDocument/diagnostic", { textDocument });
        return items.map(({ code }) => code);
      };
      await client.open(textDocument.uri, FLOW);
      await client.open(uri(FILE), POLICIES);
      assert.deepEqual(await codes(), ["policy-broken"]);
      const asked = new Promise((resolve) =>
        client.connection.onRequest("workspace/diagnostic/refresh", () => resolve(null) ?? null),
      );
      await client.close(uri(FILE));
      await asked;
      assert.deepEqual(await codes(), []);
    },
  ));

test("a policy whose required node was removed is broken in its lens and its hover, too", () => {
  const policies = POLICIES.replace(/passes: \{node: \w+\}/, "passes: {node: nobody}");
  return inFolder({ [FILE]: policies, "a.flow.yaml": FLOW }, {}, async (client, { uri }) => {
    await client.showing(uri("a.flow.yaml"), isBroken);
    await client.open(uri(FILE), policies);
    const textDocument = { uri: uri(FILE) };
    const lenses = await client.request<CodeLens[]>("textDocument/codeLens", { textDocument });
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      ["broken in a: 1 step"],
    );
    const at = policies.indexOf("id: ") + 5;
    const line = policies.slice(0, at).split("\n").length - 1;
    const position = { line, character: at - policies.lastIndexOf("\n", at) - 1 };
    const hover = await client.request<{ contents: { value: string } }>("textDocument/hover", {
      textDocument,
      position,
    });
    assert.match(hover.contents.value, /passes matches nothing\.\n\n- ✗ a\.flow\.yaml: Every path/);
  });
});

test("a policy file above the workspace applies to an open flow of the same repository", () =>
  inFolder(
    { ".git/HEAD": "", [FILE]: POLICIES, "inner/a.flow.yaml": FLOW },
    { folders: ["inner"] },
    async (client, { uri }) => {
      await client.open(uri("inner/a.flow.yaml"), FLOW);
      await client.showing(uri("inner/a.flow.yaml"), isBroken);
    },
  ));

test("a comment suppresses one verdict, a setting all of them", () =>
  inFolder(
    { [FILE]: POLICIES, "a.flow.yaml": FLOW },
    { settings: {}, capabilities: { workspace: { configuration: true } } },
    async (client, { uri }) => {
      const flow = uri("a.flow.yaml");
      await client.open(flow, FLOW);
      await client.showing(flow, isBroken);
      const end = { start: { line: 9, character: 0 }, end: { line: 9, character: 0 } };
      await client.change(flow, 2, [{ range: end, text: "  # flow-ignore policy-broken\n" }]);
      await client.showing(flow, (each) => !isBroken(each));
      await client.change(flow, 3, [{ range: { ...end, end: { line: 10, character: 0 } }, text: "" }]);
      await client.showing(flow, isBroken);
      client.settings = { rules: { "policy-broken": "off" } };
      await client.configure({});
      await client.showing(flow, (each) => !isBroken(each));
    },
  ));

for (const [what, text] of [
  ["broken", "policies:\n  - {id: [\n"],
  ["huge", `policies:\n${"  - {id: x, never: {from: entry, to: {node: refund}}}\n".repeat(90_000)}`],
] as const)
  test(`a ${what} policy file hides nothing and keeps nobody waiting`, () =>
    inFolder({ [FILE]: text, "a.flow.yaml": FLOW }, {}, async (client, { uri }) => {
      const policies = uri(FILE);
      const flow = uri("a.flow.yaml");
      await client.open(policies, text);
      await client.open(flow, FLOW.replace("to: verify}", "to: verfy}"));
      // Requests are answered in order, so this one would wait for the policy file.
      const found = await client.diagnostics(flow, 1);
      assert.ok(found.some(({ code }) => code === "unknown-target"));
      const [problem] = await client.showing(policies, (each) => each.length > 0);
      assert.match(String(problem?.message), what === "huge" ? /longer than 256 KB/ : /./);
      for (let version = 2; version < 12; version++) {
        await client.change(flow, version, [{ range: range(4, 18, 18), text: "x" }]);
        await client.request("textDocument/hover", {
          textDocument: { uri: flow },
          position: { line: 2, character: 3 },
        });
      }
    }));

test("a path goes through a component's flow, on disk or as it is typed", () => {
  const id = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001";
  const caller = `entry: greet
nodes:
  greet: {type: message, instructions: Say hello., edges: [{to: part}]}
  part: {type: component, component: ${id}, edges: [{to: refund}]}
  refund: {type: end}
`;
  const policies = POLICIES.replace("node: verify", "node: part/verify");
  const part = `assistant: ${id}
entry: verify
nodes:
  verify: {type: message, instructions: Check., edges: [{to: done}]}
  done: {type: end}
`;
  const files = { [FILE]: policies, "a.flow.yaml": caller, "b.flow.yaml": caller, "part.flow.yaml": part };
  return inFolder(files, {}, async (client, { uri, write }) => {
    const [flow, inner] = [uri("a.flow.yaml"), uri("part.flow.yaml")];
    await client.open(flow, caller);
    await client.showing(flow, (found) => !isBroken(found));
    const without = part.replace("entry: verify", "entry: done");
    await client.open(inner, without);
    await client.showing(flow, isBroken);
    await client.change(inner, 2, [{ range: range(1, 7, 11), text: "verify" }]);
    await client.showing(flow, (found) => !isBroken(found));
    await client.change(inner, 3, [{ range: range(1, 7, 13), text: "done" }]);
    const [found] = broken(await client.showing(flow, isBroken));
    assert.match(String(found?.message), /Path: greet → part → part\/done → refund\./);
    await client.close(inner);
    await client.showing(flow, (found) => !isBroken(found));
    // The same for a flow that isn't open.
    for (const [text, isSo] of [
      [without, isBroken],
      [part, (found: readonly Diagnostic[]) => !isBroken(found)],
    ] as const) {
      await write("part.flow.yaml", text);
      const changes = [{ uri: inner, type: 2 }];
      await client.connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
      for (const each of [flow, uri("b.flow.yaml")]) await client.showing(each, isSo);
    }
  });
});

/** Nodes that ask, call and choose, so that different facts are known along the paths. */
function largeFlow(nodes: number): string {
  const lines = Array.from({ length: nodes - 1 }, (_, n) => {
    const [next, far] = [`n${n + 1}`, `n${Math.min(nodes - 1, n + 3)}`];
    if (n % 4 === 0)
      return `  n${n}: {type: collect, variable: v${n % 8}, edges: [{to: ${next}, when: "{{v${n % 8}}} is x"}, {to: ${far}}]}`;
    return `  n${n}: {type: message, edges: [{to: ${far}, when: "{{v${n % 8}}} is y"}, {to: ${next}}]}`;
  });
  const variables = [0, 4].map((n) => `  v${n}: {type: string, enum_values: [x, y]}`);
  return `entry: n0\ncontext_variables:\n${variables.join("\n")}\nnodes:\n${lines.join("\n")}\n  n${nodes - 1}: {type: end}\n`;
}

const LARGE = largeFlow(1000);
const MANY = `policies:\n${Array.from({ length: 30 }, (_, n) => `  - {id: p${n}, never: {from: {node: n${n}}, to: {node: n${990 - n}}}}\n`).join("")}`;

async function pulledVerdicts(client: Client, uri: string): Promise<string[]> {
  const textDocument = { uri };
  const { items } = await client.request<{ items: Diagnostic[] }>("textDocument/diagnostic", { textDocument });
  return items.filter(({ code }) => code === "policy-broken").map(({ message }) => String(message));
}

/** The output of `check` for the text. */
function allVerdicts(text: string): string[] {
  return checkPolicies(FlowDocument.read(text), readPolicyFile(MANY).policies).map(({ message }) => message);
}

test("a client that pulls while typing is asked to refresh until all verdicts are there", () =>
  inFolder(
    { [FILE]: MANY, "a.flow.yaml": LARGE },
    {
      capabilities: { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } },
    },
    async (client, { uri }) => {
      const flow = uri("a.flow.yaml");
      let told = () => {};
      let refresh = new Promise<void>((resolve) => (told = resolve));
      client.connection.onRequest("workspace/diagnostic/refresh", () => {
        told();
        return null;
      });
      await client.open(flow, LARGE);
      const at = { line: LARGE.split("\n").findIndex((line) => line.startsWith("  n5:")), character: 0 };
      const typed = ["  n5x: {type: message, edges: [{to: n9}]}\n", "", "  n5y: {type: message, edges: [{to: n6}]}\n"];
      let text = LARGE;
      for (const [index, insert] of typed.entries()) {
        await client.change(flow, index + 2, [{ range: { start: at, end: at }, text: insert }]);
        const lines = text.split("\n");
        text = [...lines.slice(0, at.line), ...insert.split("\n").slice(0, -1), ...lines.slice(at.line)].join("\n");
        await pulledVerdicts(client, flow);
      }
      const wanted = allVerdicts(text);
      assert.ok(wanted.length >= 20, String(wanted.length));
      for (;;) {
        const found = await pulledVerdicts(client, flow);
        if (found.length === wanted.length) {
          assert.deepEqual(found.sort(), wanted.sort());
          return;
        }
        await refresh;
        refresh = new Promise<void>((resolve) => (told = resolve));
      }
    },
  ));

test("a client without refresh support gets every verdict with the first response", () =>
  inFolder(
    { [FILE]: MANY, "a.flow.yaml": LARGE },
    { capabilities: { textDocument: { diagnostic: {} } } },
    async (client, { uri }) => {
      // Open, so the server needn't find it first.
      await client.open(uri(FILE), MANY);
      await client.open(uri("a.flow.yaml"), LARGE);
      assert.deepEqual((await pulledVerdicts(client, uri("a.flow.yaml"))).sort(), allVerdicts(LARGE).sort());
    },
  ));

test("without refresh support, the first response includes the flows of components on disk", () => {
  const id = "6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0009";
  const policies = `policies:\n  - {id: p, never: {from: entry, to: {name: Inside}}, flows: a.flow.yaml}\n`;
  const flow = `entry: a\nnodes:\n  a: {type: component, component: ${id}, edges: [{to: z}]}\n  z: {type: end}\n`;
  const inner = `assistant: ${id}\nentry: b\nnodes:\n  b: {type: end, name: Inside}\n`;
  return inFolder(
    { [FILE]: policies, "a.flow.yaml": flow, "inner.flow.yaml": inner },
    { capabilities: { textDocument: { diagnostic: {} } } },
    async (client, { uri }) => {
      // The server knows the files of the folder, but has read only what is open.
      const isFound = async () => (await client.request<unknown[]>("workspace/symbol", { query: "Inside" })).length > 0;
      while (!(await isFound()));
      await client.open(uri(FILE), policies);
      await client.open(uri("a.flow.yaml"), flow);
      const [found, ...others] = await pulledVerdicts(client, uri("a.flow.yaml"));
      assert.match(found ?? "", /Path: a → a\/b\./);
      assert.deepEqual(others, []);
    },
  );
});
