/**
 * A platform that echoes the key in every encoding: no log line, message, diagnostic or file of the server contains it.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client, inTime } from "../language/client";
import { FLOW, inFolder } from "./outsider";

/** With characters that JSON escapes. */
const KEY = 'afk_"a\\b"/c_1234567890';
const REVISION = "7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0002";
const IDS = `assistant: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0001\nrevision: ${REVISION}\n`;

const units = [...KEY].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const json = JSON.stringify(KEY).slice(1, -1);
const SPELLINGS = [json, units, JSON.stringify(json).slice(1, -1)];

/** Every encoding of a key that is undone by reading it as JSON or as a URL once or twice. */
function holdsKey(text: string): boolean {
  const read = (from: string) =>
    from
      .replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\\(["\\/])/g, "$1");
  return [text, read(text), read(read(text))].some((each) => each.includes(KEY));
}

/** Responses of the platform: an error with details, an invalid response, a redirect, and garbage. */
const answers = (spelled: string): { status: number; body: string; headers?: Record<string, string> }[] => [
  { status: 401, body: `{"error":"unauthorized","message":"Key ${spelled} is unknown."}` },
  { status: 403, body: `{"error":"${spelled}","message":"no","detail":"${spelled}"}` },
  { status: 422, body: `{"detail":[{"loc":["body","ops",0,"${spelled}"],"msg":"${spelled}","type":"${spelled}"}]}` },
  { status: 500, body: `<html>${spelled} ${spelled}` },
  { status: 200, body: `{"${spelled}":"${spelled}","graph":{"nodes":"${spelled}"}}` },
  { status: 200, body: `not JSON: ${spelled}` },
  { status: 307, body: "", headers: { location: `https://evil.test/${spelled}` } },
];

test(
  "the server's log, messages, diagnostics and files never have the key that an answer echoes",
  { timeout: 300_000 },
  () =>
    inFolder({ "a.flow.yaml": IDS + FLOW }, async (folder) => {
      let now = { status: 200, body: "{}", headers: {} as Record<string, string> };
      let asked = 0;
      const platform = createServer((request, response) => {
        assert.equal(request.headers["x-api-key"], KEY);
        asked++;
        response.writeHead(now.status, { "content-type": "application/json", ...now.headers }).end(now.body);
      });
      await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
      const { port } = platform.address() as AddressInfo;
      const before = { ...process.env };
      Object.assign(process.env, {
        ASSISTANT_FLOW_BASE_URL: `http://127.0.0.1:${port}`,
        ASSISTANT_FLOW_API_KEY: KEY,
        ASSISTANT_FLOW_STATE_DIR: path.join(folder, "state"),
      });
      const said: string[] = [];
      const uri = pathToFileURL(path.join(folder, "a.flow.yaml")).href;
      try {
        for (const spelled of SPELLINGS)
          for (const answer of answers(spelled)) {
            now = { headers: {}, ...answer };
            const client = await Client.start({ initialize: { trace: "verbose" } });
            const { connection } = client;
            for (const method of ["window/logMessage", "window/showMessage", "$/logTrace", "telemetry/event"])
              connection.onNotification(
                method,
                (params: unknown) => void said.push(`${method} ${JSON.stringify(params)}`),
              );
            connection.onRequest("window/showMessageRequest", (params: { actions?: { title: string }[] }) => {
              said.push(`asked ${JSON.stringify(params)}`);
              return params.actions?.[0] ?? null;
            });
            await connection.sendNotification("$/setTrace", { value: "verbose" });
            await client.open(uri, IDS + FLOW);
            const [seen, heard] = [asked, said.length];
            await connection.sendNotification("textDocument/didSave", { textDocument: { uri } });
            await inTime(
              until(() => asked > seen),
              () => `a request to a platform that answers ${answer.status}`,
            );
            // It either shows an error or retries.
            const words = () =>
              asked > seen + 1 || said.slice(heard).some((line) => /^(?:window\/showMessage|asked)/.test(line));
            await inTime(until(words), () => `a word about an answer ${answer.status}`);
            await client.request("textDocument/diagnostic", { textDocument: { uri } }).catch(() => null);
            await client.stop();
            said.push(...client.stderr, JSON.stringify(client.published));
            const shown = said.filter(holdsKey);
            assert.deepEqual(shown, [], `${answer.status} ${spelled}`);
          }
        const kept = readdirSync(path.join(folder, "state")).map((name) => path.join(folder, "state", name));
        for (const file of kept) assert.ok(!holdsKey(readFileSync(file, "utf8")), file);
      } finally {
        process.env = before;
        platform.closeAllConnections();
        platform.close();
      }
    }),
);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}
