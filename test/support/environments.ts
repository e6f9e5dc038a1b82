/**
 * Environments for tests: a sandbox for each, behind a server that gives the demo's flow other IDs. So IDs are
 * disjoint, and every request is recorded with its key.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { FlowDocument, type Graph, type GraphOp, graphFromWire, graphOf, plan } from "../../flow";
import { fetchTransport, type GraphResult, PlatformClient, Secret } from "../../platform";
import { startSandbox } from "../../sandbox";

export interface TestEnvironment {
  readonly name: string;
  readonly url: string;
  readonly callingUrl: string;
  readonly key: string;
  readonly assistant: string;
  readonly revision: string;
  /** The value of a name. */
  id(name: string): string;
  /** Method, path, key and body of every request. */
  readonly requests: { readonly line: string; readonly key: string; readonly body: string }[];
  /** Answers nothing while true. */
  isDown: boolean;
  /** Reads return no graph while true. */
  hidesGraph: boolean;
  graph(): Promise<{ readonly graph: Graph; readonly version: number }>;
  /** Another user's edit on the platform. */
  apply(...ops: GraphOp[]): Promise<void>;
  /** Replaces the flow on the platform. */
  set(text: string): Promise<void>;
  stop(): Promise<void>;
}

/** A UUID that only this environment has. */
function idIn(name: string, what: string): string {
  const hex = Buffer.from(`${name}/${what}`.padEnd(16, "~")).toString("hex").padEnd(32, "0");
  const tail = Buffer.from(`${what}/${name}`.padStart(16, "~")).toString("hex");
  const mixed = Array.from({ length: 32 }, (_, i) =>
    (Number.parseInt(hex[i] as string, 16) ^ ((Number.parseInt(tail[31 - i] as string, 16) * 3 + i) % 16)).toString(16),
  ).join("");
  return mixed.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export async function startEnvironment(name: string): Promise<TestEnvironment> {
  // Compiles finish at once, so reads never lag.
  const sandbox = await startSandbox({ demo: true, clockSpeed: 100_000 });
  const demo = sandbox.demo as { assistant: string; revision: string };
  const [assistant, revision] = [idIn(name, "assistant"), idIn(name, "revision")];
  const outward = (text: string) => text.replaceAll(demo.assistant, assistant).replaceAll(demo.revision, revision);
  const inward = (text: string) => text.replaceAll(assistant, demo.assistant).replaceAll(revision, demo.revision);
  const requests: { line: string; key: string; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (some: string) => {
      body += some;
    });
    request.on("end", async () => {
      const key = (request.headers["x-api-key"] ?? request.headers.authorization ?? "") as string;
      requests.push({ line: `${request.method} ${request.url}`, key, body });
      if (environment.isDown) return request.socket.destroy();
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(
          ([header]) => !["host", "content-length", "connection"].includes(header),
        ),
      ) as Record<string, string>;
      const answer = await fetch(`${sandbox.baseUrl}${inward(request.url ?? "")}`, {
        method: request.method as string,
        headers,
        ...(body ? { body: inward(body) } : {}),
      });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
      const text = await answer.text();
      if (request.method === "POST" && answer.ok) answered(JSON.parse(text) as GraphResult);
      const hides = request.method === "GET" && environment.hidesGraph;
      response.end(outward(hides ? text.replaceAll('"compiled_graph":', '"hidden_graph":') : text));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new PlatformClient(fetchTransport({ baseUrl: sandbox.baseUrl, key: new Secret(sandbox.apiKey) }));
  /** From the last answer to a batch, because a compiled graph lags. */
  let latest: { graph: Graph; version: number } | undefined;
  const answered = ({ validation, graph_version: version }: GraphResult) => {
    const seen = graphFromWire(validation?.normalized_graph);
    if (seen && version !== undefined) latest = { graph: seen, version };
  };
  const graph = async () => {
    if (latest) return latest;
    const read = await client.getWorkflowRevision(demo.revision);
    return { graph: graphFromWire(read.compiled_graph) as Graph, version: read.graph_version as number };
  };
  const apply = async (...ops: GraphOp[]) => {
    answered(await client.applyGraphOps(demo.assistant, demo.revision, { ops }));
  };
  const environment: TestEnvironment = {
    name,
    url,
    callingUrl: sandbox.workflowBaseUrl,
    key: sandbox.apiKey,
    assistant,
    revision,
    id: (what) => idIn(name, what),
    requests,
    isDown: false,
    hidesGraph: false,
    graph,
    apply,
    async set(text) {
      const { ops } = plan((await graph()).graph, graphOf(FlowDocument.read(text)));
      if (ops.length > 0) await apply(...ops.map(({ op }) => op));
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await sandbox.stop();
    },
  };
  return environment;
}

/** A flow that uses the names of `projectText`. */
export const NAMED_FLOW = `entry: greet
nodes:
  greet:
    type: message
    instructions: Hello. # friendly
    edges: [{to: find}]
  find:
    type: tool
    tool: $look_up # by name
    edges:
      - {to: done}
      - {to: hand_over, on: error}
  hand_over:
    type: transfer
    destination: $front_desk
  done: {type: end}
`;

/** The text of a project file with these environments, each with one flow and two names. */
export function projectText(
  environments: readonly TestEnvironment[],
  flow: string,
  guarded: readonly string[] = [],
): string {
  const parts = environments.map(
    ({ name, url, assistant, revision, id }) => `  ${name}:
    url: ${url}
${guarded.includes(name) ? "    protected: true\n" : ""}    flows:
      ${flow}: {assistant: ${assistant}, revision: ${revision}}
    names:
      look_up: ${id("look_up")} # the tool
      front_desk: "+1555${String(name.length).padStart(2, "0")}${name.charCodeAt(0)}"
`,
  );
  return `default: ${environments[0]?.name}\nenvironments:\n${parts.join("")}`;
}

export function keysOf(environments: readonly TestEnvironment[]): Record<string, string> {
  return Object.fromEntries(environments.map(({ name, key }) => [`ASSISTANT_FLOW_API_KEY_${name.toUpperCase()}`, key]));
}
