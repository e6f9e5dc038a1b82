/** Traces of calls: certain steps, likely steps, and omitted steps. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { CallTally, type CallTrace, CallTracer, edgesTaken, readCall, replay, traceJson } from "../../../flow/calls";
import { type Program, programOf } from "../../../flow/run";
import { CALLER_KINDS, simulateCall } from "../../../sandbox";
import { inProject } from "../../../scripts/project";
import { otherCall } from "./other-calls";

const program = (text: string) => programOf(FlowDocument.read(text));
const example = program(readFileSync(inProject("examples/billing.flow.yaml"), "utf8"));
const corpus = readdirSync(inProject("test/corpus/valid")).map((name) =>
  program(readFileSync(inProject(`test/corpus/valid/${name}`), "utf8")),
);

const greeting = { user: "assistant", text: "Welcome! How can I help you today?" };
const asked = { user: "assistant", text: "Could you give me your account number?" };
const goodbye = { user: "assistant", text: "Thank you for calling, goodbye." };
const whole = {
  id: "c1",
  transcript: [
    greeting,
    { user: "caller", text: "I have a question about my bill." },
    asked,
    { user: "caller", text: "4711" },
    { user: "assistant", text: "You are on the basic plan." },
    goodbye,
  ],
  variables: { account_id: "4711", plan: "basic" },
  callEndedReason: "ENDED",
  callEndedBy: "ASSISTANT",
};

function traced(call: unknown, of: Program = example): CallTrace {
  const read = readCall(call);
  assert.ok(read, "this is a call");
  return new CallTracer(of).trace(read);
}

const nodes = (trace: CallTrace) => trace.steps.map(({ node }) => node);

test("a finished call is placed, and steps proved by its values are certain", () => {
  const trace = traced(whole);
  assert.deepEqual(nodes(trace), ["greet", "ask_account", "look_up", "tell_plan", "goodbye"]);
  assert.equal(trace.verdict, "placed");
  assert.deepEqual(
    trace.steps.map(({ certainty }) => certainty),
    ["certain", "certain", "certain", "certain", "certain"],
  );
  assert.deepEqual(trace.end, { node: "goodbye", certainty: "certain" });
  assert.deepEqual(
    trace.steps.map(({ edge }) => edge),
    [undefined, 0, 0, 0, 0],
  );
  assert.deepEqual(trace.steps[1]?.turns, [2, 3]);
  assert.deepEqual(traceJson("billing.flow.yaml", trace), {
    version: 1,
    flow: "billing.flow.yaml",
    call: "c1",
    verdict: "placed",
    steps: trace.steps,
    unexplained_turns: trace.unexplainedTurns,
    end: { node: "goodbye", certainty: "certain" },
  });
});

test("a caller who hangs up has a path prefix without an end", () => {
  const trace = traced({
    ...whole,
    transcript: [greeting, { user: "caller", text: "my bill" }, asked],
    variables: {},
    callEndedBy: "USER",
  });
  assert.equal(trace.verdict, "partly");
  assert.deepEqual(nodes(trace), ["greet", "ask_account"]);
  assert.equal(trace.end, undefined);
});

test("a missing value proves that the caller didn't give it, a missing `variables` object doesn't", () => {
  const call = { ...whole, callEndedReason: "WARM_TRANSFER", transcript: [greeting, asked] };
  assert.deepEqual(nodes(traced({ ...call, variables: {} })), ["greet", "ask_account", "hand_over"]);
  assert.ok(traced({ ...call, variables: {} }).steps.every(({ certainty }) => certainty === "certain"));
  const { variables, ...without } = call;
  assert.deepEqual(traced(without).end, { node: "hand_over", certainty: "certain" });
  assert.ok(
    traced(without).steps.some(({ certainty }) => certainty === "likely") || traced(without).verdict === "partly",
  );
});

test("a transfer on a flow without one, and values that no run ends with, contradict the flow", () => {
  const flow = program(
    `entry: a\nnodes:\n  a:\n    type: message\n    instructions: Welcome the caller and ask how you can help.\n    edges: [{to: b}]\n  b: {type: end}\n`,
  );
  assert.equal(traced({ ...whole, callEndedReason: "WARM_TRANSFER" }, flow).verdict, "unplaced");
  assert.equal(traced({ ...whole, variables: { plan: "basic" } }).verdict, "unplaced");
});

test("fixed text that the assistant spoke is certain", () => {
  const flow = program(`entry: a
nodes:
  a:
    type: message
    instructions: Greet.
    edges: [{to: b, when: the caller is a guest}, {to: c}]
  b: {type: message, instructions: 'Say "breakfast is served until ten thirty".', edges: [{to: d}]}
  c: {type: message, instructions: 'Say "the spa closes at nine tonight".', edges: [{to: d}]}
  d: {type: end}
`);
  const call = (text: string) => ({
    id: "x",
    callEndedReason: "ENDED",
    callEndedBy: "ASSISTANT",
    transcript: [{ user: "BOT", text }],
  });
  const trace = traced(call("So: the spa closes at nine tonight!"), flow);
  assert.deepEqual(
    trace.steps.map(({ node, certainty }) => `${node} ${certainty}`),
    ["a certain", "c certain", "d certain"],
  );
});

test("inside a component, steps have the names of a run", () => {
  const part = program(
    "assistant: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0009\nentry: ask\nnodes:\n  ask: {type: message, instructions: Ask for the birthday of the patient., edges: [{to: done}]}\n  done: {type: end}\n",
  );
  const flow = program(
    "entry: go\nnodes:\n  go: {type: component, component: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0009, edges: [{to: bye}]}\n  bye: {type: end, instructions: Wish the patient a quick recovery.}\n",
  );
  const call = readCall({
    id: "x",
    callEndedReason: "ENDED",
    callEndedBy: "ASSISTANT",
    transcript: [
      { user: "ai", text: "What is the birthday of the patient?" },
      { user: "ai", text: "A quick recovery to the patient" },
    ],
  });
  assert.ok(call);
  const trace = new CallTracer(flow, () => part).trace(call);
  assert.deepEqual(
    trace.steps.map(({ node, edge }) => [node, edge]),
    [
      ["go", undefined],
      ["go/ask", undefined],
      ["go/done", 0],
      ["bye", 0],
    ],
  );
  assert.deepEqual([...edgesTaken(trace.steps).keys()], ["go/ask:0", "go:0"]);
});

test("bad input has a result: no turns, null fields, many turns, a huge turn, a running call, another flow", () => {
  assert.equal(traced({ id: "x", transcript: [], callEndedReason: "NO_ANSWER" }).verdict, "unplaced");
  assert.equal(
    traced({ id: null, transcript: [null, { user: null, text: null }, 7], variables: null, callEndedReason: null })
      .verdict,
    "unplaced",
  );
  const many = Array.from({ length: 5_000 }, (_, index) => [greeting, asked, { user: "x", text: "4711" }][index % 3]);
  assert.equal(traced({ ...whole, transcript: many }).steps[0]?.node, "greet");
  const huge = { user: "assistant", text: "Welcome ".repeat(130_000) };
  assert.ok(traced({ ...whole, transcript: [huge, ...whole.transcript.slice(1)] }).steps.length > 0);
  const running = traced({ id: "x", status: "IN_PROGRESS", transcript: [greeting, asked], variables: {} });
  assert.equal(running.verdict, "partly");
  assert.equal(running.end, undefined);
  assert.equal(readCall("text"), undefined);
  assert.equal(readCall([]), undefined);
});

test("simulated calls of every kind: certain steps are right, and steps are runs of the machine", () => {
  let right = 0;
  let found = 0;
  let truth = 0;
  for (const [index, flow] of corpus.entries()) {
    const tracer = new CallTracer(flow);
    for (const [number, caller] of CALLER_KINDS.entries()) {
      const made = simulateCall(flow, () => undefined, { seed: `test/${index}/${number}`, caller });
      if (!made) continue;
      const call = readCall({
        id: "x",
        transcript: made.lines,
        variables: made.variables,
        callEndedReason: made.reason,
        callEndedBy: made.endedBy,
      });
      assert.ok(call);
      const { steps } = tracer.trace(call);
      steps.forEach(({ node, certainty, edge }, place) => {
        if (certainty === "certain") assert.equal(made.path[place], node);
        if (made.path[place] === node) right++;
        const before = flow.nodes.get(steps[place - 1]?.node ?? "");
        if (place > 0) assert.equal(before?.block.edges[edge as number]?.to, node);
      });
      found += steps.length;
      truth += made.path.length;
    }
  }
  const f1 = (2 * right) / (found + truth);
  assert.ok(f1 > 0.95, `F1 is ${f1}`);
});

test("calls of another generator are traced too, and not to another flow", () => {
  let squeezed = 0;
  let calls = 0;
  const tracers = corpus.map((flow) => new CallTracer(flow));
  for (const [index, flow] of corpus.entries())
    for (let seed = 0; seed < 4; seed++) {
      const made = otherCall(flow, index * 10 + seed, seed % 2 === 1);
      const call = made && readCall(made.call);
      if (!call) continue;
      calls++;
      for (const { node, certainty } of (tracers[index] as CallTracer).trace(call).steps.filter((_, at) => at === 0))
        assert.deepEqual([node, certainty], [made.path[0], "certain"]);
      const other = tracers[(index + 1 + seed * 11) % tracers.length] as CallTracer;
      if (other.trace(call).verdict !== "unplaced") squeezed++;
    }
  assert.ok(squeezed <= calls * 0.02, `${squeezed} of ${calls}`);
});

test("the same call always has the same trace", () => {
  assert.deepEqual(traced(whole), traced(structuredClone(whole)));
});

test("a report counts each call once per node and edge, and contains nothing of a caller", () => {
  const tally = new CallTally();
  tally.add(traced(whole));
  tally.add(
    traced({
      ...whole,
      transcript: [greeting, asked],
      variables: {},
      callEndedBy: "USER",
      callEndedReason: "Call me, Bob",
    }),
  );
  tally.add(traced({ id: "x", transcript: [] }));
  const report = tally.report("billing.flow.yaml", example, (edge) => edge === "greet--ask_account");
  assert.deepEqual([report.calls, report.placed, report.partly, report.unplaced], [3, 1, 1, 1]);
  assert.deepEqual(report.nodes.greet, { calls: 2, certain: 2, left: 0 });
  assert.deepEqual(report.nodes.ask_account?.left, 1);
  assert.deepEqual(report.edges["greet:0"]?.tested, true);
  assert.deepEqual(report.edges["greet:1"], { calls: 0, certain: 0, tested: false });
  assert.deepEqual(report.ends, { goodbye: 1 });
  assert.deepEqual(report.reasons, { ENDED: 1, OTHER: 1, UNKNOWN: 1 });
  assert.doesNotMatch(JSON.stringify(report), /4711|Bob/);
});

test("a replay finds the first difference, and reports what is unknown", () => {
  const call = readCall(whole);
  assert.ok(call);
  const trace = traced(whole);
  const on = (text: string) => replay(trace, call, example, program(text), () => undefined);
  const text = example.document.text;
  assert.equal(on(text).kind, "same");
  const direct = on(text.replace("- to: tell_plan", "- to: goodbye"));
  assert.equal(direct.kind === "changed" && direct.change, '"look_up" leads to "goodbye"');
  const handed = on(text.replace("- to: tell_plan", "- to: hand_over"));
  assert.ok(handed.kind === "changed" && handed.endsElsewhere && handed.end === "hand_over");
  assert.equal(on(text.replace("the caller asks about a bill", "the caller has a complaint")).kind, "unknown");
  assert.equal(on(text.replace("entry: greet", "entry: hand_over")).kind, "changed");
});

test("the tracer and the generators of calls share nothing", () => {
  const read = (folder: string) =>
    readdirSync(inProject(folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(inProject(`${folder}/${name}`), "utf8"))
      .join("\n");
  const [tracer, talk] = [read("flow/calls"), read("sandbox/talk")];
  const other = readFileSync(inProject("test/unit/calls/other-calls.ts"), "utf8");
  assert.ok(!/from "[^"]*flow\/(?:calls|test)/.test(talk + other));
  assert.ok(!/from "[^"]*(?:sandbox|bench|other-calls)/.test(tracer));
  // The tracer contains no phrase of three words that callers or assistants say.
  const phrases = [...talk.matchAll(/["`]([A-Z][^"`$]{12,})["`]/g)].map(([, phrase = ""]) => phrase.toLowerCase());
  assert.ok(phrases.length > 20);
  const words = phrases.flatMap((phrase) => phrase.match(/[a-z']+ [a-z']+ [a-z']+/g) ?? []);
  const own = tracer.toLowerCase().replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  assert.deepEqual(
    words.filter((phrase) => own.includes(phrase)),
    [],
  );
});
