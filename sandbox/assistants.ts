/** Assistants and their flows: applying and validating batches of operations, compiling, restoring. */
import { applyOps, type Graph, type GraphOp, type GraphVariable, graphToWire, isUuid } from "../flow";
import type { Assistant, AssistantRevision, GraphResult, WorkflowRevision } from "../platform";
import { randomUuid, sha256 } from "../system";
import type { Asked } from "./api";
import type { Clock } from "./clock";
import { invalid, refuse } from "./http/answer";
import { type NormalForm, normalizingOps } from "./normalize";
import type { CompilePlan, FlowRecord } from "./storage/records";
import type { Change, FlowGraphs, Store } from "./storage/store";
import { type Verdict, validate } from "./validator/validator";

/** The response to a batch whose `base_version` isn't the current version, which isn't documented. */
export const MISMATCH_BEHAVIORS = ["409", "412", "422", "apply", "ignore"] as const;
export type MismatchBehavior = (typeof MISMATCH_BEHAVIORS)[number];

/** The delay and the duration of a compilation, in sandbox time. */
const COMPILE_WAITS = 300;
const COMPILE_WORKS = 1200;
const SLOW_COMPILE_WORKS = 60_000;

/** What a compile does: `fail` adds an error to a graph without errors, `slow` takes a minute. */
export type CompileBehavior = (typeof COMPILE_BEHAVIORS)[number];
export const COMPILE_BEHAVIORS = ["ok", "fail", "slow"] as const;

export class Assistants {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly onMismatch: MismatchBehavior,
    private readonly forms: readonly NormalForm[] = [],
    private readonly compile: CompileBehavior = "ok",
  ) {}

  applyGraphOps({ params, body }: Asked<"applyGraphOps">): GraphResult {
    const flow = this.#flowOf(uuidParam("agent_id", params.agent_id), uuidParam("revision_id", params.revision_id));
    const current = this.store.graphs(flow.id, this.clock.now()).current;
    if (body.base_version !== undefined && body.base_version !== flow.graph_version) {
      const ignored = this.#mismatch(body.base_version, flow);
      if (ignored) return this.#result(flow.id, validate(current), false);
    }
    const asked = body.ops as readonly GraphOp[];
    const { graph: written, problem } = applyOps(current, asked);
    if (problem)
      throw invalid([
        {
          loc: ["body", "ops", problem.index, ...problem.path],
          msg: problem.message,
          type: PROBLEM_TYPES[problem.kind],
          ctx: { op: asked[problem.index]?.op },
        },
      ]);
    const normalizing = normalizingOps(written, this.forms);
    const graph = normalizing.length === 0 ? written : (applyOps(written, normalizing).graph as Graph);
    const verdict = validate(graph);
    const compile = planCompile(graph, verdict, this.clock.now(), this.compile);
    this.store.commit([{ edit: flow.id, graph, compile }]);
    return this.#result(flow.id, verdict, true);
  }

  readRevision(id: string): WorkflowRevision {
    const flow = this.store.get("flows", id);
    if (!flow) throw refuse(404, "not_found", "No workflow revision has this ID.");
    return this.#revision(flow);
  }

  restore({ params }: Asked<"restoreAssistant">): Assistant {
    const record = this.store.get("assistants", uuidParam("agent_id", params.agent_id));
    if (!record) throw refuse(404, "not_found", "No assistant has this ID.");
    if (!record.archived) throw refuse(409, "not_archived", "This assistant isn't archived.");
    const assistant = { ...record.assistant, updated_at: this.clock.iso() };
    this.store.commit([{ put: "assistants", id: assistant.id, value: { archived: false, assistant } }]);
    return this.#shown(assistant);
  }

  #flowOf(agent: string, revision: string): FlowRecord {
    const assistant = this.store.get("assistants", agent);
    if (!assistant) throw refuse(404, "not_found", "No assistant has this ID.");
    const flow = this.store.get("flows", revision);
    if (!flow || flow.agent_id !== agent)
      throw refuse(404, "not_found", "This assistant has no revision with this ID.");
    if (assistant.archived) throw refuse(409, "assistant_archived", "This assistant is archived. Restore it first.");
    return flow;
  }

  /** Whether the batch is silently ignored. */
  #mismatch(asked: number, flow: FlowRecord): boolean {
    const message = `The graph is at version ${flow.graph_version}, not ${asked}.`;
    switch (this.onMismatch) {
      case "409":
        throw refuse(409, "version_conflict", message, { retryable: false });
      case "412":
        throw refuse(412, "precondition_failed", message, { retryable: false });
      case "422":
        throw invalid([
          {
            loc: ["body", "base_version"],
            msg: message,
            type: "version_mismatch",
            input: asked,
            ctx: { graph_version: flow.graph_version },
          },
        ]);
      default:
        return this.onMismatch === "ignore";
    }
  }

  #result(id: string, verdict: Verdict, updated: boolean): GraphResult {
    const flow = this.store.get("flows", id) as FlowRecord;
    return {
      updated,
      validation: verdict,
      workflow_enabled: flow.workflow_enabled,
      revision: this.#revision(flow),
      graph_version: flow.graph_version,
      blocking_error_count: verdict.blocking_error_count,
    };
  }

  #revision(flow: FlowRecord): WorkflowRevision {
    const now = this.clock.now();
    const { compiled, executable } = this.store.graphs(flow.id, now);
    const compile = flow.compile;
    const done = compile !== undefined && now >= compile.done_at;
    // The warnings depend only on the graph, so they aren't stored.
    const warnings = done && compiled ? linesOf(validate(compiled.graph), "warning") : [];
    return {
      ...flow.revision,
      id: flow.id,
      graph_version: flow.graph_version,
      updated_at: flow.updated_at,
      compilation_status: compilationStatus(compile, now),
      compilation_errors: done ? [...compile.errors] : [],
      warnings: [...warnings],
      ...(done && compiled ? { quality_report: qualityReport(compiled.graph, compile, warnings.length) } : {}),
      ...(compile ? { compilation_task_id: compile.task_id, compilation_input_hash: compile.input_hash } : {}),
      compiled_graph: compiled && shownVersion(compiled),
      executable_graph: executable && shownVersion(executable),
    };
  }

  /** The active revision includes the persona and the variables of its flow. */
  #shown(assistant: Assistant & { readonly active_revision_id: string }): Assistant {
    const graph = this.store.graphs(assistant.active_revision_id, this.clock.now()).current;
    return {
      ...assistant,
      active_revision: {
        ...assistant.active_revision,
        ...(graph.persona === undefined ? {} : { persona: graph.persona }),
        context_variables: [...graph.variables.values()].map(shownVariable),
      },
    };
  }
}

/** A variable in the form of assistant revisions; undocumented fields are only in the graph. */
function shownVariable(variable: GraphVariable): NonNullable<AssistantRevision["context_variables"]>[number] {
  const { name, type, source, enum_values, reask_cap, description } = variable;
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    name,
    type: text(type),
    source: text(source),
    enum_values: Array.isArray(enum_values) ? enum_values.flatMap((value) => text(value) ?? []) : undefined,
    reask_cap: Number.isInteger(reask_cap) ? (reask_cap as number) : undefined,
    description: text(description),
  };
}

const PROBLEM_TYPES = {
  missing: "missing",
  "wrong-type": "type_error",
  unknown: "not_found",
  exists: "already_exists",
} as const;

/** The change that sets the graph of a flow, for the demo. */
export function firstGraph(flow: string, graph: Graph, at: number): Change {
  return { edit: flow, graph, compile: planCompile(graph, validate(graph), at - 60_000) };
}

function planCompile(graph: Graph, verdict: Verdict, at: number, behavior: CompileBehavior = "ok"): CompilePlan {
  const works = behavior === "slow" ? SLOW_COMPILE_WORKS : COMPILE_WORKS;
  const errors = verdict.blocking_error_count > 0 ? linesOf(verdict, "error") : [];
  return {
    task_id: randomUuid(),
    input_hash: sha256(JSON.stringify(graphToWire(graph))),
    starts_at: at + COMPILE_WAITS,
    done_at: at + COMPILE_WAITS + works,
    errors: behavior === "fail" && errors.length === 0 ? [failureOf(graph)] : errors,
  };
}

/** The error of `--compile fail`. It names a node, as a real one would. */
function failureOf(graph: Graph): string {
  const [node] = graph.nodes.keys();
  return node === undefined ? "The flow can't be compiled." : `Node "${node}" can't be compiled.`;
}

function qualityReport(graph: Graph, { errors }: CompilePlan, warnings: number): Record<string, unknown> {
  return {
    nodes: graph.nodes.size,
    edges: graph.edges.size,
    variables: graph.variables.size,
    errors: errors.length,
    warnings,
  };
}

function linesOf({ findings }: Verdict, severity: string): readonly string[] {
  return findings
    .filter((finding) => finding.severity === severity)
    .map((finding) => `${finding.rule_id}: ${finding.message}`);
}

/** `graph_version` is the version that a compiled graph was made from, which may be older than the current one. */
function shownVersion({ graph, version }: NonNullable<FlowGraphs["compiled"]>): Record<string, unknown> {
  return { graph_version: version, ...graphToWire(graph) };
}

function compilationStatus(compile: CompilePlan | undefined, now: number): string {
  if (!compile) return "not_started";
  if (now < compile.starts_at) return "pending";
  if (now < compile.done_at) return "running";
  return compile.errors.length === 0 ? "succeeded" : "failed";
}

function uuidParam(name: string, value: string): string {
  if (isUuid(value)) return value.toLowerCase();
  throw invalid([{ loc: ["path", name], msg: "Input should be a valid UUID", type: "uuid_parsing", input: value }]);
}
