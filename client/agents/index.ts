/** Registers the language model tools for flows, and the MCP server if this version of VS Code supports it. */

import * as vscode from "vscode";
import { isFlowFile } from "../../flow/file-kind";
import { ask, PlanRequest } from "../../server/messages";
import { path } from "../../system";
import { escapeMarkdown, fencedJson } from "../../text";
import type { Server } from "../server";
import { ToolServer } from "./tool-server";

/** Tools that work without the platform, each with its progress message. */
const offline: Readonly<Record<string, string>> = {
  check: vscode.l10n.t("Checking flows"),
  outline: vscode.l10n.t("Reading the flow"),
  paths: vscode.l10n.t("Looking for paths"),
  run: vscode.l10n.t("Running the flow"),
  test: vscode.l10n.t("Running tests"),
  policies: vscode.l10n.t("Checking policies"),
  calls_report: vscode.l10n.t("Tracing calls"),
  tools: vscode.l10n.t("Listing tools"),
  format: vscode.l10n.t("Reading the format"),
};

export function registerAgents(context: vscode.ExtensionContext, server: Server): void {
  const cli = context.asAbsolutePath("dist/cli.js");
  const tools = new ToolServer(cli, folders);
  context.subscriptions.push(
    tools,
    // The next call starts a server with the new folders.
    vscode.workspace.onDidChangeWorkspaceFolders(() => tools.dispose()),
    ...Object.entries(offline).map(([name, doing]) =>
      vscode.lm.registerTool<object>(`assistant_flow_${name}`, {
        prepareInvocation: () => ({ invocationMessage: doing }),
        invoke: ({ input }, token) => call(tools, name, input, token),
      }),
    ),
    vscode.lm.registerTool("assistant_flow_plan", planTool(server)),
  );
  offerServer(context, cli);
}

interface PlanInput {
  readonly paths?: readonly string[];
}

/** The only tool that sends requests to the platform, so it asks for confirmation. */
export function planTool(server: Server): vscode.LanguageModelTool<PlanInput> {
  return {
    prepareInvocation: ({ input: { paths = [] } }) => ({
      invocationMessage: vscode.l10n.t("Planning a push"),
      confirmationMessages: {
        title: vscode.l10n.t("Ask the platform what a push would change?"),
        message: new vscode.MarkdownString(
          vscode.l10n.t("Asks the platform about {0}. Nothing is changed.", paths.map(escapeMarkdown).join(", ")),
        ),
      },
    }),
    invoke: ({ input: { paths = [] } }) => planOf(paths, server),
  };
}

/** The folders on this computer, which the tools may read. */
function folders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === "file" ? uri.fsPath : []));
}

async function call(
  tools: ToolServer,
  name: string,
  input: object,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  if (folders().length === 0) throw new Error(vscode.l10n.t("Open a folder on this computer to work with its flows."));
  const abort = new AbortController();
  const stop = token.onCancellationRequested(() => abort.abort());
  try {
    const { text, isError } = await tools.call(name, input, abort.signal);
    // VS Code passes the error message to the model.
    if (isError) throw new Error(text);
    return toolResult(text);
  } finally {
    stop.dispose();
  }
}

function toolResult(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

/** Plans through the language server, which uses the connection of the extension. */
async function planOf(paths: readonly string[], server: Server): Promise<vscode.LanguageModelToolResult> {
  if (!vscode.workspace.isTrusted)
    throw new Error(vscode.l10n.t("This workspace isn't trusted, so nothing is sent to the platform."));
  const files = await Promise.all(
    paths.map(async (each) => {
      const uri = inWorkspace(each);
      if (!uri || !isFlowFile(uri.path))
        return { path: each, message: vscode.l10n.t("Not a flow file in this workspace.") };
      await vscode.workspace.openTextDocument(uri);
      const plan = await ask(server, PlanRequest, { uri: uri.toString() });
      if (!plan) return { path: each, message: vscode.l10n.t("No platform state yet. Pull or push the flow once.") };
      return { path: each, operations: plan.lines.map(({ batch, op }) => ({ batch, ...(op as object) })) };
    }),
  );
  return toolResult(fencedJson({ files }));
}

/** Resolves a path within an open folder. */
function inWorkspace(name: string): vscode.Uri | undefined {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (!first) return undefined;
  const uri = path.isAbsolute(name) ? vscode.Uri.file(name) : vscode.Uri.joinPath(first.uri, name);
  return vscode.workspace.getWorkspaceFolder(uri) ? uri : undefined;
}

/** Available since VS Code 1.101. Our types are those of the oldest supported version. */
interface NewerLm {
  registerMcpServerDefinitionProvider?(
    id: string,
    provider: { onDidChangeMcpServerDefinitions: vscode.Event<unknown>; provideMcpServerDefinitions(): unknown[] },
  ): vscode.Disposable;
}
type Definition = new (
  label: string,
  command: string,
  args: string[],
  env: Record<string, string>,
  version: string,
) => object;

function offerServer(context: vscode.ExtensionContext, cli: string): void {
  const lm = vscode.lm as NewerLm;
  if (!lm.registerMcpServerDefinitionProvider) return;
  const version = String(context.extension.packageJSON.version);
  context.subscriptions.push(
    lm.registerMcpServerDefinitionProvider("assistantFlow.mcp", {
      onDidChangeMcpServerDefinitions: vscode.workspace.onDidChangeWorkspaceFolders,
      provideMcpServerDefinitions: () => serverDefinitions(cli, folders(), version),
    }),
  );
}

/** Describes the MCP server for VS Code to start; empty if no folder is open. */
export function serverDefinitions(cli: string, folders: readonly string[], version: string): object[] {
  const { McpStdioServerDefinition: Definition } = vscode as unknown as { McpStdioServerDefinition?: Definition };
  if (!Definition || folders.length === 0) return [];
  const roots = folders.flatMap((folder) => ["--root", folder]);
  const env = { ELECTRON_RUN_AS_NODE: "1" };
  return [new Definition("Assistant Flow", process.execPath, [cli, "mcp", ...roots], env, version)];
}
