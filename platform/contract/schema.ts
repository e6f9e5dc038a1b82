/**
 * Helpers for schemas of the contract.
 *
 * - A schema is created on first use, so that a language server that never talks to the platform doesn't pay for eighty
 * of them at startup. That is also why the contract uses zod's mini form.
 *
 * - Objects are loose: unknown fields are kept.
 *
 * - A format or an observed value documents a string but isn't enforced in responses. Requirements of requests are
 * enforced in endpoints.ts.
 */
import * as z from "zod/mini";

export type Schema<T = unknown> = z.ZodMiniType<T, T>;

/** A schema that is created on first use. Named schemas become components of the OpenAPI document. */
export type Lazy<S extends z.ZodMiniType = z.ZodMiniType> = () => S;

export type Infer<L extends Lazy> = z.infer<ReturnType<L>>;

/** OpenAPI metadata of a schema. */
export const documented = z.registry<{ format?: string; examples?: unknown[]; default?: unknown }>();

/** All named schemas, by their name in the OpenAPI document. */
export const components = new Map<string, Lazy>();

export function named<S extends z.ZodMiniType>(name: string, build: () => S): Lazy<S> {
  let built: S | undefined;
  const lazy = () => {
    built ??= build();
    return built;
  };
  components.set(name, lazy);
  return lazy;
}

/** A resource without required fields. Unknown fields are kept. */
export function optional<O extends z.core.$ZodLooseShape>(fields: O) {
  return z.partial(z.looseObject(fields));
}

/** A resource with required and optional fields. Unknown fields are kept. */
export function resource<R extends z.core.$ZodLooseShape, O extends z.core.$ZodLooseShape>(required: R, others: O) {
  return z.extend(z.looseObject(required), optional(others).shape);
}

export const text = () => z.string();
export const flag = () => z.boolean();
export const whole = () => z.int();
export const number = () => z.number();
export const list = <S extends z.ZodMiniType>(items: S) => z.array(items);
export const texts = () => z.array(z.string());
/** An object with undocumented fields. */
export const anyObject = () => z.record(z.string(), z.unknown());

const formatted = (format: string) => z.string().register(documented, { format });
export const uuid = () => formatted("uuid");
export const datetime = () => formatted("date-time");
/** A date-time that is validated: ISO 8601, with or without an offset. */
export const checkedDatetime = () =>
  z.iso.datetime({ offset: true, local: true }).register(documented, { format: "date-time" });

/** A known or an unknown value; unknown values are kept. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

export function open<const Known extends string>(...known: Known[]): Schema<Open<Known>> {
  return z.string().register(documented, { examples: known }) as unknown as Schema<Open<Known>>;
}
