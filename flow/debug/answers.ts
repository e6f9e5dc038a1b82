/** Answers as text: what can be typed in the console, what's suggested there, and how questions are shown. */
import { type Document, isCollection, parseDocument, visit } from "yaml";
import type { Answer, Frame, Question, State } from "../run/machine";
import type { Program, RunEdge } from "../run/program";
import { answerWith, withOutputs } from "../test/generate/answers";
import { edgesNamed, takeName } from "../test/takes";
import type { KnownTools } from "../tools";
import { pairOf, textOf, toData, type Value } from "../values";
import { type Moment, needsAnswer, type Run } from "./run";

/** A question as it's shown, with the text of each answer. */
export interface AskedQuestion {
  readonly kind: Question["kind"];
  readonly at: string;
  /** The question in one sentence. */
  readonly title: string;
  /** For a choice: its edges. */
  readonly choices: readonly OfferedEdge[];
  /** For a value: the variable, and its possible values. */
  readonly variable: string | undefined;
  readonly values: readonly string[];
  /** For a call: a suggested result, the last one given here or the shape of `saves` and of the tool's outputs; and the events that edges wait for. */
  readonly answer: string | undefined;
  readonly events: readonly string[];
}

export interface OfferedEdge {
  readonly id: string;
  readonly words: string;
  readonly to: string;
  /** Without `when`: taken if no other edge matches. */
  readonly isDefault: boolean;
}

export function askedAt(moment: Moment, tools?: KnownTools): AskedQuestion | undefined {
  const { state } = moment;
  if (!needsAnswer(state)) return undefined;
  const { question, at, node } = state;
  const none = { choices: [], variable: undefined, values: [], answer: undefined, events: [] };
  if (question.kind === "choice") {
    const choices = question.ways.open.map(offered);
    return { ...none, kind: "choice", at, title: `Which edge does "${at}" take?`, choices };
  }
  if (question.kind === "value") {
    const { variable } = question;
    const values = state.frame.program.valuesOf(variable) ?? [];
    return { ...none, kind: "value", at, title: `What does the caller answer for "${variable}"?`, variable, values };
  }
  const events = [...new Set(["error", ...node.edges.flatMap(({ isOnEvent, on }) => (isOnEvent && on ? on : []))])];
  const answer = JSON.stringify(lastReturn(moment) ?? shapeOf(state, tools));
  const name = tools?.calledBy(node.block)?.name;
  const what = name ? `${question.what} "${name}"` : question.what;
  return { ...none, kind: "call", at, title: `What does the ${what} at "${at}" return?`, answer, events };
}

function offered(edge: RunEdge): OfferedEdge {
  return { id: edge.id, words: takeName(edge), to: edge.to, isDefault: edge.condition === undefined };
}

/** The last result of the same node in this run. */
function lastReturn(moment: Moment): unknown {
  for (let each: Moment | undefined = moment; each?.before; each = each.before) {
    const { move, before } = each;
    if (move?.kind === "answer" && "return" in move.answer && before.state.at === moment.state.at)
      return move.answer.return;
  }
  return undefined;
}

/** A result with a value at every path of `saves`, and the tool's other outputs. */
function shapeOf({ node, frame }: State, tools: KnownTools | undefined): unknown {
  const answer = answerWith(node.saves, (variable) => {
    const [first] = listedIn(frame.program, variable);
    return first ? toData(first) : "";
  });
  return withOutputs(answer, node, tools);
}

export type SaidAnswer = { readonly answer: Answer } | { readonly problem: string };

const COMMAND = /^\s*(take|give|return|fail|event)\b\s*(.*?)\s*$/s;

/** Whether the input is an answer rather than an expression to evaluate. */
export function isAnswer(text: string): boolean {
  return COMMAND.test(text);
}

/** `take …`, `give account_id 4711`, `return {…}`, `fail timeout`, `event busy`. */
export function readAnswer(text: string, state: State): SaidAnswer {
  const [, verb = "", rest = ""] = COMMAND.exec(text) ?? [];
  if (!needsAnswer(state)) return { problem: `The run isn't waiting for an answer at "${state.at}".` };
  const { question } = state;
  if (verb === "take")
    return question.kind === "choice" ? readTake(rest, state, question) : { problem: wants(state, question) };
  if (verb === "give")
    return question.kind === "value" ? readGive(rest, question.variable, state) : { problem: wants(state, question) };
  if (question.kind !== "call") return { problem: wants(state, question) };
  if (verb === "return") {
    const value = readValue(rest === "" ? "{}" : rest);
    return value
      ? { answer: { return: value.value } }
      : { problem: `Couldn't parse the answer \`${rest}\`. Write JSON or YAML.` };
  }
  if (verb === "event")
    return rest === "" ? { problem: "Write the name of the event: `event busy`." } : { answer: { event: rest } };
  // An edge may wait for this failure; any other one is an error.
  const isAwaited = state.node.edges.some(({ isOnEvent, on }) => isOnEvent && on === rest);
  return { answer: { event: isAwaited ? rest : "error" } };
}

/**
 * An answer as the console shows and offers it. In a list, an edge is chosen by its ID, which says little, and a value
 * is given in quotes, which it rarely needs.
 */
export function echoOf(text: string, answer: Answer, state: State): string {
  if ("take" in answer) return `take ${takeName(answer.take).replace(/\s+/g, " ")}`;
  const full = text.trim();
  if (!("give" in answer)) return full;
  const plain = full.replace(/"([^"\\]*)"$/, "$1");
  const again = readAnswer(plain, state);
  return "answer" in again && "give" in again.answer && again.answer.give === answer.give ? plain : full;
}

function wants({ at }: State, question: Question): string {
  if (question.kind === "choice") return `The run is waiting at "${at}" for an edge: \`take …\`.`;
  if (question.kind === "value") return `The run is waiting at "${at}" for a value: \`give ${question.variable} …\`.`;
  return `The run is waiting at "${at}" for a result: \`return {…}\` or \`fail …\`.`;
}

function readTake(name: string, { node, at }: State, { ways }: Question & { kind: "choice" }): SaidAnswer {
  const { open } = ways;
  const plain = /^(["'])(.*)\1$/s.exec(name)?.[2] ?? name;
  const named = edgesNamed(node, plain).filter((edge) => open.includes(edge));
  const numbered = /^\d+$/.test(plain) ? open[Number(plain) - 1] : undefined;
  const [edge = numbered, ...more] = named;
  if (edge && more.length === 0) return { answer: { take: edge } };
  if (more.length > 0)
    return { problem: `"${plain}" matches ${named.length} edges. Use an ID: ${quoted(named.map(({ id }) => id))}.` };
  // In a console, a unique prefix of an edge is enough.
  const begun = plain === "" ? [] : open.filter((each) => takeName(each).toLowerCase().startsWith(plain.toLowerCase()));
  if (begun.length === 1) return { answer: { take: begun[0] as RunEdge } };
  return { problem: `"${at}" can't take "${plain}" here. Its open edges: ${quoted(open.map(takeName))}.` };
}

function readGive(text: string, variable: string, { frame }: State): SaidAnswer {
  const rest =
    text.startsWith(variable) && /^(\s|:|=|$)/.test(text.slice(variable.length))
      ? text.slice(variable.length).replace(/^\s*[:=]?\s*/, "")
      : undefined;
  if (rest === undefined) return { problem: `The run is waiting for "${variable}": \`give ${variable} …\`.` };
  if (rest === "") return { problem: `Write the value: \`give ${variable} …\`, or \`null\` if the caller gives up.` };
  const read = readTyped(rest, variable, frame);
  return "problem" in read ? read : { answer: { give: read.value } };
}

/**
 * A typed value: JSON or YAML if it's valid, otherwise the text itself; `unset` and `null` mean no value. For a string
 * variable, `4711` is a string. Text that starts like a map, a list, or a quoted string must be one. A variable
 * with `enum_values` has one of them.
 */
export function readTyped(text: string, variable: string, frame: Frame): TypedValue {
  const read = readAny(text, variable, frame);
  const { program } = frame;
  const values = program.valuesOf(variable);
  if ("problem" in read || read.value === undefined || !values) return read;
  const words = String(read.value);
  if (!values.includes(words))
    return { problem: `"${variable}" has no value ${JSON.stringify(read.value)}. Its values: ${quoted(values)}.` };
  // A selected value arrives as text, but the listed one may be a number or a boolean.
  const item = listedIn(program, variable).find((each) => textOf(each) === words);
  return item && !isText(program, variable) ? { value: toData(item) } : read;
}

function listedIn({ document }: Program, variable: string): readonly Value[] {
  const listed = pairOf(document.variable(variable)?.value, "enum_values")?.value;
  return listed?.kind === "list" ? listed.items : [];
}

type TypedValue = { readonly value: unknown } | { readonly problem: string };

function readAny(text: string, variable: string, { program }: Frame): TypedValue {
  const words = text.trim();
  if (words === "unset" || words === "null" || words === "~") return { value: undefined };
  const read = readValue(words);
  if (!read && /^[[{"']/.test(words))
    return { problem: `Couldn't parse the value \`${words}\`. Write JSON or YAML, and quote text.` };
  if (!read || read.value === null || read.value === undefined) return { value: words };
  const { value } = read;
  const isString = isText(program, variable);
  if (typeof value === "object") return { value: isString && !/^[[{]/.test(words) ? words : value };
  const isWords = (isString && typeof value !== "string") || (typeof value === "number" && String(value) !== words);
  return { value: isWords ? words : value };
}

function isText({ document }: Program, variable: string): boolean {
  return textOf(document.variable(variable)?.fields.get("type")?.value) === "string";
}

function readValue(text: string): { readonly value: unknown } | undefined {
  const document = parseDocument(text, { logLevel: "silent" });
  // Half-typed or plain text; the caller reports it.
  if (document.errors.length > 0 || hasOddKey(document)) return undefined;
  try {
    return { value: document.toJS({ maxAliasCount: 0 }) as unknown };
  } catch {
    return undefined; // An undefined alias.
  }
}

/** YAML reads `{{plan}}` as a map whose key is a map; a template in a value is text that needs quotes. */
function hasOddKey(document: Document.Parsed): boolean {
  let isOdd = false;
  visit(document, {
    Pair: (_, { key }) => {
      isOdd = isCollection(key);
      return isOdd ? visit.BREAK : undefined;
    },
  });
  return isOdd;
}

export interface Offer {
  readonly label: string;
  /** The complete line. */
  readonly text: string;
}

/** Suggestions for answering the question here. */
export function offersAt({ now, setup }: Run): Offer[] {
  const asked = askedAt(now, setup.tools);
  if (!asked) return [];
  const offer = (text: string): Offer => ({ label: text, text });
  if (asked.kind === "choice") {
    const words = asked.choices.map((each) => each.words);
    const isOnce = (text: string) => words.filter((each) => each === text).length === 1 && !text.includes("\n");
    return asked.choices.map(({ words: text, id }) => offer(`take ${isOnce(text) ? text : id}`));
  }
  if (asked.kind === "value")
    return [...asked.values, ...(asked.values.length > 0 ? [] : [""]), "null"].map((value) =>
      offer(`give ${asked.variable} ${value}`),
    );
  return [offer(`return ${asked.answer}`), ...asked.events.map((event) => offer(`fail ${event}`))];
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
