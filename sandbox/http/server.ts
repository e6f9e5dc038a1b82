/**
 * A loopback HTTP server. It rejects other hosts and web pages, and answers requests unless a fault applies.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, Refusal, refuse } from "./answer";
import { type Face, messageOf, run } from "./exchange";
import type { FaultAction } from "./faults";

/** What a server on loopback does beyond answering. */
export interface ServedFace extends Face {
  readonly takeFault?: (method: string, path: string) => FaultAction | undefined;
  /** Called after every response; a reset counts as status 0. */
  readonly seen?: (method: string, path: string, status: number) => void;
}

export interface Listening {
  readonly port: number;
  readonly url: string;
  stop(): Promise<void>;
}

export async function listen(face: ServedFace, port: number): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    serve(face, server, request, response).catch((error) => {
      face.report(`Couldn't respond to a request: ${(error as Error).message}`);
      response.destroy();
    });
  });
  server.on("clientError", (_error, socket) => {
    const body = JSON.stringify({ error: "bad_request", message: "Invalid HTTP request." });
    if (socket.writable)
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    else socket.destroy();
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  const actual = (server.address() as AddressInfo).port;
  return {
    port: actual,
    url: `http://127.0.0.1:${actual}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  face: ServedFace,
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.on("error", () => response.destroy());
  const method = request.method ?? "GET";
  const target = request.url ?? "/";
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1));
  const stranger = refusalOf(server, request);
  const fault = stranger ? undefined : face.takeFault?.(method, path);
  if (fault?.kind === "latency") await sleep(fault.ms);
  if (fault?.kind === "reset" && fault.when === "before") {
    face.seen?.(method, path, 0);
    request.socket.resetAndDestroy();
    return;
  }
  const exchange = { method, path, query, headers: request.headers, body: bodyOf(request) };
  let answer = stranger ?? (fault && replacement(fault, false)) ?? (await run(face, exchange));
  if (fault) answer = replacement(fault, true) ?? answer;
  request.resume();
  if (!stranger) face.seen?.(method, path, fault?.kind === "reset" ? 0 : answer.status);
  await send(answer, fault, method, request, response);
}

/** The caller may disconnect while sending. */
async function* bodyOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request as AsyncIterable<Buffer>;
  } catch {
    throw new Refusal({ status: 400 });
  }
}

/**
 * Checked first: a web page, or a host name that resolves to this computer, must not reach the sandbox through a
 * browser.
 */
function refusalOf(server: Server, request: IncomingMessage): Answer | undefined {
  const port = (server.address() as AddressInfo | null)?.port;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(request.headers.host ?? ""))
    return refuse(403, "forbidden_host", "The sandbox only accepts requests for 127.0.0.1 and localhost.").answer;
  const origin = request.headers.origin;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`))
    return refuse(403, "forbidden_origin", "The sandbox doesn't accept requests from web pages.").answer;
  return undefined;
}

/** The response of a fault, sent before the handler runs, or after it with `apply`. */
function replacement(fault: FaultAction, applied: boolean): Answer | undefined {
  if (!("apply" in fault) || fault.apply !== applied) return undefined;
  if (fault.kind === "html")
    return { status: fault.status, text: { type: "text/html; charset=utf-8", content: HTML_FAULT } };
  if (fault.kind === "body")
    return {
      status: fault.status,
      headers: fault.headers,
      text: { type: fault.content_type, content: fault.body },
    };
  const { status, error, message = `This ${status} was requested.`, retryable, retry_after, headers } = fault;
  return { status, headers, json: { error, message, retryable, retry_after } };
}

const HTML_FAULT =
  "<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1><p>An answer from something in between.</p></body></html>";

async function send(
  answer: Answer,
  fault: FaultAction | undefined,
  method: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (fault?.kind === "reset" && fault.when === "after") {
    request.socket.resetAndDestroy();
    return;
  }
  const { status, headers, body: whole } = messageOf(answer);
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (!whole) {
    response.end();
    return;
  }
  const body = fault?.kind === "truncate" ? whole.subarray(0, Math.ceil(whole.length / 2)) : whole;
  response.setHeader("content-length", body.length);
  if (method === "HEAD") response.end();
  else if (fault?.kind === "reset") {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => request.socket.resetAndDestroy());
  } else if (fault?.kind === "drip") {
    for (let at = 0; at < body.length && !response.destroyed; at += fault.bytes) {
      response.write(body.subarray(at, at + fault.bytes));
      await sleep(fault.every_ms);
    }
    response.end();
  } else response.end(body);
}
