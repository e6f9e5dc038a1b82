/** Resolves what F5 starts: a launch configuration or, without one, the flow or test in the active editor. */
import * as vscode from "vscode";
import type { LaunchConfiguration } from "../../debug/messages";
import { chooseFlow } from "../choose-flow";
import { pathOf } from "../ui/workspace-files";

export const TYPE = "assistant-flow";

/** VS Code's variable for the active file. */
const THIS_FILE = "$" + "{file}";

export class Configurations implements vscode.DebugConfigurationProvider {
  async resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    if (configuration.type || configuration.request || configuration.name) return withDefaults(configuration);
    const editor = vscode.window.activeTextEditor;
    const started = editor && configurationFor(editor.document, editor.selection.active.line);
    if (started) return started;
    const uri = await chooseFlow(vscode.l10n.t("Debug Flow"));
    return uri && flowConfiguration(uri);
  }

  provideDebugConfigurations(): vscode.DebugConfiguration[] {
    return [{ type: TYPE, request: "launch", name: vscode.l10n.t("Debug Flow"), program: THIS_FILE }];
  }
}

function withDefaults(configuration: vscode.DebugConfiguration): vscode.DebugConfiguration {
  const { program = THIS_FILE, ...others } = configuration as vscode.DebugConfiguration & { program?: string };
  const open = vscode.window.activeTextEditor?.document.uri;
  // The variable has only the path of the file, which is in another file system.
  const isElsewhere = program === THIS_FILE && open !== undefined && open.scheme !== "file";
  return { stopAtEnd: true, ...others, program: isElsewhere ? pathOf(open) : program };
}

export function flowConfiguration(uri: vscode.Uri, more: Partial<LaunchConfiguration> = {}): vscode.DebugConfiguration {
  const name = vscode.l10n.t("Debug {0}", vscode.workspace.asRelativePath(uri));
  return { type: TYPE, request: "launch", name, program: pathOf(uri), stopAtEnd: true, ...more };
}

export function testConfiguration(uri: vscode.Uri, test: string): vscode.DebugConfiguration {
  return { ...flowConfiguration(uri, { test }), name: vscode.l10n.t('Debug "{0}"', test) };
}

function configurationFor(document: vscode.TextDocument, line: number): vscode.DebugConfiguration | undefined {
  if (document.languageId === "assistant-flow") return flowConfiguration(document.uri);
  if (document.languageId !== "assistant-flow-test") return undefined;
  const name = testAbove(document, line);
  return name === undefined ? flowConfiguration(document.uri) : testConfiguration(document.uri, name);
}

/** Returns the name of the test that contains the line. */
function testAbove(document: vscode.TextDocument, line: number): string | undefined {
  for (let at = line; at >= 0; at--) {
    const written = /^\s*(?:-\s+)?name:\s*(.+?)\s*$/.exec(document.lineAt(at).text)?.[1];
    if (written !== undefined) return /^(["'])(.*)\1$/.exec(written)?.[2] ?? written.replace(/(?<!\s)\s+#[\s\S]*$/, "");
  }
  return undefined;
}
