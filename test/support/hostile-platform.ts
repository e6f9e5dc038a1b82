/**
 * A small platform on loopback with one graph that can be made to misbehave. It doesn't share code with the product's
 * sync.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { applyOps, type Graph, type GraphEdge, type GraphOp, graphFromWire, graphToWire } from "../../flow";

export interface Behavior {
  /** A batch is answered but not applied, or only the operations for which this is false are. */
  readonly ignores?: (op: GraphOp) => boolean;
  /** A batch without effect still makes a version. */
  readonly countsAll?: boolean;
  /** The version never changes. */
  readonly isStuck?: boolean;
  /** By how much the version increases; 1 by default. */
  readonly step?: () => number;
  /** The value of `updated` in the response, instead of the real one; null leaves it out. */
  readonly updated?: boolean | null;
  /** The platform's own ID for an added edge. */
  readonly nameOfEdge?: (edge: GraphEdge, number: number) => string;
  /** How the platform stores an added edge. */
  readonly formOfEdge?: (edge: GraphEdge) => GraphEdge;
  /** Changes the whole graph after each batch. */
  readonly afterBatch?: (graph: Graph) => Graph;
  /** A read returns an invalid graph. */
  readonly isUnreadable?: boolean;
  /** Changes the graph in reads and answers. */
  readonly shows?: (graph: Graph) => Graph;
}

export const ASSISTANT = "11111111-1111-4111-8111-111111111111";
export const REVISION = "22222222-2222-4222-8222-222222222222";

export class HostilePlatform {
  behavior: Behavior = {};
  version = 1;
  /** `GET`, or `POST` with the operations of the batch. */
  readonly requests: string[] = [];
  #names = 0;
  readonly #server: Server;

  private constructor(public graph: Graph) {
    this.#server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      request.on("end", () => {
        const answer = request.method === "POST" ? this.#post(JSON.parse(body)) : this.#get();
        response.writeHead("detail" in answer ? 422 : 200, { "content-type": "application/json" });
        response.end(JSON.stringify(answer));
      });
    });
  }

  static async start(graph: Graph): Promise<HostilePlatform> {
    const platform = new HostilePlatform(graph);
    await new Promise<void>((resolve) => platform.#server.listen(0, "127.0.0.1", resolve));
    return platform;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  readonly apiKey = "sk_test_hostile";

  environment(stateDir: string): Record<string, string> {
    return {
      ASSISTANT_FLOW_BASE_URL: this.baseUrl,
      ASSISTANT_FLOW_WORKFLOW_BASE_URL: this.baseUrl,
      ASSISTANT_FLOW_API_KEY: this.apiKey,
      ASSISTANT_FLOW_STATE_DIR: stateDir,
    };
  }

  /** The requests since the last call. */
  taken(): string[] {
    return this.requests.splice(0);
  }

  /** Another user, or the platform itself, changes the graph. */
  put(graph: Graph): void {
    this.graph = graph;
    if (!this.behavior.isStuck) this.version += this.behavior.step?.() ?? 1;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #post({ ops }: { ops: GraphOp[] }): object {
    this.requests.push(`POST ${ops.map(({ op }) => op).join(" ")}`);
    const { ignores, countsAll, updated, nameOfEdge, formOfEdge, afterBatch } = this.behavior;
    const taken = ops
      .filter((op) => !ignores?.(op))
      .map((op): GraphOp => {
        if (op.op !== "add_edge") return op;
        const id = nameOfEdge?.(op.edge, ++this.#names) ?? op.edge.id;
        return { ...op, edge: { ...(formOfEdge?.(op.edge) ?? op.edge), id } };
      });
    const { graph, problem } = applyOps(this.graph, taken);
    if (!graph) return { detail: [{ loc: ["body", "ops", problem.index], msg: problem.message, type: "value_error" }] };
    const hasChanged = taken.length > 0;
    if (hasChanged || countsAll) this.put(afterBatch?.(graph) ?? graph);
    const said = updated === undefined ? hasChanged : updated;
    return {
      ...(said === null ? {} : { updated: said }),
      graph_version: this.version,
      workflow_enabled: true,
      validation: { valid: true, findings: [], normalized_graph: graphToWire(this.#shown()) },
    };
  }

  #get(): object {
    this.requests.push("GET");
    return {
      id: REVISION,
      graph_version: this.version,
      compilation_status: "succeeded",
      compiled_graph: {
        ...graphToWire(this.#shown()),
        graph_version: this.version,
        ...(this.behavior.isUnreadable ? { nodes: [{ id: 7 }] } : {}),
      },
    };
  }

  #shown(): Graph {
    const shown = this.behavior.shows?.(this.graph) ?? this.graph;
    return graphFromWire(JSON.parse(JSON.stringify(graphToWire(shown)))) as Graph;
  }
}
