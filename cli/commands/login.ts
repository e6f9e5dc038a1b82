/** `assistant-flow login`: checks the API key and shows how to configure it. Nothing is stored. */

import { fetchTransport, PlatformClient, PlatformError, type Whoami } from "../../platform";
import { oneLine, visibleLine } from "../../text";
import { EXIT, type Input, Stop } from "../command";
import { connectionOf, type KeyOptions } from "../platform/cli-connection";
import { type FormatOptions, showJson } from "../terminal";

export async function run({ options, terminal }: Input<FormatOptions & KeyOptions>): Promise<number> {
  const connection = await connectionOf(terminal, options);
  const who = await whoIs(new PlatformClient(fetchTransport(connection)));
  if (options.format === "json") showJson({ base_url: connection.baseUrl, ...who }, terminal);
  else {
    const name = visibleLine([who.name ?? who.email, who.organization_name].filter(Boolean).join(", "));
    terminal.out(`The API key is valid for ${connection.baseUrl}${name ? ` (${name})` : ""}.\n`);
    if (options.keyStdin)
      terminal.err(
        "It isn't stored. Pass it with --key-stdin each time, or set ASSISTANT_FLOW_API_KEY from a password manager.\nEditors other than VS Code read the same variable.\n",
      );
  }
  return EXIT.fine;
}

/** The owner of a key. If the platform doesn't report it, requests a list that every key may read, to check the key. */
export async function whoIs(client: PlatformClient): Promise<Whoami> {
  try {
    return await client.whoami();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.kind === "unauthorized")
      throw new Stop(
        oneLine`${error.message} Create a new API key on the platform and set ASSISTANT_FLOW_API_KEY.`,
        EXIT.unreachable,
      );
    if (error.kind !== "not-found" && error.kind !== "forbidden" && error.kind !== "unreadable") throw error;
    await client.eventCatalog();
    return {};
  }
}
