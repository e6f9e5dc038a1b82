/** Serves the Model Context Protocol on standard input and output. Only this file loads the protocol's library. */
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
import type { Capabilities, OnProgress, OpenFolders, Tool } from "./capabilities";
import { StdioTransport } from "./stdio";

/** Serves until the client closes standard input and every earlier request is answered. */
export async function serve(offer: Capabilities): Promise<void> {
  const server = serverFor(offer);
  let pending = 0;
  const idle = new Set<() => void>();
  const settled = () => (pending === 0 ? Promise.resolve() : new Promise<void>((resolve) => idle.add(resolve)));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification }) => {
    pending++;
    try {
      const progressToken = params._meta?.progressToken;
      const onProgress: OnProgress = (progress, total, message) => {
        const notification = { progressToken: progressToken as string | number, progress, total, message };
        // Errors are ignored: if the client has exited, the server stops too.
        sendNotification({ method: "notifications/progress", params: notification }).catch(() => undefined);
      };
      return await called(offer, params, progressToken === undefined ? undefined : onProgress);
    } finally {
      pending--;
      if (pending === 0) for (const resolve of idle) resolve();
    }
  });
  // Invalid messages are logged and skipped.
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
  offer: Capabilities,
  { name, arguments: input = {} }: { readonly name: string; readonly arguments?: Record<string, unknown> | undefined },
  onProgress: OnProgress | undefined,
) {
  const tool = offer.tools.find((each) => each.name === name);
  if (!tool) throw new McpError(ErrorCode.InvalidParams, "Unknown tool.");
  const problem = inputProblem(tool, input);
  // Returned as a result instead of a protocol error, so that the agent reads it and retries.
  if (problem !== undefined) return { content: [{ type: "text" as const, text: problem }], isError: true };
  const { answer, text } = await offer.call(tool, input, onProgress);
  const content = [{ type: "text" as const, text }];
  return answer ? { content, structuredContent: visibleData(answer) } : { content, isError: true };
}

/** Explains why an input is invalid, by property. */
function inputProblem({ name, inputSchema }: Tool, input: Record<string, unknown>): string | undefined {
  const { valid, errorMessage } = schemas.getValidator(inputSchema)(input);
  if (valid) return undefined;
  const { properties, required } = inputSchema as {
    properties: Record<string, { enum?: readonly string[] }>;
    required: readonly string[];
  };
  const fields = Object.keys(properties);
  const named = (_: string, field: string) => `${field} must be one of ${properties[field]?.enum?.join(", ")}`;
  const unknown = Object.keys(input).filter((field) => !fields.includes(field));
  const missing = required.filter((field) => !Object.hasOwn(input, field));
  const wrong = [
    ...unknown.map((field) => {
      const near = nearest(field, fields);
      return `unknown property "${field}"${near === undefined ? "" : ` (did you mean "${near}"?)`}`;
    }),
    ...missing.map((field) => `"${field}" is missing`),
    ...(unknown.length + missing.length > 0
      ? []
      : [(errorMessage ?? "").replace(/\bdata\/?/g, "").replace(ONE_OF, named)]),
  ];
  return `Invalid input for ${name}: ${wrong.join("; ")}. Expected properties: ${fields.join(", ")}.`;
}

const ONE_OF = /^(\w+) must be equal to one of the allowed values$/;

function serverFor(offer: Capabilities): Server {
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
    // The protocol's error code for a missing resource.
    if (!found) throw new McpError(-32002, "Unknown resource.");
    return { contents: [{ uri, ...found }] };
  });
  server.setRequestHandler(ListPromptsRequestSchema, async () => ({
    prompts: prompts.map(({ text: _, ...shown }) => ({ ...shown, arguments: [...shown.arguments] })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => {
    const prompt = prompts.find((each) => each.name === params.name);
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, "Unknown prompt.");
    const given = params.arguments ?? {};
    const missing = prompt.arguments.find((each) => each.required && !given[each.name]?.trim());
    if (missing) throw new McpError(ErrorCode.InvalidParams, `Argument "${missing.name}" is required.`);
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

/** The protocol's limit. */
const MAX_COMPLETIONS = 100;

const ROOTS_TIMEOUT_MS = 10_000;

/** Requested on demand, and again after the client reports a change. */
function foldersOf(server: Server): OpenFolders {
  let listed: Promise<readonly string[]> | undefined;
  const forget = () => {
    listed = undefined;
  };
  server.setNotificationHandler(RootsListChangedNotificationSchema, forget);
  const ask = async () => {
    // `ResultSchema`, because the library's own schema rejects the whole list if one folder isn't on disk.
    const { roots } = await server.request({ method: "roots/list" }, ResultSchema, { timeout: ROOTS_TIMEOUT_MS });
    if (!Array.isArray(roots)) throw new Error("The response has no list of roots.");
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

function shownTool({ name, title, description, inputSchema, outputSchema, leavesMachine, changesPlatform }: Tool) {
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
