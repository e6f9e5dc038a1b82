/** *Create Test from This Call…* follows the path that the call page shows. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import type { CallView, NewTests } from "../../../server/test-messages";
import { TestRunner } from "../../../server/testing/run";
import { folderWith } from "../cli/cli";

const flow = `entry: greet
context_variables: {name: {type: string}}
nodes:
  greet:
    type: message
    instructions: Welcome the caller and ask how you can help.
    edges:
      - {to: move, when: the caller is moving to a new address}
      - {to: fault, when: the telephone line is broken}
  move:
    type: message
    instructions: Confirm the first day at the new address and explain what the move costs.
    edges: [{to: bye}]
  fault:
    type: message
    instructions: Promise that a technician repairs the broken line tomorrow morning.
    edges:
      - {to: greet, when: the caller has another question}
      - {to: bye}
  bye: {type: end, instructions: Wish the caller a good day.}
`;

const said = (...turns: string[]): CallView => ({
  variables: {},
  ended: "end",
  reason: "ENDED",
  endedBy: "ASSISTANT",
  turns: turns.map((text, index) => ({ text, user: index % 2 ? "caller" : "assistant" })),
  names: [],
  says: false,
});

const made = (call: CallView) => madeOn(flow, call);

async function madeOn(text: string, call: CallView): Promise<NewTests> {
  const folder = folderWith({ "line.flow.yaml": text });
  try {
    const work = { flow: path.join(folder.path, "line.flow.yaml"), cwd: folder.path, unsaved: [] };
    const runner = new TestRunner(async () => undefined);
    return (await runner.do({ kind: "new", what: { kind: "call", call }, ...work })) as NewTests;
  } finally {
    folder.remove();
  }
}

test("several runs have the same values and end; the traced one becomes the test", async () => {
  const welcome = "Welcome! How can I help you?";
  const technician = "A technician repairs the broken line tomorrow morning, I promise.";
  const bye = "Have a good day!";
  const broken = "My telephone line is broken.";
  const fault = await made(said(welcome, broken, technician, "Thank you.", bye));
  assert.match(fault.text, /path: \[greet, fault, bye\]/);
  assert.equal(fault.isDraft, undefined);
  const moving = "I'm moving to a new address.";
  const costs = "Your first day at the new address is confirmed, and this is what the move costs.";
  assert.match((await made(said(welcome, moving, costs, "Fine.", bye))).text, /path: \[greet, move, bye\]/);
  // A node that the call entered twice.
  const twice = await made(
    said(welcome, broken, technician, "I have another question.", welcome, moving, costs, "Fine.", bye),
  );
  assert.match(twice.text, /path: \[greet, fault, greet, move, bye\]/);
});

test("two edges to the same node: the traced one is taken", async () => {
  const other = flow.replace(
    "      - {to: bye}\n",
    "      - {to: bye, when: the technician comes too late}\n      - {to: bye}\n",
  );
  const welcome = "Welcome! How can I help you?";
  const technician = "A technician repairs the broken line tomorrow morning, I promise.";
  const made = await madeOn(
    other,
    said(welcome, "My telephone line is broken.", technician, "The technician comes too late.", "Have a good day!"),
  );
  assert.match(made.text, /- take: the technician comes too late\n/);
  assert.equal(made.isDraft, undefined);
});

test("without evidence of a path, the test is a draft that marks what is open", async () => {
  const draft = await made(said("Mmh.", "Mmh."));
  assert.equal(draft.isDraft, true);
  assert.match(draft.text, /# Undecided: /);
});
