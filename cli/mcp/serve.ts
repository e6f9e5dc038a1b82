/** The Model Context Protocol on standard input and output. The protocol's library is read by this file alone. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  ResultSchema,
  RootsListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { nearest } from "../../flow";
import { visibleData, visibleLine } from "../../text";
import { StdioTransport } from "./stdio";
import type { Tool } from "./tools";

/** What the server offers, in plain values. */
export interface Offer {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly OfferedTool[];
  readonly resources: {
    list(): Promise<readonly OfferedResource[]>;
    readonly templates: readonly {
      readonly uriTemplate: string;
      readonly name: string;
      readonly description: string;
    }[];
    read(uri: string): Promise<{ readonly mimeType: string; readonly text: string } | undefined>;
  };
  readonly prompts: readonly OfferedPrompt[];
  /** What an argument of a prompt, or of the template of a resource, may become. */
  complete(
    of: { readonly prompt?: string; readonly template?: string },
    name: string,
    begun: string,
  ): Promise<string[]>;
  /** Gets a way to ask the client which folders it has open. */
  readonly connected?: (client: OpenFolders) => void;
}

/** The folders a client has open. */
export interface OpenFolders {
  /** Their addresses; undefined where the client doesn't tell. Rejects where it says that it does, and gives no list. */
  list(): Promise<readonly string[]> | undefined;
}

/** Told how much of a long call is done. */
export type Advanced = (done: number, total: number, words: string) => void;

export interface OfferedTool extends Omit<Tool, "call"> {
  /** The input fits the schema. Never rejects: what goes wrong is words for the agent. */
  call(
    input: unknown,
    advanced?: Advanced,
  ): Promise<{ readonly answer?: Record<string, unknown>; readonly text: string }>;
}

export interface OfferedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface OfferedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  text(given: Readonly<Record<string, string>>): string;
}

/** Serves until the client closes standard input, and what was asked before is answered. */
export async function serve(offer: Offer): Promise<void> {
  const server = serverFor(offer);
  let pending = 0;
  const idle = new Set<() => void>();
  const settled = () => (pending === 0 ? Promise.resolve() : new Promise<void>((resolve) => idle.add(resolve)));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification }) => {
    pending++;
    try {
      const progressToken = params._meta?.progressToken;
      const advanced: Advanced = (progress, total, message) => {
        const told = { progressToken: progressToken as string | number, progress, total, message };
        // A client that is gone is told nothing; its end ends the server.
        sendNotification({ method: "notifications/progress", params: told }).catch(() => undefined);
      };
      return await called(offer, params, progressToken === undefined ? undefined : advanced);
    } finally {
      pending--;
      if (pending === 0) for (const resolve of idle) resolve();
    }
  });
  // What isn't a message of the protocol is passed over.
  server.onerror = (error) =>
    void process.stderr.write(`assistant-flow mcp: ${visibleLine(error.message.slice(0, 200))}\n`);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    server.onclose = resolve;
  });
  await server.connect(new StdioTransport());
  await ended;
  await settled();
}

const schemas = new AjvJsonSchemaValidator();

async function called(
  offer: Offer,
  { name, arguments: input = {} }: { readonly name: string; readonly arguments?: Record<string, unknown> | undefined },
  advanced: Advanced | undefined,
) {
  const tool = offer.tools.find((each) => each.name === name);
  if (!tool) throw new McpError(ErrorCode.InvalidParams, "There is no such tool.");
  const problem = inputProblem(tool, input);
  // As an answer rather than as an error of the protocol: the agent reads it and tries again.
  if (problem !== undefined) return { content: [{ type: "text" as const, text: problem }], isError: true };
  const { answer, text } = await tool.call(input, advanced);
  const content = [{ type: "text" as const, text }];
  return answer ? { content, structuredContent: visibleData(answer) } : { content, isError: true };
}

/** What doesn't fit the schema, by the name of the property it is about. */
function inputProblem({ name, inputSchema }: OfferedTool, input: Record<string, unknown>): string | undefined {
  const { valid, errorMessage } = schemas.getValidator(inputSchema)(input);
  if (valid) return undefined;
  const { properties, required } = inputSchema as { properties: object; required: readonly string[] };
  const fields = Object.keys(properties);
  const unknown = Object.keys(input).filter((field) => !fields.includes(field));
  const missing = required.filter((field) => !Object.hasOwn(input, field));
  const wrong = [
    ...unknown.map((field) => {
      const near = nearest(field, fields);
      return `"${field}" isn't known${near === undefined ? "" : ` (did you mean "${near}"?)`}`;
    }),
    ...missing.map((field) => `"${field}" is missing`),
    ...(unknown.length + missing.length > 0 ? [] : [(errorMessage ?? "").replace(/\bdata\/?/g, "")]),
  ];
  return `The input of ${name} isn't right: ${wrong.join("; ")}. It takes ${fields.join(", ")}.`;
}

function serverFor(offer: Offer): Server {
  const { name, version, instructions, resources, prompts } = offer;
  const server = new Server(
    { name, version, title: "Assistant Flow" },
    { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: offer.tools.map(shownTool) }));
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: [...(await resources.list())] }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: resources.templates.map((each) => ({ ...each, mimeType: "text/markdown" })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const found = await resources.read(uri);
    // The protocol's own number for a resource that isn't there.
    if (!found) throw new McpError(-32002, "There is no such resource.");
    return { contents: [{ uri, ...found }] };
  });
  server.setRequestHandler(ListPromptsRequestSchema, async () => ({
    prompts: prompts.map(({ text: _, ...shown }) => ({ ...shown, arguments: [...shown.arguments] })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => {
    const prompt = prompts.find((each) => each.name === params.name);
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, "There is no such prompt.");
    const given = params.arguments ?? {};
    const missing = prompt.arguments.find((each) => each.required && !given[each.name]?.trim());
    if (missing) throw new McpError(ErrorCode.InvalidParams, `The argument "${missing.name}" is required.`);
    const content = { type: "text" as const, text: prompt.text(given) };
    return { description: prompt.description, messages: [{ role: "user" as const, content }] };
  });
  server.setRequestHandler(CompleteRequestSchema, async ({ params: { ref, argument } }) => {
    const of = ref.type === "ref/prompt" ? { prompt: ref.name } : { template: ref.uri };
    const found = await offer.complete(of, argument.name, argument.value);
    const values = found.slice(0, MAX_COMPLETIONS);
    return { completion: { values, total: found.length, hasMore: found.length > values.length } };
  });
  offer.connected?.(foldersOf(server));
  return server;
}

/** As many as the protocol allows. */
const MAX_COMPLETIONS = 100;

/** How long a client may take to say which folders it has open. */
const ROOTS_TIMEOUT_MS = 10_000;

/** Asked when they are needed, and again once the client says that they have changed. */
function foldersOf(server: Server): OpenFolders {
  let listed: Promise<readonly string[]> | undefined;
  const forget = () => {
    listed = undefined;
  };
  server.setNotificationHandler(RootsListChangedNotificationSchema, forget);
  const ask = async () => {
    // The library's own schema refuses the whole list where one folder isn't on a disk.
    const { roots } = await server.request({ method: "roots/list" }, ResultSchema, { timeout: ROOTS_TIMEOUT_MS });
    if (!Array.isArray(roots)) throw new Error("The answer has no list of roots.");
    return roots.map((root: { uri?: unknown } | null) => String(root?.uri));
  };
  return {
    list: () => {
      if (!server.getClientCapabilities()?.roots) return undefined;
      if (!listed) {
        listed = ask();
        listed.catch(forget);
      }
      return listed;
    },
  };
}

function shownTool({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  leavesMachine,
  changesPlatform,
}: OfferedTool) {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as { type: "object" },
    outputSchema: outputSchema as { type: "object" },
    annotations: {
      title,
      readOnlyHint: !changesPlatform,
      destructiveHint: changesPlatform,
      idempotentHint: !changesPlatform,
      openWorldHint: leavesMachine,
    },
  };
}
