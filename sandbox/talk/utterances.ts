/**
 * What the assistant and the caller say in simulated calls, generated from instructions and conditions by templates and
 * paraphrases. Tracing has its own word lists: nothing here is shared with it, so that simulated calls can test it.
 */
import type { Chance } from "../chance";

/** How far speech is from the text it comes from. */
export type Paraphrase = "light" | "heavy";

const OPENERS = ["Alright,", "Okay,", "So,", "Right then,", "Very well,", "Perfect,"];
const HEAVY_OPENERS = [
  "Let me see now,",
  "Just so we are on the same page,",
  "Before we go on,",
  "If that's all right with you,",
];
const ASKING = [
  (what: string) => `Could you give me ${what}?`,
  (what: string) => `May I have ${what}, please?`,
  (what: string) => `What would be ${what}?`,
  (what: string) => `I'd need ${what} from you.`,
];
const TELLING = [
  (what: string) => `${what}.`,
  (what: string) => `I can tell you that ${what}.`,
  (what: string) => `Just so you know: ${what}.`,
];
const DOING = [
  (what: string) => `I'm going to ${what}.`,
  (what: string) => `Let me ${what}.`,
  (what: string) => `${what}, if I may.`,
];
const WANTING = [
  (what: string) => `${what}, that's why I'm calling.`,
  (what: string) => `It's about this: ${what}.`,
  (what: string) => `Well, ${what}.`,
  (what: string) => `${what}.`,
];
const CHATTER = [
  "Bear with me.",
  "It's quite noisy here.",
  "Can you hear me?",
  "Lovely weather, by the way.",
  "Sorry, I was on mute.",
];
const HESITATION = ["Uhm,", "Er,", "Let me think,", "Hmm,"];

/** Word for word replacements, each way. */
const SWAPS: readonly (readonly [string, string])[] = [
  ["bill", "invoice"],
  ["problem", "issue"],
  ["appointment", "booking"],
  ["tell", "let know"],
  ["find", "track down"],
  ["help", "assist"],
  ["broken", "out of order"],
  ["number", "digits"],
  ["address", "place"],
  ["want", "would like"],
  ["explain", "go over"],
  ["offer", "suggest"],
  ["confirm", "double-check"],
  ["phone", "mobile"],
  ["price", "cost"],
  ["date", "day"],
  ["order", "purchase"],
  ["cancel", "call off"],
  ["change", "alter"],
  ["customer", "client"],
  ["repair", "fix"],
  ["visit", "come by"],
  ["car", "vehicle"],
  ["room", "suite"],
  ["pay", "settle"],
  ["late", "delayed"],
  ["message", "note"],
  ["doctor", "physician"],
  ["ticket", "case"],
  ["parcel", "package"],
];

export class Speech {
  constructor(
    private readonly chance: Chance,
    private readonly paraphrase: Paraphrase,
    private readonly isEnglish: boolean,
  ) {}

  /** What the assistant says for a node's instructions. */
  assistant(instructions: string, asks: boolean): string {
    const fixed = /"([^"]{8,})"/.exec(instructions)?.[1];
    if (fixed !== undefined && this.paraphrase === "light") return fixed;
    const sentences = instructions
      .split(/(?<=[.!?。])\s+/)
      .map((each) => each.trim())
      .filter((each) => each !== "");
    const spoken = sentences.slice(0, 3).map((sentence) => this.#spoken(sentence.replace(/(?<![.!?])[.!?]+$/, "")));
    const said = spoken.join(" ");
    if (!this.isEnglish) return asks && !/[?？؟]/.test(said) ? `${said}?` : said;
    const openers = this.paraphrase === "heavy" ? [...OPENERS, ...HEAVY_OPENERS] : OPENERS;
    return this.chance.next() < (this.paraphrase === "heavy" ? 0.5 : 0.25)
      ? `${this.chance.pick(openers)} ${said}`
      : said;
  }

  /** What the caller says when the condition of an edge holds. */
  caller(when: string): string {
    const bare = when
      .replace(
        /^(the )?(caller|customer|guest|patient|member|client)s?\s+(says|asks|wants|would like|needs|is|has|reports)?\s*(that|for|about|to)?\s*/i,
        "",
      )
      .replace(/\b(their|his|her)\b/gi, "my")
      .replace(/\bthey\b/gi, "I");
    return this.#cased(this.chance.pick(WANTING)(this.#words(bare === "" ? when : bare)));
  }

  value(value: unknown): string {
    const text = String(value);
    return this.#cased(
      this.chance.pick([
        `${text}.`,
        `It's ${text}.`,
        `That would be ${text}.`,
        `Sure, ${text}.`,
        `${text}, I believe.`,
      ]),
    );
  }

  noValue(): string {
    return this.chance.pick([
      "I have no idea, honestly.",
      "I'd rather not say.",
      "I can't find that right now.",
      "No clue, sorry.",
    ]);
  }

  chatter(): string {
    return this.chance.pick(CHATTER);
  }

  hesitant(text: string): string {
    return `${this.chance.pick(HESITATION)} ${text}`;
  }

  #spoken(sentence: string): string {
    const text = sentence
      .replace(/\b(the|a) (caller|customer|guest|patient|member|client)('s)?\b/gi, (_, __, ___, own) =>
        own ? "your" : "you",
      )
      .replace(/\b(their|his or her|his|her)\b/gi, "your")
      .replace(/\bthey\b/gi, "you");
    if (!this.isEnglish) return this.#words(text);
    const ask = /^(?:please )?(?:ask|find out|request|inquire)(?: you)?(?: for| about| whether| if)? (.+)$/i.exec(
      text,
    )?.[1];
    if (ask !== undefined) return this.#cased(this.chance.pick(ASKING)(this.#words(ask)));
    const tell =
      /^(?:tell|inform|let|remind|explain to|explain|say)(?: you)?(?: know)?(?: that| of| about)? (.+)$/i.exec(
        text,
      )?.[1];
    if (tell !== undefined) return this.#cased(this.chance.pick(TELLING)(this.#words(tell)));
    return this.#cased(this.chance.pick(DOING)(this.#words(text.charAt(0).toLowerCase() + text.slice(1))));
  }

  #words(text: string): string {
    const isHeavy = this.paraphrase === "heavy";
    const swapped = text.split(/\s+/).flatMap((word) => {
      if (word.length > 3 && this.chance.next() < (isHeavy ? 0.22 : 0.03)) return [];
      const bare = word.toLowerCase().replace(/[^\p{L}]/gu, "");
      const pair = SWAPS.find(([a, b]) => a === bare || b === bare);
      if (!pair || this.chance.next() > (isHeavy ? 0.7 : 0.15)) return [word];
      return [pair[0] === bare ? pair[1] : pair[0]];
    });
    return (swapped.length > 0 ? swapped : text.split(/\s+/)).join(" ");
  }

  #cased(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
  }
}
