/** The turns of a call that are compared with the flow, with their terms. */
import type { TracedCall } from "./call";
import type { FlowEvidence } from "./evidence";

export interface Turns {
  readonly call: TracedCall;
  /** Indexes of the turns that one of the two said, in order. */
  readonly said: readonly number[];
  readonly isAssistant: readonly boolean[];
  readonly terms: readonly (readonly string[])[];
  readonly spoken: readonly string[];
}

export function turnsOf(call: TracedCall, evidence: FlowEvidence): Turns {
  const said = call.turns.flatMap(({ speaker, text }, index) =>
    speaker === "system" || text.trim() === "" ? [] : [index],
  );
  const textOf = (index: number) => call.turns[index]?.text ?? "";
  return {
    call,
    said,
    isAssistant: said.map((index) => call.turns[index]?.speaker === "assistant"),
    terms: said.map((index) => evidence.words.terms(textOf(index))),
    spoken: said.map((index) => evidence.spoken(textOf(index))),
  };
}
