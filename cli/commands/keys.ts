/** `assistant-flow keys list|create|revoke`. */
import { oneLine } from "../../text";
import type { Input } from "../command";
import { type FormatOptions, showJson, showRows } from "../output";
import { clientOf, type KeyOptions } from "../platform/cli-connection";

type Common = FormatOptions & KeyOptions;

export async function list({ options, terminal }: Input<Common>): Promise<number> {
  const keys = await (await clientOf(terminal, options)).listApiKeys();
  showRows(keys, options, terminal, "No active API keys.", {
    ID: (key) => key.id,
    NAME: (key) => key.name,
    PREFIX: (key) => key.key_prefix,
    SCOPES: (key) => key.scopes,
    "LAST USED": (key) => key.last_used_at ?? "never",
    EXPIRES: (key) => key.expires_at ?? "never",
  });
  return 0;
}

export async function create({
  args,
  options,
  terminal,
}: Input<Common & { scope: string[]; expiresAt?: string }>): Promise<number> {
  const client = await clientOf(terminal, options);
  const { secret, ...key } = await client.createApiKey({
    name: args[0] as string,
    ...(options.scope.length > 0 ? { scopes: options.scope } : {}),
    ...(options.expiresAt === undefined ? {} : { expires_at: options.expiresAt }),
  });
  if (options.format === "json") showJson({ ...key, plain_text_key: secret.reveal() }, terminal);
  else {
    terminal.err(oneLine`Created API key ${key.name ?? key.id} (${key.id}). It is only shown once:\n`);
    terminal.out(oneLine`${secret.reveal()}\n`);
  }
  return 0;
}

export async function revoke({ args, options, terminal }: Input<Common>): Promise<number> {
  const id = args[0] as string;
  await (await clientOf(terminal, options)).revokeApiKey(id);
  if (options.format === "json") showJson({ id, revoked: true }, terminal);
  else terminal.out(oneLine`Revoked API key ${id}.\n`);
  return 0;
}
