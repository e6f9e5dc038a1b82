/**
 * Calls from a second generator that shares nothing with the sandbox: other phrasing, speech recognition errors, merged
 * and split turns, small talk, other speaker names. Used only to measure the tracer.
 */
import { isEntry, next, type Program, type RunEdge, type State, start } from "../../../flow/run";
import { generator } from "../../support/random";

export interface OtherCall {
  readonly call: Record<string, unknown>;
  readonly path: readonly string[];
  readonly ended: boolean;
}

const CASUAL = ["yeah so", "look", "well you know", "ok", "right", "listen"];
const FORMAL = ["certainly", "of course", "with pleasure", "absolutely", "thank you for that"];
const SMALLTALK = [
  ["hang on the dog is barking", "no rush at all"],
  ["are you a robot", "I am a virtual assistant"],
  ["sorry the line dropped for a moment", "I can hear you now"],
  ["can you say that once more", "happy to"],
];
const REWORDED: Readonly<Record<string, readonly string[]>> = {
  account: ["customer file", "profile"],
  bill: ["statement", "charges"],
  appointment: ["time slot", "meeting"],
  name: ["full name", "what to call you"],
  address: ["location", "where you live"],
  phone: ["telephone", "callback"],
  number: ["reference", "no."],
  problem: ["trouble", "fault"],
  caller: ["you"],
  wants: ["is keen"],
  order: ["basket", "purchase"],
  cancel: ["drop", "get rid of"],
  explain: ["walk you through", "clarify"],
  welcome: ["greetings", "hello there"],
  offer: ["propose", "give the option of"],
  open: ["available", "ready"],
  lost: ["misplaced", "gone"],
  price: ["rate", "how much it is"],
  booking: ["reservation", "slot"],
  date: ["which day", "when"],
  time: ["what hour", "when"],
  ticket: ["pass", "entry"],
  visit: ["trip", "stop by"],
  help: ["support", "hand"],
  book: ["arrange", "sort out"],
  children: ["kids", "little ones"],
  delivery: ["drop-off", "shipment"],
  repair: ["mend", "sort out"],
  urgent: ["pressing", "an emergency"],
};

export function otherCall(program: Program, seed: number, heavy: boolean): OtherCall | undefined {
  const random = generator(seed + 17);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const transcript: { user: string; text: string }[] = [];
  const names = pick([
    ["agent", "user"],
    ["AI", "caller"],
    ["Assistant", "human"],
    ["bot", "+15550177"],
  ]);
  const distort = (text: string, isCaller: boolean): string => {
    const words = text
      .replace(/\{\{[^}]*\}\}/g, "")
      .split(/\s+/)
      .filter((word) => word !== "");
    const kept = words.flatMap((word) => {
      const bare = word.toLowerCase().replace(/[^\p{L}]/gu, "");
      if (random() < (heavy ? 0.28 : 0.1)) return [];
      const others = REWORDED[bare];
      if (others && random() < (heavy ? 0.75 : 0.25)) return [pick(others)];
      // Recognition errors: a letter is lost or doubled.
      if (word.length > 5 && random() < (heavy ? 0.06 : 0.02)) return [word.slice(0, -2) + word.slice(-1)];
      return [word];
    });
    const said = (kept.length > 0 ? kept : words).join(" ").replace(/[.,;:!]/g, "");
    const lead = random() < (heavy ? 0.5 : 0.3) ? `${pick(isCaller ? CASUAL : FORMAL)} ` : "";
    return isCaller ? (lead + said).toLowerCase() : lead + said;
  };
  const say = (isCaller: boolean, text: string) => {
    const user = names[isCaller ? 1 : 0] as string;
    const last = transcript.at(-1);
    // Turns of one speaker are sometimes one.
    if (last?.user === user && random() < 0.5) last.text += ` ${text}`;
    else transcript.push({ user, text });
  };
  const nodes: string[] = [];
  const cutAt = random() < 0.2 ? 1 + Math.floor(random() * 7) : 70;
  let state: State | undefined = start(program);
  if (!state) return undefined;
  let isCut = false;
  for (;;) {
    if (isEntry(state) && nodes.length < state.steps) {
      nodes.push(state.at);
      speak(state);
      if (nodes.length >= cutAt && !state.ended) {
        isCut = true;
        break;
      }
    }
    if (state.ended) break;
    state = next(state, answer(state));
  }
  const kind = state.ended?.kind;
  const isOver = kind === "end" || kind === "transfer";
  return {
    path: nodes,
    ended: isOver,
    call: {
      id: `other-${seed}`,
      transcript: transcript.map((turn, id) => ({ id, created_at: null, ...turn })),
      variables: Object.fromEntries(state.frame.variables),
      callEndedReason: kind === "transfer" ? "WARM_TRANSFER" : pick(["ENDED", "ENDED", "CALL_AGAIN"]),
      callEndedBy: isOver && !isCut ? "ASSISTANT" : "USER",
    },
  };

  function speak({ node, frame }: State): void {
    const value = node.block.fields.get("instructions")?.value;
    const text = value?.kind === "scalar" && typeof value.value === "string" ? value.value : "";
    if (random() < 0.04) {
      const [asked, answered] = pick(SMALLTALK) as [string, string];
      say(true, asked);
      say(false, answered);
    }
    if (
      text === "" ||
      (node.type !== "message" && node.type !== "collect" && node.type !== "end" && node.type !== "transfer")
    )
      return;
    const own = text.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (_, name: string) => String(frame.variables.get(name) ?? ""));
    const sentences = own.split(/(?<=[.!?])\s+/).filter((each) => each.trim() !== "");
    const used = heavy && sentences.length > 2 ? sentences.filter(() => random() < 0.75) : sentences;
    const asks = node.type === "collect" || node.edges.length > 1;
    const direct = (used.length > 0 ? used : sentences)
      .join(" ")
      .replace(/\b(the|a) (caller|customer|guest|patient)\b/gi, "you");
    say(
      false,
      distort(direct.replace(/^(ask|tell)( you)?( for)?\s/i, asks ? "and " : ""), false) +
        (asks && random() < 0.8 ? "?" : ""),
    );
  }

  function answer(at: State): Parameters<typeof next>[1] {
    const { question, node, frame } = at;
    if (!question) return undefined;
    if (question.kind === "choice") {
      const edge = pick(question.ways.open) as RunEdge;
      const when = (edge.when ?? "").replace(/^(the )?caller\s+/i, "");
      say(
        true,
        edge.condition && when !== ""
          ? distort(when.replace(/\b(their|his|her)\b/gi, "my"), true)
          : pick(["no", "nah", "whatever", "hm not that"]),
      );
      return { take: edge };
    }
    if (question.kind === "value") {
      if (random() < 0.12) {
        say(true, pick(["dunno", "i forgot it", "not telling", "no idea mate"]));
        return { give: undefined };
      }
      const value = made(frame.program, question.variable);
      say(
        true,
        `${random() < 0.4 ? `${pick(CASUAL)} ` : ""}${typeof value === "boolean" ? (value ? "yes" : "no") : String(value)}`,
      );
      return { give: value };
    }
    const events = node.edges.flatMap(({ on }) => on ?? []);
    if (events.length > 0 && random() < 0.2) return { event: pick(events) };
    let result: unknown = {};
    for (const { variable, path } of node.saves) result = merged(result, path ?? [], made(frame.program, variable));
    return { return: result };
  }

  function made(of: Program, variable: string): unknown {
    const listed = of.valuesOf(variable);
    if (listed && listed.length > 0) return pick(listed);
    const declared = /type: *(\w+)/.exec(of.document.variable(variable)?.text ?? "")?.[1];
    if (declared === "number" || declared === "integer") return Math.floor(random() * 90);
    if (declared === "boolean") return random() < 0.5;
    return random() < 0.5
      ? String(1000 + Math.floor(random() * 90_000))
      : pick(["Priya", "next tuesday", "the corner house", "Oslo", "half past four"]);
  }
}

function merged(into: unknown, [first, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (first === undefined) return value;
  const base = (typeof into === "object" && into !== null ? into : typeof first === "number" ? [] : {}) as Record<
    string | number,
    unknown
  >;
  base[first] = merged(base[first], rest, value);
  return base;
}
