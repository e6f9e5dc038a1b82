/** VS Code shows of a file what the command line says of it, byte for byte. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import * as vscode from "vscode";
import { eventually, extensionId, openFlow, test } from "./suite";

const FLAWED = `entry: greet
context_variables:
  plan: {type: string, enum_values: [basic, basic]}
nodes:
  greet:
    type: mesage
    instructions: Größe 🙂 of {{acount_id}}
    edges:
      - to: nowhere
  look_up: {type: tool, edges: [{to: greet}]}
`;
const SEVERITIES = ["error", "warning", "info", "hint"];

test("the problems of a flow in VS Code are the findings of check --format json, byte for byte", async () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri as vscode.Uri;
  const { document } = await openFlow("flawed.flow.yaml", FLAWED);
  const { uri } = document;
  const cli = path.join(vscode.extensions.getExtension(extensionId)?.extensionPath ?? "", "dist/cli.js");
  const { stdout: said } = spawnSync(process.execPath, [cli, "check", "--format", "json", "flawed.flow.yaml"], {
    cwd: folder.fsPath,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
    encoding: "utf8",
  });
  const { findings } = JSON.parse(said).files[0];
  assert.ok(findings.length >= 4, said);
  const expected = JSON.stringify(findings);
  const shown = () =>
    JSON.stringify(
      vscode.languages
        .getDiagnostics(uri)
        .filter(({ source }) => source === "assistant-flow")
        .map(canonical),
    );
  await eventually("the same findings", () => shown() === expected).catch(() => assert.equal(shown(), expected));
});

/** A diagnostic in the form of `check --format json` (cli/check/findings.ts). */
function canonical({ source, code, severity, message, range, relatedInformation = [] }: vscode.Diagnostic): object {
  const related = relatedInformation.map((place) => ({ message: place.message, range: rangeOf(place.location.range) }));
  return {
    source,
    code: typeof code === "object" ? code.value : code,
    severity: SEVERITIES[severity],
    message,
    range: rangeOf(range),
    ...(related.length > 0 ? { related } : {}),
  };
}

function rangeOf({ start, end }: vscode.Range): object {
  const place = ({ line, character }: vscode.Position) => ({ line, character });
  return { start: place(start), end: place(end) };
}
