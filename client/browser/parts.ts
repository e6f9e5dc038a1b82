/** Loads parts of the extension in a browser, where it can't `require` its own files (see client/parts.ts). */
import * as vscode from "vscode";
import type { InProcessSandbox } from "../../sandbox/in-process";
import { setFileSource } from "../../system/browser";
import { workspaceFiles } from "./workspace-files";

declare const require: (name: string) => unknown;

// The extension itself reads files, too.
setFileSource(workspaceFiles);

/** Uses VS Code's API, so the module is a function that receives `require` (scripts/bundle/web-build.ts). */
export async function loadProtocol(): Promise<typeof import("./protocol")> {
  const { default: load } = await import(urlOf("protocol.js"));
  return load(require);
}

export async function loadDebugger(): Promise<typeof import("../debug/adapter")> {
  const { setFileSource, ...adapter } = (await import(urlOf("debug.js"))) as typeof import("./debugger");
  setFileSource(workspaceFiles);
  return adapter;
}

export async function loadSandbox(): Promise<InProcessSandbox> {
  const { openInProcess, DEMO_EXAMPLES } = (await import(
    urlOf("sandbox.js")
  )) as typeof import("../../sandbox/in-process");
  const texts = DEMO_EXAMPLES.map(async (name) => {
    const content = await workspaceFiles.read(vscode.Uri.joinPath(extensionUri(), "examples", name).toString());
    if (!content) throw new Error(vscode.l10n.t("Couldn't read {0}.", name));
    return [name, new TextDecoder().decode(content)] as const;
  });
  return openInProcess(new Map(await Promise.all(texts)), (message) => console.error(message));
}

function urlOf(file: string): string {
  return vscode.Uri.joinPath(extensionUri(), "dist/web", file).toString(true);
}

function extensionUri(): vscode.Uri {
  return (vscode.extensions.getExtension("assistant-flow.assistant-flow") as vscode.Extension<unknown>).extensionUri;
}
