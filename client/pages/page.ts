/**
 * A page inside VS Code. Its code and styles are bundled files of the extension; the policy allows nothing else: no
 * inline code without the page's nonce, no network, no images from anywhere.
 */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

export interface PageParts {
  /** The bundle's name under dist/webview/, without ending: `graph` has graph.js and graph.css. */
  readonly name: string;
  readonly title: string;
  /** Another bundle that the page starts as a worker. */
  readonly worker?: string;
}

/** What the page may load, and from where. */
export function pageOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, "dist", "webview")] };
}

export function pageHtml(webview: vscode.Webview, extension: vscode.Uri, parts: PageParts): string {
  const file = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", "webview", name)).toString();
  const nonce = randomBytes(16).toString("base64url");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    // VS Code puts the colors of the theme on the page as styles of the html element.
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
