import "../../support/vscode";
import assert from "node:assert/strict";
import { test } from "node:test";
import { CallFollower } from "../../../client/pages/call-page";
import type { ToCallPage } from "../../../client/pages/messages";
import { type Call, PlatformError } from "../../../platform";

const link = { turn: 0, uri: "file:///a.flow.yaml", node: "greet", why: "the words are its own" };

test("a call is shown at once, and its links are added when they are known", async () => {
  const server = later();
  const { follower, sent, warned } = opened(() => server.promise);
  const loading = follower.receive({ type: "ready" });
  await turn();
  assert.deepEqual(links(sent), [[]]);
  server.resolve([link]);
  await loading;
  assert.deepEqual(links(sent), [[], [link]]);
  assert.deepEqual(warned, []);
});

test("if the language server has stopped, the call has no links, and the log says so", async () => {
  const { follower, sent, warned } = opened(() => Promise.reject(new Error("The server has stopped.")));
  await follower.receive({ type: "ready" });
  assert.ok(sent.length > 0);
  for (const shown of links(sent)) assert.deepEqual(shown, []);
  assert.equal(warned.length, 1);
});

test("links that arrive after the call changed or its page closed aren't shown", async () => {
  const answers = [later(), later(), later()];
  const { follower, sent, call } = opened(() => answers[asked++]?.promise);
  let asked = 0;
  const first = follower.receive({ type: "ready" });
  await turn();
  call.summary = "More was said.";
  const second = follower.receive({ type: "refresh" });
  await turn();
  answers[1]?.resolve([link]);
  await second;
  answers[0]?.resolve([]);
  await first;
  assert.deepEqual(links(sent), [[], [], [link]]);
  const third = follower.receive({ type: "refresh" });
  await turn();
  // Known links stay visible during the next request.
  assert.deepEqual(links(sent).at(-1), [link]);
  follower.dispose();
  answers[2]?.resolve([]);
  await third;
  assert.equal(sent.length, 4);
});

test("a restored page shows its call even if the platform is unreachable, with a note", async () => {
  const { follower, sent, client } = opened(async () => [link]);
  await follower.receive({ type: "ready" });
  const before = sent.length;
  client.getCall = async () => {
    throw new PlatformError("network", "127.0.0.1 cannot be reached.", { operation: "x" });
  };
  await follower.receive({ type: "ready" });
  assert.deepEqual(sent.slice(before), [sent[before - 1], { type: "failed", reason: "127.0.0.1 cannot be reached." }]);
});

function opened(answer: () => Promise<unknown> | undefined) {
  const call: Call = {
    id: "call-1",
    callEndedReason: "ENDED",
    transcript: [{ id: 1, text: "Hello.", user: "assistant" }],
  };
  const client = { getCall: async (): Promise<Call> => ({ ...call }) };
  const sent: ToCallPage[] = [];
  const warned: unknown[] = [];
  const panel = { title: "", visible: true, onDidChangeViewState: () => ({ dispose: () => undefined }) };
  const follower = new CallFollower(
    call.id,
    { panel: panel as never, send: (message) => sent.push(message) },
    { client: client as never },
    { sendRequest: async () => answer() } as never,
    { warn: (...said: unknown[]) => void warned.push(said) },
  );
  return { follower, sent, warned, call, client };
}

function links(sent: readonly ToCallPage[]): unknown[] {
  return sent.map((message) => (message.type === "call" ? message.links : message));
}

function later() {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise<unknown>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Waits until all pending promises are done. */
function turn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
