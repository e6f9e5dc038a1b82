/** Reads the JSON body of a request, limited in size and depth, as strict UTF-8. */
import { refuse } from "./answer";
import type { Exchange } from "./exchange";

const MAX_BODY_BYTES = 5 * 1024 * 1024;
const MAX_DEPTH = 64;

/** The parsed body, or undefined if there is none. */
export async function readJson({ headers, body }: Pick<Exchange, "headers" | "body">): Promise<unknown> {
  const bytes = await readBytes(body);
  if (bytes.length === 0) return undefined;
  const type = String(headers["content-type"] ?? "")
    .split(";")[0]
    ?.trim()
    .toLowerCase();
  if (type !== "application/json")
    throw refuse(415, "unsupported_media_type", "Send the body as JSON, with Content-Type: application/json.");
  if (headers["content-encoding"] && headers["content-encoding"] !== "identity")
    throw refuse(415, "unsupported_media_type", "Send the body without Content-Encoding.");
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw refuse(400, "bad_request", "The body isn't valid JSON.");
  }
  if (depthOf(text) > MAX_DEPTH)
    throw refuse(400, "bad_request", `The body is nested more than ${MAX_DEPTH} levels deep.`);
  return value;
}

/** Reads an oversized body to the end, so that the caller receives the response. */
async function readBytes(body: Exchange["body"]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    if (size > 20 * MAX_BODY_BYTES) break;
  }
  if (size > MAX_BODY_BYTES) throw refuse(413, "payload_too_large", "The body exceeds 5 MB.");
  return Buffer.concat(chunks);
}

/** The nesting depth of a JSON text. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === 0x22) {
      for (i++; json.charCodeAt(i) !== 0x22; i++) if (json.charCodeAt(i) === 0x5c) i++;
    } else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
  }
  return deepest;
}
