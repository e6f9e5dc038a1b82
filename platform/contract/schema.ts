/**
 * The small vocabulary the contract is written in. Three habits run through it:
 *
 * - A schema is built when it is first asked for, because a language server that never talks to the platform should not
 *   pay for eighty of them while it starts. That is also why the contract uses zod's mini form.
 * - Objects are loose: a field the document does not name is kept.
 * - A format or an observed value documents a string and refuses nothing in a response. What a request must satisfy is a
 *   real check, written in endpoints.ts.
 */
import * as z from "zod/mini";

export type Schema<T = unknown> = z.ZodMiniType<T, T>;

/** A schema that is built once, on first use. Named ones become the components of the OpenAPI document. */
export type Lazy<S extends z.ZodMiniType = z.ZodMiniType> = () => S;

export type Infer<L extends Lazy> = z.infer<ReturnType<L>>;

/** What the OpenAPI document says about a schema beside its shape. */
export const documented = z.registry<{ format?: string; examples?: unknown[]; default?: unknown }>();

/** Every named schema of the contract, by its name in the OpenAPI document. */
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

/** A resource: the fields nothing can be done without, then those that may be missing. Unknown fields are kept. */
export function resource<R extends z.core.$ZodLooseShape, O extends z.core.$ZodLooseShape>(required: R, optional: O) {
  return z.extend(z.looseObject(required), z.partial(z.looseObject(optional)).shape);
}

export const text = () => z.string();
export const flag = () => z.boolean();
export const whole = () => z.int();
export const number = () => z.number();
export const list = <S extends z.ZodMiniType>(items: S) => z.array(items);
export const texts = () => z.array(z.string());
/** An object whose inside the document does not show. */
export const anyObject = () => z.record(z.string(), z.unknown());

const formatted = (format: string) => z.string().register(documented, { format });
export const uuid = () => formatted("uuid");
export const datetime = () => formatted("date-time");
/** A date-time that is checked: ISO 8601, with or without an offset. */
export const checkedDatetime = () =>
  z.iso.datetime({ offset: true, local: true }).register(documented, { format: "date-time" });

/** A known value, or one we have not heard of: it is carried and shown as it is. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

export function open<const Known extends string>(...known: Known[]): Schema<Open<Known>> {
  return z.string().register(documented, { examples: known }) as unknown as Schema<Open<Known>>;
}
