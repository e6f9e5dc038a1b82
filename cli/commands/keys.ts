/** `assistant-flow keys list|create|revoke`. */
import { oneLine } from "../../text";
import type { Input } from "../command";
import { type FormatOptions, showJson, showRows } from "../output";
import { clientOf, type KeyOptions } from "../platform/cli-connection";

type Common = FormatOptions & KeyOptions;

export const list = {
  async run({ options, terminal }: Input<Common>): Promise<number> {
    const keys = await (await clientOf(terminal, options)).listApiKeys();
    const columns = {
      ID: (key: (typeof keys)[number]) => key.id,
      NAME: (key: (typeof keys)[number]) => key.name,
      PREFIX: (key: (typeof keys)[number]) => key.key_prefix,
      SCOPES: (key: (typeof keys)[number]) => key.scopes,
      "LAST USED": (key: (typeof keys)[number]) => key.last_used_at ?? "never",
      EXPIRES: (key: (typeof keys)[number]) => key.expires_at ?? "never",
    };
    showRows(keys, columns, options, terminal, "No active API keys.");
    return 0;
  },
};

export const create = {
  async run({ args, options, terminal }: Input<Common & { scope: string[]; expiresAt?: string }>): Promise<number> {
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
  },
};

export const revoke = {
  async run({ args, options, terminal }: Input<Common>): Promise<number> {
    const id = args[0] as string;
    await (await clientOf(terminal, options)).revokeApiKey(id);
    if (options.format === "json") showJson({ id, revoked: true }, terminal);
    else terminal.out(oneLine`Revoked API key ${id}.\n`);
    return 0;
  },
};
