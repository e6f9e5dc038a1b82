/** The platform's own list of operations, if the error of a rejection contains one: it helps correct assumptions. */
import type { ValidationError } from "../platform";
import { unknownOperation } from "./sentences";

export function refusalWords({
  message,
  detail = [],
}: {
  readonly message: string;
  readonly detail?: readonly ValidationError[];
}): string {
  const unknown = detail.find(({ type, msg }) => /union_tag|discriminator/.test(type) || /\bexpected tags\b/.test(msg));
  if (!unknown) return message;
  const { ctx, msg, input } = unknown;
  const tag =
    text(ctx?.tag) ?? text((input as { op?: unknown } | undefined)?.op) ?? /tag '([^']{1,60})'/.exec(msg)?.[1];
  if (tag === undefined) return message;
  const known = text(ctx?.expected_tags) ?? /expected tags:\s*([^\n]{1,600})/.exec(msg)?.[1];
  return unknownOperation(`"${tag}"`, known?.trim());
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, 600) : undefined;
}
