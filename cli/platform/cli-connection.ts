/** The platform connection of a command: URLs from variables or the project file, the key from a variable or standard input. */
import { type FlowEnvironment, keyVariable, variablePart } from "../../flow/project";
import {
  addressProblem,
  type Connection,
  fetchTransport,
  keepOrigin,
  keyProblem,
  NewOrigin,
  PlatformClient,
  Secret,
  shownAddress,
} from "../../platform";
import { EXIT, Stop } from "../command";
import { environmentIn } from "../environments/projects";
import type { Terminal } from "../terminal";
import { hostTransport, isHosted } from "./host";

/** At a prompt, failing early is better than retrying for a minute. */
const PATIENCE = { patienceMs: 5_000 };

export interface KeyOptions {
  readonly keyStdin?: boolean;
  readonly allowNewOrigin?: boolean;
  /** The name of an environment in the project file. */
  readonly env?: string;
}

/** What a connection is made of: the command's input and variables, and where its project file is searched. */
type Around = Pick<Terminal, "env" | "input"> & { readonly cwd?: string };

export async function connectionOf(terminal: Around, options: KeyOptions): Promise<Connection> {
  const { ASSISTANT_FLOW_BASE_URL: baseUrl, ASSISTANT_FLOW_WORKFLOW_BASE_URL: workflowBaseUrl } = terminal.env;
  if (terminal.cwd !== undefined && (options.env !== undefined || !baseUrl)) {
    const environment = await environmentIn(terminal.cwd, options.env);
    if (environment) return environmentConnection(environment, options, terminal);
  }
  if (!baseUrl)
    throw new Stop(
      "No platform is configured. Set ASSISTANT_FLOW_BASE_URL to its URL and ASSISTANT_FLOW_API_KEY to your API key,\nor start a local one: assistant-flow sandbox --demo",
      EXIT.unreachable,
    );
  const wrong = addressProblem(baseUrl);
  if (wrong) throw new Stop(`Invalid ASSISTANT_FLOW_BASE_URL. ${wrong}`, EXIT.unreachable);
  const wrongCalling = workflowBaseUrl ? addressProblem(workflowBaseUrl) : undefined;
  if (wrongCalling) throw new Stop(`Invalid ASSISTANT_FLOW_WORKFLOW_BASE_URL. ${wrongCalling}`, EXIT.unreachable);
  const key = await keyOf(["ASSISTANT_FLOW_API_KEY"], options, terminal);
  const connection = { baseUrl, key, workflowBaseUrl: workflowBaseUrl || undefined };
  await pinned(keepOrigin(connection, terminal.env, options.allowNewOrigin));
  return connection;
}

/** The connection of an environment: its URL is from the project file, its key from a variable with its name. */
export async function environmentConnection(
  { name, url, callingUrl }: Pick<FlowEnvironment, "name" | "url" | "callingUrl">,
  options: KeyOptions,
  terminal: Around,
): Promise<Connection> {
  const problem =
    url === undefined ? "Its URL is missing." : (addressProblem(url) ?? addressProblem(callingUrl ?? url));
  if (url === undefined || problem) throw new Stop(`Environment "${name}" can't be used. ${problem}`, EXIT.unreachable);
  // VS Code makes the requests and has the keys.
  if (isHosted()) return { baseUrl: url, key: new Secret(""), workflowBaseUrl: callingUrl };
  const { env } = terminal;
  const key = await keyOf([keyVariable(name), "ASSISTANT_FLOW_API_KEY"], options, terminal);
  // Where nothing is remembered, such as in CI, these variables say which URL the key belongs to.
  const isNamedKey = options.keyStdin !== true && Boolean(env[keyVariable(name)]);
  const expectedIn = (variable: string) =>
    env[`${variable}_${variablePart(name)}`] ?? (isNamedKey ? "" : env[variable]) ?? "";
  const expected = expectedIn("ASSISTANT_FLOW_BASE_URL");
  // The project file can't add another URL to these. Commands that need no calls work without it.
  const isExpected = (address: string) =>
    [expected, expectedIn("ASSISTANT_FLOW_WORKFLOW_BASE_URL")].some((each) => isSameOrigin(each, address));
  const hasCalling = callingUrl && (!expected || options.allowNewOrigin || isExpected(callingUrl));
  const connection = { baseUrl: url, key, workflowBaseUrl: hasCalling ? callingUrl : undefined };
  const check = async () => {
    if (expected && !options.allowNewOrigin && !isSameOrigin(expected, url))
      throw new NewOrigin([shownAddress(expected)], shownAddress(url));
    await keepOrigin(connection, env, options.allowNewOrigin, true);
  };
  await pinned(check());
  return connection;
}

function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).origin === new URL(other).origin;
}

/** The key from standard input, or from the first of some variables. */
async function keyOf(variables: readonly string[], { keyStdin }: KeyOptions, terminal: Around): Promise<Secret> {
  const key = keyStdin
    ? (await terminal.input()).trim()
    : variables.map((variable) => terminal.env[variable]).find((each) => each);
  if (!key)
    throw new Stop(
      keyStdin
        ? "Standard input contains no API key."
        : `Set ${variables[0]} to your API key, or pass it with --key-stdin.`,
      EXIT.unreachable,
    );
  const problem = keyProblem(key);
  if (problem) throw new Stop(problem, EXIT.unreachable);
  return new Secret(key);
}

async function pinned(check: Promise<void>): Promise<void> {
  await check.catch((error) => {
    if (!(error instanceof NewOrigin)) throw error;
    throw new Stop(
      `${error.message}\nIf the URL is right, run the command again with --allow-new-origin.`,
      EXIT.undecided,
    );
  });
}

export async function clientOf(terminal: Terminal, options: KeyOptions): Promise<PlatformClient> {
  return clientFor(await connectionOf(terminal, options));
}

export function clientFor(connection: Connection): PlatformClient {
  const transport = isHosted() ? hostTransport(connection.baseUrl) : fetchTransport(connection);
  return new PlatformClient(transport, { retry: PATIENCE });
}
