/** What *New Flow…* writes is a good start: it has no findings, not even beside the examples and their policies. */
import "../../support/vscode";
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import type { Uri } from "vscode";
import { createFlow, templates } from "../../../client/new-flow";
import { checkDocument, FlowDocument } from "../../../flow";
import { inProject } from "../../../scripts/project";
import { vscodeStub } from "../../support/vscode";
import { cli } from "../cli/cli";

const PROJECT = `environments:
  staging:
    url: https://staging.example.com
    flows:
      billing.flow.yaml:
        assistant: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0001
        revision: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0002
`;

const folder = mkdtempSync(path.join(tmpdir(), "aflow-new-flow-"));
after(() => rmSync(folder, { recursive: true, force: true }));

for (const { label, text } of templates)
  test(`${label}: no findings alone, beside the examples, and with a project file`, async () => {
    assert.deepEqual(checkDocument(FlowDocument.read(text)), []);
    const place = path.join(folder, label);
    cpSync(inProject("examples"), place, { recursive: true });
    writeFileSync(path.join(place, "new.flow.yaml"), text);
    const check = async () => (await cli(["check", "new.flow.yaml"], { cwd: place })).out.trim();
    assert.equal(await check(), "1 flow checked, no problems found.");
    writeFileSync(path.join(place, "assistant-flow.project.yaml"), PROJECT);
    assert.equal(await check(), "1 flow checked, no problems found.");
  });

test("a file that another program writes while the name is asked for isn't overwritten", async () => {
  const file = "/nowhere/billing.flow.yaml";
  const asked: string[] = [];
  vscodeStub.answer = ({ title, prompt }) => {
    if (prompt !== "Flow name") return void asked.push(title);
    asked.push(prompt);
    if (vscodeStub.files.has(file)) return undefined;
    vscodeStub.files.set(file, "theirs");
    return "billing";
  };
  await createFlow({ fsPath: "/nowhere" } as Uri, "New Flow", "entry: a\n");
  vscodeStub.files.delete(file);
  assert.deepEqual(asked, ["Flow name", "billing.flow.yaml already exists.", "Flow name"]);
});
