/**
 * Outbound calling: workflows (2.11), calls (2.11a) and executions (2.12). Which fields are required isn't documented.
 */
import * as z from "zod/mini";
import { limits } from "./limits";
import {
  anyObject,
  checkedDatetime,
  datetime,
  documented,
  flag,
  type Infer,
  list,
  named,
  open,
  optional,
  resource,
  text,
  texts,
  whole,
} from "./schema";

export const CALL_ENDED_REASONS = [
  "NO_ANSWER",
  "LEFT_VOICEMAIL",
  "BAD_NUMBER",
  "NOT_INTERESTED",
  "WARM_TRANSFER",
  "SCHEDULER",
  "DNC",
  "ENDED",
  "FRAUD",
  "LINE_BUSY",
  "TEXT_CONSENT",
  "CALL_AGAIN",
] as const;
export type CallEndedReason = (typeof CALL_ENDED_REASONS)[number];

const callEndedReason = () => open(...CALL_ENDED_REASONS);

export const workflowStep = named("CallingWorkflowStep", () =>
  optional({
    id: text(),
    workflowId: text(),
    textMessage: text(),
    voicemailMessage: text(),
    type: open("CALL"),
    order: whole(),
    needsTCPACompliance: flag(),
    delayInSecs: whole(),
    finishOn: list(callEndedReason()),
  }),
);
export type WorkflowStep = Infer<typeof workflowStep>;

export const callingWorkflow = named("CallingWorkflow", () =>
  resource(
    { id: text() },
    {
      name: text(),
      description: text(),
      promptId: text(),
      timezone: text(),
      voiceId: text(),
      active: flag(),
      steps: list(workflowStep()),
      createdAt: datetime(),
      updatedAt: datetime(),
      tag: open("ORIGINATION"),
      numberOfAgents: whole(),
      startHour: whole(),
      endHour: whole(),
      totalCalls: whole(),
      stats: optional({
        workflowId: text(),
        promisesTaken: text(),
        cashCollected: text(),
        totalLeads: whole(),
        totalLeadsCompleted: whole(),
        createdAt: datetime(),
        updatedAt: datetime(),
      }),
      phoneNumber: optional({
        id: text(),
        phoneNumber: text(),
        city: text(),
        state: text(),
        country: text(),
        outbound: flag(),
        inbound: flag(),
      }),
    },
  ),
);
export type CallingWorkflow = Infer<typeof callingWorkflow>;

export const workflowPage = named("CallingWorkflowPage", () =>
  resource({ data: list(callingWorkflow()) }, { pagination: optional({ limit: whole(), nextCursor: text() }) }),
);
export type WorkflowPage = Infer<typeof workflowPage>;

export const call = named("Call", () =>
  resource(
    { id: text() },
    {
      firstName: text(),
      lastName: text(),
      phone: text(),
      email: text(),
      summary: text(),
      recordingUrl: text(),
      customerLeadId: text(),
      workflowId: text(),
      workflowExecutionId: text(),
      status: open("INITIATED"),
      callStartedAt: datetime(),
      callEndedAt: datetime(),
      createdAt: datetime(),
      scheduledAt: datetime(),
      callEndedReason: callEndedReason(),
      callDuration: whole(),
      outbound: flag(),
      callEndedBy: open("USER"),
      transcript: list(optional({ id: whole(), created_at: text(), text: text(), user: text() })),
      variables: anyObject(),
      customerMetadata: anyObject(),
      disclosures: texts(),
      tag: open("SINGLE"),
    },
  ),
);
export type Call = Infer<typeof call>;

export const callPage = named("CallPage", () =>
  resource({ calls: list(call()) }, { nextCursorId: optional({ createdAt: datetime(), id: text() }) }),
);
export type CallPage = Infer<typeof callPage>;

const callOfStep = () =>
  optional({
    id: text(),
    status: open("INITIATED"),
    callStartedAt: datetime(),
    callEndedAt: datetime(),
    callEndedReason: callEndedReason(),
  });

export const executionStep = named("WorkflowExecutionStep", () =>
  optional({
    id: text(),
    workflowExecutionId: text(),
    callId: text(),
    error: text(),
    voicemailMessage: text(),
    type: open("CALL"),
    order: whole(),
    delayInSecs: whole(),
    status: open("PENDING"),
    startedAt: datetime(),
    completedAt: datetime(),
    result: z.unknown(),
    call: callOfStep(),
    needsTCPACompliance: flag(),
    finishOn: list(callEndedReason()),
  }),
);
export type ExecutionStep = Infer<typeof executionStep>;

/** The fields of a lead that all its requests and responses share. */
const lead = () => ({
  leadId: text(),
  firstName: text(),
  lastName: text(),
  email: text(),
  primaryPhone: text(),
  zipcode: text(),
  city: text(),
  state: text(),
});

const leadOfExecution = () => ({
  ...lead(),
  referenceURL: text(),
  sourceID: text(),
  campaignID: text(),
  phoneAgentExtension: text(),
  phoneAgentDirectDial: text(),
  forwardingPhoneNumber: text(),
});

export const workflowExecution = named("WorkflowExecution", () =>
  resource(
    { id: text() },
    {
      workflowId: text(),
      callBackCallId: text(),
      phoneNumberId: text(),
      engineWorkflowId: text(),
      status: open("CREATED"),
      startedAt: datetime(),
      completedAt: datetime(),
      createdAt: datetime(),
      receivedCallBack: flag(),
      steps: list(executionStep()),
      metadata: optional({ ...leadOfExecution(), borrowerState: text() }),
    },
  ),
);
export type WorkflowExecution = Infer<typeof workflowExecution>;

/** Which fields are required isn't documented, so none are. */
export const createCallRequest = named("CreateCallRequest", () => optional({ workflowId: text(), ...lead() }));
export type CreateCallRequest = Infer<typeof createCallRequest>;

export const callInquiry = named("CallInquiry", () => optional({ status: text(), id: text() }));
export type CallInquiry = Infer<typeof callInquiry>;

export const createExecutionRequest = named("CreateExecutionRequest", () =>
  optional({ ...leadOfExecution(), textContent: text() }),
);
export type CreateExecutionRequest = Infer<typeof createExecutionRequest>;

export const workflowQuery = named("CallingWorkflowQuery", () =>
  optional({
    cursor: text(),
    /** Sent as a string: 1 to 100. */
    limit: z
      .string()
      .check(z.regex(/^(?:[1-9]\d?|100)$/))
      .register(documented, { default: String(limits.workflowsPerPage.default) }),
    active: z.enum(["true", "false"]),
  }),
);
export type WorkflowQuery = Infer<typeof workflowQuery>;

export const callQuery = named("CallQuery", () =>
  optional({
    id: text(),
    createdAt: checkedDatetime(),
    status: text(),
    tag: text(),
    callEndedReason: z.enum(CALL_ENDED_REASONS),
    duration: text(),
  }),
);
export type CallQuery = Infer<typeof callQuery>;
