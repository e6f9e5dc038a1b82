/**
 * What a test file says. Reading never throws: it gives what can be read and a list of problems, each with its place. A
 * problem of the file keeps all of its tests from running, a problem of a test that test alone.
 */
import { MAX_LENGTH } from "../document";
import { nearest } from "../near";
import { type ListText, type Part, readListText } from "../reading/list-text";
import { type Position, type Span, shift } from "../text";
import { keyText, type MapValue, type Pair, scalarText, textOf, toData, type Value } from "../values";
import { namesOf, testKeys } from "./fields";

export interface TestFile {
  readonly text: string;
  /** The path of the flow as written, relative to the test file. */
  readonly flow: Located<string> | undefined;
  readonly tests: readonly FlowTest[];
  /** Problems of the file as a whole. */
  readonly problems: readonly TestProblem[];
}

export interface TestProblem {
  readonly message: string;
  readonly span: Span;
  /** What was probably meant, to be written in its place. */
  readonly near?: string;
}

/** Something the file says, and where. Places are offsets in the file. */
export interface Located<What> {
  readonly value: What;
  readonly span: Span;
}

/** The value of a key; another one can be written in the place of `valueSpan`, which starts behind the colon. */
export interface TestField<What> extends Located<What> {
  readonly valueSpan: Span;
}

export interface FlowTest {
  readonly name: string;
  readonly nameSpan: Span;
  readonly span: Span;
  /** Variables before the first node. */
  readonly given: ReadonlyMap<string, Located<unknown>>;
  /** By node id or tool id. */
  readonly tools: ReadonlyMap<string, Stubs>;
  readonly steps: readonly TestStep[];
  readonly expect: Expectations;
  readonly problems: readonly TestProblem[];
}

/** The answers to calls of a tool or component: one for each call, or one for all. */
export interface Stubs {
  readonly span: Span;
  readonly isList: boolean;
  readonly answers: readonly StubAnswer[];
}

export type StubAnswer = { readonly return: unknown } | { readonly event: string };

export interface TestStep {
  readonly span: Span;
  /** The node at which it happens, if the test says so. */
  readonly at: Located<string> | undefined;
  readonly says: string | undefined;
  readonly does:
    | { readonly kind: "take"; readonly edge: Located<string> }
    | { readonly kind: "give"; readonly variable: Located<string>; readonly value: unknown };
}

export interface Expectations {
  readonly span: Span | undefined;
  readonly path: TestField<readonly Located<string>[]> | undefined;
  readonly variables: ReadonlyMap<string, TestField<unknown>>;
  readonly ends: Located<string> | undefined;
  readonly stuck: Located<string> | undefined;
  readonly never: readonly Located<string>[];
  readonly unset: readonly Located<string>[];
}

const testFields = {
  file: namesOf(testKeys.file),
  test: namesOf(testKeys.test),
  stub: namesOf(testKeys.stub),
  step: namesOf(testKeys.step),
  expect: namesOf(testKeys.expect),
};

const tooLong: ListText = {
  tops: new Map(),
  items: undefined,
  problems: [
    {
      code: "limit",
      message: "This file is longer than 5 MB and isn't read. Split it into several test files.",
      span: { start: 0, end: 1 },
    },
  ],
};

export function isTestFile(name: string): boolean {
  return /\.flowtest\.ya?ml$/.test(name);
}

export function readTestFile(text: string): TestFile {
  const { tops, items: tests, problems: unreadable } = text.length > MAX_LENGTH ? tooLong : readListText(text, "tests");
  const problems: TestProblem[] = unreadable.filter(({ code }) => code !== "duplicate-key");
  const whole = { start: 0, end: Math.min(1, text.length) };
  const flow = tops.get("flow");
  const flowText = textOf(flow?.value);
  if (problems.length === 0) {
    for (const [key, { keySpan }] of tops) {
      const near = testFields.file.includes(key) ? undefined : nearest(key, testFields.file);
      if (near)
        problems.push({ message: `"${key}" isn't a key of a test file. Did you mean "${near}"?`, span: keySpan, near });
    }
    if (flowText === undefined)
      problems.push({
        message: "The test file doesn't name its flow. Add `flow:` with the path of the flow file.",
        span: flow?.keySpan ?? whole,
      });
    if (!tests)
      problems.push({
        message: "The test file has no list of tests. Add `tests:` and a list of tests below it.",
        span: tops.get("tests")?.keySpan ?? whole,
      });
  }
  const duplicates = unreadable.filter(({ code }) => code === "duplicate-key");
  // A key of the file that is written twice; one inside a test is that test's problem.
  const twice = duplicates.find(({ span }) => span.start === 0 || /[\r\n]/.test(text[span.start - 1] as string));
  if (twice) problems.push(twice);
  return {
    text,
    flow:
      flow?.value && flowText !== undefined ? { value: flowText, span: shift(flow.value.span, flow.base) } : undefined,
    tests: (tests ?? []).map((part, index) => new TestReader(text, part.base).read(part, index, duplicates)),
    problems,
  };
}

class TestReader {
  readonly #problems: TestProblem[] = [];

  constructor(
    private readonly text: string,
    private readonly base: number,
  ) {}

  read({ value }: Part, index: number, duplicates: readonly TestProblem[]): FlowTest {
    const span = value ? this.#span(value) : { start: this.base, end: this.base };
    const fields = this.#fields(value, "A test", testFields.test);
    const named = fields.get("name");
    const name = textOf(named?.value);
    if (value?.kind === "map" && name === undefined) this.#complain("A test needs a name.", named ?? value);
    this.#problems.push(...duplicates.filter((each) => each.span.start >= span.start && each.span.end <= span.end));
    return {
      name: name ?? `test ${index + 1}`,
      nameSpan: named?.value ? this.#span(named.value) : span,
      span,
      given: this.#variables(fields.get("given"), "`given`"),
      tools: this.#tools(fields.get("tools")),
      steps: this.#list(fields.get("steps"), "`steps`").flatMap((item) => this.#step(item) ?? []),
      expect: this.#expect(fields.get("expect")),
      problems: this.#problems,
    };
  }

  #tools(pair: Pair | undefined): ReadonlyMap<string, Stubs> {
    const tools = new Map<string, Stubs>();
    for (const each of this.#pairs(pair, "`tools`")) {
      const { value } = each;
      const isList = value?.kind === "list";
      const answers = (isList ? value.items : [value]).flatMap((item) => this.#stub(item, each) ?? []);
      const key = keyText(each);
      if (!tools.has(key)) tools.set(key, { span: this.#span(each), isList, answers });
    }
    return tools;
  }

  #stub(value: Value | undefined, pair: Pair): StubAnswer | undefined {
    const fields = this.#fields(value, "An answer of a tool", testFields.stub, pair);
    const [field, ...more] = [...fields.values()];
    if (value?.kind !== "map" || this.#isKnownWrong(fields.size, value)) return undefined;
    if (!field || more.length > 0) {
      this.#complain("An answer of a tool is one of `return`, `error` and `event`.", value);
      return undefined;
    }
    const kind = keyText(field);
    if (kind === "return") return { return: toData(field.value) };
    if (kind === "error") return { event: "error" };
    const event = textOf(field.value);
    if (event === undefined) this.#complain("`event` needs the name of an event.", field);
    return event === undefined ? undefined : { event };
  }

  #step(value: Value): TestStep | undefined {
    const fields = this.#fields(value, "A step", testFields.step);
    if (value.kind !== "map" || this.#isKnownWrong(fields.size, value)) return undefined;
    const [take, give] = [fields.get("take"), fields.get("give")];
    const does = take ? this.#take(take) : give ? this.#give(give) : undefined;
    if ((take && give) || (!take && !give)) this.#complain("A step needs `take` or `give`, and not both.", value);
    if (!does) return undefined;
    const at = fields.get("at");
    return { span: this.#span(value), at: at && this.#text(at, "`at`"), says: textOf(fields.get("says")?.value), does };
  }

  #take(pair: Pair): TestStep["does"] | undefined {
    const edge = this.#text(pair, "`take`");
    return edge && { kind: "take", edge };
  }

  #give(pair: Pair): TestStep["does"] | undefined {
    const pairs = this.#pairs(pair, "`give`");
    const [only, ...more] = pairs;
    if (!only || more.length > 0) {
      if (pair.value?.kind === "map") this.#complain("`give` needs one variable and its value.", pair);
      return undefined;
    }
    return {
      kind: "give",
      variable: { value: keyText(only), span: this.#span(only.key) },
      value: toData(only.value) ?? undefined,
    };
  }

  #expect(pair: Pair | undefined): Expectations {
    const fields = pair ? this.#fields(pair.value, "`expect`", testFields.expect, pair) : new Map<string, Pair>();
    const path = fields.get("path");
    const one = (key: string) => {
      const field = fields.get(key);
      return field && this.#text(field, `\`${key}\``);
    };
    const [ends, stuck] = [one("ends"), one("stuck")];
    if (ends && stuck)
      this.#complain("A run ends or gets stuck, not both. Remove `ends` or `stuck`.", fields.get("stuck"));
    return {
      span: pair && this.#span(pair),
      path: path && { value: this.#texts(path, "`path`"), span: this.#span(path), valueSpan: this.#valueSpan(path) },
      variables: this.#variables(fields.get("variables"), "`variables`"),
      ends,
      stuck,
      never: this.#texts(fields.get("never"), "`never`"),
      unset: this.#texts(fields.get("unset"), "`unset`"),
    };
  }

  /** The pairs of a map by key; keys that aren't known are a problem, so that no expectation is passed over by a slip. */
  #fields(value: Value | undefined, what: string, known: readonly string[], at?: Pair): Map<string, Pair> {
    const fields = new Map<string, Pair>();
    if (value?.kind !== "map") {
      const example = known.map((key) => `\`${key}\``).join(", ");
      this.#complain(`${what} is written as keys and values: ${example}.`, value ?? at);
      return fields;
    }
    for (const pair of value.pairs) {
      const key = keyText(pair);
      if (known.includes(key)) {
        if (!fields.has(key)) fields.set(key, pair);
        continue;
      }
      const near = nearest(key, known);
      const advice = near ? `Did you mean "${near}"?` : `Known keys: ${known.join(", ")}.`;
      this.#complain(`${what} has no key "${key}". ${advice}`, pair.key, near);
    }
    return fields;
  }

  /** A map of which nothing is known was complained about already. */
  #isKnownWrong(known: number, value: MapValue): boolean {
    return known === 0 && value.pairs.length > 0;
  }

  #pairs(pair: Pair | undefined, what: string): readonly Pair[] {
    if (!pair || pair.value === undefined || isNull(pair.value)) return [];
    if (pair.value.kind === "map") return pair.value.pairs;
    this.#complain(`${what} is written as names and values.`, pair.value);
    return [];
  }

  #variables(pair: Pair | undefined, what: string): ReadonlyMap<string, TestField<unknown>> {
    const variables = new Map<string, TestField<unknown>>();
    for (const each of this.#pairs(pair, what))
      if (!variables.has(keyText(each)))
        variables.set(keyText(each), {
          value: toData(each.value) ?? undefined,
          span: this.#span(each),
          valueSpan: this.#valueSpan(each),
        });
    return variables;
  }

  #list(pair: Pair | undefined, what: string): readonly Value[] {
    if (!pair || pair.value === undefined || isNull(pair.value)) return [];
    if (pair.value.kind === "list") return pair.value.items;
    this.#complain(`${what} is a list.`, pair.value);
    return [];
  }

  #texts(pair: Pair | undefined, what: string): readonly Located<string>[] {
    return this.#list(pair, what).flatMap((item) => {
      const text = textOf(item);
      if (text === undefined) this.#complain(`${what} is a list of names.`, item);
      return text === undefined ? [] : [{ value: text, span: this.#span(item) }];
    });
  }

  #text(pair: Pair, what: string): Located<string> | undefined {
    if (pair.value?.kind === "scalar" && pair.value.value !== null)
      return { value: scalarText(pair.value), span: this.#span(pair.value) };
    this.#complain(`${what} needs a text.`, pair);
    return undefined;
  }

  #complain(message: string, at: { readonly span: Span } | undefined, near?: string): void {
    const span = at ? this.#span(at) : { start: this.base, end: this.base };
    this.#problems.push({ message, span, ...(near === undefined ? {} : { near }) });
  }

  #valueSpan(pair: Pair): Span {
    const key = this.#span(pair.key);
    const end = this.#span(pair).end;
    const colon = this.text.indexOf(":", key.end);
    // From an alias: its place is the alias itself.
    return colon < 0 || colon >= end ? key : { start: colon + 1, end };
  }

  #span({ span }: { readonly span: Span }): Span {
    return shift(span, this.base);
  }
}

function isNull(value: Value): boolean {
  return value.kind === "scalar" && value.value === null;
}

/** The line and column of offsets in a text, both from 0. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0];
  for (const match of text.matchAll(/\r\n?|\n/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: offset - (starts[low] as number) };
  };
}
