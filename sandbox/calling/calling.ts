/** Outbound calling: workflows, executions, calls. */
import {
  type Call,
  type CallInquiry,
  type CallingWorkflow,
  type CallPage,
  limits,
  type WorkflowExecution,
  type WorkflowPage,
} from "../../platform";
import { randomUuid } from "../../system";
import type { Asked } from "../api";
import type { Clock } from "../clock";
import { invalid, refuse } from "../http/answer";
import type { Change, Store } from "../storage/store";
import { linkedProgram, programById } from "../talk/linked";
import { type SimulatedCall, simulateCall } from "../talk/simulate";
import { callAt, executionAt, type Lead, planCall, planExecution } from "./life";

const CALLS_PER_PAGE = 25;

export class Calling {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  listWorkflows({ query }: Asked<"listWorkflows">): WorkflowPage {
    const limit = query.limit === undefined ? limits.workflowsPerPage.default : Number(query.limit);
    const wanted = [...this.store.all("workflows")].filter(
      (workflow) => query.active === undefined || String(workflow.active) === query.active,
    );
    // The cursor is the last item of the previous page, which may no longer match the filter but is never removed.
    let start = 0;
    if (query.cursor !== undefined) {
      const after = this.store.get("workflows", query.cursor);
      if (!after)
        throw invalid([
          {
            loc: ["query", "cursor"],
            msg: "No workflow has this ID.",
            type: "value_error",
            input: query.cursor,
          },
        ]);
      const order = [...this.store.all("workflows")].map((workflow) => workflow.id);
      const place = order.indexOf(after.id);
      start = wanted.findIndex((workflow) => order.indexOf(workflow.id) > place);
      if (start < 0) start = wanted.length;
    }
    const data = wanted.slice(start, start + limit);
    const last = data.at(-1);
    const more = start + limit < wanted.length;
    return { data, pagination: { limit, ...(more && last ? { nextCursor: last.id } : {}) } };
  }

  getWorkflow(id: string): CallingWorkflow {
    const workflow = this.store.get("workflows", id);
    if (!workflow) throw refuse(404, "not_found", "No workflow has this ID.");
    return workflow;
  }

  createExecution({ params, body }: Asked<"createExecution">): WorkflowExecution {
    const workflow = this.#activeWorkflow(params.workflowId);
    const id = randomUuid();
    const now = this.clock.now();
    const talk = (seed: string) => this.#talk(workflow, seed);
    const { execution, calls } = planExecution({ id, workflow, lead: body as Lead, at: now, talk });
    this.store.commit([
      { put: "executions", id, value: execution },
      ...calls.map((call): Change => ({ put: "calls", id: call.id, value: call })),
      this.#counted(workflow, calls.length),
    ]);
    return executionAt(execution, now, (call) => this.store.get("calls", call));
  }

  createCall({ body }: Asked<"createCall">): CallInquiry {
    if (body.workflowId === undefined)
      throw invalid([{ loc: ["body", "workflowId"], msg: "Field required", type: "missing" }]);
    const workflow = this.#activeWorkflow(body.workflowId);
    const { workflowId, ...lead } = body;
    const talk = this.#talk(workflow, `call/${lead.primaryPhone ?? ""}/${workflow.id}/${workflow.totalCalls ?? 0}`);
    const call = planCall({ id: randomUuid(), workflow, lead, at: this.clock.now(), tag: "SINGLE", talk });
    this.store.commit([{ put: "calls", id: call.id, value: call }, this.#counted(workflow, 1)]);
    return { status: "INITIATED", id: call.id };
  }

  /**
   * Returns the newest calls first. `id` and `createdAt` together continue after the call in `nextCursorId`;
   * `createdAt` alone continues after that time; `id` alone returns that call.
   */
  listCalls({ query }: Asked<"listCalls">): CallPage {
    const cursor = query.createdAt === undefined ? undefined : Date.parse(query.createdAt);
    const now = this.clock.now();
    const found: Call[] = [];
    for (const plan of this.store.all("calls")) {
      if (cursor !== undefined) {
        if (plan.placed_at > cursor) continue;
        if (plan.placed_at === cursor && (query.id === undefined || plan.id >= query.id)) continue;
      } else if (query.id !== undefined && plan.id !== query.id) continue;
      const call = callAt(plan, now);
      if (!call) continue;
      if (query.status !== undefined && call.status !== query.status) continue;
      if (query.tag !== undefined && call.tag !== query.tag) continue;
      if (query.callEndedReason !== undefined && call.callEndedReason !== query.callEndedReason) continue;
      if (query.duration !== undefined && String(call.callDuration) !== query.duration) continue;
      found.push(call);
    }
    found.sort(newestFirst);
    const calls = found.slice(0, CALLS_PER_PAGE);
    const last = calls.at(-1);
    if (!last || found.length <= CALLS_PER_PAGE) return { calls };
    return { calls, nextCursorId: { createdAt: last.createdAt ?? "", id: last.id } };
  }

  getCall(id: string): CallPage {
    const plan = this.store.get("calls", id);
    const call = plan && callAt(plan, this.clock.now());
    if (!call) throw refuse(404, "not_found", "No call has this ID.");
    return { calls: [call] };
  }

  /** A workflow that is linked to a flow runs it with a simulated caller. */
  #talk(workflow: CallingWorkflow, seed: string): SimulatedCall | undefined {
    const now = this.clock.now();
    const program = linkedProgram(this.store, workflow, now);
    return program && simulateCall(program, (id) => programById(this.store, id, now), { seed });
  }

  #activeWorkflow(id: string): CallingWorkflow {
    const workflow = this.getWorkflow(id);
    if (!workflow.active) throw refuse(409, "workflow_inactive", "This workflow isn't active.");
    return workflow;
  }

  #counted(workflow: CallingWorkflow, calls: number): Change {
    return {
      put: "workflows",
      id: workflow.id,
      value: { ...workflow, totalCalls: (workflow.totalCalls ?? 0) + calls, updatedAt: this.clock.iso() },
    };
  }
}

function newestFirst(a: Call, b: Call): number {
  const later = (b.createdAt ?? "").localeCompare(a.createdAt ?? "");
  return later !== 0 ? later : a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}
