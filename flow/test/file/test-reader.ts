/** Parses one test of a test file, with its cases, and its problems and parts without effect. */

import type { Part } from "../../reading/list-text";
import { briefly, type Span, shift } from "../../text";
import { keyText, type MapValue, type Pair, scalarText, textOf, toData, type Value } from "../../values";
import { nearest } from "../../wording";
import { namesOf, testKeys } from "./fields";
import type {
  Expectations,
  ExpectedEnd,
  FlowTest,
  Located,
  StubAnswer,
  Stubs,
  TestField,
  TestProblem,
  TestStep,
} from "./test-model";

type Fields = ReadonlyMap<string, Pair>;

/** The script of a test, and the parts that a case overrides. */
interface Script extends Pick<FlowTest, "given" | "tools" | "expect"> {
  /** Undefined if it doesn't specify them. */
  readonly steps: readonly TestStep[] | undefined;
}

export class TestReader {
  readonly #problems: TestProblem[] = [];
  readonly #unused: TestProblem[] = [];

  constructor(
    private readonly text: string,
    private readonly base: number,
  ) {}

  /** The test, or one test for each of its cases. */
  read({ value }: Part, index: number, duplicates: readonly TestProblem[]): FlowTest[] {
    const span = value ? this.#span(value) : { start: this.base, end: this.base };
    const fields = this.#fields(value, "A test", namesOf(testKeys.test));
    const named = fields.get("name");
    const name = textOf(named?.value) || undefined;
    if (value?.kind === "map" && name === undefined) this.#complain("A test needs a name.", named ?? value);
    for (const each of duplicates.filter((each) => each.span.start >= span.start && each.span.end <= span.end))
      this.#problems.push(each);
    const script = this.#script(fields);
    const test: FlowTest = {
      name: name ?? `test ${index + 1}`,
      nameSpan: named?.value ? this.#span(named.value) : span,
      span,
      case: undefined,
      tags: this.#tags(fields.get("tags")),
      skip: this.#skip(fields.get("skip")),
      ...script,
      steps: script.steps ?? [],
      problems: this.#problems,
      unused: this.#unused,
      isShared: /(?:^|[\s,[{])[&*][^\s,[\]{}]/.test(this.text.slice(span.start, span.end)),
    };
    const cases = fields.get("cases");
    return cases ? this.#cases(cases, test, script) : [test];
  }

  #cases(pair: Pair, test: FlowTest, script: Script): FlowTest[] {
    const items = this.#list(pair, "`cases`");
    if (pair.value?.kind === "list" && items.length === 0)
      this.#complain("`cases` is empty, so the test is never run. Add a case, or remove `cases`.", pair);
    const names = new Set<string>();
    const scripts: Script[] = [];
    const cases = items.map((item, index): FlowTest => {
      const fields = this.#fields(item, "A case", namesOf(testKeys.case));
      const named = fields.get("name");
      const name = named ? (this.#text(named, "`name`")?.value ?? "") : `case ${index + 1}`;
      if (names.has(name))
        this.#complain(`Two cases are called "${briefly(name)}". Give each a name of its own.`, named ?? item);
      names.add(name);
      const own = this.#script(fields);
      scripts.push(own);
      return {
        ...test,
        name: `${test.name} (${name})`,
        nameSpan: this.#span(named?.value ?? item),
        case: { index, span: this.#span(item) },
        skip: this.#skip(fields.get("skip")) ?? test.skip,
        given: new Map([...test.given, ...own.given]),
        tools: new Map([...test.tools, ...own.tools]),
        steps: own.steps ?? test.steps,
        expect: joined(script.expect, own.expect),
      };
    });
    // With an anchor, a case may refer to a part that it replaces.
    if (scripts.length > 0 && !test.isShared) this.#reportOverridden(script, scripts);
    return cases.length > 0 ? cases : [test];
  }

  /** Reports the parts of a test that each of its cases overrides. */
  #reportOverridden({ steps, given, tools, expect }: Script, cases: readonly Script[]): void {
    const report = (what: string, part: Located<unknown> | undefined, isOverridden: (each: Script) => boolean) => {
      if (part && cases.every(isOverridden))
        this.#unused.push({ message: `Every case has its own ${what}, so this has no effect.`, span: part.span });
    };
    const [first] = steps ?? [];
    report("`steps`", first && { value: steps, span: first.span }, (each) => each.steps !== undefined);
    for (const [name, value] of given) report(`value of "${name}"`, value, (each) => each.given.has(name));
    for (const [key, { span }] of tools)
      report(`answer of "${key}"`, { value: key, span }, (each) => each.tools.has(key));
    for (const [name, value] of expect.variables)
      report(`value of "${name}"`, value, (each) => each.expect.variables.has(name));
    const hasEnd = (each: Script) => each.expect.ends !== undefined || each.expect.stuck !== undefined;
    report("`path`", expect.path, (each) => each.expect.path !== undefined);
    report("end", expect.ends ?? expect.stuck, hasEnd);
    report("`never`", expect.never[0], (each) => each.expect.never.length > 0);
    report("`unset`", expect.unset[0], (each) => each.expect.unset.length > 0);
  }

  #script(fields: Fields): Script {
    const steps = fields.get("steps");
    const items = this.#list(steps, "`steps`");
    // Without a value, `steps` has no effect: a case keeps the steps of its test.
    const hasSteps = steps?.value !== undefined && !isNull(steps.value);
    return {
      given: this.#variables(fields.get("given"), "`given`"),
      tools: this.#tools(fields.get("tools")),
      steps: hasSteps ? items.flatMap((item) => this.#step(item) ?? []) : undefined,
      expect: this.#expect(fields.get("expect")),
    };
  }

  #tags(pair: Pair | undefined): readonly Located<string>[] {
    const one = pair?.value?.kind === "scalar" && !isNull(pair.value) ? this.#text(pair, "`tags`") : undefined;
    return one ? [one] : this.#texts(pair, "`tags`");
  }

  #skip(pair: Pair | undefined): Located<string> | undefined {
    if (!pair) return undefined;
    const { value } = pair;
    if (value?.kind === "scalar" && typeof value.value === "string" && value.value.trim() !== "")
      return { value: value.value, span: this.#span(value) };
    this.#complain("`skip` needs the reason why the test isn't run.", pair);
    return undefined;
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
    const fields = this.#fields(value, "A tool's answer", namesOf(testKeys.stub), pair);
    const [field, ...more] = [...fields.values()];
    if (value?.kind !== "map" || this.#isKnownWrong(fields.size, value)) return undefined;
    if (!field || more.length > 0) {
      this.#complain("A tool's answer must be one of `return`, `error` and `event`.", value);
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
    const fields = this.#fields(value, "A step", namesOf(testKeys.step));
    if (value.kind !== "map" || this.#isKnownWrong(fields.size, value)) return undefined;
    const [take, give] = [fields.get("take"), fields.get("give")];
    const does = take ? this.#take(take) : give ? this.#give(give) : undefined;
    if ((take && give) || (!take && !give)) this.#complain("A step needs `take` or `give`, and not both.", value);
    const [at, says] = [fields.get("at"), fields.get("says")];
    const step = {
      span: this.#span(value),
      at: at && this.#text(at, "`at`"),
      says: says && this.#text(says, "`says`")?.value,
    };
    return does && { ...step, does };
  }

  #take(pair: Pair): TestStep["does"] | undefined {
    const edge = this.#text(pair, "`take`");
    return edge && { kind: "take", edge };
  }

  #give(pair: Pair): TestStep["does"] | undefined {
    if (pair.value === undefined || isNull(pair.value)) return { kind: "give", variable: undefined, value: undefined };
    const [only, ...more] = this.#pairs(pair, "`give`");
    if (!only || more.length > 0) {
      if (pair.value.kind === "map") this.#complain("`give` needs one variable and its value.", pair);
      return undefined;
    }
    return {
      kind: "give",
      variable: { value: keyText(only), span: this.#span(only.key) },
      value: toData(only.value) ?? undefined,
    };
  }

  #expect(pair: Pair | undefined): Expectations {
    const fields = pair
      ? this.#fields(pair.value, "`expect`", namesOf(testKeys.expect), pair)
      : new Map<string, Pair>();
    if (pair && fields.size === 0 && pair.value?.kind === "map") this.#isEmpty(pair, "`expect`");
    const path = fields.get("path");
    const [ends, stuck] = [this.#end(fields.get("ends")), fields.get("stuck")];
    if (ends && stuck) this.#complain("A run ends or gets stuck, not both. Remove `ends` or `stuck`.", stuck);
    return {
      span: pair && this.#span(pair),
      path:
        path && !this.#isEmpty(path, "`path`")
          ? { value: this.#texts(path, "`path`"), span: this.#span(path), valueSpan: this.#valueSpan(path) }
          : undefined,
      variables: this.#variables(fields.get("variables"), "`variables`"),
      ends,
      stuck: stuck && this.#text(stuck, "`stuck`"),
      never: this.#texts(fields.get("never"), "`never`"),
      unset: this.#texts(fields.get("unset"), "`unset`"),
    };
  }

  #end(pair: Pair | undefined): ExpectedEnd | undefined {
    if (pair?.value?.kind !== "map") {
      const node = pair && this.#text(pair, "`ends`");
      return node && { ...node, transfer: undefined };
    }
    const fields = this.#fields(pair.value, "`ends`", namesOf(testKeys.ends));
    const [node, transfer] = [fields.get("node"), fields.get("transfer")];
    if (!node) this.#complain("`ends` needs the node: `ends: {node: …, transfer: true}`.", pair);
    const { value } = transfer ?? {};
    const is = value?.kind === "scalar" && typeof value.value === "boolean" ? value.value : undefined;
    if (transfer && is === undefined) this.#complain("`transfer` must be true or false.", transfer);
    const named = node && this.#text(node, "`node`");
    const kind = value && is !== undefined ? { value: is, span: this.#span(value) } : undefined;
    return named && { ...named, transfer: kind };
  }

  /** The pairs of a map by key; unknown keys are a problem, so that a typo can't disable an expectation. */
  #fields(value: Value | undefined, what: string, known: readonly string[], at?: Pair): Map<string, Pair> {
    const fields = new Map<string, Pair>();
    if (value?.kind !== "map") {
      const example = known.map((key) => `\`${key}\``).join(", ");
      this.#complain(`${what} must be a map of keys and values: ${example}.`, value ?? at);
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
      this.#complain(`${what} has no key "${briefly(key)}". ${advice}`, pair.key, near);
    }
    return fields;
  }

  /** Whether a map without known keys was already reported. */
  #isKnownWrong(known: number, value: MapValue): boolean {
    return known === 0 && value.pairs.length > 0;
  }

  #pairs(pair: Pair | undefined, what: string): readonly Pair[] {
    if (!pair || this.#isEmpty(pair, what)) return [];
    if (pair.value?.kind === "map") return pair.value.pairs;
    this.#complain(`${what} must be a map of names and values.`, pair.value);
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
    if (!pair || this.#isEmpty(pair, what)) return [];
    if (pair.value?.kind === "list") return pair.value.items;
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
    this.#complain(`${what} must be a string.`, pair);
    return undefined;
  }

  /** A key without a value has no effect. The test still runs, but the key is reported. */
  #isEmpty(pair: Pair, what: string): boolean {
    const { value } = pair;
    const isMissing = value === undefined || isNull(value);
    const isVoid =
      value?.kind === "map" ? value.pairs.length === 0 : value?.kind === "list" && value.items.length === 0;
    if (!isMissing && !(isVoid && IDLE_WHEN_EMPTY.has(what))) return false;
    const why = isMissing ? "has no value" : "is empty";
    this.#unused.push({ message: `${what} ${why}, so it has no effect.`, span: this.#span(pair) });
    return true;
  }

  #complain(message: string, at: { readonly span: Span } | undefined, near?: string): void {
    const span = at ? this.#span(at) : { start: this.base, end: this.base };
    this.#problems.push({ message, span, ...(near === undefined ? {} : { near }) });
  }

  #valueSpan(pair: Pair): Span {
    const key = this.#span(pair.key);
    const end = this.#span(pair).end;
    const colon = this.text.indexOf(":", key.end);
    // From an alias: its location is the alias itself.
    return colon < 0 || colon >= end ? key : { start: colon + 1, end };
  }

  #span({ span }: { readonly span: Span }): Span {
    return shift(span, this.base);
  }
}

/** The expectations of a case, with those of its test for what it doesn't specify. */
function joined(test: Expectations, own: Expectations): Expectations {
  const isEndKnown = own.ends !== undefined || own.stuck !== undefined;
  return {
    span: own.span ?? test.span,
    path: own.path ?? test.path,
    variables: new Map([...test.variables, ...own.variables]),
    ends: isEndKnown ? own.ends : test.ends,
    stuck: isEndKnown ? own.stuck : test.stuck,
    never: own.never.length > 0 ? own.never : test.never,
    unset: own.unset.length > 0 ? own.unset : test.unset,
  };
}

/** For other keys an empty value has a meaning: no steps, a path without nodes. */
const IDLE_WHEN_EMPTY: ReadonlySet<string> = new Set(
  ["given", "tools", "expect", "variables", "never", "unset", "tags"].map((key) => `\`${key}\``),
);

function isNull(value: Value): boolean {
  return value.kind === "scalar" && value.value === null;
}
