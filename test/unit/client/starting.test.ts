import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../../../client/connections";
import { fieldsFor, type Lead, leadFor } from "../../../client/views/workflows/leads";
import { callLead, type Starting, startFor } from "../../../client/views/workflows/start";
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

/** The titles of what was asked and said. */
const said: string[] = [];

/**
 * Starts and confirms everything; a form that opens is submitted as filled, and then as `typed`. Returns the requests.
 */
async function start(kind: "execution" | "inquiry", typed: Lead, editor?: string) {
  const sent: object[] = [];
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
  let opened: { lead: Lead | undefined } | undefined;
  const starting: Starting = {
    session: { client, connection: { name: "One", workflowBaseUrl: "http://127.0.0.1" } } as unknown as Session,
    refreshCalls: async () => undefined,
    openForm: (_workflow, _kind, lead) => {
      opened = { lead };
    },
  };
  vscodeStub.editor = editor === undefined ? undefined : { fileName: "leads.json", text: editor };
  said.length = 0;
  vscodeStub.answer = ({ title, choices }) => {
    said.push(title);
    return choices.find((choice) => choice.startsWith("Call "));
  };
  await startFor(starting, workflow, kind);
  if (opened) {
    assert.equal(opened.lead, undefined, "nothing of an earlier lead");
    assert.equal(await callLead(starting, workflow, kind, leadFor(kind, typed)), "sent");
  }
  return sent;
}

const visible = { firstName: "Anna", primaryPhone: "+15185550100" };

test("a call inquiry asks for every field of the document, and for no other", () => {
  const asked = fieldsFor("inquiry").map(({ name }) => name);
  assert.deepEqual([...asked, "workflowId"].sort(), Object.keys(createCallRequest().shape).sort());
});

test("a call inquiry sends nothing that its form does not show", async () => {
  assert.deepEqual(await start("inquiry", earlier), [{ ...visible, workflowId: "w" }]);
  assert.deepEqual(await start("execution", earlier), [earlier]);
});

test("the same for many, from a file", async () => {
  const leads = JSON.stringify([earlier, { ...earlier, firstName: "Bo" }]);
  assert.deepEqual(await start("inquiry", {}, leads), [
    { ...visible, workflowId: "w" },
    { ...visible, firstName: "Bo", workflowId: "w" },
  ]);
  assert.equal(said.at(-1), "Started 2 call inquiries. See the Calls view.");
  assert.equal((await start("execution", {}, leads)).length, 2);
  assert.equal(said.at(-1), "Started 2 calls. See the Calls view.");
});
