/**
 * Loaded into the VS Code server before it starts. In the browser VS Code encrypts the secrets of extensions with a key of
 * which the server gives one half, at `/mint-key`; the bare server does not answer that, and secrets would be forgotten
 * at each reload of the page. The half is random and lives as long as the server.
 */
const { randomBytes } = require("node:crypto");
const http = require("node:http");

const half = randomBytes(32);
const emit = http.Server.prototype.emit;
http.Server.prototype.emit = function (event, request, response) {
  if (event !== "request" || !/^\/[^?]*mint-key(\?|$)/.test(request.url ?? "")) return emit.apply(this, arguments);
  response.writeHead(200, { "content-type": "application/octet-stream", "cache-control": "no-store" }).end(half);
  return true;
};
