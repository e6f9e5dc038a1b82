import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../../../client/connections";
import { fieldsFor } from "../../../client/views/workflows/leads";
import { type Starting, startFor } from "../../../client/views/workflows/start";
import { createCallRequest } from "../../../platform";
import { vscodeStub } from "../../support/vscode";

const workflow = { id: "w", name: "Follow up", startHour: 0, endHour: 0, timezone: "UTC" };
const earlier = {
  firstName: "Anna",
  primaryPhone: "+15185550100",
  textContent: "Dear Anna, about your loan",
  campaignID: "loans",
  forwardingPhoneNumber: "+15185550199",
};

/** Starts one, agreeing to everything, and gives what was sent. */
async function start(kind: "execution" | "inquiry", editor?: string) {
  const sent: object[] = [];
  const kept = new Map<string, unknown>([["workflows.lead", earlier]]);
  const client = {
    createCall: async (body: object) => {
      sent.push(body);
      return {};
    },
    createExecution: async (_id: string, body: object) => {
      sent.push(body);
      return { id: "e" };
    },
    listCalls: async () => ({ calls: [{ id: "c", workflowExecutionId: "e", callEndedReason: "ENDED" }] }),
  };
  const starting = {
    session: { client, connection: { name: "One", workflowBaseUrl: "http://127.0.0.1" } } as unknown as Session,
    storage: {
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => kept.set(key, value),
    },
    refreshCalls: async () => undefined,
  } as unknown as Starting;
  vscodeStub.editor = editor === undefined ? undefined : { fileName: "leads.json", text: editor };
  vscodeStub.answer = ({ choices }) =>
    choices.find((choice) => choice.includes("Go On") || choice.startsWith("Call ")) ?? undefined;
  await startFor(starting, workflow, kind);
  return sent;
}

const visible = { firstName: "Anna", primaryPhone: "+15185550100" };

test("a call inquiry asks for every field of the document, and for no other", () => {
  const asked = fieldsFor("inquiry").map(({ name }) => name);
  assert.deepEqual([...asked, "workflowId"].sort(), Object.keys(createCallRequest().shape).sort());
});

test("a call inquiry sends nothing that its form does not show", async () => {
  assert.deepEqual(await start("inquiry"), [{ ...visible, workflowId: "w" }]);
  assert.deepEqual(await start("execution"), [earlier]);
});

test("nor do many, from a file", async () => {
  const leads = JSON.stringify([earlier, { ...earlier, firstName: "Bo" }]);
  assert.deepEqual(await start("inquiry", leads), [
    { ...visible, workflowId: "w" },
    { ...visible, firstName: "Bo", workflowId: "w" },
  ]);
  assert.equal((await start("execution", leads)).length, 2);
});
