/** The platform connection of a command: URLs from the environment, the key from there or from standard input. */
import {
  addressProblem,
  type Connection,
  fetchTransport,
  keepOrigin,
  keyProblem,
  NewOrigin,
  PlatformClient,
  Secret,
} from "../../platform";
import { EXIT, Stop } from "../command";
import type { Terminal } from "../terminal";

/** At a prompt, failing early is better than retrying for a minute. */
export const PATIENCE = { patienceMs: 5_000 };

export interface KeyOptions {
  readonly keyStdin?: boolean;
  readonly allowNewOrigin?: boolean;
}

export async function connectionOf(
  terminal: Pick<Terminal, "env" | "input">,
  { keyStdin, allowNewOrigin }: KeyOptions,
): Promise<Connection> {
  const { ASSISTANT_FLOW_BASE_URL: baseUrl, ASSISTANT_FLOW_WORKFLOW_BASE_URL: workflowBaseUrl } = terminal.env;
  if (!baseUrl)
    throw new Stop(
      "No platform is configured. Set ASSISTANT_FLOW_BASE_URL to its URL and ASSISTANT_FLOW_API_KEY to your API key,\nor start a local one: assistant-flow sandbox --demo",
      EXIT.unreachable,
    );
  const wrong = addressProblem(baseUrl);
  if (wrong) throw new Stop(`Invalid ASSISTANT_FLOW_BASE_URL. ${wrong}`, EXIT.unreachable);
  const wrongCalling = workflowBaseUrl ? addressProblem(workflowBaseUrl) : undefined;
  if (wrongCalling) throw new Stop(`Invalid ASSISTANT_FLOW_WORKFLOW_BASE_URL. ${wrongCalling}`, EXIT.unreachable);
  const key = keyStdin ? (await terminal.input()).trim() : terminal.env.ASSISTANT_FLOW_API_KEY;
  if (!key)
    throw new Stop(
      keyStdin
        ? "Standard input contains no API key."
        : "Set ASSISTANT_FLOW_API_KEY to your API key, or pass it with --key-stdin.",
      EXIT.unreachable,
    );
  const problem = keyProblem(key);
  if (problem) throw new Stop(problem, EXIT.unreachable);
  const connection = { baseUrl, key: new Secret(key), ...(workflowBaseUrl ? { workflowBaseUrl } : {}) };
  await keepOrigin(connection, terminal.env, allowNewOrigin).catch((error) => {
    if (!(error instanceof NewOrigin)) throw error;
    throw new Stop(
      `${error.message}\nIf the URL is right, run the command again with --allow-new-origin.`,
      EXIT.undecided,
    );
  });
  return connection;
}

export async function clientOf(terminal: Terminal, options: KeyOptions): Promise<PlatformClient> {
  return new PlatformClient(fetchTransport(await connectionOf(terminal, options)), { retry: PATIENCE });
}
