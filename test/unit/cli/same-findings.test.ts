/** The language server and `check --format json` report the same findings, byte for byte. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "vscode-languageserver-protocol";
import { filesBelow } from "../../../scripts/project";
import { Client } from "../../language/client";
import { canonical } from "../../support/findings";
import { flowsOfMarkers } from "../../support/marker-flows";
import { cli, folderWith } from "./cli";

/** Test and policy files with mistakes of many kinds. */
const companions: Readonly<Record<string, string>> = {
  "a.flow.yaml":
    "entry: a\ncontext_variables: {v: {type: string}}\nnodes:\n  a: {type: collect, variable: v, instructions: Ask., edges: [{to: b}]}\n  b: {type: end, instructions: Say goodbye.}\n",
  "a.flowtest.yaml": `flow: a.flow.yaml
tests:
  - {name: skipped, skip: later, stepz: 1}
  - {name: gave up, steps: [{give: }], cases: [{steps: }, {skip: later}, {name: b, expect: {ends: a, unset: [v]}}], expect: {}}
  - {name: replaced, given: {v: x, w: y}, steps: [{give: {w: 1}}], cases: [{steps: [{give: {v: 1}}], expect: {never: [c]}}]}
`,
  "missing.flowtest.yaml": "flow: gone.flow.yaml\ntests:\n  - {name: a}\n",
  "test.flowtest.yaml": "flow: a.flowtest.yaml\ntests:\n  - {name: a}\n",
  "policies.flowtest.yaml": "flow: assistant-flow.policies.yaml\ntests:\n  - {name: a}\n",
  "folder.flowtest.yaml": "flow: .\ntests: []\n",
  "nothing.flowtest.yaml": "",
  "assistant-flow.policies.yaml": `policies:
  - {id: p, at_most: 0, from: entry, to: {type: end}, severity: hint}
  - {id: q, never: {from: entry, to: {node: nope}}}
  - {id: r, every_path_to: {node: b}, passes: {node: a, by: nope}}
  - {id: s, after: {node: a}, always: {type: transfer}, except: [{node: b, until: 2020-01-01, because: x}, {node: b, until: 2027-02-29, because: x}], holds: [[a, {type: end}], [a, ..., b]]}
`,
};

let client: Client;
let folder: ReturnType<typeof folderWith>;

before(async () => {
  const flows = Object.fromEntries([
    ...filesBelow("examples", ".flow.yaml").map((file) => [path.basename(file), readFileSync(file, "utf8")] as const),
    ...flowsOfMarkers().map(({ name, text }) => [`markers/${name}`, text] as const),
    [
      "unicode.flow.yaml",
      'entry: a\nnodes:\n  a:\n    type: message\n    name: "😀é"\n    edges: [{to: "😀", when: x}, {to: b, when: "{{ä}}"}]\n',
    ],
    // More errors than an editor usually shows: none is left out.
    [
      "many.flow.yaml",
      `entry: n0\nnodes:\n${Array.from({ length: 1200 }, (_, i) => `  n${i}: {type: message, instructions: Go ${i}., edges: [{to: gone, when: x}, {to: n${i + 1}}]}\n`).join("")}  n1200: {type: end}\n`,
    ],
    ...Object.entries(companions).map(([name, text]) => [`companions/${name}`, text] as const),
    ["cr.flow.yaml", "entry: a\rnodes:\r\n  a:\r\n    type: mesage\r\n    edges:\r\n      - to: b\r\n"],
  ]);
  folder = folderWith(flows);
  client = await Client.start({
    folders: [pathToFileURL(folder.path).href],
    capabilities: { textDocument: { publishDiagnostics: { relatedInformation: true } } },
  });
});
after(async () => {
  await client?.stop();
  folder?.remove();
});

test("the language server and the command line agree on every file, byte for byte", async () => {
  const { out } = await cli(["check", "--format", "json"], { cwd: folder.path });
  const { files } = JSON.parse(out) as { files: { path: string; findings: object[] }[] };
  assert.ok(files.length > 40, `${files.length} files`);
  assert.ok(files.filter(({ findings }) => findings.length > 0).length > 30);
  const many = files.find(({ path: name }) => name === "many.flow.yaml")?.findings as { message: string }[];
  assert.ok(many.length > 1000, `${many.length} findings`);
  for (const { path: name, findings } of files) {
    const file = path.join(folder.path, name);
    const uri = pathToFileURL(file).href;
    const said = (found: readonly Diagnostic[]) =>
      JSON.stringify(found.map((diagnostic) => canonical(diagnostic, uri, folder.path)));
    await client.open(uri, readFileSync(file, "utf8"));
    // Cross-file problems are known once the server has read all files.
    await client.nextPublish(
      (params) => params.uri === uri && params.version === 1 && said(params.diagnostics) === JSON.stringify(findings),
    );
    await client.close(uri);
  }
});
