/** Random names and secrets; Node and browsers have the same generator. */

export function randomUuid(): string {
  return crypto.randomUUID();
}

/** `bytes` random bytes in hexadecimal. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}

/** `bytes` random bytes as base64 that is safe in URLs and attributes. */
export function randomBase64(bytes: number): string {
  const text = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
