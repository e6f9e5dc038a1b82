/** Completion in test files. The run up to the cursor is known, so only possible next steps are offered. */

import { type FileKey, pairOf, type Span, textOf } from "../../../flow";
import type { Program, RunNode } from "../../../flow/run";
import {
  type FlowTest,
  inlineText,
  stepsFor,
  stubsFor,
  type Trace,
  takeNameAmong,
  testKeys,
  traceOf,
} from "../../../flow/test";
import { t } from "../../../text";
import { keyItems } from "../companion";
import { partAround, placeIn, suggestionsAt } from "../completion/companion-place";
import { asSnippet, type Suggestion, type Suggestions, suggest, suggestSnippet } from "../completion/insertion";
import type { KeyPlace, Place, ValuePlace } from "../completion/place-scanner";
import { edgeWords, nodeDetail, variableWords } from "../hover/describe";
import { type TestContext, testInTyping } from "./context";

export function completeTest(context: TestContext, offset: number): Suggestions {
  const { text } = context;
  const part = partAround(text, offset, "tests");
  const place = placeIn(part, offset);
  const items = new Completer(context, offset, place).items();
  return suggestionsAt(part, place, items, wholeWords(text, place, offset));
}

/** `take` is a string: the completion replaces all of it, not only the word under the cursor. */
function wholeWords(text: string, place: Place, offset: number): Span {
  const { word, path } = place;
  if (place.kind !== "value" || place.quoted || path.at(-1) !== "take") return word;
  const rest = /^(?:(?! #)[^\r\n,}])*/.exec(text.slice(offset, offset + 2000))?.[0].trimEnd() ?? "";
  return { start: word.start, end: Math.max(word.end, offset + rest.length) };
}

class Completer {
  readonly #test: FlowTest | undefined;
  #trace: Trace | undefined;

  constructor(
    private readonly context: TestContext,
    private readonly offset: number,
    private readonly place: Place,
  ) {
    this.#test = place.path[0] === "tests" ? testInTyping(context, offset) : undefined;
  }

  items(): Suggestion[] {
    const { place } = this;
    if (place.kind !== "key" && place.kind !== "value") return [];
    const [top, ...path] = place.path;
    if (top === undefined) {
      if (place.kind !== "key") return [];
      const keys = this.#keys(testKeys.file, place);
      return place.taken.size === 0 && !place.flow ? [newTestFile(), ...keys] : keys;
    }
    if (top === "flow") return this.context.flows().map((path) => suggest("id", path, "flow", inlineText(path)));
    if (top !== "tests") return [];
    if (path.length === 0) return place.kind === "key" ? [newTest("- "), newTestWithCases("- ")] : [];
    return this.#inTest(path.slice(1), place);
  }

  #inTest(path: readonly string[], place: KeyPlace | ValuePlace): Suggestion[] {
    const [part, ...inner] = path;
    if (part === undefined) {
      if (place.kind !== "key") return [];
      const keys = this.#keys(testKeys.test, place);
      return place.taken.size === 0 && !place.flow ? [newTest(""), newTestWithCases(""), ...keys] : keys;
    }
    if (part === "tags") return this.#tags(place);
    if (part !== "cases") return this.#inPart(path, place);
    if (inner.length > 1) return this.#inPart(inner.slice(1), place);
    if (place.kind !== "key") return [];
    if (inner.length === 0) return [newCase("- ")];
    const keys = this.#keys(testKeys.case, place);
    return place.taken.size === 0 && !place.flow ? [newCase(""), ...keys] : keys;
  }

  /** The keys of a test and of each of its cases. */
  #inPart([part, ...inner]: readonly string[], place: KeyPlace | ValuePlace): Suggestion[] {
    if (part === "given") return inner.length === 0 ? this.#variables(place) : this.#values(inner[0] as string, place);
    if (part === "tools") return this.#tools(inner, place);
    if (part === "steps") return this.#steps(inner, place);
    return part === "expect" ? this.#expect(inner, place) : [];
  }

  /** The tags of all open test files that this test doesn't have yet. */
  #tags(place: KeyPlace | ValuePlace): Suggestion[] {
    const own = new Set(this.#test?.tags.map(({ value }) => value));
    const { start, end } = place.word;
    const typed = this.context.text.slice(start, end);
    const all = this.context.tags();
    // The tag at the cursor counts only if another test has it, too.
    const isOffered = (tag: string) => (tag === typed ? all.indexOf(tag) !== all.lastIndexOf(tag) : !own.has(tag));
    return [...new Set(all)]
      .filter((tag) => tag !== "" && isOffered(tag))
      .map((tag) => suggest("value", tag, t("tag"), place.kind === "value" && place.quoted ? tag : inlineText(tag)));
  }

  #keys(keys: readonly FileKey[], place: KeyPlace): Suggestion[] {
    return keyItems(keys, place, (name) => opening[name]?.(place.flow));
  }

  #variables(place: KeyPlace | ValuePlace): Suggestion[] {
    const document = this.context.program?.document;
    // A map of variables can't be written as one of them.
    if (place.kind === "value" && place.path.at(-1) !== "-") return [];
    const end = place.kind === "key" && !place.hasColon && place.path.at(-1) !== "-" ? ": " : "";
    const taken = place.kind === "key" ? place.taken : new Set<string>();
    return (document?.variables ?? [])
      .filter(({ name }) => name !== "" && (!taken.has(name) || name === place.typed))
      .map((variable) => ({
        ...suggest("variable", variable.name, variableWords(variable), variable.name + end),
        more: end !== "",
      }));
  }

  /** The possible values of a variable. */
  #values(variable: string, place: KeyPlace | ValuePlace, program = this.context.program): Suggestion[] {
    if (place.kind !== "value" || variable === "-") return [];
    const block = program?.document.variable(variable);
    const type = textOf(pairOf(block?.value, "type")?.value);
    const isNumber = type === "number" || type === "integer";
    const written = (each: string) => (place.quoted || isNumber ? each : inlineText(each));
    const enumerated = (program?.valuesOf(variable) ?? []).map((each) =>
      suggest("value", each, t("value of {0}", variable), written(each)),
    );
    const booleans = type === "boolean" ? ["true", "false"].map((each) => suggest("value", each, "boolean")) : [];
    return [...enumerated, ...booleans, ...(place.quoted ? [] : [suggest("value", "null", t("no value"))])];
  }

  #tools(inner: readonly string[], place: KeyPlace | ValuePlace): Suggestion[] {
    const { program } = this.context;
    const [key, ...rest] = inner;
    if (!program || key === "-") return [];
    if (key === undefined) return place.kind === "key" ? this.#stubs(program, place) : [];
    const node = program.nodes.get(key) ?? [...program.nodes.values()].find(({ calls }) => calls === key);
    const within = rest.filter((each) => each !== "-");
    if (within.length === 0 && place.kind === "key") return this.#keys(testKeys.stub, place);
    if (within[0] !== "event" || !node) return [];
    return [...new Set(node.edges.flatMap(({ on }) => on ?? []))].map((event) =>
      suggest("value", event, t("event of {0}", node.id), inlineText(event)),
    );
  }

  #stubs(program: Program, place: KeyPlace): Suggestion[] {
    const calling = [...program.nodes.values()].filter(({ type }) => type === "tool" || type === "component");
    return calling
      .filter(({ id }) => !place.taken.has(id) || id === place.typed)
      .flatMap((node): Suggestion[] => {
        const detail = nodeDetail(node);
        if (place.hasColon) return [suggest("node", node.id, detail)];
        return stubsFor(program, node, this.context.tools).map(({ title, text }, index) => {
          const label = index === 0 ? node.id : `${node.id} (${title})`;
          return suggest("node", label, index === 0 ? detail : text, `${node.id}: ${text}`);
        });
      });
  }

  #steps(inner: readonly string[], place: KeyPlace | ValuePlace): Suggestion[] {
    if (inner.length === 0) return place.kind === "key" ? this.#nextSteps("- ", place) : [];
    const [, field, ...rest] = inner;
    if (field === undefined) {
      if (place.kind !== "key") return [];
      const keys = this.#keys(testKeys.step, place).filter(({ label }) => {
        const other = { take: "give", give: "take" }[label];
        return other === undefined || !place.taken.has(other);
      });
      return [...(place.taken.size === 0 ? this.#nextSteps("", place) : []), ...keys];
    }
    if (field === "take") return place.kind === "value" ? this.#edges(place) : [];
    if (field === "at") return this.#askingNode();
    if (field !== "give") return [];
    const { last, question } = this.#traced() ?? {};
    const flow = last?.frame.program ?? this.context.program;
    if (rest.length > 0) return this.#values(rest[0] as string, place, flow);
    const variables = this.#variables(place);
    if (question?.kind !== "value") return variables;
    const asked =
      variables.find(({ label }) => label === question.variable) ??
      suggest("variable", question.variable, undefined, `${question.variable}: `);
    return [asked, ...variables.filter((each) => each !== asked)];
  }

  /** The run up to the step at the cursor. */
  #traced(): Trace | undefined {
    const { program, flowOf } = this.context;
    const test = this.#test;
    if (!program || !test) return undefined;
    const before = test.steps.filter(({ span }) => span.end < this.offset && !this.#isInItem(span));
    this.#trace ??= traceOf({ ...test, steps: before }, program, flowOf);
    return this.#trace;
  }

  /** Whether a step is the one at the cursor: no other item starts between the two. */
  #isInItem({ end }: Span): boolean {
    const between = this.context.text.slice(end, this.offset);
    return !/\n[ ]*-(?:[ ]|$)/.test(between) && !/[},]/.test(between.slice(between.lastIndexOf("{") + 1));
  }

  #nextSteps(dash: "- " | "", place: KeyPlace): Suggestion[] {
    const { last, question } = this.#traced() ?? {};
    if (!last || !question || place.hasColon) return [];
    return stepsFor(last, question).map(({ text }) => {
      const give = /^(give: \{.*?: )(.*)\}$/.exec(text);
      const insert = give ? `${asSnippet(give[1] as string)}\${1:${asSnippet(give[2] as string)}}\\}` : text;
      const label = give ? text.replace(/: [^:]*\}$/, ": …}") : text;
      return {
        label: dash + label,
        kind: "snippet" as const,
        detail: t("next step, at {0}", last.at),
        insert: dash + insert,
        snippet: give !== null,
      };
    });
  }

  #edges(place: ValuePlace): Suggestion[] {
    const { last, question } = this.#traced() ?? {};
    if (!last || question?.kind !== "choice") return [];
    const { node } = last;
    const { open } = question.ways;
    return open.map((edge) => {
      const name = takeNameAmong(node, edge, open);
      const quoted = place.quoted ? this.#inQuotes(name) : inlineText(name);
      return suggest("value", name, `${last.at} → ${edge.to}: ${edgeWords(edge.model, node.block)}`, quoted);
    });
  }

  #inQuotes(words: string): string {
    const quote = this.context.text[this.place.word.start - 1];
    return quote === "'" ? words.replaceAll("'", "''") : JSON.stringify(words).slice(1, -1);
  }

  #askingNode(): Suggestion[] {
    const { last } = this.#traced() ?? {};
    if (!last) return this.#nodes(() => true);
    return [suggest("node", last.at, nodeDetail(last.node), inlineText(last.at))];
  }

  #expect(inner: readonly string[], place: KeyPlace | ValuePlace): Suggestion[] {
    const [field, ...rest] = inner;
    if (field === undefined) return place.kind === "key" ? this.#keys(testKeys.expect, place) : [];
    if (field === "variables")
      return rest.length === 0 ? this.#variables(place) : this.#values(rest[0] as string, place);
    if (field === "unset") return rest.length > 0 ? this.#variables(place) : [];
    if (field === "ends")
      return place.kind === "value" ? this.#nodes(({ type }) => type === "end" || type === "transfer") : [];
    if (field === "stuck") return place.kind === "value" ? this.#nodes(() => true) : [];
    if (rest.length === 0) return [];
    if (field !== "path") return this.#nodes(() => true);
    return [...this.#nodesOfRun(), suggest("value", "...", t("any number of nodes"))];
  }

  /** The nodes of the run first, since a path is written along it. */
  #nodesOfRun(): Suggestion[] {
    const { program, flowOf } = this.context;
    const all = this.#nodes(() => true);
    if (!program || !this.#test) return all;
    const { last } = traceOf(this.#test, program, flowOf);
    const entered = new Set<string>();
    for (let state = last; state; state = state.before) entered.add(state.at);
    const order = [...entered].reverse();
    const isOn = ({ label }: Suggestion) => entered.has(label);
    const known = new Map(all.map((each) => [each.label, each]));
    return [...order.flatMap((id) => known.get(id) ?? []), ...all.filter((each) => !isOn(each))];
  }

  #nodes(isWanted: (node: RunNode) => boolean): Suggestion[] {
    const nodes = [...(this.context.program?.nodes.values() ?? [])].filter(isWanted);
    return nodes.map((node) => suggest("node", node.id, nodeDetail(node), inlineText(node.id)));
  }
}

const EXAMPLE_CASE = "what is different";

/** The snippet after a key whose value isn't a scalar. */
const opening: Readonly<Record<string, (flow: boolean) => string>> = {
  tests: (flow) => (flow ? ": [{$0}]" : `:\n  - name: \${1:what happens}\n    steps:\n      - $0`),
  given: () => ": {$0}",
  tools: (flow) => (flow ? ": {$0}" : ":\n  $0"),
  steps: (flow) => (flow ? ": [$0]" : ":\n  - $0"),
  expect: (flow) => (flow ? ": {$0}" : ":\n  $0"),
  cases: (flow) => (flow ? ": [{$0}]" : `:\n  - name: \${1:${EXAMPLE_CASE}}\n    $0`),
  tags: () => ": [$0]",
  give: () => ": {$0}",
  return: () => ": {$0}",
  path: () => ": [$0]",
  variables: () => ": {$0}",
  never: () => ": [$0]",
  unset: () => ": [$0]",
};

function newTestFile(): Suggestion {
  // The flow comes first: the steps and the path are completed with its nodes.
  const later = (_: string, stop: string) => `\${${Number(stop) + 1}`;
  const insert = newTest("- ")
    .insert.replaceAll("\n", "\n  ")
    .replace(/\$\{(\d)/g, later);
  const text = `flow: \${1}\ntests:\n  ${insert}`;
  return { ...suggestSnippet("flow … tests", t("a test file with a first test"), text), more: true };
}

function newTest(dash: "- " | ""): Suggestion {
  const pad = dash === "" ? "\n" : "\n  ";
  const insert = `${dash}name: \${1:what happens}${pad}steps:${pad}  - \${2}${pad}expect:${pad}  path: [\${3}]`;
  return suggestSnippet(`${dash}name … steps … expect`, t("a new test"), insert);
}

function newTestWithCases(dash: "- " | ""): Suggestion {
  const pad = dash === "" ? "\n" : "\n  ";
  const inner = newCase("- ", 3).insert.replaceAll("\n", `${pad}  `);
  const insert = `${dash}name: \${1:what happens}${pad}steps:${pad}  - \${2}${pad}cases:${pad}  ${inner}`;
  return suggestSnippet(`${dash}name … steps … cases`, t("a new test with cases"), insert);
}

function newCase(dash: "- " | "", first = 1): Suggestion {
  const pad = dash === "" ? "\n" : "\n  ";
  const insert = `${dash}name: \${${first}:${EXAMPLE_CASE}}${pad}expect: {\${${first + 1}}}`;
  return suggestSnippet(`${dash}name … expect`, t("a new case"), insert);
}
