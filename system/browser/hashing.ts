/** SHA-256 and comparisons without Node. A browser's own hash functions are asynchronous. */

/** The fractional parts of the square roots (`START`) and cube roots (`ROUNDS`) of the first primes. */
const [START, ROUNDS] = constantsOf();

function constantsOf(): [number[], number[]] {
  const primes: number[] = [];
  for (let each = 2; primes.length < 64; each++) if (primes.every((prime) => each % prime !== 0)) primes.push(each);
  const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0;
  return [primes.slice(0, 8).map((prime) => fraction(prime ** 0.5)), primes.map((prime) => fraction(Math.cbrt(prime)))];
}

export function sha256(text: string): string {
  const content = new TextEncoder().encode(text);
  const padded = new Uint8Array((((content.length + 8) >> 6) << 6) + 64);
  padded.set(content);
  padded[content.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(content.length / 2 ** 29));
  view.setUint32(padded.length - 4, content.length << 3);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let index = 0; index < 16; index++) words[index] = view.getInt32(at + 4 * index);
    mix(state, words);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function mix(state: Int32Array, words: Int32Array): void {
  const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));
  const word = (index: number) => words[index] as number;
  for (let index = 16; index < 64; index++) {
    const [one, other] = [word(index - 15), word(index - 2)];
    const low = turned(one, 7) ^ turned(one, 18) ^ (one >>> 3);
    const high = turned(other, 17) ^ turned(other, 19) ^ (other >>> 10);
    words[index] = word(index - 16) + low + word(index - 7) + high;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < 64; index++) {
    const chosen = (e & f) ^ (~e & g);
    const first =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + (ROUNDS[index] as number) + word(index)) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, part] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] as number) + part;
}

export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [one, other].map((each) => new TextEncoder().encode(each)) as [Uint8Array, Uint8Array];
  let difference = a.length ^ b.length;
  for (let index = 0; index < Math.min(a.length, b.length); index++)
    difference |= (a[index] as number) ^ (b[index] as number);
  return difference === 0;
}

/** Compares data of objects, arrays, maps, sets and values. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (one instanceof Date) return one.getTime() === (other as Date).getTime();
  if (one instanceof Map || one instanceof Set)
    return isDeepStrictEqual([...one], [...(other as ReadonlyMap<unknown, unknown>)]);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isDeepStrictEqual(Reflect.get(one, key), Reflect.get(other, key)))
  );
}
