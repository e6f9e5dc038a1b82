/** Finds the edge that a `take` names, or why it can't be taken. */

import { AttachedCache } from "../attached-cache";
import { addTo } from "../collections";
import { TEMPLATES } from "../grammar";
import type { Answer, Question, State } from "../run/machine";
import { awaits, type Program, type RunEdge, type RunNode, truthFor } from "../run/program";
import { nearest } from "../wording";
import { type Failure, type FlowPlace, nodePlace } from "./failure";
import type { Located } from "./file/test-file";

type Choice = Question & { readonly kind: "choice" };

export function findEdge(named: Located<string>, state: State, question: Choice): Answer | Failure {
  const { node } = state;
  const { open } = question.ways;
  const name = named.value.trim();
  const matching = edgesNamed(node, name);
  const left = matching.filter((edge) => open.includes(edge));
  const [edge] = left;
  if (edge && left.length === 1) return { take: edge };
  if (left.length > 1)
    return {
      kind: "bad-test",
      message: `"${name}" names ${left.length} edges of "${state.at}". Use the edge ID: ${list(left.map(({ id }) => id))}.`,
      span: named.span,
      at: nodePlace(state),
    };
  const [first] = matching;
  if (first) {
    const why = whyNotTaken(first, state, question);
    const message = `The edge "${name}" of "${state.at}" isn't taken: ${why}`;
    return { kind: "edge-not-taken", message, span: named.span, at: edgePlace(state, first) };
  }
  return unknownEdge(named, name, state, open);
}

/** The edges of a node that a name refers to: by ID, else by `when`, else by label, else by target. */
export function edgesNamed(node: RunNode, name: string): readonly RunEdge[] {
  return namesOf(node).get(name) ?? [];
}

/** The only edge of the whole flow that a name refers to. */
export function onlyEdgeNamed(name: string, program: Program): RunEdge | undefined {
  const edges = edgesByName.get(program) ?? namesInFlow(program);
  edgesByName.set(program, edges);
  const [edge, more] = edges.get(name) ?? [];
  return more ? undefined : edge;
}

type EdgesByName = ReadonlyMap<string, readonly RunEdge[]>;

/** Kept, because a generated test can name each of a thousand edges of a node. */
const edgesByName = new AttachedCache<RunNode | Program, EdgesByName>();

function namesInFlow({ nodes }: Program): EdgesByName {
  const edges = new Map<string, RunEdge[]>();
  for (const node of nodes.values())
    for (const [name, own] of namesOf(node)) {
      const known = edges.get(name);
      if (!known) edges.set(name, [...own]);
      else for (const edge of own) known.push(edge);
    }
  return edges;
}

function namesOf(node: RunNode): EdgesByName {
  const known = edgesByName.get(node);
  if (known) return known;
  const edges = new Map<string, RunEdge[]>();
  for (const nameOf of edgeNames) {
    const sameKind = new Map<string, RunEdge[]>();
    for (const edge of node.edges) {
      const name = nameOf(edge);
      if (name !== undefined) addTo(sameKind, name, edge);
    }
    for (const [name, same] of sameKind) if (!edges.has(name)) edges.set(name, same);
  }
  edgesByName.set(node, edges);
  return edges;
}

const edgeNames: readonly ((edge: RunEdge) => string | undefined)[] = [
  ({ id }) => id,
  ({ when }) => when?.trim(),
  ({ label }) => label?.trim(),
  ({ to }) => to,
];

function whyNotTaken(edge: RunEdge, state: State, { event, ways }: Choice): string {
  if (!awaits(edge, event))
    return edge.isOnEvent
      ? `it waits for the event "${edge.on ?? ""}".`
      : "an event occurred, so only the edges for that event count.";
  if (truthFor(state.frame.variables)(edge) !== false)
    return `"${takeName(ways.open.at(-1) ?? edge)}" comes before it and is taken first.`;
  const values = new Set([...(edge.when ?? "").matchAll(TEMPLATES)].map((match) => match[1] ?? ""));
  const known = [...values].map((variable) => {
    const value = state.frame.variables.get(variable);
    return value === undefined ? `"${variable}" is unset` : `"${variable}" is ${JSON.stringify(value)}`;
  });
  return `its condition is false${known.length > 0 ? `, since ${known.join(" and ")}` : ""}.`;
}

function unknownEdge(named: Located<string>, name: string, state: State, open: readonly RunEdge[]): Failure {
  const names = open.map(takeName);
  const near = nearest(name, names) ?? nearestWords(name, names);
  const advice = near === undefined ? `Its edges here: ${list(names)}.` : `Did you mean "${near}"?`;
  return {
    kind: "edge-unknown",
    message: `"${state.at}" has no edge "${name}". ${advice}`,
    span: named.span,
    at: nodePlace(state),
    ...(near === undefined ? {} : { fix: { title: `Change to "${near}"`, span: named.span, text: near } }),
  };
}

/** The text for `take`. */
export function takeName(edge: RunEdge): string {
  return (edge.when || edge.label || edge.to).trim();
}

/** The same if it's unambiguous among the open edges of a node, else the edge's ID. */
export function takeNameAmong(node: RunNode, edge: RunEdge, open: readonly RunEdge[]): string {
  const words = takeName(edge);
  const named = edgesNamed(node, words).filter((each) => open.includes(each));
  return named.length === 1 && named[0] === edge && !words.includes("\n") ? words : edge.id;
}

/** The text that shares the most words, at least half of them: probably an edited condition. */
function nearestWords(text: string, known: readonly string[]): string | undefined {
  const wordsOf = (each: string) => new Set(each.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const words = wordsOf(text);
  const scored = known
    .map((each) => {
      const others = wordsOf(each);
      const shared = [...others].filter((word) => words.has(word)).length;
      return { each, score: shared / Math.max(1, words.size, others.size) };
    })
    .sort((a, b) => b.score - a.score);
  const [best, second] = scored;
  return best && best.score >= 0.5 && best.score > (second?.score ?? 0) ? best.each : undefined;
}

function edgePlace({ frame, node }: State, { model }: RunEdge): FlowPlace {
  const { document } = frame.program;
  return { document, span: document.absolute(node.block, model.span) };
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
