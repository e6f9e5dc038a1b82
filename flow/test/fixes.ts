/** Edits of a test file that fix a failure, derived from the question at which the run stopped. */
import type { Fix } from "../rules/engine/rule";
import type { Question, State } from "../run/machine";
import { eventsAt, type Program, type RunNode } from "../run/program";
import { applyEdits, briefly, eolOf, lineStartIn, type Span, type TextEdit } from "../text";
import type { KnownTools } from "../tools";
import type { Failure } from "./failure";
import { type FlowTest, readTestFile, type TestFile } from "./file/test-file";
import { answerWith, withOutputs } from "./generate/answers";
import { candidatesFor } from "./generate/candidates";
import type { TestResult } from "./runner";
import { takeNameAmong } from "./takes";
import { inlineText, inlineValue, updatedExpectations } from "./write";

/** More choices than this are left to completion. */
const MAX_CHOICES = 4;

/**
 * The first fix is the obvious one, if it is preferred. `isFine` rejects edits that make another case of the test fail;
 * of several fixes with one title, the first fine one is offered.
 */
export function testFixes(
  text: string,
  result: TestResult,
  failure: Failure,
  isFine: (after: TestFile) => boolean = () => true,
  tools?: KnownTools,
): Fix[] {
  const titles = new Set<string>();
  return candidates(text, result, failure, tools).filter(({ title, edits }) => {
    if (titles.has(title) || edits.length === 0) return false;
    const after = readTestFile(applyEdits(text, edits));
    const isSound = isReadable(text, after) && isFine(after);
    if (isSound) titles.add(title);
    return isSound;
  });
}

function candidates(text: string, result: TestResult, failure: Failure, tools: KnownTools | undefined): Fix[] {
  const { test, last } = result;
  const page = new TestPage(text, test);
  if (failure.fix && failure.kind === "edge-unknown") {
    const { title, span, text: words } = failure.fix;
    return [{ title, edits: [{ ...span, text: inlineText(words) }], preferred: true }];
  }
  switch (failure.kind) {
    case "step-missing":
      return last?.question ? page.insertSteps(test.steps.length, stepsFor(last, last.question)) : [];
    case "wrong-step": {
      const index = test.steps.findIndex(({ span, at }) => span === failure.span || at?.span === failure.span);
      return last?.question && index >= 0 ? page.insertSteps(index, stepsFor(last, last.question)) : [];
    }
    case "step-left-over":
      return page.removeSteps(test.steps.findIndex(({ span }) => span === failure.span));
    case "stub-missing":
      return last ? page.insertStubs(last, tools) : [];
    case "wrong-path":
    case "wrong-end":
    case "wrong-variable":
      // A shared expectation is changed if that suits the other cases; otherwise the case gets one of its own.
      return [updatedExpectations(result), ownExpectations(text, result)].map((edits) => ({
        title: "Expect what this run did",
        edits,
      }));
    default:
      return [];
  }
}

/** A fix must not break the file or one of its tests. */
function isReadable(text: string, after: TestFile): boolean {
  const before = readTestFile(text);
  const count = ({ problems, tests }: typeof after) =>
    problems.length + tests.reduce((sum, test) => sum + test.problems.length, 0);
  return count(after) <= count(before) && after.tests.length === before.tests.length;
}

interface NewStep {
  readonly title: string;
  readonly text: string;
}

/** The possible answers to a question, as steps. */
export function stepsFor({ frame, node }: State, question: Question): NewStep[] {
  if (question.kind === "value") {
    const value = candidatesFor(frame.program).of(question.variable)[0];
    const give = inlineValue({ [question.variable]: value ?? null });
    return [{ title: `give ${question.variable}`, text: `give: ${give}` }];
  }
  if (question.kind !== "choice") return [];
  const { open } = question.ways;
  return open.slice(0, MAX_CHOICES).map((edge) => {
    const name = takeNameAmong(node, edge, open);
    return { title: `take "${briefly(name)}"`, text: `take: ${inlineText(name)}` };
  });
}

/** A stub for the call of a node: a value for everything that is saved from it, and the tool's other outputs. */
export function stubsFor(program: Program, node: RunNode, tools?: KnownTools): NewStep[] {
  const { saves } = node;
  const values = saves.length > 0 ? candidatesFor(program) : undefined;
  const answer = answerWith(saves, (variable) => values?.of(variable)[0] ?? "example");
  const returned = { title: "an answer", text: inlineValue({ return: withOutputs(answer, node, tools) }) };
  const events = eventsAt(node).map((event) => ({
    title: event === "error" ? "an error" : `the event "${event}"`,
    text: inlineValue(event === "error" ? { error: "failed" } : { event }),
  }));
  return [returned, ...events];
}

/** The lines of one test, if its parts are on lines of their own. */
class TestPage {
  /** The column of the test's keys; -1 if it is written in braces. */
  readonly #column: number;
  /** The first line of each key, and the end of its part. */
  readonly #parts = new Map<string, Span>();
  readonly #eol: string;

  constructor(
    private readonly text: string,
    private readonly test: FlowTest,
  ) {
    const { start, end } = test.span;
    this.#eol = eolOf(text);
    this.#column = text[start] === "{" || text[start] === "*" ? -1 : start - this.#lineStart(start);
    if (this.#column < 0) return;
    const keys: { name: string; start: number }[] = [];
    for (let line = this.#lineStart(start); line < end; line = this.#nextLine(line)) {
      const at = line + this.#column;
      const name = /^([a-z_]+):/.exec(text.slice(at, at + 40))?.[1];
      const before = text.slice(line, at);
      if (name && (before.trim() === "" || line < start)) keys.push({ name, start: line });
    }
    keys.forEach((key, index) => {
      const last = keys[index + 1]?.start ?? this.#afterLast(end);
      this.#parts.set(key.name, { start: key.start, end: last });
    });
  }

  insertSteps(index: number, steps: readonly NewStep[]): Fix[] {
    const { steps: there } = this.test;
    return steps.map(({ title, text }, number) => ({
      title: `Add step: ${title}`,
      edits: this.#insertStep(index, there, text),
      preferred: number === 0 && steps.length === 1,
    }));
  }

  #insertStep(index: number, there: FlowTest["steps"], step: string): TextEdit[] {
    const neighbor = there[index] ?? there.at(-1);
    if (!neighbor) {
      const pad = " ".repeat(Math.max(0, this.#column));
      return this.#insertPart("steps", `${pad}steps:${this.#eol}${pad}  - ${step}${this.#eol}`);
    }
    const line = this.#lineStart(neighbor.span.start);
    const head = this.text.slice(line, neighbor.span.start);
    const isBefore = index < there.length;
    if (/^ *- +$/.test(head) && this.text[neighbor.span.start] !== "*") {
      const at = isBefore ? line : this.#afterLast(neighbor.span.end);
      const lead = at > 0 && !/[\r\n]/.test(this.text[at - 1] as string) ? this.#eol : "";
      return [{ start: at, end: at, text: `${lead}${head}${step}${this.#eol}` }];
    }
    const at = isBefore ? neighbor.span.start : neighbor.span.end;
    return [{ start: at, end: at, text: isBefore ? `{${step}}, ` : `, {${step}}` }];
  }

  removeSteps(from: number): Fix[] {
    const { steps } = this.test;
    const [first, last] = [steps[from], steps.at(-1)];
    if (!first || !last) return [];
    const count = steps.length - from;
    const title = count === 1 ? "Remove step" : `Remove ${count} steps`;
    return [{ title, edits: this.#cut(from, first.span, last.span), preferred: true }];
  }

  #cut(from: number, first: Span, last: Span): TextEdit[] {
    const line = this.#lineStart(first.start);
    const whole = this.#parts.get("steps");
    if (from === 0 && whole) return [{ ...whole, text: "" }];
    if (/^ *- +$/.test(this.text.slice(line, first.start)))
      return [{ start: line, end: this.#afterLast(last.end), text: "" }];
    const before = this.test.steps[from - 1];
    return before ? [{ start: before.span.end, end: last.end, text: "" }] : [];
  }

  insertStubs({ frame, node, at, question }: State, tools: KnownTools | undefined): Fix[] {
    const key = [at, (question?.kind === "call" && question.id) || ""].find((name) => this.test.tools.has(name));
    return stubsFor(frame.program, node, tools).map(({ title, text }, index) => ({
      title: `Add ${title} for "${at}"`,
      edits: key === undefined ? this.#insertStub(at, text) : this.#appendStub(key, text),
      preferred: index === 0,
    }));
  }

  #insertStub(at: string, stub: string): TextEdit[] {
    const entry = `${inlineText(at)}: ${stub}`;
    const last = [...this.test.tools.values()].at(-1);
    if (!last) {
      const pad = " ".repeat(Math.max(0, this.#column));
      return this.#insertPart("tools", `${pad}tools:${this.#eol}${pad}  ${entry}${this.#eol}`);
    }
    const line = this.#lineStart(last.span.start);
    const head = this.text.slice(line, last.span.start);
    if (head.trim() !== "") return [{ start: last.span.end, end: last.span.end, text: `, ${entry}` }];
    const end = this.#afterLast(last.span.end);
    return [{ start: end, end, text: `${head}${entry}${this.#eol}` }];
  }

  /** Appends an answer to a list. */
  #appendStub(key: string, stub: string): TextEdit[] {
    const there = this.test.tools.get(key);
    const end = there?.span.end ?? 0;
    if (!there?.isList || this.text[end - 1] !== "]") return [];
    const isEmpty = there.answers.length === 0;
    return [{ start: end - 1, end: end - 1, text: isEmpty ? stub : `, ${stub}` }];
  }

  /** Inserts a key of the test at its usual position: `tools` before `steps`, both before `expect`. */
  #insertPart(name: "tools" | "steps", lines: string): TextEdit[] {
    if (this.#column < 0 || this.#parts.size === 0) return [];
    const empty = this.#parts.get(name);
    const order = ["name", "given", "tools", "steps", "expect"];
    const after = order.slice(order.indexOf(name) + 1).flatMap((each) => this.#parts.get(each) ?? []);
    const [next] = after.filter(({ start }) => start > this.test.span.start).sort((a, b) => a.start - b.start);
    if (empty) return empty.start > this.test.span.start ? [{ ...empty, text: lines }] : [];
    const at = next?.start ?? this.#afterLast(this.test.span.end);
    const lead = at > 0 && !/[\r\n]/.test(this.text[at - 1] as string) ? this.#eol : "";
    return [{ start: at, end: at, text: lead + lines }];
  }

  #lineStart(offset: number): number {
    return lineStartIn(this.text, offset);
  }

  #nextLine(offset: number): number {
    const end = this.text.indexOf("\n", offset);
    return end < 0 ? this.text.length : end + 1;
  }

  /** The start of the line after the last line of a part. */
  #afterLast(end: number): number {
    const trimmed = this.text.slice(0, end).trimEnd().length;
    return this.#nextLine(trimmed);
  }
}

/** Edits that write the failed shared expectations into the case itself, because other cases behave differently; empty without any. */
function ownExpectations(text: string, { test, failures, path, variables, ended }: TestResult): TextEdit[] {
  const place = test.case?.span;
  if (!place || /[*&]/.test(text[place.start] as string)) return [];
  const isOwn = (start: number) => start >= place.start && start < place.end;
  const wrong = new Set(failures.map(({ kind }) => kind));
  const { path: nodes, ends, variables: values, span } = test.expect;
  const entries: string[] = [];
  if (nodes && wrong.has("wrong-path") && !isOwn(nodes.span.start)) entries.push(`path: ${inlineValue(path)}`);
  const shared = [...values].flatMap(([name, { span: at }]) => {
    const isWrong = failures.some((failure) => failure.kind === "wrong-variable" && failure.span === at);
    return isWrong && !isOwn(at.start) ? [[name, variables.get(name) ?? null] as const] : [];
  });
  const own = [...values.values()].find(({ span: at }) => isOwn(at.start));
  if (shared.length > 0 && !own) entries.push(`variables: ${inlineValue(Object.fromEntries(shared))}`);
  const isEnded = ended?.kind === "end" || ended?.kind === "transfer";
  if (ends && isEnded && wrong.has("wrong-end") && !isOwn(ends.span.start)) {
    const end = { node: ended.node, transfer: ended.kind === "transfer" };
    entries.push(`ends: ${ends.transfer ? inlineValue(end) : inlineText(ended.node)}`);
  }
  const pairs = shared.map(([name, value]) => inlineValue({ [name]: value }).slice(1, -1));
  const edits = own && pairs.length > 0 ? before(text, own.span.start, pairs) : [];
  if (entries.length === 0) return edits;
  const expect = span && isOwn(span.start) ? span.start : undefined;
  return [...edits, ...into(text, place, expect, entries)];
}

/** Adds entries to `expect` of a case, or `expect` to the case. */
function into(
  text: string,
  place: { readonly start: number; readonly end: number },
  expect: number | undefined,
  entries: readonly string[],
): TextEdit[] {
  if (expect !== undefined) {
    const head = /^expect["']?\s*:\s*(?:#[^\n]*\s+)*(?:\{\s*)?/.exec(text.slice(expect, place.end))?.[0].length ?? 0;
    return head === 0 ? [] : before(text, expect + head, entries);
  }
  const whole = `expect: {${entries.join(", ")}}`;
  const end = text.slice(0, place.end).trimEnd().length;
  if (text[place.start] === "{") return [{ start: end - 1, end: end - 1, text: `, ${whole}` }];
  const pad = " ".repeat(place.start - lineStartIn(text, place.start));
  return [{ start: end, end, text: `${eolOf(text)}${pad}${whole}` }];
}

/** Inserts entries before an entry of a map, in its style. */
function before(text: string, at: number, entries: readonly string[]): TextEdit[] {
  const head = text.slice(lineStartIn(text, at), at);
  const between = head.trim() === "" ? `${eolOf(text)}${head}` : ", ";
  return [{ start: at, end: at, text: entries.map((entry) => entry + between).join("") }];
}
