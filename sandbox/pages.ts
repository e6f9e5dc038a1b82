/** The page at `/`: lists the endpoints and shows how to send a first request. Contains no secrets. */
import { type Endpoint, endpoints } from "../platform";

export function startPage(baseUrl: string, workflowBaseUrl: string): string {
  const rows = Object.values<Endpoint>(endpoints).map((endpoint) => {
    const base = endpoint.family === "platform" ? baseUrl : workflowBaseUrl;
    return `<tr><td>${endpoint.method}</td><td><code>${html(base + endpoint.path)}</code></td><td>${html(endpoint.summary)}</td></tr>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assistant Flow sandbox</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark; }
table { border-collapse: collapse; width: 100%; } td { border-top: 1px solid #8884; padding: .3rem .5rem; vertical-align: top; }
code, pre { font: 14px/1.4 ui-monospace, monospace; } pre { background: #8882; padding: .75rem; overflow: auto; }
</style>
</head>
<body>
<h1>Assistant Flow sandbox</h1>
<p>A local platform to try flows on. It answers on this machine only. The API key was printed where the sandbox was started.</p>
<pre>curl -H "x-api-key: $ASSISTANT_FLOW_API_KEY" ${html(workflowBaseUrl)}/workflows</pre>
<p>The interface in full: <a href="/openapi.json">/openapi.json</a>.</p>
<table>
${rows.join("\n")}
</table>
</body>
</html>
`;
}

function html(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
