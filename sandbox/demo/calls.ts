/** 300 finished calls of the last 30 days, with transcripts. Calls of the linked workflow are runs of its flow. */
import { CALL_ENDED_REASONS, type CallEndedReason, type CallingWorkflow } from "../../platform";
import { type CallPlan, planCall } from "../calling/life";
import { Chance, uuidOf } from "../chance";
import type { SimulatedCall } from "../talk/simulate";
import { person } from "./people";
import { LINKED_WORKFLOW } from "./workflows";

const MINUTE = 60_000;
const SPAN = 30 * 24 * 60;

/** `talk` is a conversation of the linked workflow's flow. */
export function demoCalls(
  workflows: readonly CallingWorkflow[],
  now: number,
  talk: (seed: string) => SimulatedCall | undefined,
): CallPlan[] {
  return Array.from({ length: 300 }, (_, index) => {
    const chance = new Chance(`demo/call/${index}`);
    const who = person(chance);
    // Spread over the month with some jitter, oldest first; the newest call ended minutes ago.
    const age = Math.round(((300 - index) * SPAN) / 300) + chance.whole(0, 60);
    const id = `demo/call/${index}`;
    const workflow = chance.pick(workflows);
    const tag = chance.next() < 0.3 ? "SINGLE" : "ORIGINATION";
    const first = CALL_ENDED_REASONS[index];
    const reason = first ?? chance.pick(USUAL);
    const isLinked = first === undefined && workflow.name === LINKED_WORKFLOW && !UNANSWERED.has(reason);
    return planCall({
      id: uuidOf(id),
      workflow,
      lead: { ...who, leadId: `lead-${1000 + index}`, primaryPhone: who.phone },
      at: now - age * MINUTE,
      tag,
      reason,
      seed: `${id}/script`,
      talk: isLinked ? talk(id) : undefined,
    });
  });
}

/** The distribution of end reasons; the oldest dozen calls show each reason once. */
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

/** Calls without a conversation. */
const UNANSWERED: ReadonlySet<CallEndedReason> = new Set(["NO_ANSWER", "LEFT_VOICEMAIL", "LINE_BUSY"]);
