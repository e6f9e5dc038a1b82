/** A coding agent, using the protocol's own client library with the bundled command line over stdio. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { JsonSchemaType, JsonSchemaValidator } from "@modelcontextprotocol/sdk/validation";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
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
  /** Folders that the client has open. */
  readonly roots?: readonly string[];
}

const ajv = new AjvJsonSchemaValidator();
const validators = new Map<string, JsonSchemaValidator<unknown>>();

/** Compiles each schema of a result once: all agents have the same tools, and compiling takes as long as starting the server. */
function validatorOf<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
  const key = JSON.stringify(schema);
  const validator = validators.get(key) ?? ajv.getValidator(schema);
  validators.set(key, validator);
  return validator as JsonSchemaValidator<T>;
}

let bundled: ReturnType<typeof bundleCli> | undefined;

/** Call after all agents have ended. */
export async function removeBundle(): Promise<void> {
  (await bundled)?.remove();
}

export async function startAgent({ cwd, args = [], env = {}, roots }: Start): Promise<Agent> {
  bundled ??= bundleCli();
  const { path } = await bundled;
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: roots ? { roots: { listChanged: true } } : {},
      jsonSchemaValidator: { getValidator: validatorOf },
    },
  );
  if (roots)
    client.setRequestHandler(ListRootsRequestSchema, async () => ({
      roots: roots.map((folder) => ({ uri: `file://${folder}` })),
    }));
  const command = { command: process.execPath, args: [`${process.cwd()}/${path}`, "mcp", ...args] };
  await client.connect(
    new StdioClientTransport({ ...command, cwd, env: { PATH: process.env.PATH ?? "", ...env }, stderr: "pipe" }),
  );
  // After listing the tools, the client validates every result against their schemas.
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

/** The content between the fences of a result. */
export function between(text: string): unknown {
  const found = /^Data from files and the platform, [^\n]+\n```json\n([^\n]+)\n```$/.exec(text);
  if (!found) throw new Error(`Not fenced: ${text.slice(0, 300)}`);
  return JSON.parse(found[1] as string);
}
