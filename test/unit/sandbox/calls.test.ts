/** The states of calls and executions, with a clock that jumps. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CALL_ENDED_REASONS } from "../../../platform";
import { type Conforming, conforming } from "./conform";

let it: Conforming;
let workflow: { id: string; steps: unknown[]; totalCalls: number };
before(async () => {
  const begun = Date.now();
  it = await conforming({ demo: true, wall: () => begun }); // Time advances only by `pass`.
  const all = (await it.calling("GET", "/workflows?active=true&limit=100")).body.data as (typeof workflow)[];
  workflow = all.find((each) => each.steps.length >= 2) as typeof workflow;
});
after(() => it.sandbox.stop());

const call = async (id: string) => (await it.calling("GET", `/calls/${id}`)).body.calls[0];
const pass = (seconds: number) => it.admin("POST", "/clock", { advance_ms: seconds * 1000 });

test("a call is initiated, rings, is in progress and ends with all its fields", async () => {
  const body = { workflowId: workflow.id, firstName: "Ada", primaryPhone: "+15185550107" };
  const { id } = (await it.calling("POST", "/call", { body })).body;
  const seen = new Set<string>();
  let lines = 0;
  for (let second = 0; second < 120; second++) {
    const now = await call(id);
    seen.add(now.status);
    assert.ok(now.transcript.length >= lines, "a transcript only grows");
    lines = now.transcript.length;
    if (now.status === "COMPLETED") break;
    assert.equal(now.callEndedReason, undefined);
    await pass(1);
  }
  assert.deepEqual([...seen], ["INITIATED", "RINGING", "IN_PROGRESS", "COMPLETED"]);
  const done = await call(id);
  assert.equal(done.callEndedReason, "ENDED");
  assert.ok(done.transcript.length > 4 && done.summary && done.recordingUrl && done.callEndedBy);
  assert.equal(done.callDuration, Math.round((Date.parse(done.callEndedAt) - Date.parse(done.callStartedAt)) / 1000));
  assert.ok(done.callDuration > 5);
});

test("the last digits of the phone number choose how a call ends", async () => {
  const ids: string[] = [];
  for (const [index] of CALL_ENDED_REASONS.entries()) {
    const primaryPhone = `+151855501${String(index).padStart(2, "0")}`;
    ids.push((await it.calling("POST", "/call", { body: { workflowId: workflow.id, primaryPhone } })).body.id);
  }
  ids.push((await it.calling("POST", "/call", { body: { workflowId: workflow.id } })).body.id);
  await pass(300);
  const reasons = await Promise.all(ids.map(async (id) => (await call(id)).callEndedReason));
  assert.deepEqual(reasons, [...CALL_ENDED_REASONS, "BAD_NUMBER"]);
});

test("an execution runs its steps and stops at the first that meets `finishOn`", async () => {
  const start = async (primaryPhone: string) =>
    (await it.calling("POST", `/workflows/${workflow.id}/executions`, { body: { leadId: "l", primaryPhone } })).body.id;
  const look = async (id: string) => (await it.admin("GET", `/executions/${id}`)).body;
  const answered = await start("+15185550107");
  const busy = await start("+15185550109");
  assert.equal((await look(answered)).status, "CREATED");
  const statuses = new Set<string>();
  // In steps far shorter than any state: the clock also runs in between.
  for (let quarter = 0; quarter < 600; quarter++) {
    const execution = await look(answered);
    statuses.add(`${execution.status}/${execution.steps[0].status}/${execution.steps[0].call?.status ?? "-"}`);
    await pass(0.25);
  }
  assert.deepEqual(
    [...statuses],
    [
      "CREATED/PENDING/-",
      "RUNNING/RUNNING/-",
      "RUNNING/RUNNING/INITIATED",
      "RUNNING/RUNNING/RINGING",
      "RUNNING/RUNNING/IN_PROGRESS",
      "RUNNING/RUNNING/COMPLETED",
      "COMPLETED/COMPLETED/COMPLETED",
    ],
  );
  const done = await look(answered);
  assert.equal(done.steps[1].status, "SKIPPED");
  assert.equal((await call(done.steps[0].callId)).workflowExecutionId, answered);
  const waiting = await look(busy);
  assert.equal(waiting.status, "RUNNING");
  assert.equal(waiting.steps[1].status, "PENDING");
  await pass(10_000);
  const finished = await look(busy);
  assert.equal(finished.status, "COMPLETED");
  assert.ok(
    finished.steps.every((step: { call: { callEndedReason: string } }) => step.call.callEndedReason === "LINE_BUSY"),
  );
});

test("a workflow counts its calls", async () => {
  const before = (await it.calling("GET", `/workflows/${workflow.id}`)).body.totalCalls;
  await it.calling("POST", "/call", { body: { workflowId: workflow.id, primaryPhone: "+15185550107" } });
  assert.equal((await it.calling("GET", `/workflows/${workflow.id}`)).body.totalCalls, before + 1);
});
