/** The tracer on handwritten calls: other words than the flow's, with noise. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDocument } from "../../../flow";
import { CallTracer, readCall, type TracedCall } from "../../../flow/calls";
import { programOf } from "../../../flow/run";
import { HAND_CALLS, type HandCall } from "./hand/calls";
import { FLOWS } from "./hand/flows";

const program = (text: string) => programOf(FlowDocument.read(text));
const tracers = new Map(Object.entries(FLOWS).map(([name, text]) => [name, new CallTracer(program(text))]));
const tracerOf = (flow: string) => tracers.get(flow) as CallTracer;

function record({ name, said, variables, reason, by }: HandCall, hasVariables = true): TracedCall {
  const transcript = said.map(([user, text], id) => ({ id, created_at: null, user, text }));
  const call = {
    id: name,
    transcript,
    callEndedReason: reason,
    callEndedBy: by,
    ...(hasVariables ? { variables } : {}),
  };
  return readCall(call) as TracedCall;
}

for (const call of HAND_CALLS)
  test(`${call.flow}: ${call.name}`, () => {
    const { steps, end, verdict } = tracerOf(call.flow).trace(record(call));
    assert.deepEqual(
      steps.map(({ node }) => node),
      call.path,
    );
    const isOver = call.by === "ASSISTANT";
    assert.equal(verdict, isOver ? "placed" : "partly");
    assert.equal(end?.node, isOver ? call.path.at(-1) : undefined);
  });

test("without variables, at least nine of ten steps are found, and certain ones are right", () => {
  let [found, all] = [0, 0];
  for (const call of HAND_CALLS) {
    const { steps } = tracerOf(call.flow).trace(record(call, false));
    steps.forEach(({ node, certainty }, index) => {
      const isRight = node === call.path[index];
      if (isRight) found++;
      if (certainty === "certain") assert.ok(isRight, `${call.name}: ${node}`);
    });
    all += call.path.length;
  }
  assert.ok(found / all >= 0.9, `${found} of ${all}`);
});

test("calls of another flow are unplaced", () => {
  for (const call of HAND_CALLS)
    for (const [flow, tracer] of tracers) {
      if (flow === call.flow) continue;
      for (const hasVariables of [true, false])
        assert.equal(tracer.trace(record(call, hasVariables)).verdict, "unplaced", `${call.name} on ${flow}`);
    }
});

test("a value that a component returns isn't a contradiction", () => {
  const club = program(`entry: hi
context_variables: {pin: {type: string}, ok: {type: boolean}}
nodes:
  hi: {type: message, instructions: Greet the member of the swimming club., edges: [{to: check}]}
  check:
    type: component
    component: 7b1c0d52-5c3e-4a55-9d0e-0d6f0b1a0011
    saves: {pin: $.code, ok: $.fine}
    edges: [{to: bye, when: "{{ok}} is true"}, {to: staff}]
  bye: {type: end, instructions: Say that the locker is open now.}
  staff: {type: transfer, instructions: Hand over to the pool attendant., destination: "+1555", mode: cold}
`);
  const check = program(`entry: ask
context_variables: {code: {type: string, source: derived}, fine: {type: boolean}}
component_outputs: [{name: code, value: "{{code}}"}, {name: fine, value: "{{fine}}"}]
nodes:
  ask: {type: collect, variable: code, instructions: Ask for the secret code., edges: [{to: verify}]}
  verify: {type: tool, tool: 6a2d7c1e-0c4b-4b7e-9f2c-3d1f5a9b0201, saves: {fine: $.fine}, edges: [{to: done}]}
  done: {type: end}
`);
  const tracer = new CallTracer(club, () => check);
  const said = (last: string) => ["Hello, dear member of the club!", "What's your secret code?", last];
  const call = (last: string, variables: object, callEndedReason: string) =>
    readCall({
      id: "x",
      transcript: said(last).map((text) => ({ user: "assistant", text })),
      variables,
      callEndedReason,
      callEndedBy: "ASSISTANT",
    }) as TracedCall;
  const ends = [
    call("Your locker is open now.", { pin: "A77", ok: true }, "ENDED"),
    call("Our pool attendant helps you.", { pin: "A77", ok: false }, "WARM_TRANSFER"),
    call("Our pool attendant helps you.", { pin: null, ok: null }, "WARM_TRANSFER"),
  ].map((each) => tracer.trace(each).end);
  assert.deepEqual(ends, [
    { node: "bye", certainty: "certain" },
    { node: "staff", certainty: "certain" },
    { node: "staff", certainty: "certain" },
  ]);
});
