/**
 * Reads an answer tolerantly. The schemas say what the document says; a platform that sends more is kept, and one that
 * sends null or another type where a field may be missing is read as if it were missing. Only a field that nothing can
 * be done without makes the whole answer unreadable.
 */
import * as z from "zod/mini";

export type Reading<T> =
  | { readonly ok: true; readonly value: T /** Places that were read as missing. */; readonly odd: readonly string[] }
  | { readonly ok: false; readonly why: string };

export function readJson<T>(schema: z.ZodMiniType<T>, body: string): Reading<T> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // The error of JSON.parse quotes the body, so it goes no further.
    return { ok: false, why: body.trim() === "" ? "it is empty" : "it is not JSON" };
  }
  const odd: PropertyKey[][] = [];
  // A round that finds a fault takes away a field or gives up; the bound is against a schema that never agrees.
  for (let round = 0; round < 20; round++) {
    const result = z.safeParse(schema, value);
    if (result.success) return { ok: true, value: result.data, odd: odd.map(placeName) };
    const faults = result.error.issues.map((issue) => issue.path);
    const removals = faults.map((fault) => fieldToGiveUp(value, fault));
    const stuck = faults.find((_, index) => removals[index] === undefined);
    if (stuck)
      return { ok: false, why: `${placeName(odd.find((place) => startsWith(place, stuck)) ?? stuck)} ${NEEDED}` };
    for (const removal of removals) removal?.();
    odd.push(...faults);
  }
  return { ok: false, why: "too much of it differs from what is documented" };
}

const NEEDED = "is missing or not of the documented type";

/**
 * The nearest field, upwards from the fault, that can be left out. A list is not shortened, because a row that silently
 * vanishes misleads: the field that holds the list goes, and where that one is needed the answer is unreadable.
 */
function fieldToGiveUp(root: unknown, fault: readonly PropertyKey[]): (() => void) | undefined {
  for (let depth = fault.length; depth > 0; depth--) {
    const name = fault[depth - 1] as PropertyKey;
    const owner = fault.slice(0, depth - 1).reduce<unknown>((at, step) => (at as Fields | undefined)?.[step], root);
    if (isFields(owner) && Object.hasOwn(owner, name)) return () => delete owner[name];
  }
  return undefined;
}

type Fields = Record<PropertyKey, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const startsWith = (path: readonly PropertyKey[], start: readonly PropertyKey[]) =>
  start.every((step, index) => path[index] === step);

function placeName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the whole body";
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}
