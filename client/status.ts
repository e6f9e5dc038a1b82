/** *Show Status*: a read-only document for bug reports. It has versions, counts, states and errors, but no file contents and no keys. */
import * as vscode from "vscode";
import { ask, type ServerStatus, StatusRequest } from "../server/messages";
import type { Session } from "./connections";
import type { Server } from "./server";
import type { SyncStates } from "./sync";
import { onCommand } from "./ui/notice";

const SCHEME = "assistant-flow-status";
const DOCUMENT = vscode.Uri.from({ scheme: SCHEME, path: "/Assistant Flow Status.yaml" });
const SERVER_WAIT_MS = 5_000;

export function registerStatus(
  context: vscode.ExtensionContext,
  server: Server,
  session: Session,
  states: SyncStates,
): void {
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const provideTextDocumentContent = async () => {
    const { version } = context.extension.packageJSON as { version: string };
    const status = {
      "Assistant Flow": version,
      "VS Code": `${vscode.version} (${vscode.env.appHost}, ${process.platform} ${process.arch})`,
      connection: { state: session.state, url: originOf(session.connection?.baseUrl) },
      "language server": await serverStatus(server),
      flows: states.all().map((state) => ({
        file: vscode.workspace.asRelativePath(vscode.Uri.parse(state.uri)),
        state: state.text,
        message: state.message,
      })),
    };
    return `${yaml(status)}\n`;
  };
  context.subscriptions.push(
    changes,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changes.event,
      provideTextDocumentContent,
    }),
  );
  onCommand(context, "showStatus", async () => {
    changes.fire(DOCUMENT);
    await vscode.window.showTextDocument(DOCUMENT, { preview: true });
  });
}

/** The URL without credentials, path and query, which could contain secrets. */
function originOf(url: string | undefined): string {
  if (url === undefined) return "none";
  return URL.canParse(url) ? new URL(url).origin : "invalid";
}

/** A server that hangs is what a bug report may be about, so it isn't waited for. */
async function serverStatus(server: Server): Promise<ServerStatus | string> {
  let clock: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    clock = setTimeout(() => resolve(`no answer within ${SERVER_WAIT_MS / 1000} seconds`), SERVER_WAIT_MS);
  });
  try {
    return await Promise.race([ask(server, StatusRequest, {}), late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(clock);
  }
}

/** Plain values as YAML. JSON strings are valid YAML scalars, so no text can break the structure. */
function yaml(value: unknown, indent = ""): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return `${indent}[]`;
    return value.map((each) => `${indent}- ${yaml(each, `${indent}  `).trimStart()}`).join("\n");
  }
  if (typeof value !== "object" || value === null) return `${indent}${JSON.stringify(value)}`;
  return Object.entries(value)
    .map(([key, each]) => {
      const isNested = typeof each === "object" && each !== null && Object.keys(each).length > 0;
      return `${indent}${key}:${isNested ? `\n${yaml(each, `${indent}  `)}` : ` ${yaml(each).trimStart()}`}`;
    })
    .join("\n");
}
