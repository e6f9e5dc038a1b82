/**
 * Finds the names of a flow in a test: the node, variable, or edge that each part of the test refers to. Locations are
 * offsets in the test file; names from an alias aren't listed.
 */
import { TEMPLATES } from "../grammar";
import type { FlowOf } from "../run/machine";
import type { Program, RunEdge } from "../run/program";
import { contains, type Span, type TextEdit } from "../text";
import type { FlowTest, Located } from "./file/test-file";
import { onlyEdgeNamed } from "./takes";
import { type Trace, traceOf } from "./trace";

export type TestName = {
  /** The name itself, without quotes. */
  readonly span: Span;
  readonly name: string;
  /** The flow that the name belongs to; a component's for the part after a slash. */
  readonly program: Program;
} & (
  | { readonly kind: "node" | "variable" | "tool" }
  | { readonly kind: "edge"; readonly edge: RunEdge; readonly by: "id" | "when" | "label" | "target" }
);

/** A name of a flow that is renamed. */
export type Renamed =
  | { readonly kind: "node" | "variable"; readonly name: string; readonly to: string }
  | { readonly kind: "label"; readonly edge: RunEdge; readonly to: string };

export function namesInTest(
  test: FlowTest,
  text: string,
  program: Program,
  flowOf: FlowOf,
  trace: Trace = traceOf(test, program, flowOf),
): TestName[] {
  const names: TestName[] = [];
  const written = (name: string, at: Span) => writtenIn(text, name, at);
  const addVariable = (name: string, at: Span) => {
    const span = written(name, at);
    if (span) names.push({ kind: "variable", name, span, program });
  };
  const addPath = ({ value, span: at }: Located<string>) => {
    const whole = written(value, at);
    if (whole && value !== "...") for (const each of nodesAlong(value, whole.start, program, flowOf)) names.push(each);
  };
  for (const [name, { span }] of test.given) addVariable(name, span);
  for (const [key, { span }] of test.tools) {
    const place = written(key, span);
    if (!place) continue;
    const isTool = !program.nodes.has(key) && callers(program, key).length > 0;
    if (isTool) names.push({ kind: "tool", name: key, span: place, program });
    else for (const each of nodesAlong(key, place.start, program, flowOf)) names.push(each);
  }
  const traced = new Map(trace.steps.map((each) => [each.step, each]));
  for (const step of test.steps) {
    if (step.at) addPath(step.at);
    const at = traced.get(step);
    const flow = at?.state.frame.program ?? program;
    if (step.does.kind === "give") {
      if (!step.does.variable) continue;
      const { value, span: place } = step.does.variable;
      const span = written(value, place);
      if (span) names.push({ kind: "variable", name: value, span, program: flow });
      continue;
    }
    const { value, span: place } = step.does.edge;
    // The edge of a step that isn't reached is known if only one edge of the flow has this name.
    const edge = at?.edge ?? onlyEdgeNamed(value.trim(), flow);
    const span = written(value, place) ?? (edge && place);
    if (!edge || !span || text[span.start] === "*") continue;
    const by = howNamed(edge, value.trim());
    names.push({ kind: "edge", name: value, span, program: flow, edge, by });
    if (by === "when")
      for (const match of text.slice(span.start, span.end).matchAll(TEMPLATES)) {
        const start = span.start + match.index + match[0].indexOf(match[1] as string);
        const name = match[1] as string;
        names.push({ kind: "variable", name, span: { start, end: start + name.length }, program: flow });
      }
  }
  const { path, ends, stuck, never, unset, variables } = test.expect;
  for (const each of [...(path?.value ?? []), ...(ends ? [ends] : []), ...(stuck ? [stuck] : []), ...never])
    addPath(each);
  for (const [name, { span }] of variables) addVariable(name, span);
  for (const { value, span } of unset) addVariable(value, span);
  return names;
}

/** The place of a name without its quotes; undefined if it came from an alias. */
export function writtenIn(text: string, name: string, { start }: Span): Span | undefined {
  const at = /["']/.test(text[start] ?? "") ? start + 1 : start;
  return text.startsWith(name, at) ? { start: at, end: at + name.length } : undefined;
}

/** The innermost name at an offset. */
export function nameIn(names: readonly TestName[], offset: number): TestName | undefined {
  return names
    .filter(({ span }) => contains(span, offset))
    .sort((a, b) => a.span.end - a.span.start - (b.span.end - b.span.start))[0];
}

/** The nodes that call a tool or component. */
export function callers({ nodes }: Program, id: string) {
  return [...nodes.values()].filter(({ calls }) => calls === id);
}

/** `part/node`: a node of the flow, and one of the component's flow. */
export function nodesAlong(value: string, start: number, program: Program, flowOf: FlowOf): TestName[] {
  const names: TestName[] = [];
  let [flow, at]: [Program | undefined, number] = [program, start];
  for (const name of value.split("/")) {
    if (!flow) break;
    names.push({ kind: "node", name, span: { start: at, end: at + name.length }, program: flow });
    const calls: string | undefined = flow.nodes.get(name)?.calls;
    flow = calls === undefined ? undefined : flowOf(calls);
    at += name.length + 1;
  }
  return names;
}

/** The part of an edge that a name is. */
export function howNamed({ id, when, label }: RunEdge, name: string): "id" | "when" | "label" | "target" {
  if (id === name) return "id";
  if (when?.trim() === name) return "when";
  return label?.trim() === name ? "label" : "target";
}

/** The edits of a test for a renamed name of `program`. */
export function renamedIn(names: readonly TestName[], text: string, program: Program, renamed: Renamed): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const each of names) {
    if (each.program !== program) continue;
    const to = renamedName(each, renamed);
    if (to !== undefined && to !== each.name)
      edits.push({ ...each.span, text: renamed.kind === "label" ? scalarIn(text, each.span, to) : to });
  }
  return edits;
}

function renamedName(each: TestName, renamed: Renamed): string | undefined {
  if (renamed.kind === "label")
    return each.kind === "edge" && each.by === "label" && isSameEdge(each.edge, renamed.edge) ? renamed.to : undefined;
  if (each.kind === renamed.kind) return each.name === renamed.name ? renamed.to : undefined;
  if (each.kind !== "edge" || renamed.kind !== "node") return undefined;
  const { edge, by } = each;
  if (by === "target") return edge.to === renamed.name ? renamed.to : undefined;
  // An edge without an explicit ID is named after its source and target.
  const ends = `${edge.from}--${edge.to}`;
  if (by !== "id" || !edge.id.startsWith(ends) || edge.model.hasId) return undefined;
  const now = (name: string) => (name === renamed.name ? renamed.to : name);
  return `${now(edge.from)}--${now(edge.to)}${edge.id.slice(ends.length)}`;
}

function isSameEdge(a: RunEdge, b: RunEdge): boolean {
  return a === b || (a.from === b.from && a.id === b.id);
}

/** Replaces text: inside quotes with the necessary escapes, otherwise with quotes if needed. */
function scalarIn(text: string, { start }: Span, words: string): string {
  const json = JSON.stringify(words);
  // The location includes the quotes if the text has escapes.
  if (/["'|>]/.test(text[start] ?? "")) return json;
  const quote = text[start - 1];
  if (quote === "'") return words.replaceAll("'", "''");
  if (quote === '"') return json.slice(1, -1);
  return isPlain(words) ? words : json;
}

function isPlain(words: string): boolean {
  return (
    /^[\p{L}][^:#{}[\],&*!|>'"%@`\n\\]*$/u.test(words) && words === words.trim() && !/^(true|false|null)$/i.test(words)
  );
}
