/** Twenty-five calling workflows: more than one page. */
import type { CallingWorkflow } from "../../platform";
import { Chance, uuidOf } from "../chance";
import { isoTime } from "../clock";

const DAY = 86_400_000;

/** The workflow whose calls run a flow of the demo. */
export const LINKED_WORKFLOW = "A closed ticket";

/** `assistant` is the one that the linked workflow runs. */
export function demoWorkflows(now: number, assistant: string): CallingWorkflow[] {
  return NAMES.map(([name, description], index) => {
    const id = uuidOf(`demo/workflow/${index}`);
    const chance = new Chance(`demo/workflow/${index}`);
    const leads = chance.whole(40, 900);
    const createdAt = isoTime(now - (120 - index) * DAY);
    const updatedAt = isoTime(now - chance.whole(1, 30) * DAY);
    return {
      id,
      name,
      description,
      active: index % 5 !== 4,
      promptId: name === LINKED_WORKFLOW ? assistant : uuidOf(`demo/prompt/${index}`),
      timezone: chance.pick(["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"]),
      voiceId: chance.pick(["riley", "sam", "nora"]),
      steps: Array.from({ length: chance.whole(1, 3) }, (_, index) => ({
        id: uuidOf(`${id}/step/${index}`),
        workflowId: id,
        type: "CALL",
        order: index + 1,
        needsTCPACompliance: true,
        delayInSecs: index === 0 ? 0 : 1800 * index,
        textMessage: `Northwind Telecom: we tried to reach you about ${name.toLowerCase()}. Reply STOP to opt out.`,
        voicemailMessage: `Hello, this is Riley from Northwind Telecom about ${name.toLowerCase()}. We will try again.`,
        finishOn: ["ENDED", "NOT_INTERESTED", "DNC", "BAD_NUMBER", "WARM_TRANSFER", "SCHEDULER"],
      })),
      createdAt,
      updatedAt,
      tag: "ORIGINATION",
      numberOfAgents: chance.whole(1, 12),
      startHour: 9,
      endHour: chance.pick([17, 18, 20]),
      totalCalls: leads + chance.whole(0, leads),
      stats: {
        workflowId: id,
        promisesTaken: String(chance.whole(0, 60)),
        cashCollected: `${chance.whole(0, 9000)}.${String(chance.whole(0, 99)).padStart(2, "0")}`,
        totalLeads: leads,
        totalLeadsCompleted: Math.floor(leads * chance.next()),
        createdAt,
        updatedAt,
      },
      phoneNumber: {
        id: uuidOf(`demo/phone/${index}`),
        phoneNumber: `+151855501${String(index).padStart(2, "0")}`,
        city: "Albany",
        state: "NY",
        country: "US",
        outbound: true,
        inbound: index % 2 === 0,
      },
    };
  });
}

const NAMES: readonly (readonly [string, string])[] = [
  ["Welcome new customers", "A short welcome in the first week."],
  ["A late payment", "A friendly reminder ten days after the due date."],
  ["A payment plan", "Offers three payments to customers with a large balance."],
  ["The yearly contract", "Asks whether to renew, thirty days before the end."],
  ["A planned outage", "Announces work on the line in the neighborhood."],
  ["The new router", "Says when it arrives and how to return the old one."],
  ["Your move", "Confirms date and address two weeks before."],
  ["A technician visit", "Confirms the window the day before."],
  ["A missed visit", "Finds a new date after nobody was home."],
  ["Fibre in your street", "Tells the street that faster lines are there."],
  ["An unused line", "Asks whether a line without traffic is still needed."],
  ["A higher bill", "Explains a bill that doubled."],
  ["Your satisfaction", "Asks for a mark from one to five after a support call."],
  ["A returned letter", "Asks for the new address."],
  ["An expiring card", "Asks to renew the card on file."],
  ["The family plan", "Offers the plan to homes with three lines or more."],
  ["Roaming abroad", "Explains the costs before a trip."],
  ["A closed ticket", "Checks that the fault is really gone."],
  ["Coming back", "Calls former customers after half a year."],
  ["The end of 3G", "Tells owners of old phones what changes."],
  ["A billing address", "Confirms an address that was changed online."],
  ["Paperless bills", "Asks whether bills may come by e-mail."],
  ["A double charge", "Apologises and confirms the refund."],
  ["The device protection", "Reminds of the yearly fee before it is due."],
  ["A survey on chat", "Asks how the new chat worked."],
];
