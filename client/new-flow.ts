/** Creates a flow file: from a template, or with the text of a revision. */

import * as vscode from "vscode";
import { withoutFlowEnding } from "../flow/file-kind";
import { inform, warn } from "./ui/notice";
import { exists, writeWorkspaceFile } from "./ui/workspace-files";

export interface Template {
  readonly label: string;
  readonly detail: string;
  readonly text: string;
}

export const templates: readonly Template[] = [
  {
    label: vscode.l10n.t("Minimal flow"),
    detail: vscode.l10n.t("A greeting and an end."),
    text: `entry: greet

nodes:
  greet:
    type: message
    name: Greeting
    instructions: Welcome the caller and ask how you can help.
    edges:
      - to: goodbye
  goodbye:
    type: end
    instructions: Thank the caller and say goodbye.
`,
  },
  {
    label: vscode.l10n.t("Collect and answer"),
    detail: vscode.l10n.t("Asks for the account number, then answers or transfers the call."),
    text: `persona: |
  You are a calm and friendly assistant.
entry: greet

context_variables:
  account_id:
    type: string
    description: The account the caller asks about.

nodes:
  greet:
    type: message
    name: Greeting
    instructions: Welcome the caller and ask how you can help.
    edges:
      - to: ask_account
  ask_account:
    type: collect
    variable: account_id
    instructions: Ask for the account number.
    edges:
      - {to: answer, when: "{{account_id}} is known"}
      - {to: hand_over, label: gave up}
  answer:
    type: message
    instructions: Answer the question about account {{account_id}}.
    edges:
      - to: goodbye
  hand_over:
    type: transfer
    destination: "+15550100"
    mode: cold
  goodbye:
    type: end
    instructions: Thank the caller and say goodbye.
`,
  },
];

/** Asks for a template and a name. */
export async function newFlow(): Promise<void> {
  const folder = await chooseFolder();
  if (!folder) return;
  const fromRevision = (await vscode.commands.getCommands(true)).includes("assistantFlow.newFromRevision");
  const rows = [
    ...templates.map((template) => ({ ...template, template })),
    ...(fromRevision
      ? [
          {
            label: vscode.l10n.t("From a platform revision…"),
            detail: vscode.l10n.t("Pull the flow of a revision into a file."),
            template: undefined,
          },
        ]
      : []),
  ];
  const title = vscode.l10n.t("New Flow");
  const row = await vscode.window.showQuickPick(rows, { title, placeHolder: vscode.l10n.t("Select a template") });
  if (!row) return;
  if (row.template) await createFlow(folder, title, row.template.text);
  else await vscode.commands.executeCommand("assistantFlow.newFromRevision", undefined, folder);
}

/** Asks for a name, writes the file and opens it. */
export async function createFlow(folder: vscode.Uri, title: string, text: string): Promise<void> {
  const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name.toLowerCase()));
  const name = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t("Flow name"),
    placeHolder: "billing",
    ignoreFocusOut: true,
    validateInput: (value) => {
      if (value.trim() === "") return vscode.l10n.t("Enter a name.");
      const file = flowFileName(value);
      if (file === "") return vscode.l10n.t("Use letters or digits.");
      return taken.has(file)
        ? vscode.l10n.t("{0} already exists.", file)
        : { message: file, severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
  if (!name || flowFileName(name) === "") return;
  const uri = vscode.Uri.joinPath(folder, flowFileName(name));
  // Another program may have written it while the question was open.
  if (await exists(uri)) {
    void warn(vscode.l10n.t("{0} already exists.", flowFileName(name)));
    return createFlow(folder, title, text);
  }
  await writeWorkspaceFile(uri, Buffer.from(text));
  await vscode.window.showTextDocument(uri, { preview: false });
}

/** The folder of a new flow: the only one, or the one that the user selects. */
export async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    const choice = await inform(vscode.l10n.t("Open a folder first."), vscode.l10n.t("Open Folder…"));
    if (choice) await vscode.commands.executeCommand("workbench.action.files.openFolder");
    return undefined;
  }
  return folders.length === 1 ? folders[0]?.uri : (await vscode.window.showWorkspaceFolderPick())?.uri;
}

/** Builds a file name from the user's input: `Billing line` becomes `billing-line.flow.yaml`. */
export function flowFileName(typed: string): string {
  const plain = withoutFlowEnding(typed.trim());
  const slug = plain
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return slug === "" ? "" : `${slug}.flow.yaml`;
}
