/** `assistant-flow login`: asks the platform who the key belongs to and says how to hand it over. Nothing is stored. */

import { fetchTransport, PlatformClient, PlatformError, type Whoami } from "../../platform";
import { oneLine, visibleLine } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import { type FormatOptions, showJson } from "../output";
import { connectionOf, type KeyOptions } from "../platform/cli-connection";

export async function run({ options, terminal }: Input<FormatOptions & KeyOptions>): Promise<number> {
  const connection = await connectionOf(terminal, options);
  const who = await whoIs(new PlatformClient(fetchTransport(connection)));
  if (options.format === "json") showJson({ base_url: connection.baseUrl, ...who }, terminal);
  else {
    const name = visibleLine([who.name ?? who.email, who.organization_name].filter(Boolean).join(", "));
    terminal.out(`The key works at ${connection.baseUrl}${name ? ` (${name})` : ""}.\n`);
    if (options.keyStdin)
      terminal.err(
        "It is not stored. Hand it in each time with --key-stdin, or set ASSISTANT_FLOW_API_KEY from a secret store;\neditors other than VS Code read the same variable.\n",
      );
  }
  return EXIT.fine;
}

/** Who a key belongs to; where the platform does not say, a list that every key may read tells whether it is taken. */
export async function whoIs(client: PlatformClient): Promise<Whoami> {
  try {
    return await client.whoami();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.kind === "unauthorized")
      throw new Stop(
        oneLine`${error.message} Create a new key on the platform and set ASSISTANT_FLOW_API_KEY.`,
        EXIT.unreachable,
      );
    if (error.kind !== "not-found" && error.kind !== "forbidden" && error.kind !== "unreadable") throw error;
    await client.eventCatalog();
    return {};
  }
}
