import "../../support/vscode";

import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { test } from "node:test";
import { askToSend, endsQuestion, OpenQuestions } from "../../../client/sync/questions";
import type { FlowSyncState, SendQuestion } from "../../../server/messages";

const question: SendQuestion = {
  uri: "file:///flows/support.flow.yaml",
  reason: "first-push",
  plan: { summary: "3 nodes changed", batches: 1, lines: [], renames: [] },
  to: { address: "http://127.0.0.1:4010", assistant: "a", revision: "r" },
  removesMany: false,
  removesNodes: false,
};

/** A user with one answer, and the questions asked. */
function person(answer: string | undefined, memory = new Map<string, unknown>()) {
  const asked: { text: string; choices: readonly string[]; onPage: string }[] = [];
  const ask = (changed: Partial<SendQuestion> = {}) =>
    askToSend(
      { ...question, ...changed },
      "support.flow.yaml",
      {
        get: <T>(key: string) => memory.get(key) as T | undefined,
        update: async (key, value) => void memory.set(key, value),
      },
      async (text, choices, onPage) => {
        asked.push({ text, choices, onPage });
        return answer;
      },
    );
  return { ask, asked, memory };
}

const REMEMBER = "Always Push This File";

test("a remembered Yes applies only to this file, platform and revision", async () => {
  const { ask, asked, memory } = person(REMEMBER);
  assert.equal(await ask(), true);
  assert.equal(asked.length, 1);
  const later = person(undefined, memory);
  assert.equal(await later.ask(), true);
  assert.deepEqual(later.asked, [], "not asked again");
  const { to } = question;
  for (const other of [
    { to: { ...to, address: "https://platform.example" } },
    { to: { ...to, assistant: "another" } },
    { to: { ...to, revision: "another" } },
    { uri: "file:///flows/other.flow.yaml" },
    { removesMany: true },
    { reason: "removes-many", removesMany: true },
    { reason: "save" },
  ] as const) {
    const before: number = later.asked.length;
    assert.equal(await later.ask(other), false, JSON.stringify(other));
    assert.equal(later.asked.length, before + 1, JSON.stringify(other));
  }
});

test("only Always for a first push is remembered, not Yes, No or a dismissed question", async () => {
  for (const [answer, yes] of [
    ["Push", true],
    ["Not Now", false],
    [undefined, false],
  ] as const) {
    const { ask, asked, memory } = person(answer);
    assert.equal(await ask(), yes);
    assert.equal(await ask(), yes);
    assert.equal(asked.length, 2);
    assert.equal(memory.size, 0);
    assert.deepEqual(asked[0]?.choices, ["Push", REMEMBER, "Not Now"]);
    await ask({ reason: "removes-many", removesMany: true });
    assert.deepEqual(asked[2]?.choices, ["Push", "Not Now"]);
  }
});

test("the question of a first push names the platform, and warns if many nodes are removed", async () => {
  const { ask, asked } = person("Not Now");
  await ask();
  await ask({ removesMany: true });
  const first = "First push to http://127.0.0.1:4010";
  const always = '"Always Push This File" skips this question for this file and revision from now on.';
  assert.equal(asked[0]?.text, `support.flow.yaml: ${first}: 3 nodes changed. Push? ${always}`);
  assert.equal(
    asked[1]?.text,
    `support.flow.yaml: ${first}: 3 nodes changed. This removes more than 20% of the nodes. Push?`,
  );
});

test("a first push that removes many nodes always asks, so it doesn't offer to skip the question", async () => {
  const { ask, asked } = person(undefined);
  await ask({ removesMany: true });
  assert.deepEqual(asked[0]?.choices, ["Push", "Not Now"]);
});

test("the plan page doesn't repeat the file and the changes in the question", async () => {
  const { ask, asked } = person(undefined);
  await ask({ removesMany: true });
  await ask({ reason: "save" });
  assert.deepEqual(
    asked.map(({ onPage }) => onPage),
    ["First push to http://127.0.0.1:4010. This removes more than 20% of the nodes. Push?", "Push?"],
  );
  assert.equal(asked[1]?.text, "support.flow.yaml: Unpushed changes: 3 nodes changed. Push?");
});

test("a first push replaces the flow only if platform nodes are removed", async () => {
  const { ask, asked } = person("Not Now");
  await ask();
  await ask({ removesNodes: true });
  await ask({ reason: "save", removesNodes: true });
  assert.deepEqual(
    asked.map(({ text }) => /This replaces the flow on the platform\./.test(text)),
    [false, true, false],
  );
});

test("a question whose notification is hidden can be answered elsewhere, once", async () => {
  let changes = 0;
  const questions = new OpenQuestions(() => changes++);
  const never = new Promise<undefined>(() => undefined);
  const first = questions.wait("a", ["Push", "Not Now"], never);
  assert.deepEqual(questions.choicesFor("a"), ["Push", "Not Now"]);
  assert.deepEqual(questions.choicesFor("b"), []);
  questions.answer("b", "Push");
  questions.answer("a", "Push");
  assert.equal(await first, "Push");
  assert.deepEqual(questions.choicesFor("a"), []);
  assert.equal(changes, 2);
});

test("an answer in the notification ends the offer, and a newer question ends an older one", async () => {
  const questions = new OpenQuestions(() => undefined);
  const overtaken = questions.wait("a", ["Push", "Not Now"], new Promise<undefined>(() => undefined));
  const notification = new EventEmitter();
  const later = questions.wait("a", ["Push"], once(notification, "press").then(String));
  assert.equal(await overtaken, undefined);
  assert.deepEqual(questions.choicesFor("a"), ["Push"]);
  notification.emit("press", "Push");
  assert.equal(await later, "Push");
  assert.deepEqual(questions.choicesFor("a"), []);
});

test("an autosave, and a state without a push, end the question", () => {
  const ends = (kind: FlowSyncState["kind"], reason?: string) => endsQuestion({ kind, ...(reason ? { reason } : {}) });
  assert.deepEqual(
    [ends("pending", "asking"), ends("pending", "manual"), ends("syncing"), ends("blocked")],
    [false, false, false, false],
  );
  assert.deepEqual([ends("pending", "autosaved"), ends("synced"), ends("conflict")], [true, true, true]);
});

test("a withdrawn question has no answer, and its choices are gone at once", async () => {
  const questions = new OpenQuestions(() => undefined);
  const asked = questions.wait("a", ["Push", "Not Now"], new Promise<undefined>(() => undefined));
  questions.withdraw("b");
  questions.withdraw("a");
  assert.deepEqual(questions.choicesFor("a"), []);
  assert.equal(await asked, undefined);
});
