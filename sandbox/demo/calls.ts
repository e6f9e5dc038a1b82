/** 300 finished calls of the last 30 days, with transcripts. */
import { CALL_ENDED_REASONS, type CallEndedReason, type CallingWorkflow } from "../../platform";
import { type CallPlan, planCall } from "../calling/life";
import { Chance, uuidOf } from "../chance";
import { person } from "./people";

const MINUTE = 60_000;
const SPAN = 30 * 24 * 60;

export function demoCalls(workflows: readonly CallingWorkflow[], now: number): CallPlan[] {
  return Array.from({ length: 300 }, (_, index) => {
    const chance = new Chance(`demo/call/${index}`);
    const who = person(chance);
    // Spread over the month with some jitter, oldest first; the newest call ended minutes ago.
    const age = Math.round(((300 - index) * SPAN) / 300) + chance.whole(0, 60);
    return planCall({
      id: uuidOf(`demo/call/${index}`),
      workflow: chance.pick(workflows),
      lead: { ...who, leadId: `lead-${1000 + index}`, primaryPhone: who.phone },
      at: now - age * MINUTE,
      tag: chance.next() < 0.3 ? "SINGLE" : "ORIGINATION",
      reason: index < CALL_ENDED_REASONS.length ? CALL_ENDED_REASONS[index] : chance.pick(USUAL),
      seed: `demo/call/${index}/script`,
    } as Parameters<typeof planCall>[0]);
  });
}

/** The distribution of end reasons; the first dozen calls show each reason once. */
const USUAL: readonly CallEndedReason[] = [
  ...Array<CallEndedReason>(9).fill("ENDED"),
  ...Array<CallEndedReason>(4).fill("NO_ANSWER"),
  ...Array<CallEndedReason>(3).fill("LEFT_VOICEMAIL"),
  ...Array<CallEndedReason>(2).fill("NOT_INTERESTED"),
  ...Array<CallEndedReason>(2).fill("WARM_TRANSFER"),
  ...Array<CallEndedReason>(2).fill("CALL_AGAIN"),
  "SCHEDULER",
  "LINE_BUSY",
  "TEXT_CONSENT",
];
