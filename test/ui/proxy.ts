/**
 * A proxy between VS Code and a sandbox: it records every request with its key, and can change requests and responses.
 * The sandbox itself is unchanged.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sandbox } from "../../scripts/sandbox";

export type Family = "platform" | "calling";

export interface Seen {
  readonly family: Family;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

export interface ProxyOptions {
  /** The path and query for the sandbox. */
  readonly asked?: (path: string, family: Family) => string;
  /** Changes the body of a request before the sandbox gets it. */
  readonly sent?: (body: string) => string;
  /** Changes the JSON of a response. */
  readonly answered?: (json: unknown, path: string, status: number) => unknown;
  /** Whether web pages of other origins may send requests (CORS). */
  readonly allowsSites?: () => boolean;
}

export interface Middle {
  /** Serves the sandbox under the proxy's addresses; stopping it stops both. */
  readonly sandbox: Sandbox;
  readonly seen: Seen[];
}

export async function startProxy(behind: Sandbox, options: ProxyOptions = {}): Promise<Middle> {
  const seen: Seen[] = [];
  const servers: Server[] = [];
  const open = async (family: Family, target: string): Promise<string> => {
    const server = createServer((request, response) => {
      const { method = "GET", url: path = "/" } = request;
      seen.push({ family, method, path, key: String(request.headers["x-api-key"] ?? "") });
      if (options.allowsSites?.()) {
        response.setHeader("access-control-allow-origin", request.headers.origin ?? "*");
        response.setHeader("access-control-allow-headers", "x-api-key, content-type");
        response.setHeader("access-control-allow-methods", "*");
        if (method === "OPTIONS") return void response.writeHead(204).end();
      }
      forward(request, response, target + (options.asked?.(path, family) ?? path), options).catch((error: Error) =>
        response.writeHead(502).end(error.message),
      );
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const baseUrl = await open("platform", behind.baseUrl);
  const workflowBaseUrl = await open("calling", behind.workflowBaseUrl);
  const sandbox: Sandbox = {
    ...behind,
    baseUrl,
    workflowBaseUrl,
    env: { ...behind.env, ASSISTANT_FLOW_BASE_URL: baseUrl, ASSISTANT_FLOW_WORKFLOW_BASE_URL: workflowBaseUrl },
    async stop() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await behind.stop();
    },
  };
  return { sandbox, seen };
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
  { sent, answered }: ProxyOptions,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  const answer = await fetch(address, {
    method: request.method ?? "GET",
    headers: Object.fromEntries(
      ["x-api-key", "content-type", "accept"].flatMap((name) =>
        typeof request.headers[name] === "string" ? [[name, request.headers[name]]] : [],
      ),
    ),
    ...(body === "" ? {} : { body: sent?.(body) ?? body }),
  });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get("content-type") ?? "");
  const path = request.url ?? "/";
  const told =
    isJson && answered && text !== "" ? JSON.stringify(answered(JSON.parse(text), path, answer.status)) : text;
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
  response.end(told);
}
