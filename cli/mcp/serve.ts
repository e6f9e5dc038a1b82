/** The Model Context Protocol on standard input and output. The protocol's library is read by this file alone. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
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
  RootsListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
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
  /** Called with the folders the client has open, where it tells: at the start and whenever they change. */
  readonly rootsChanged?: (uris: Promise<readonly string[] | undefined>) => void;
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
  server.onerror = (error) => void process.stderr.write(`assistant-flow mcp: ${error.message.slice(0, 200)}\n`);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport());
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
  return answer ? { content, structuredContent: answer } : { content, isError: true };
}

function serverFor(offer: Offer): Server {
  const { name, version, instructions, resources, prompts, rootsChanged } = offer;
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
  if (rootsChanged) {
    const ask = () => {
      if (!server.getClientCapabilities()?.roots) return;
      rootsChanged(
        server.listRoots().then(
          ({ roots }) => roots.map(({ uri }) => uri),
          () => undefined,
        ),
      );
    };
    server.oninitialized = ask;
    server.setNotificationHandler(RootsListChangedNotificationSchema, ask);
  }
  return server;
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
