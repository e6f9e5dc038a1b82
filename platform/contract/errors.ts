/** The two forms of an error body (parts 2.2, 2.3 and 7). */
import * as z from "zod/mini";
import { flag, type Infer, list, named, optional, resource, text, whole } from "./schema";

export const errorResponse = named("ErrorResponse", () =>
  resource({ error: text(), message: text() }, { retryable: z.nullable(flag()), retry_after: z.nullable(whole()) }),
);
export type ErrorResponse = Infer<typeof errorResponse>;

const validationError = named("ValidationError", () =>
  resource(
    { loc: list(z.union([z.string(), z.int()])), msg: text(), type: text() },
    { input: z.unknown(), ctx: z.record(z.string(), z.unknown()) },
  ),
);
export type ValidationError = Infer<typeof validationError>;

export const httpValidationError = named("HTTPValidationError", () => optional({ detail: list(validationError()) }));
export type HTTPValidationError = Infer<typeof httpValidationError>;

/** The documented error codes; others are possible. */
export const ERROR_CODES = { badRequest: "bad_request", authenticationRequired: "authentication_required" } as const;
