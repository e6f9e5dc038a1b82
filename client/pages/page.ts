/**
 * Builds a webview page. Its code and styles are bundled with the extension, and its content security policy allows
 * nothing else: no inline code without the nonce, no network, no remote images.
 */
import * as vscode from "vscode";
import { randomBase64 } from "../../system";

export interface PageParts {
  /** The bundle's name in dist/webview/: `graph` has graph.js and graph.css. */
  readonly name: string;
  readonly title: string;
  /** Another bundle, which the page starts as a worker. */
  readonly worker?: string | undefined;
}

/** Restricts what the page may load. */
export function pageOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, "dist", "webview")] };
}

/** The icon of a page's tab. VS Code's default icon is hardly visible in light themes. */
export function pageIcon(extension: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const icon = (theme: string) => vscode.Uri.joinPath(extension, "icons", `flow-${theme}.svg`);
  return { light: icon("light"), dark: icon("dark") };
}

export function pageHtml(webview: vscode.Webview, extension: vscode.Uri, parts: PageParts): string {
  const file = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", "webview", name)).toString();
  const nonce = randomBase64(16);
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    // VS Code sets the theme's colors as inline styles on the html element.
    `style-src ${webview.cspSource}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    ...(parts.worker ? ["worker-src blob:", `connect-src ${webview.cspSource}`] : []),
  ].join("; ");
  const worker = parts.worker ? ` data-worker="${file(`${parts.worker}.js`)}"` : "";
  const { bundle } = vscode.l10n;
  const words = bundle ? ` data-words="${escaped(JSON.stringify(bundle))}"` : "";
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file(`${parts.name}.css`)}">
<title>${escaped(parts.title)}</title>
</head>
<body${worker}${words}>
<script nonce="${nonce}" src="${file(`${parts.name}.js`)}"></script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
