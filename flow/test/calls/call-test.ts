/**
 * Creates a test from a call: complete if exactly one run matches it, otherwise a draft that marks the undecided parts.
 */
import { type Answer, next, type State, start } from "../../run/machine";
import type { Program } from "../../run/program";
import { answerWith } from "../generate/answers";
import { takeName } from "../takes";
import { inlineValue, testLines } from "../write";
import { type Agreeing, type AgreeingRun, type CallFacts, runsLike } from "./from-call";
import { Redaction } from "./redact";

export interface RecordedCall extends CallFacts {
  /** The caller's names on the platform. */
  readonly names: readonly string[];
  /** What the caller said, in order; empty if the test shouldn't have `says`. */
  readonly said: readonly string[];
}

export interface CallTest {
  /** Lines of the list of tests. */
  readonly lines: readonly string[];
  readonly isDraft: boolean;
}

/** Undefined if no run matches the call. `nameFor` makes a name unique. */
export function testOfCall(
  program: Program,
  call: RecordedCall,
  nameFor: (plain: string) => string,
): CallTest | undefined {
  const found = runsLike(program, call);
  const [first] = found.runs;
  if (!first) return undefined;
  const redaction = new Redaction(program, call.names);
  if (found.runs.length === 1 && !found.isCut) {
    const run = replayed(program, first, call.variables, redaction);
    const { last } = run;
    const how = last.ended?.kind === "transfer" ? "is transferred at" : "ends at";
    const lines = testLines(nameFor(`a call that ${how} ${last.at}`), run);
    return { lines: withWords(lines, first.answers, call.said, redaction), isDraft: false };
  }
  return { lines: draft(program, found, first, call, redaction, nameFor), isDraft: true };
}

function draft(
  program: Program,
  { runs }: Agreeing,
  first: AgreeingRun,
  call: RecordedCall,
  redaction: Redaction,
  nameFor: (plain: string) => string,
): string[] {
  let same = 0;
  const keyAt = ({ answers }: AgreeingRun, index: number) => keyOf(answers[index]?.answer);
  while (same < first.answers.length && runs.every((run) => keyAt(run, same) === keyAt(first, same))) same++;
  const prefix = { ...first, answers: first.answers.slice(0, same) };
  const run = replayed(program, prefix, call.variables, redaction);
  const lines = testLines(nameFor("a call that isn't decided yet"), run);
  const body = withWords(lines.slice(0, lines.indexOf("    expect:")), prefix.answers, call.said, redaction);
  const open = [...new Map(runs.map((each) => [keyAt(each, same), each.answers[same]])).values()];
  const question = first.answers[same]?.at;
  const candidates = open.flatMap((each) => (each ? [words(each.answer)] : [])).join(" or ");
  const mark = `# Undecided: ${candidates}. Choose one, then add what follows.`;
  if (question?.question?.kind === "call") {
    const tools = body.indexOf("    tools:");
    const line = `      ${question.at}: ${mark}`;
    if (tools >= 0) body.splice(tools + 1, 0, line);
    else body.splice(body.indexOf("    steps:") < 0 ? body.length : body.indexOf("    steps:"), 0, "    tools:", line);
  } else {
    if (!body.includes("    steps:")) body.push("    steps:");
    const [next = ""] = call.said.slice(stepsIn(prefix.answers));
    body.push(`      - take: ${mark}`);
    const said = redaction.text(next);
    if (said !== "") body.push(`        says: ${inlineValue(said)}`);
  }
  const values = Object.fromEntries(
    [...call.variables].flatMap(([name, value]) => certain(program, name, value, redaction)),
  );
  const ends = new Set(runs.map(({ last }) => last.at));
  const expected = [
    ...(Object.keys(values).length > 0 ? [`      variables: ${inlineValue(values)}`] : []),
    ...(ends.size === 1 ? [`      ends: ${[...ends][0]}`] : []),
  ];
  return [...body, ...(expected.length > 0 ? ["    expect:", ...expected] : [])];
}

function certain(program: Program, name: string, value: unknown, redaction: Redaction): [string, unknown][] {
  if (value === null || value === undefined || !program.document.variable(name)) return [];
  return [[name, redaction.value(name, value)]];
}

function keyOf(answer: Answer | undefined): string {
  return answer ? ("take" in answer ? answer.take.id : JSON.stringify(answer)) : "";
}

function words(answer: Answer): string {
  if ("take" in answer) return `"${takeName(answer.take).replace(/\s+/g, " ")}"`;
  if ("event" in answer) return answer.event === "error" ? "{error: failed}" : `{event: ${answer.event}}`;
  return "return" in answer ? "{return: {…}}" : "";
}

/** The same run with placeholders for personal values. */
function replayed(
  program: Program,
  { given, answers }: AgreeingRun,
  variables: ReadonlyMap<string, unknown>,
  redaction: Redaction,
): AgreeingRun {
  const values = given.map(([name, value]) => [name, redaction.value(name, value)] as const);
  const made: { at: State; answer: Answer }[] = [];
  let state = start(program, values) as State;
  const goOn = () => {
    while (!state.ended && !state.question) state = next(state);
  };
  goOn();
  for (const { at, answer } of answers) {
    const own = replaced(at, answer, variables, redaction);
    made.push({ at: state, answer: own });
    state = next(state, own);
    goOn();
  }
  return { given: values, answers: made, last: state };
}

function replaced(
  { node, question }: State,
  answer: Answer,
  variables: ReadonlyMap<string, unknown>,
  redaction: Redaction,
): Answer {
  if ("give" in answer && question?.kind === "value") return { give: redaction.value(question.variable, answer.give) };
  if (!("return" in answer)) return answer;
  return { return: answerWith(node.saves, (variable) => redaction.value(variable, variables.get(variable))) };
}

function stepsIn(answers: AgreeingRun["answers"]): number {
  return answers.filter(({ answer }) => "take" in answer || "give" in answer).length;
}

/**
 * Adds what the caller said to the steps: a value at the step that collects it, the rest in order, leftovers at the
 * last step.
 */
function withWords(
  lines: readonly string[],
  answers: AgreeingRun["answers"],
  said: readonly string[],
  redaction: Redaction,
): string[] {
  const steps = answers.filter(({ answer }) => "take" in answer || "give" in answer);
  let at = 0;
  const spoken = steps.map(({ answer }, index) => {
    const value = "give" in answer && answer.give !== undefined ? String(answer.give).toLowerCase() : undefined;
    const found =
      value === undefined ? -1 : said.findIndex((each, place) => place >= at && each.toLowerCase().includes(value));
    const isLast = index === steps.length - 1;
    const end = isLast ? said.length : found >= 0 ? found + 1 : Math.min(at + 1, said.length);
    const own = said.slice(at, end).join("\n");
    at = end;
    return redaction.text(own);
  });
  let step = 0;
  return lines.flatMap((line) => {
    if (!line.startsWith("      - ")) return [line];
    const own = spoken[step++] ?? "";
    return own === "" ? [line] : [line, `        says: ${inlineValue(own)}`];
  });
}
