/** Sends requests: through the client if it has the key, otherwise directly with the key of the environment. */
import { reasonOf } from "../../files";
import {
  connectionFromEnvironment,
  fetchTransport,
  keepOrigin,
  NewOrigin,
  type Transport,
  TransportError,
  transportBy,
} from "../../platform";
import { noConnection } from "../../sync";
import { t } from "../../text";
import type { ServerContext } from "../context";
import { ask, SendRequest } from "../messages";

export interface PlatformLink {
  readonly transport: Transport;
  /** The URL of the platform; undefined if there is no connection. */
  readonly address: string | undefined;
}

/**
 * Sends every request through the client, which alone has the key. It names the platform, because the client may have
 * switched to another one in the meantime. `isAnyAllowed`, which is asked for every request, allows connections other
 * than the active one.
 */
export function clientLink(
  connection: ServerContext["connection"],
  address: string | undefined,
  isAnyAllowed = () => false,
): PlatformLink {
  const transport = transportBy(async (request, { timeoutMs, signal }) => {
    if (address === undefined) throw new TransportError("no-connection", noConnection());
    const anyConnection = isAnyAllowed() || undefined;
    const asked = ask(connection, SendRequest, { address, request, timeoutMs, anyConnection });
    return withSignal(asked.catch(lost), signal);
  });
  return { transport, address };
}

/** The link of a session. If the project file lists its flow later, other connections are allowed from then on. */
export function sessionLink(
  { connection, options }: ServerContext,
  direct: PlatformLink | undefined,
  address: string,
  isListed: () => boolean,
): PlatformLink {
  return options.clientTransport ? clientLink(connection, address, isListed) : (direct as PlatformLink);
}

/** The client ended or failed: the request may or may not have been sent. */
function lost(error: Error): never {
  throw new TransportError("reset", t("The editor couldn't finish the request: {0}", reasonOf(error)));
}

export function environmentLink(env: Readonly<Record<string, string | undefined>>): PlatformLink | undefined {
  const connection = connectionFromEnvironment(env);
  if (!connection) return undefined;
  const direct = fetchTransport(connection);
  const transport: Transport = {
    async send(request, options) {
      await keepOrigin(connection, env).catch((error) => {
        if (!(error instanceof NewOrigin)) throw error;
        const remedy = 'If the URL is right, run "assistant-flow login --allow-new-origin" once.';
        throw new TransportError("insecure-address", `${error.message} ${remedy}`);
      });
      return direct.send(request, options);
    },
  };
  return { transport, address: connection.baseUrl };
}

function withSignal<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const stop = () => reject(new TransportError("cancelled", "The request is no longer needed."));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
