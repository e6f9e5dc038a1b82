/** The Model Context Protocol on standard input and output. The protocol's library is read by this file alone. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
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
  /** Gets a way to ask the client which folders it has open. */
  readonly connected?: (client: OpenFolders) => void;
}

/** The folders a client has open. */
export interface OpenFolders {
  /** Their addresses; undefined where the client doesn't tell. Rejects where it says that it does, and gives no list. */
  list(): Promise<readonly string[]> | undefined;
}

export interface OfferedTool extends Omit<Tool, "call"> {
  /** The input fits the schema. Never rejects: what goes wrong is words for the agent. */
  call(input: unknown): Promise<{ readonly answer?: Record<string, unknown>; readonly text: string }>;
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
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    pending++;
    try {
      return await called(offer, params.name, params.arguments);
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

async function called(offer: Offer, name: string, input: unknown = {}) {
  const tool = offer.tools.find((each) => each.name === name);
  if (!tool) throw new McpError(ErrorCode.InvalidParams, "There is no such tool.");
  const { valid, errorMessage } = schemas.getValidator(tool.inputSchema)(input);
  // As an answer rather than as an error of the protocol: the agent reads it and tries again.
  if (!valid) {
    const fields = Object.keys((tool.inputSchema as { properties: object }).properties);
    const wrong = errorMessage?.replace(/^data/, "it").replaceAll(", data", ", it");
    const text = `The input isn't right: ${wrong}. It takes ${fields.join(", ")}.`;
    return { content: [{ type: "text" as const, text }], isError: true };
  }
  const { answer, text } = await tool.call(input);
  const content = [{ type: "text" as const, text }];
  return answer ? { content, structuredContent: visibleData(answer) } : { content, isError: true };
}

function serverFor(offer: Offer): Server {
  const { name, version, instructions, resources, prompts } = offer;
  const server = new Server(
    { name, version, title: "Assistant Flow" },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
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
  offer.connected?.(foldersOf(server));
  return server;
}

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
