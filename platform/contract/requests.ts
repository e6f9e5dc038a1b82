/**
 * Validates a request against the endpoint table, as the platform does. Invalid requests get 422 with one
 * ValidationError per problem, each with its location (`loc`), or 400 if the endpoint specifies it.
 */
import * as z from "zod/mini";
import { type BodyOf, type Endpoint, type EndpointName, endpoints, type QueryOf } from "./endpoints";
import { ERROR_CODES, type ErrorResponse, type HTTPValidationError, type ValidationError } from "./errors";

export type CheckedRequest<N extends EndpointName> =
  | { readonly ok: true; readonly query: QueryOf<N>; readonly body: BodyOf<N> }
  | { readonly ok: false; readonly status: 422; readonly body: HTTPValidationError }
  | { readonly ok: false; readonly status: 400; readonly body: ErrorResponse };

/** `body` is the parsed JSON, or undefined if there is none. The last value of a repeated query parameter counts. */
export function checkRequest<N extends EndpointName>(
  name: N,
  request: { readonly query?: Iterable<readonly [string, string]>; readonly body?: unknown },
): CheckedRequest<N> {
  const endpoint: Endpoint = endpoints[name];
  const detail: ValidationError[] = [];
  const read = (where: "query" | "body", schema: z.ZodMiniType | undefined, input: unknown) => {
    const checked = schema && checkValue(where, schema, input);
    if (!checked || "value" in checked) return checked?.value;
    for (const each of checked.detail) detail.push(each);
    return undefined;
  };
  const query = read("query", endpoint.query?.(), typedQuery(endpoint, request.query ?? []));
  const bodySchema = endpoint.body?.();
  const body = read("body", bodySchema, withDefaultBody(bodySchema, request.body));
  if (detail.length === 0) return { ok: true, query: query as QueryOf<N>, body: body as BodyOf<N> };
  if (endpoint.invalid !== 400) return { ok: false, status: 422, body: { detail } };
  const message = detail.map((fault) => `${fault.loc.join(".")}: ${fault.msg}`).join("; ");
  return { ok: false, status: 400, body: { error: ERROR_CODES.badRequest, message } };
}

/** The parsed value, or why it isn't valid. */
export function checkValue<T>(
  where: "query" | "body",
  schema: z.ZodMiniType<T>,
  input: unknown,
): { readonly value: T } | { readonly detail: readonly ValidationError[] } {
  const result = z.safeParse(schema, input);
  return result.success
    ? { value: result.data }
    : { detail: result.error.issues.map((issue) => faultOf(where, issue, input)) };
}

/** A body with only optional fields may be omitted. */
function withDefaultBody(schema: z.ZodMiniType | undefined, body: unknown): unknown {
  return body === undefined && schema && z.safeParse(schema, {}).success ? {} : body;
}

/** Query parameters are strings; converts those that the schema declares as numbers. */
function typedQuery(endpoint: Endpoint, query: Iterable<readonly [string, string]>): Record<string, unknown> {
  const shape = (endpoint.query?.() as z.ZodMiniObject | undefined)?.shape ?? {};
  const isNumber = (name: string) => {
    const field = Object.hasOwn(shape, name) ? (shape[name] as z.ZodMiniType) : z.unknown();
    return z.safeParse(field, 1).success && !z.safeParse(field, "1").success;
  };
  return Object.fromEntries(
    [...query].map(([name, value]) => [name, /^-?\d{1,15}$/.test(value) && isNumber(name) ? Number(value) : value]),
  );
}

function faultOf(where: "query" | "body", issue: z.core.$ZodIssue, whole: unknown): ValidationError {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  const input = path.reduce<unknown>(
    (value, step) => (value as Record<string | number, unknown> | null)?.[step],
    whole,
  );
  const loc = [where, ...path];
  if (input === undefined) return { loc, msg: "Field required", type: "missing" };
  return { loc, ...wording(issue, where, input), input };
}

function wording(
  issue: z.core.$ZodIssue,
  where: "query" | "body",
  input: unknown,
): Pick<ValidationError, "msg" | "type" | "ctx"> {
  switch (issue.code) {
    case "invalid_type": {
      const [type, noun] = TYPES[issue.expected] ?? ["type_error", issue.expected];
      if (where === "query" && type === "int_type" && typeof input === "string")
        return { type: "int_parsing", msg: "Input should be a valid integer, unable to parse string as an integer" };
      return { type, msg: `Input should be a valid ${noun}` };
    }
    case "too_big":
      if (issue.origin === "array")
        return {
          type: "too_long",
          msg: `List should have at most ${issue.maximum} items`,
          ctx: { field_type: "List", max_length: issue.maximum, actual_length: (input as unknown[]).length },
        };
      return {
        type: "less_than_equal",
        msg: `Input should be less than or equal to ${issue.maximum}`,
        ctx: { le: Number(issue.maximum) },
      };
    case "too_small":
      if (issue.origin === "array")
        return {
          type: "too_short",
          msg: `List should have at least ${issue.minimum} item${issue.minimum === 1 ? "" : "s"}`,
          ctx: { field_type: "List", min_length: issue.minimum, actual_length: (input as unknown[]).length },
        };
      return {
        type: "greater_than_equal",
        msg: `Input should be greater than or equal to ${issue.minimum}`,
        ctx: { ge: Number(issue.minimum) },
      };
    case "invalid_format":
      if (issue.format === "date") return { type: "date_parsing", msg: "Input should be a valid date: YYYY-MM-DD" };
      if (issue.format === "datetime")
        return { type: "datetime_parsing", msg: "Input should be a valid ISO 8601 date-time" };
      return { type: "string_pattern_mismatch", msg: "Input has a value out of range" };
    case "invalid_value": {
      const expected = issue.values.map((value) => `'${String(value)}'`).join(", ");
      return { type: "enum", msg: `Input should be one of ${expected}`, ctx: { expected } };
    }
    case "invalid_union":
      return { type: "union_tag_invalid", msg: "Input is not one of the known kinds" };
    default:
      return { type: "value_error", msg: "Input is not valid" };
  }
}

const TYPES: Record<string, readonly [type: string, noun: string]> = {
  string: ["string_type", "string"],
  int: ["int_type", "integer"],
  number: ["int_type", "integer"],
  boolean: ["bool_type", "boolean"],
  array: ["list_type", "list"],
  object: ["dict_type", "object"],
  record: ["dict_type", "object"],
};
