/** Writes test files: generated tests with the results of their runs, and updated expectations. */

import { stringify } from "yaml";
import { addTo } from "../collections";
import { type Answer, pathOf, type State, statesOf, variablesOf } from "../run/machine";
import type { RunEdge, RunNode } from "../run/program";
import type { TextEdit } from "../text";
import type { ExpectedEnd } from "./file/test-model";
import type { GeneratedTest } from "./generate/generate";
import type { RunEnd, TestResult } from "./runner";
import { takeNameAmong } from "./takes";

/** A whole test file. `flow` is the flow's path, relative to the file. */
export function writeTests(flow: string, tests: readonly GeneratedTest[]): string {
  return testFileWith(flow, testBlocks(tests));
}

/**
 * Mistakes in the flow that the runs of tests show, a sentence each. `taken` are the names of existing tests;
 * `isWritten` tells by its index whether a test is added to them.
 */
export function faultsIn(
  tests: readonly GeneratedTest[],
  taken: Iterable<string> = [],
  isWritten: (index: number) => boolean = () => true,
): string[] {
  const fresh = freshNames(taken);
  const by = new Map<string, string[]>();
  for (const [index, test] of tests.entries()) {
    const name = fresh(nameFor(test));
    if (!isWritten(index)) continue;
    for (const { unset } of statesOf(test.last))
      for (const { at, variable, program } of unset) {
        const isDeclared = program.document.variable(variable) !== undefined;
        const end = isDeclared ? "isn't set there; expected as `unset` by" : "isn't declared; this fails";
        const sentence = `${at} reads "${variable}", which ${end}`;
        by.set(sentence, [...new Set([...(by.get(sentence) ?? []), `"${name}"`])]);
      }
  }
  return [...by].map(([sentence, names]) => {
    const more = names.length > 1 ? ` and ${names.length - 1} more` : "";
    return `${sentence} ${names[0]}${more}.`;
  });
}

/** Tests as list items. A name that is taken gets a number. */
export function testBlocks(tests: readonly GeneratedTest[], taken: Iterable<string> = []): string[] {
  const fresh = freshNames(taken);
  return tests.map((test) => testLines(fresh(nameFor(test)), test, true).join("\n"));
}

/** Makes names unique: one that is taken gets a number. */
export function freshNames(taken: Iterable<string> = []): (plain: string) => string {
  const names = new Set(taken);
  const counts = new Map<string, number>();
  return (plain) => {
    let name = plain;
    let count = counts.get(plain) ?? 1;
    while (names.has(name)) name = `${plain} (${++count})`;
    counts.set(plain, count);
    names.add(name);
    return name;
  };
}

/** `blocks` are list items, indented by two. */
export function testFileWith(flow: string, blocks: readonly string[]): string {
  return `flow: ${block(flow)}\ntests:${blocks.length === 0 ? " []" : ""}\n${blocks.map((each) => `${each}\n`).join("\n")}`;
}

/**
 * A test that repeats a finished run, as lines of the list of tests. An unreviewed one has no expectations for
 * undeclared variables, which are mistakes in the flow.
 */
export function testLines(
  name: string,
  { given, answers, last }: Omit<GeneratedTest, "edge">,
  isStrict = false,
): string[] {
  const lines = [`  - name: ${block(name)}`];
  if (given.length > 0) lines.push(`    given: ${inlineValue(Object.fromEntries(given))}`);
  const tools = toolsOf(answers);
  if (tools.size > 0) lines.push("    tools:");
  for (const [node, stubs] of tools) {
    const [first] = stubs;
    const isOne = new Set(stubs.map((stub) => JSON.stringify(stub))).size === 1;
    lines.push(`      ${block(node)}: ${inlineValue(isOne ? first : stubs)}`);
  }
  const steps = answers.flatMap(({ at, answer }) => stepLine(at, answer) ?? []);
  if (steps.length > 0) lines.push("    steps:");
  for (const step of steps) lines.push(`      - ${step}`);
  const variables = expectedValues(last, isStrict);
  const reads = statesOf(last).flatMap(({ unset }) => unset);
  const expected = reads.filter(({ program, variable }) => !isStrict || program.document.variable(variable));
  const unset = [...new Set(expected.map(({ variable }) => variable))];
  lines.push("    expect:", `      path: ${inlineValue(pathOf(last))}`);
  if (Object.keys(variables).length > 0) lines.push(`      variables: ${inlineValue(variables)}`);
  lines.push(`      ${endLine(last)}`);
  if (unset.length > 0) lines.push(`      unset: ${inlineValue(unset)}`);
  return lines;
}

/** The values at the end, and null for variables that a node of the run should have set but didn't. */
function expectedValues(last: State, isStrict: boolean): Record<string, unknown> {
  const states = statesOf(last).filter(({ frame }) => !frame.caller);
  const { document } = (states[0] ?? last).frame.program;
  const values = variablesOf(last);
  const names = new Set([...values.keys(), ...states.flatMap(({ node }) => node.sets)]);
  const declared = [...names].filter((name) => document.variable(name) || (!isStrict && values.has(name)));
  return Object.fromEntries(declared.map((name) => [name, values.get(name) ?? null]));
}

function endLine({ at, ended }: State): string {
  if (ended?.kind === "stuck") return `stuck: ${block(at)}`;
  return `ends: ${inlineValue({ node: at, transfer: ended?.kind === "transfer" })}`;
}

/** The answers of tools by node, one for each call. */
function toolsOf(answers: GeneratedTest["answers"]): Map<string, unknown[]> {
  const tools = new Map<string, unknown[]>();
  for (const { at, answer } of answers) {
    if (!("return" in answer) && !("event" in answer)) continue;
    const stub = "return" in answer ? answer : answer.event === "error" ? { error: "failed" } : answer;
    addTo(tools, at.at, stub);
  }
  return tools;
}

function stepLine({ node, question }: State, answer: Answer): string | undefined {
  if ("give" in answer && question?.kind === "value")
    return `give: ${inlineValue({ [question.variable]: answer.give ?? null })}`;
  if (!("take" in answer) || question?.kind !== "choice") return undefined;
  return `take: ${block(takeNameAmong(node, answer.take, question.ways.open))}`;
}

function nameFor({ edge, last }: GeneratedTest): string {
  const end = last.ended?.kind === "transfer" ? `transfers at ${last.at}` : `ends at ${last.at}`;
  const words = edge ? edgeWords(edge, last.frame.program.nodes.get(edge.from)) : "";
  return words === "" ? end : `${words.length > 80 ? `${words.slice(0, 79).trimEnd()}…` : words}, ${end}`;
}

function edgeWords(edge: RunEdge, node: RunNode | undefined): string {
  if (edge.isOnEvent) return `${edge.from} ${edge.on === "error" ? "fails" : `gets ${edge.on}`}`;
  const when = edge.when?.replace(/\{\{\s*([\w-]+)\s*\}\}/g, "$1").replace(/\s+/g, " ");
  const words = when?.trim() || edge.label;
  if (words) return `${edge.from}, ${words}`;
  if (node?.type === "tool" || node?.type === "component") return `${edge.from} succeeds`;
  return node?.edges.length === 1 ? `${edge.from} goes on` : `${edge.from}, otherwise`;
}

/** Edits that update the expectations of a test to its run; empty if all of them hold. */
export function updatedExpectations({ test, failures, path, variables, ended }: TestResult): TextEdit[] {
  const wrong = new Set(failures.map(({ kind }) => kind));
  const { expect } = test;
  const edits: TextEdit[] = [];
  if (expect.path && wrong.has("wrong-path")) edits.push({ ...expect.path.valueSpan, text: ` ${inlineValue(path)}` });
  if (expect.ends && wrong.has("wrong-end") && (ended?.kind === "end" || ended?.kind === "transfer"))
    for (const each of updatedEnd(expect.ends, ended)) edits.push(each);
  if (wrong.has("wrong-variable"))
    for (const [name, expected] of expect.variables)
      if (failures.some((failure) => failure.kind === "wrong-variable" && failure.span === expected.span))
        edits.push({ ...expected.valueSpan, text: ` ${inlineValue(variables.get(name) ?? null)}` });
  return edits;
}

function updatedEnd(expected: ExpectedEnd, ended: RunEnd): TextEdit[] {
  const { transfer } = expected;
  const isTransferred = ended.kind === "transfer";
  return [
    ...(expected.value === ended.node ? [] : [{ ...expected.span, text: inlineText(ended.node) }]),
    ...(transfer && transfer.value !== isTransferred ? [{ ...transfer.span, text: String(isTransferred) }] : []),
  ];
}

function block(text: string): string {
  return plainly(text) ?? stringify(text, { lineWidth: 0 }).trimEnd();
}

/** A value in braces and brackets, on one line. */
export function inlineValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return inlineText(value);
  if (Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === "string"))
    return `[${value.map((item) => plainly(item) ?? inlineText(item)).join(", ")}]`;
  const plain = plainly(value);
  if (plain !== undefined) return plain;
  return stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false }).trimEnd();
}

/**
 * A value that YAML reads as it is written. A generated file consists mostly of these, and `stringify` takes a hundred
 * times as long. Undefined for any other value.
 */
function plainly(value: unknown): string | undefined {
  if (typeof value === "string") return isPlain(value) ? value : undefined;
  if (typeof value === "boolean" || value === null || Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) {
    const items = value.map(plainly);
    return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
  }
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const pairs: string[] = [];
  for (const [key, each] of Object.entries(value)) {
    const written = isPlain(key) ? plainly(each) : undefined;
    if (written === undefined) return undefined;
    pairs.push(`${key}: ${written}`);
  }
  return `{${pairs.join(", ")}}`;
}

const PLAIN = /^[A-Za-z_][\w/-]*(?: [\w/-]+)*$/;

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !/^(?:null|true|false)$/i.test(text);
}

/** A scalar that's valid inside braces. */
export function inlineText(value: unknown): string {
  const [text = ""] = /(?<=^\[).*(?=\]$)/s.exec(inlineValue([value])) ?? [];
  return text;
}
