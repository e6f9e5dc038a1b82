/**
 * Requests and responses, however they are transported: a request is handled, its changes become durable, and the answer
 * becomes a message. No answer exposes a stack trace or a key.
 */
import { type Answer, Refusal, refuse } from "./answer";

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export interface Face {
  readonly handle: (exchange: Exchange) => Promise<Answer> | Answer;
  /** Resolves when all changes so far are durable. */
  readonly durable?: () => Promise<void>;
  /** Reports to the user of the sandbox, never to the caller. */
  readonly report: (message: string) => void;
}

export async function run(face: Face, exchange: Exchange): Promise<Answer> {
  try {
    const answer = await face.handle(exchange);
    await safe(face);
    return answer;
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    face.report(`${exchange.method} ${exchange.path} failed: ${(error as Error).message}`);
    return refuse(500, "internal_error", "Internal error. See the output of the sandbox.").answer;
  }
}

/** Changes that can't be stored must not be acknowledged, nor any later ones. */
async function safe(face: Face): Promise<void> {
  try {
    await face.durable?.();
  } catch (error) {
    face.report(`Can't write to the data directory: ${(error as Error).message}`);
    throw refuse(503, "storage_unavailable", "The sandbox can't store its state. Free up disk space and restart it.", {
      retryable: false,
    });
  }
}

export interface Message {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Missing if it's empty. */
  readonly body?: Buffer;
}

export function messageOf({ status, headers, text, json }: Answer): Message {
  const all = { "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers };
  const content =
    text ?? (json === undefined ? undefined : { type: "application/json", content: JSON.stringify(json) });
  if (!content) return { status, headers: all };
  const isEmpty = status === 204 || status === 304;
  return {
    status,
    headers: { ...all, "content-type": content.type },
    ...(isEmpty ? {} : { body: Buffer.from(content.content) }),
  };
}
