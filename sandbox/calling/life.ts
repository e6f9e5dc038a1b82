/**
 * Simulates calls and executions. Everything is planned at the start, and the current state is derived from the plan
 * and the clock, so restarts lose nothing and a faster clock needs no extra code.
 */
import type { Call, CallEndedReason, CallingWorkflow, ExecutionStep, WorkflowExecution } from "../../platform";
import { CALL_ENDED_REASONS } from "../../platform";
import { Chance, uuidOf } from "../chance";
import { isoTime } from "../clock";
import type { SimulatedCall } from "../talk/simulate";
import { type Script, scriptFor } from "./scripts";

export interface CallPlan {
  readonly id: string;
  /** The fields that are set from the start. */
  readonly facts: Call;
  readonly placed_at: number;
  readonly rings_at: number;
  /** Missing if the call isn't answered. */
  readonly answered_at?: number;
  readonly ended_at: number;
  readonly reason: CallEndedReason;
  readonly ended_by: string;
  readonly summary: string;
  readonly lines: readonly { readonly at: number; readonly user: string; readonly text: string }[];
  /** For a call that ran a flow: the nodes it entered, and its variables at the end. */
  readonly run?: {
    readonly path: readonly string[];
    readonly caller: string;
    readonly variables: Readonly<Record<string, unknown>>;
  };
}

export interface ExecutionPlan {
  readonly id: string;
  readonly facts: WorkflowExecution;
  readonly starts_at: number;
  readonly done_at: number;
  readonly steps: readonly StepPlan[];
}

interface StepPlan {
  readonly facts: ExecutionStep;
  readonly starts_at: number;
  readonly done_at: number;
  readonly call_id?: string;
  /** An earlier step reached the goal of the workflow, so this step is skipped. */
  readonly skipped?: true;
}

/** The recipient of a call. */
export interface Lead {
  readonly leadId?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
  readonly primaryPhone?: string | undefined;
  readonly [field: string]: unknown;
}

const SECOND = 1000;

/** Plans one call. The last two digits of the phone number select how it ends; see docs/sandbox.md. */
export function planCall(options: {
  readonly id: string;
  readonly workflow: CallingWorkflow;
  readonly lead: Lead;
  readonly at: number;
  readonly tag: string;
  readonly executionId?: string;
  readonly reason?: CallEndedReason;
  readonly seed?: string;
  /** The workflow is linked to a flow: the conversation of its run. */
  readonly talk?: SimulatedCall | undefined;
}): CallPlan {
  const { id, workflow, lead, at, tag, executionId } = options;
  const chance = new Chance(options.seed ?? `call/${lead.primaryPhone ?? ""}/${workflow.id}`);
  const planned = options.reason ?? reasonFor(lead.primaryPhone, chance);
  const talk = planned === "BAD_NUMBER" ? undefined : options.talk;
  const reason = talk?.reason ?? planned;
  const speaker = { firstName: lead.firstName ?? "there", workflow: workflow.name ?? "your account" };
  const script = talk ? scriptOf(talk) : scriptFor(reason, speaker, chance);
  const rings_at = at + 1 * SECOND;
  const picksUp = rings_at + chance.whole(3, 9) * SECOND;
  let clock = script.endedBy === "SYSTEM" ? rings_at + chance.whole(1, 4) * SECOND : picksUp;
  const lines = script.lines.map((line) => {
    const text = line.slice(3);
    const spoken = { at: clock, user: SPEAKERS[line[0] as keyof typeof SPEAKERS], text };
    clock += Math.round(1200 + text.length * 55);
    return spoken;
  });
  const talked = reason === "LEFT_VOICEMAIL" || script.endedBy !== "SYSTEM";
  return {
    id,
    facts: {
      id,
      ...textFields({
        firstName: lead.firstName,
        lastName: lead.lastName,
        phone: lead.primaryPhone,
        email: lead.email,
        customerLeadId: lead.leadId,
      }),
      workflowId: workflow.id,
      ...(executionId === undefined ? {} : { workflowExecutionId: executionId }),
      createdAt: isoTime(at),
      scheduledAt: isoTime(at),
      outbound: true,
      tag,
      variables: talk ? {} : textFields({ first_name: lead.firstName, reason: workflow.name }),
      customerMetadata: textFields({ leadId: lead.leadId }),
      disclosures: ["This call may be recorded."],
    },
    placed_at: at,
    rings_at,
    ...(talked ? { answered_at: lines[0]?.at ?? picksUp } : {}),
    ended_at: clock,
    reason,
    ended_by: script.endedBy,
    summary: script.summary,
    lines,
    ...(talk ? { run: { path: talk.path, caller: talk.caller, variables: talk.variables } } : {}),
  };
}

function scriptOf({ lines, endedBy, reason }: SimulatedCall): Script {
  return {
    lines: lines.map(({ user, text }) => `${user === "assistant" ? "A" : "C"}: ${text}`),
    summary:
      reason === "WARM_TRANSFER"
        ? "The caller was transferred."
        : endedBy === "USER"
          ? "The caller hung up."
          : "The conversation came to its end.",
    endedBy,
  };
}

const SPEAKERS = { A: "assistant", C: "customer", S: "system" } as const;

function reasonFor(phone: string | undefined, chance: Chance): CallEndedReason {
  const digits = (phone ?? "").replace(/\D/g, "");
  if (digits.length < 7) return "BAD_NUMBER";
  return CALL_ENDED_REASONS[Number(digits.slice(-2))] ?? chance.pick(["ENDED", "ENDED", "CALL_AGAIN", "SCHEDULER"]);
}

/** The state of a call at a time, or undefined before it is placed. */
export function callAt(plan: CallPlan, now: number): Call | undefined {
  if (now < plan.placed_at) return undefined;
  const { facts, answered_at, ended_at } = plan;
  const spoken = plan.lines.filter((line) => line.at <= now);
  const call: Call = {
    ...facts,
    status: callStatus(plan, now),
    transcript: spoken.map((line, id) => ({ id, created_at: isoTime(line.at), text: line.text, user: line.user })),
  };
  if (answered_at !== undefined && now >= answered_at) call.callStartedAt = isoTime(answered_at);
  if (now < ended_at) return call;
  return {
    ...call,
    callEndedAt: isoTime(ended_at),
    callEndedReason: plan.reason,
    callEndedBy: plan.ended_by,
    ...(plan.run ? { variables: { ...plan.run.variables } } : {}),
    callDuration: answered_at === undefined ? 0 : Math.round((ended_at - answered_at) / SECOND),
    summary: plan.summary,
    ...(answered_at === undefined ? {} : { recordingUrl: `https://recordings.example.com/${plan.id}.mp3` }),
  };
}

function callStatus(plan: CallPlan, now: number): string {
  if (now >= plan.ended_at) return "COMPLETED";
  if (plan.answered_at !== undefined && now >= plan.answered_at) return "IN_PROGRESS";
  return now >= plan.rings_at ? "RINGING" : "INITIATED";
}

/** Plans an execution and its calls. */
export function planExecution(options: {
  readonly id: string;
  readonly workflow: CallingWorkflow;
  readonly lead: Lead;
  readonly at: number;
  /** Simulates the conversation of a linked workflow. */
  readonly talk?: (seed: string) => SimulatedCall | undefined;
}): { readonly execution: ExecutionPlan; readonly calls: readonly CallPlan[] } {
  const { id, workflow, lead, at } = options;
  const calls: CallPlan[] = [];
  const steps: StepPlan[] = [];
  let clock = at + 2 * SECOND;
  const starts_at = clock;
  let finished = false;
  const ordered = [...(workflow.steps ?? [])].sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
  for (const [index, step] of ordered.entries()) {
    const facts: ExecutionStep = {
      id: uuidOf(`${id}/step/${index}`),
      workflowExecutionId: id,
      type: step.type ?? "CALL",
      order: step.order ?? index + 1,
      delayInSecs: step.delayInSecs ?? 0,
      ...textFields({ voicemailMessage: step.voicemailMessage }),
      needsTCPACompliance: step.needsTCPACompliance ?? false,
      finishOn: step.finishOn ?? [],
    };
    if (finished) {
      steps.push({ facts, starts_at: clock, done_at: clock, skipped: true });
      continue;
    }
    clock += (step.delayInSecs ?? 0) * SECOND;
    const began = clock;
    if (facts.type !== "CALL") {
      clock += 2 * SECOND;
      steps.push({ facts, starts_at: began, done_at: clock });
      continue;
    }
    const seed = `${lead.primaryPhone ?? ""}/${workflow.id}/${index}`;
    const call = planCall({
      id: uuidOf(`${id}/call/${index}`),
      workflow,
      lead,
      at: began + SECOND,
      tag: workflow.tag ?? "ORIGINATION",
      executionId: id,
      seed,
      talk: options.talk?.(`${seed}/${id}`),
    });
    calls.push(call);
    clock = call.ended_at + SECOND;
    steps.push({ facts, starts_at: began, done_at: clock, call_id: call.id });
    finished = (step.finishOn ?? []).includes(call.reason);
  }
  const { textContent, ...metadata } = lead;
  return {
    calls,
    execution: {
      id,
      starts_at,
      done_at: clock,
      steps,
      facts: {
        id,
        workflowId: workflow.id,
        engineWorkflowId: `engine-${id}`,
        ...textFields({ phoneNumberId: workflow.phoneNumber?.id }),
        createdAt: isoTime(at),
        receivedCallBack: false,
        metadata: {
          ...textFields(metadata),
          ...(typeof lead.state === "string" ? { borrowerState: lead.state } : {}),
        },
      },
    },
  };
}

/** The state of an execution at a time. */
export function executionAt(
  plan: ExecutionPlan,
  now: number,
  callOf: (id: string) => CallPlan | undefined,
): WorkflowExecution {
  const done = now >= plan.done_at;
  const started = now >= plan.starts_at;
  return {
    ...plan.facts,
    status: done ? "COMPLETED" : started ? "RUNNING" : "CREATED",
    ...(started ? { startedAt: isoTime(plan.starts_at) } : {}),
    ...(done ? { completedAt: isoTime(plan.done_at) } : {}),
    steps: plan.steps.map((step) => stepAt(step, now, callOf)),
  };
}

function stepAt(step: StepPlan, now: number, callOf: (id: string) => CallPlan | undefined): ExecutionStep {
  const done = now >= step.done_at;
  if (step.skipped) return { ...step.facts, status: done ? "SKIPPED" : "PENDING" };
  if (now < step.starts_at) return { ...step.facts, status: "PENDING" };
  const plan = step.call_id === undefined ? undefined : callOf(step.call_id);
  const call = plan && callAt(plan, now);
  return {
    ...step.facts,
    status: done ? "COMPLETED" : "RUNNING",
    startedAt: isoTime(step.starts_at),
    ...(done ? { completedAt: isoTime(step.done_at), result: plan ? { callEndedReason: plan.reason } : {} } : {}),
    ...(call
      ? {
          callId: call.id,
          call: {
            id: call.id,
            status: call.status,
            ...textFields({
              callStartedAt: call.callStartedAt,
              callEndedAt: call.callEndedAt,
              callEndedReason: call.callEndedReason,
            }),
          },
        }
      : {}),
  } as ExecutionStep;
}

/** Only the fields with text: unknown values are omitted, never null. */
function textFields(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
