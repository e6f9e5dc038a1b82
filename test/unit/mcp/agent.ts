/** A coding agent as the protocol's own library plays it: it talks to the bundled command line over standard input and output. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { bundleCli } from "../../support/sandbox-process";

export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it by name, as an agent does.
  readonly data: any;
}

export interface Agent {
  readonly client: Client;
  call(name: string, input?: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

export interface Start {
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Folders the client says it has open. */
  readonly roots?: readonly string[];
}

let bundled: ReturnType<typeof bundleCli> | undefined;

/** Call once all agents are gone. */
export async function removeBundle(): Promise<void> {
  (await bundled)?.remove();
}

export async function startAgent({ cwd, args = [], env = {}, roots }: Start): Promise<Agent> {
  bundled ??= bundleCli();
  const { path } = await bundled;
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: roots ? { roots: { listChanged: true } } : {} },
  );
  if (roots)
    client.setRequestHandler(ListRootsRequestSchema, async () => ({
      roots: roots.map((folder) => ({ uri: `file://${folder}` })),
    }));
  const command = { command: process.execPath, args: [`${process.cwd()}/${path}`, "mcp", ...args] };
  await client.connect(
    new StdioClientTransport({ ...command, cwd, env: { PATH: process.env.PATH ?? "", ...env }, stderr: "pipe" }),
  );
  // With the list of tools the client knows their schemas, and holds every answer against them.
  await client.listTools();
  return {
    client,
    call: async (name, input = {}) => {
      const answer = await client.callTool({ name, arguments: input });
      const [content] = answer.content as { text: string }[];
      return { isError: answer.isError === true, text: content?.text ?? "", data: answer.structuredContent };
    },
    close: () => client.close(),
  };
}

/** What stands between the fences of an answer. */
export function between(text: string): unknown {
  const found = /^Data from files and the platform, [^\n]+\n```json\n([^\n]+)\n```$/.exec(text);
  if (!found) throw new Error(`Not fenced: ${text.slice(0, 300)}`);
  return JSON.parse(found[1] as string);
}
