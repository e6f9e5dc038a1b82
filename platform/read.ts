/**
 * Parses responses leniently. Unknown fields are kept, and an optional field that is null or of another type counts as
 * missing. Only an invalid required field makes the whole response invalid.
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
    // The error of JSON.parse quotes the body, so it isn't passed on.
    return { ok: false, why: body.trim() === "" ? "it is empty" : "it isn't JSON" };
  }
  const odd: PropertyKey[][] = [];
  // Each round removes a field or gives up; the limit guards against a schema that never accepts the value.
  for (let round = 0; round < 20; round++) {
    const result = parsed(schema, value);
    if (!result) break;
    if (result.success) return { ok: true, value: result.data, odd: odd.map(placeName) };
    const faults = result.error.issues.map((issue) => issue.path);
    const removals = faults.map((fault) => fieldToGiveUp(value, fault));
    const stuck = faults.find((_, index) => removals[index] === undefined);
    if (stuck)
      return { ok: false, why: `${placeName(odd.find((place) => startsWith(place, stuck)) ?? stuck)} ${NEEDED}` };
    for (const removal of removals) removal?.();
    for (const each of faults) odd.push(each);
  }
  return { ok: false, why: "it differs too much from the documentation" };
}

/** Undefined if the value has more faults than zod can collect, which passes them as arguments. */
function parsed<T>(schema: z.ZodMiniType<T>, value: unknown) {
  try {
    return z.safeParse(schema, value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const NEEDED = "is missing or doesn't have the documented type";

/**
 * Finds the nearest enclosing field that can be removed. List items are never removed, because a silently missing row
 * is misleading; the field with the list is removed instead, and if that is required, the response is invalid.
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
