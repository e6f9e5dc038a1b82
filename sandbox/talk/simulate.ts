/** Runs a flow with a simulated caller. The same seed gives the same call. */

import { pairOf, textOf } from "../../flow";
import type { FlowOf, Program, RunEdge, State } from "../../flow/run";
import { isEntry, next, start } from "../../flow/run";
import type { CallEndedReason } from "../../platform";
import { Chance } from "../chance";
import { type Paraphrase, Speech } from "./utterances";

export const CALLER_KINDS = ["cooperative", "terse", "talkative", "gives-up", "changes-mind", "hangs-up"] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

export interface SimulatedCall {
  readonly lines: readonly { readonly user: "assistant" | "customer"; readonly text: string }[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly reason: CallEndedReason;
  readonly endedBy: "ASSISTANT" | "USER";
  /** The nodes that the run entered, in order. */
  readonly path: readonly string[];
  readonly caller: CallerKind;
}

/** A caller hangs up rather than talk longer than this. */
const MAX_STEPS = 80;

/** Undefined if the flow can't run. */
export function simulateCall(
  program: Program,
  flowOf: FlowOf,
  options: { readonly seed: string; readonly caller?: CallerKind; readonly paraphrase?: Paraphrase },
): SimulatedCall | undefined {
  const chance = new Chance(options.seed);
  const caller = options.caller ?? chance.pick(CALLER_KINDS);
  const first = start(program, [], flowOf);
  return first && new Simulation(chance, caller, options.paraphrase ?? "light", isEnglish(program)).run(first);
}

class Simulation {
  readonly #lines: { user: "assistant" | "customer"; text: string }[] = [];
  readonly #path: string[] = [];
  readonly #speech: Speech;
  readonly #patience: number;
  #hasHungUp = false;

  constructor(
    private readonly chance: Chance,
    private readonly caller: CallerKind,
    paraphrase: Paraphrase,
    isEnglish: boolean,
  ) {
    this.#speech = new Speech(chance, paraphrase, isEnglish);
    this.#patience = caller === "hangs-up" ? chance.whole(1, 6) : MAX_STEPS;
  }

  run(first: State): SimulatedCall {
    let state = first;
    for (let isNew = true; ; ) {
      if (isNew) this.#enter(state);
      if (state.ended || this.#hasHungUp) break;
      const before = state;
      state = next(state, this.#answer(state));
      if (this.#hasHungUp) {
        state = before;
        break;
      }
      isNew = isEntry(state);
    }
    return this.#result(state);
  }

  #result(state: State): SimulatedCall {
    const kind = state.ended?.kind;
    const isOver = kind === "end" || kind === "transfer";
    let outermost = state.frame;
    while (outermost.caller) outermost = outermost.caller.frame;
    return {
      lines: this.#lines,
      variables: Object.fromEntries(outermost.variables),
      reason: kind === "transfer" ? "WARM_TRANSFER" : "ENDED",
      endedBy: isOver && !this.#hasHungUp ? "ASSISTANT" : "USER",
      path: this.#path,
      caller: this.caller,
    };
  }

  #enter(state: State): void {
    const { node } = state;
    this.#path.push(state.at);
    if (this.#path.length > this.#patience && !state.ended) this.#hasHungUp = true;
    const instructions = filled(fieldText(state, "instructions"), state);
    const isSilent = node.type === "tool" || node.type === "component" || node.type === "decision";
    if (instructions !== "" && (!isSilent || this.chance.next() < 0.3))
      this.#say("assistant", this.#speech.assistant(instructions, asks(state)));
    else if (node.type === "tool" && this.chance.next() < 0.4)
      this.#say("assistant", "Give me just a second while I do that.");
    else if (node.type === "end" && this.chance.next() < 0.7) this.#say("assistant", "All the best to you.");
    else if (node.type === "transfer" && this.chance.next() < 0.7)
      this.#say("assistant", "I'm putting you through to somebody.");
  }

  #answer(state: State): Parameters<typeof next>[1] {
    const { question, node, frame } = state;
    if (!question) {
      this.#chat();
      return undefined;
    }
    if (question.kind === "choice") {
      const edge = this.#chosen(question.ways.open);
      if (edge.condition)
        this.#respond(this.#speech.caller((edge.when ?? edge.label ?? "").replace(/\{\{[^{}]*\}\}/g, "that")));
      else
        this.#respond(
          this.chance.pick(["Something else, actually.", "Not really.", "No, that's fine.", "Just go ahead."]),
        );
      return { take: edge };
    }
    if (question.kind === "value") {
      const isGivingUp = this.chance.next() < (this.caller === "gives-up" ? 0.6 : 0.06);
      if (isGivingUp) {
        this.#respond(this.#speech.noValue());
        return { give: undefined };
      }
      const value = valueFor(frame.program, question.variable, this.chance);
      if (this.caller === "changes-mind" && this.chance.next() < 0.4) {
        const other = valueFor(frame.program, question.variable, this.chance);
        this.#respond(`${this.#speech.value(other)} No wait, ${String(value)}.`);
      } else this.#respond(this.#speech.value(value));
      return { give: value };
    }
    const events = node.edges.flatMap(({ on }) => on ?? []);
    if (question.flow) return { enter: question.flow };
    if (events.length > 0 && this.chance.next() < 0.18) return { event: this.chance.pick(events) };
    const answer: Record<string, unknown> = {};
    for (const { variable, path } of node.saves) {
      const value = valueFor(frame.program, variable, this.chance);
      const values = enumValues(frame.program, variable);
      put(answer, path ?? [], values.length > 0 ? this.chance.pick(values) : value);
    }
    return { return: answer };
  }

  /** Edges with a condition are chosen more often than the default edge. */
  #chosen(open: readonly RunEdge[]): RunEdge {
    const weighted = open.flatMap((edge) => (edge.condition ? [edge, edge] : [edge]));
    return this.chance.pick(weighted);
  }

  #respond(text: string): void {
    const short = text.split(/(?<=[.?!])\s/)[0] ?? text;
    if (this.caller === "terse")
      this.#say("customer", short.replace(/, that's why I'm calling|^It's about this: /g, ""));
    else if (this.caller === "talkative")
      this.#say("customer", `${this.#speech.hesitant(text)} ${this.#speech.chatter()}`);
    else this.#say("customer", text);
    if (this.caller === "talkative" && this.chance.next() < 0.15) {
      this.#say("assistant", "I understand.");
      this.#say("customer", this.#speech.chatter());
    }
  }

  #chat(): void {
    if (this.#lines.at(-1)?.user !== "assistant") return;
    const share = this.caller === "talkative" ? 0.5 : this.caller === "terse" ? 0.05 : 0.2;
    if (this.chance.next() < share) this.#say("customer", this.chance.pick(["Okay.", "I see.", "Go on.", "Mhm."]));
  }

  #say(user: "assistant" | "customer", text: string): void {
    this.#lines.push({ user, text });
  }
}

function asks({ node, question }: State): boolean {
  return question?.kind === "value" || node.edges.filter(({ condition }) => condition !== undefined).length > 1;
}

function fieldText({ node }: State, field: string): string {
  const value = node.block.fields.get(field)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : "";
}

function filled(text: string, { frame }: State): string {
  return text.replace(/\{\{\s*([\w-]+)\s*\}\}/g, (_, name: string) => String(frame.variables.get(name) ?? "it"));
}

function isEnglish(program: Program): boolean {
  const words = program.document.text.toLowerCase().match(/[a-zà-ÿ]+/g) ?? [];
  return (
    words.filter((word) => ["the", "and", "ask", "for", "caller", "you"].includes(word)).length > words.length * 0.05
  );
}

function put(into: Record<string, unknown>, path: readonly (string | number)[], value: unknown): void {
  let place: Record<string | number, unknown> = into;
  path.forEach((part, index) => {
    if (index === path.length - 1) place[part] = value;
    else {
      const inside = place[part] ?? (typeof path[index + 1] === "number" ? [] : {});
      place[part] = inside;
      place = inside as Record<string | number, unknown>;
    }
  });
}

function enumValues({ document }: Program, variable: string): readonly string[] {
  const listed = pairOf(document.variable(variable)?.value, "enum_values")?.value;
  return listed?.kind === "list" ? listed.items.flatMap((item) => textOf(item) ?? []) : [];
}

/** A value of the variable's type, or one that a condition of the flow compares it with. */
function valueFor(program: Program, variable: string, chance: Chance): unknown {
  const listed = enumValues(program, variable);
  if (listed.length > 0) return chance.pick(listed);
  const compared = comparedWith(program, variable);
  if (compared.length > 0 && chance.next() < 0.6) return chance.pick(compared);
  const type = textOf(pairOf(program.document.variable(variable)?.value, "type")?.value);
  if (type === "number" || type === "integer") return chance.whole(1, 12);
  if (type === "boolean") return chance.next() < 0.5;
  if (type === "date") return `2026-${String(chance.whole(1, 12)).padStart(2, "0")}-${String(chance.whole(10, 28))}`;
  if (/name/i.test(variable))
    return chance.pick(["Quinn Abara", "Mara Oduya", "Ilse Brandt", "Tomas Vega", "Noor Haddad"]);
  if (/(id|number|code|ticket|phone|account|zip|postcode)$/i.test(variable)) return String(chance.whole(1_000, 99_999));
  return chance.pick([
    "the blue one",
    "as soon as possible",
    "near the station",
    "two of them",
    "the usual",
    "around noon",
  ]);
}

/** Numbers around those that conditions compare with, and the strings they name. */
function comparedWith({ nodes }: Program, variable: string): unknown[] {
  const found: unknown[] = [];
  for (const { edges } of nodes.values())
    for (const { when } of edges)
      for (const [, name, , literal = ""] of (when ?? "").matchAll(
        /\{\{\s*([\w-]+)\s*\}\}\s*(<=|>=|<|>|==|!=|=|is not|is|equals)\s*("[^"]*"|'[^']*'|-?[\d.]+|true|false)/gi,
      )) {
        if (name !== variable) continue;
        const number = Number(literal);
        if (literal !== "" && !Number.isNaN(number)) found.push(number, number + 1, number - 1);
        else if (literal === "true" || literal === "false") found.push(literal === "true");
        else found.push(literal.slice(1, -1));
      }
  return found;
}
