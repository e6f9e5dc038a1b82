/** Hashes and comparisons that callers expect to be synchronous, unlike those of a browser. */
import { createHash, timingSafeEqual } from "node:crypto";

export { isDeepStrictEqual } from "node:util";

/** The SHA-256 hash of a string in UTF-8, in hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Compares secrets; the time it takes only depends on their lengths. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
