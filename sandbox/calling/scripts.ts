/** Scripts of calls: a few conversations for each documented end reason, with a summary. */
import type { CallEndedReason } from "../../platform";
import type { Chance } from "../chance";

export interface Script {
  /** Each line starts with A (assistant), C (customer) or S (system). */
  readonly lines: readonly string[];
  readonly summary: string;
  readonly endedBy: "USER" | "ASSISTANT" | "SYSTEM";
}

export interface Speaker {
  readonly firstName: string;
  readonly workflow: string;
}

/** Picks a script, and fills in the customer's name and the workflow's purpose. */
export function scriptFor(reason: CallEndedReason, speaker: Speaker, chance: Chance): Script {
  const fill = (text: string) =>
    text.replaceAll("{name}", speaker.firstName).replaceAll("{about}", speaker.workflow.toLowerCase());
  const script = chance.pick(SCRIPTS[reason]);
  const opening = script.endedBy === "SYSTEM" ? [] : [chance.pick(OPENINGS)];
  return {
    lines: [...opening, ...script.lines].map(fill),
    summary: fill(script.summary),
    endedBy: script.endedBy,
  };
}

const OPENINGS = [
  "A: Hello, this is Riley calling about {about}. Am I speaking with {name}?",
  "A: Hi {name}, Riley here. I am calling about {about}; do you have two minutes?",
  "A: Good day, Riley speaking. Is this a good moment to talk about {about}, {name}?",
];

const SCRIPTS: Readonly<Record<CallEndedReason, readonly Script[]>> = {
  NO_ANSWER: [
    {
      lines: ["S: The line rang for 28 seconds and nobody answered."],
      summary: "Nobody picked up.",
      endedBy: "SYSTEM",
    },
  ],
  LEFT_VOICEMAIL: [
    {
      lines: [
        "S: A voicemail greeting was heard.",
        "A: Hello {name}, this is Riley about {about}. I will try again tomorrow, or call us back whenever it suits you.",
      ],
      summary: "Left a voicemail that asks {name} to call back.",
      endedBy: "SYSTEM",
    },
  ],
  BAD_NUMBER: [
    {
      lines: ["S: The number is not in service."],
      summary: "The number does not exist.",
      endedBy: "SYSTEM",
    },
  ],
  LINE_BUSY: [
    { lines: ["S: The line was busy."], summary: "The line was busy; no conversation took place.", endedBy: "SYSTEM" },
  ],
  NOT_INTERESTED: [
    {
      lines: [
        "C: Yes, speaking.",
        "A: I wanted to tell you what changes for you this month. It takes about a minute.",
        "C: Thanks, but I am happy with how things are.",
        "A: Understood, I will note that. Have a good day, {name}.",
      ],
      summary: "{name} is content with the present plan and declined.",
      endedBy: "USER",
    },
    {
      lines: [
        "C: I saw the letter already. It is not for me.",
        "A: That is fine. Shall I take you off this list?",
        "C: Just this campaign, please.",
        "A: Done. Goodbye, {name}.",
      ],
      summary: "{name} declined and leaves this campaign only.",
      endedBy: "ASSISTANT",
    },
  ],
  WARM_TRANSFER: [
    {
      lines: [
        "C: That is me. I have been trying to reach somebody since Monday.",
        "A: I am sorry about the wait. What happened?",
        "C: I was charged twice and the first agent could not refund it.",
        "A: I see both charges. I am bringing in a colleague who can refund it while we are on the line.",
        "C: Perfect, I will hold.",
        "A: Dana, I have {name} here with a double charge. {name}, you are in good hands.",
      ],
      summary: "Double charge confirmed; {name} was handed over to a specialist for the refund.",
      endedBy: "ASSISTANT",
    },
  ],
  SCHEDULER: [
    {
      lines: [
        "C: Yes, but I am driving.",
        "A: Then let us find a better time. Would Thursday at ten suit you?",
        "C: Thursday at eleven would.",
        "A: Eleven it is. You will get a message with the appointment.",
      ],
      summary: "An appointment was made for Thursday at eleven.",
      endedBy: "ASSISTANT",
    },
  ],
  DNC: [
    {
      lines: [
        "C: Please stop calling this number.",
        "A: I am sorry for the trouble. I have put this number on our do-not-call list; we will not call again.",
        "C: Thank you.",
      ],
      summary: "{name} asked not to be called again; the number was put on the do-not-call list.",
      endedBy: "USER",
    },
  ],
  ENDED: [
    {
      lines: [
        "C: Yes, what is it about?",
        "A: Your bill for last month is ready and is higher than usual, so I wanted to explain it.",
        "C: I noticed. Why is that?",
        "A: The yearly device protection was due. From next month you are back to the usual amount.",
        "C: Ah, that explains it. Could you send me the details?",
        "A: They are on the way to your e-mail address. Is there anything else?",
        "C: No, thank you for calling.",
        "A: My pleasure. Goodbye, {name}.",
      ],
      summary: "Explained the higher bill; the details were sent by e-mail.",
      endedBy: "USER",
    },
    {
      lines: [
        "C: Speaking.",
        "A: You asked for a new router. It leaves our warehouse today.",
        "C: Great. Do I need a technician?",
        "A: No, it sets itself up. The old one goes back in the same box, free of charge.",
        "C: Sounds easy. Thanks.",
        "A: You are welcome, {name}. Goodbye.",
      ],
      summary: "The router was announced and the return explained.",
      endedBy: "ASSISTANT",
    },
    {
      lines: [
        "C: Yes, hello.",
        "A: I am calling to confirm that your move is set for the first of the month.",
        "C: That is right. Will my number stay the same?",
        "A: It will. The line at the new address is switched on at eight in the morning.",
        "C: Then I have no more questions.",
        "A: Wonderful. Enjoy the new place, {name}.",
      ],
      summary: "The move and the number were confirmed.",
      endedBy: "USER",
    },
  ],
  FRAUD: [
    {
      lines: [
        "C: Who wants to know?",
        "A: For your safety I need the last four digits of the customer number.",
        "C: Just read me what you have on file.",
        "A: I cannot do that. I am ending the call; {name} can reach us on the number on the bill.",
      ],
      summary: "The person refused to identify themselves and asked for data; the call was ended and flagged.",
      endedBy: "ASSISTANT",
    },
  ],
  TEXT_CONSENT: [
    {
      lines: [
        "C: Can you text me instead?",
        "A: Gladly. Do you agree to receive text messages about {about} on this number?",
        "C: Yes, I agree.",
        "A: Thank you. The first one is on its way.",
      ],
      summary: "{name} agreed to be texted instead.",
      endedBy: "ASSISTANT",
    },
  ],
  CALL_AGAIN: [
    {
      lines: [
        "C: I am in a meeting, can you call later?",
        "A: Of course. Is this afternoon all right?",
        "C: After four, please.",
        "A: I will call after four. Talk to you then, {name}.",
      ],
      summary: "Asked to be called again after four.",
      endedBy: "USER",
    },
  ],
};
