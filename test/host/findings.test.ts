/** VS Code shows the same findings for a file as the command line, byte for byte. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { FLAWED } from "./flawed";
import { checkFlawed } from "./place";
import { eventually, openFlow, test } from "./suite";

const SEVERITIES = ["error", "warning", "info", "hint"];

test("the problems of a flow in VS Code are the findings of check --format json, byte for byte", async () => {
  const { document } = await openFlow("flawed.flow.yaml", FLAWED);
  const { uri } = document;
  const said = await checkFlawed(uri);
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

test("a suppression isn't among the fixes that Ctrl+. finds at the end of a problem, but in the list of problems", async () => {
  const { document } = await openFlow("suppressed.flow.yaml", FLAWED);
  const { uri } = document;
  const own = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "assistant-flow");
  await eventually("the problems", () => own().length >= 4);
  const titles = async (range: vscode.Range) => {
    const kind = vscode.CodeActionKind.QuickFix.value;
    const all: vscode.CodeAction[] = await vscode.commands.executeCommand(
      "vscode.executeCodeActionProvider",
      uri,
      range,
      kind,
    );
    return all.map(({ title }) => title);
  };
  const isSuppression = (title: string) => title.startsWith("Ignore ");
  for (const { range } of own()) {
    if (range.isEmpty) continue;
    assert.ok((await titles(range)).some(isSuppression), "in the list of problems");
    const atEnd = await titles(new vscode.Range(range.end, range.end));
    assert.deepEqual(atEnd.filter(isSuppression), []);
  }
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
