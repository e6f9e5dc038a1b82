/**
 * Loaded into the VS Code server at startup, for what the bare server lacks.
 *
 * Secrets: in the browser, VS Code encrypts the secrets of extensions with a key, half of which comes from the server
 * at `/mint-key`. The bare server doesn't have that endpoint, so secrets would be lost at each reload. This half is
 * random and lives as long as the server.
 *
 * Reload: a file in the window's URL would be reopened on each reload, and nothing else. So a browser uses it only once,
 * which a cookie records; later the URL restores the folder as it was.
 *
 * Ports: everything runs on this computer, so the view and status bar item for port forwarding are hidden.
 */
const { createHash, randomBytes } = require("node:crypto");
const http = require("node:http");

const half = randomBytes(32);
const style =
  '<style>[id="status.forwardedPorts"], .composite-bar li:has([aria-label^="Ports"]) { display: none !important }</style>';

const emit = http.Server.prototype.emit;
http.Server.prototype.emit = function (event, request, response) {
  if (event !== "request") return emit.apply(this, arguments);
  const url = request.url ?? "";
  if (/^\/[^?]*mint-key(\?|$)/.test(url)) {
    response.writeHead(200, { "content-type": "application/octet-stream", "cache-control": "no-store" }).end(half);
    return true;
  }
  const [path, query = ""] = url.split("?");
  if (path === "/") {
    const payload = query.split("&").find((part) => part.startsWith("payload="));
    const opensFile = payload !== undefined && opensFileOnly(payload);
    const cookie = `opened-${createHash("sha256").update(half).update(url).digest("hex").slice(0, 16)}`;
    if (opensFile && (request.headers.cookie ?? "").includes(cookie)) {
      const rest = query.split("&").filter((part) => part !== payload);
      response.writeHead(302, { location: `/?${rest.join("&")}`, "cache-control": "no-store" }).end();
      return true;
    }
    if (opensFile) addCookie(response, `${cookie}=1; Max-Age=604800; SameSite=Lax; HttpOnly`);
    addStyle(response);
  }
  return emit.apply(this, arguments);
};

function opensFileOnly(payload) {
  try {
    const entries = JSON.parse(decodeURIComponent(payload.slice("payload=".length)));
    return Array.isArray(entries) && entries.every(([name]) => name === "openFile");
  } catch {
    return false;
  }
}

/** Rejected and redirected requests get no cookie. */
function addCookie(response, cookie) {
  const { writeHead } = response;
  response.writeHead = function (status, headers = {}) {
    const own = [headers["Set-Cookie"] ?? []].flat();
    return writeHead.call(this, status, status === 200 ? { ...headers, "Set-Cookie": [...own, cookie] } : headers);
  };
}

/** The page is sent in one piece. */
function addStyle(response) {
  const { end } = response;
  response.end = function (body, ...rest) {
    const html = typeof body === "string" || Buffer.isBuffer(body) ? String(body) : "";
    if (!html.includes("</head>")) return end.call(this, body, ...rest);
    return end.call(this, html.replace("</head>", `${style}</head>`), ...rest);
  };
}
