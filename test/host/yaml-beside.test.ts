/**
 * Next to a YAML extension, no finding is reported twice. Red Hat's extension is in a gallery and not on npm, so this
 * starts its language server for the same documents, with the schemas that extensions register.
 */
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { eventually, extensionId, openFlow, test } from "./suite";

const languages = [
  ...["yaml", "yaml-textmate", "yaml-tmlanguage", "ansible", "azure-pipelines", "dockercompose"],
  ...["github-actions-workflow", "home-assistant", "manifest-yaml", "spring-boot-properties-yaml"],
];

async function startYaml(): Promise<LanguageClient> {
  const program = process.env.ASSISTANT_FLOW_TEST_YAML_SERVER;
  assert.ok(program, "the suite is told where the server is");
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1" };
  const client = new LanguageClient(
    "yaml",
    "YAML",
    { command: process.execPath, args: [program, "--stdio"], options: { env } },
    {
      documentSelector: [...languages.map((language) => ({ language })), { pattern: "*.y(a)ml" }],
      // No schema store: tests make no requests to other machines.
      middleware: {
        workspace: {
          configuration: ({ items }) =>
            items.map(({ section }) => (section === "yaml" ? { validate: true, schemaStore: { enable: false } } : {})),
        },
      },
    },
  );
  await client.start();
  const extension = vscode.extensions.getExtension(extensionId);
  const associations = extension?.packageJSON.contributes.yamlValidation.map(
    (each: { fileMatch: string[]; url: string }) => ({
      fileMatch: each.fileMatch,
      uri: pathToFileURL(vscode.Uri.joinPath(extension.extensionUri, each.url).fsPath).href,
    }),
  );
  await client.sendNotification("json/schemaAssociations", associations);
  return client;
}

test("with a YAML extension installed, a flow is checked by only one of them", async () => {
  const yaml = await startYaml();
  try {
    // A YAML syntax error, which both servers would report.
    const text = "entry: greet\nnodes:\n  greet: {type: end\n";
    const sources = (uri: vscode.Uri) => [
      ...new Set(vscode.languages.getDiagnostics(uri).map(({ source }) => source?.replace(/:.*/, "") ?? "")),
    ];
    const other = await openFlow("other.yaml", text);
    await eventually("the YAML server works", () => sources(other.document.uri).includes("YAML"));
    const flow = await openFlow("beside.flow.yaml", text);
    const { uri } = flow.document;
    await eventually("the flow is checked", () => sources(uri).length > 0);
    // A file that becomes YAML later is then checked by the YAML server, with the same schema.
    const wrong = await openFlow("schema.flow.yaml", "entry: 7\nnodes: {}\n");
    await vscode.languages.setTextDocumentLanguage(wrong.document, "yaml");
    await eventually("the schema that we register is used", () =>
      vscode.languages.getDiagnostics(wrong.document.uri).some(({ source }) => source?.startsWith("yaml-schema")),
    );
    assert.deepEqual(sources(uri), ["assistant-flow"]);
    // With the user's `files.associations` the YAML schema applies, and our server is silent.
    await vscode.languages.setTextDocumentLanguage(flow.document, "yaml");
    await eventually("the flow is checked as YAML", () => sources(uri).includes("YAML"));
    await eventually("our findings are gone", () => !sources(uri).includes("assistant-flow"));
    assert.deepEqual(sources(uri), ["YAML"]);
  } finally {
    await yaml.stop();
  }
});
